; Joins orders with customers by an index. Revenue per country and segment.
(let [by-id (into {} (map (juxt :id identity) ctx/customers))
      rows (for [order ctx/orders
                 :let [customer (get by-id (:customer_id order))]
                 :when (and customer (not= "cancelled" (:status order)))
                 line (:lines order)]
             {:country (:country customer)
              :segment (get customer :segment "none")
              :amount (* (:quantity line) (:price line))})]
  (return
    (->> rows
         (group-by (juxt :country :segment))
         (map (fn [[[country segment] rows]]
                {:country country
                 :segment segment
                 :lines (count rows)
                 :revenue (reduce + (map :amount rows))}))
         (sort-by (juxt :country :segment)))))
