(return (sum-by :amount (call "orders" {:customer_id (:id (call "customer" {:email ctx/email}))})))
