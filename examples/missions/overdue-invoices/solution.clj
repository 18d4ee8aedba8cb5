(->> ctx/invoices
     (filter #(and (neg? (compare (:due %) ctx/today)) (< (:paid %) (:amount %))))
     (sort-by (fn [it] [(:due it) (- (:paid it) (:amount it))]))
     (mapv :id)
     return)
