(let [customer (call "customer" {:email ctx/email})]
  (return (reduce + (map :amount (call "orders" {:customer_id (:id customer)})))))
