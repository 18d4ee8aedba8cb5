(return (sum-by :amount ctx/orders))
