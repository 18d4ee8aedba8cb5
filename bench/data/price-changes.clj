; Compares two lists of prices by SKU: added, removed, and changed by more than half.
(let [old (into {} (map (juxt :sku :price)) ctx/products)
      new (into {} (map (juxt :sku :price)) ctx/prices)
      both (filter (fn [sku] (contains? new sku)) (keys old))
      change (fn [sku] (/ (- (new sku) (old sku)) (old sku)))]
  (return
    {:added (sort (remove #(contains? old %) (keys new)))
     :removed (sort (set/difference (set (keys old)) (set (keys new))))
     :same (count (filter (fn [sku] (= (old sku) (new sku))) both))
     :changed (->> both
                   (map (fn [sku] {:sku sku :old (old sku) :new (new sku) :change (change sku)}))
                   (filter (fn [{:keys [change]}] (> (abs change) 0.5)))
                   (sort-by (juxt (comp - :change) :sku))
                   (take 50))}))
