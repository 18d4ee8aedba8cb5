(return (reduce + (map :amount (filter #(= (:state %) "open") ctx/orders))))
