(return (count-by :state ctx/orders))
