(return (reduce + (map :amount ctx/orders)))
