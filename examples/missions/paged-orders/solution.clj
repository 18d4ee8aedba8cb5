(defn all-orders []
  (loop [cursor nil, orders []]
    (let [page (call "list_orders" {:region ctx/region :cursor cursor})
          orders (into orders (:orders page))]
      (if (:next_cursor page)
        (recur (:next_cursor page) orders)
        orders))))
(let [open (filter #(= (:state %) "open") (all-orders))]
  (return {:open (count open)
           :amount (reduce + (map :amount open))
           :largest (:id (apply max-key :amount open))}))
