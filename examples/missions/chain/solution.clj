(let [customer (call "customer" {:email ctx/email})]
  (return (count (call "orders" {:customer_id (:id customer)}))))
