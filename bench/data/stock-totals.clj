; Stock by place and by category, and products that are nearly sold out everywhere.
(let [by-place (apply merge-with + (map :stock ctx/products))
      by-category (reduce (fn [totals {:keys [category stock]}]
                            (update totals (first (:path category)) (fnil + 0) (reduce + (vals stock))))
                          {}
                          ctx/products)]
  (return
    {:by-place by-place
     :by-category by-category
     :empty (count (filter (fn [product] (empty? (:stock product))) ctx/products))
     :low (->> ctx/products
               (filter (fn [{:keys [stock]}] (and (seq stock) (every? #(< % 40) (vals stock)))))
               (sort-by :sku)
               (take 20)
               (map :sku))}))
