(->> ctx/items
     (map #(assoc % :available (+ (:stock %) (:on_order %))))
     (filter #(< (:available %) (:minimum %)))
     (map (fn [item]
            (let [missing (- (:target item) (:available item))]
              {:sku (:sku item) :packs (long (Math/ceil (/ missing (:pack_size item))))})))
     (sort-by :sku)
     return)
