(return (count (where {:state "open"} ctx/orders)))
