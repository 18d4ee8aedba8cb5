(->> ctx/expenses
     (filter #(= (:status %) "approved"))
     (group-by :employee)
     (map (fn [[employee items]]
            (let [sum (reduce + (map :cents items))]
              {:employee employee :cents sum :over_cents (- sum ctx/limit)})))
     (filter #(pos? (:over_cents %)))
     (sort-by :cents >)
     return)
