(return (aggregate-by :city :amount sum ctx/orders))
