(return (distinct (map :customer (where {:city "Graz"} ctx/orders))))
