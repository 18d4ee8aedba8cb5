(let [customers (call "customers" {:name ctx/name})
      in-city (filter #(= (:city %) ctx/city) customers)
      candidates (if (seq in-city) in-city customers)
      customer (last (sort-by :last_order candidates))]
  (call "credit" {:customer (:id customer) :cents ctx/cents})
  (return (:id customer)))
