(return (vec (distinct (map :customer (filter #(= (:city %) "Graz") ctx/orders)))))
