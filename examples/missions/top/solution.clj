(return (map :id (top-by 3 :amount ctx/orders)))
