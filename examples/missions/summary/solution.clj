(return {:count (count ctx/orders)
         :total (reduce + (map :amount ctx/orders))
         :cities (distinct (map :city ctx/orders))})
