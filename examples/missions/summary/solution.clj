(return {:count (count ctx/orders)
         :total (sum-by :amount ctx/orders)
         :cities (distinct (map :city ctx/orders))})
