(->> (for [[employee cents] (aggregate-by :employee :cents sum (where {:status "approved"} ctx/expenses))
           :when (> cents ctx/limit)]
       {:employee employee :cents cents :over_cents (- cents ctx/limit)})
     (sort-by :cents >)
     return)
