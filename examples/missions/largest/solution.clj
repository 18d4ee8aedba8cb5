(return (:customer (apply max-key :amount ctx/orders)))
