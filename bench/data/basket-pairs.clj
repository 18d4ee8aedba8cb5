; Products that are bought together: pairs of SKUs in the same order, the fifteen most frequent.
(defn pairs [order]
  (let [skus (sort (distinct (map :sku (:lines order))))]
    (for [a skus
          b skus
          :when (neg? (compare a b))]
      [a b])))

(let [counts (frequencies (mapcat pairs ctx/orders))
      names (into {} (map (juxt :sku :name) ctx/products))]
  (return
    (->> counts
         (sort-by (juxt (comp - val) key))
         (take 15)
         (mapv (fn [[[a b] n]] {:skus [a b] :names [(names a) (names b)] :count n})))))
