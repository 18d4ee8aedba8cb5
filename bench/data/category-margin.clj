; Joins order lines with products. Revenue and margin of every category that has costs.
(let [products (zipmap (map :sku ctx/products) ctx/products)
      lines (mapcat :lines ctx/orders)
      totals (reduce (fn [totals {:keys [sku quantity price]}]
                       (let [product (products sku)
                             category (get-in product [:category :name])
                             cost (:cost product)]
                         (if cost
                           (-> totals
                               (update-in [category :revenue] (fnil + 0) (* quantity price))
                               (update-in [category :cost] (fnil + 0) (* quantity cost))
                               (update-in [category :units] (fnil + 0) quantity))
                           totals)))
                     {}
                     lines)]
  (return
    (->> totals
         (map (fn [[category {:keys [revenue cost units]}]]
                {:category category :units units :margin (/ (- revenue cost) revenue)}))
         (sort-by :margin >))))
