(return (->> ctx/orders (sort-by :amount >) (take 3) (mapv :id)))
