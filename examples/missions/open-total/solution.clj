(return (sum-by :amount (where {:state "open"} ctx/orders)))
