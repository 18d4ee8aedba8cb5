(defn orders-after [cursor]
  (let [{:keys [orders next_cursor]} (call "list_orders" {:region ctx/region :cursor cursor})]
    (into orders (when next_cursor (orders-after next_cursor)))))
(let [open (where {:state "open"} (orders-after nil))]
  (return {:open (count open) :amount (sum-by :amount open) :largest (:id (max-by :amount open))}))
