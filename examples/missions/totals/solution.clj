(return (update-vals (group-by :city ctx/orders) #(reduce + (map :amount %))))
