(return (:customer (max-by :amount ctx/orders)))
