(->> ctx/invoices
     (filter #(and (neg? (compare (:due %) ctx/today)) (< (:paid %) (:amount %))))
     (sort-by (juxt :due #(- (:paid %) (:amount %))))
     (map :id)
     return)
