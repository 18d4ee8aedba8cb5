(return (count (call "orders" {:customer_id (:id (call "customer" {:email ctx/email}))})))
