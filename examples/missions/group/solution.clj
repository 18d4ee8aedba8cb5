(return (frequencies (map :state ctx/orders)))
