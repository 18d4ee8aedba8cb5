(let [missing (->> (call "stock" {:warehouse ctx/warehouse})
                   (filter #(< (:stock %) (:target %)))
                   (sort-by :sku))
      order (fn [[supplier items]]
              (call "create_order"
                    {:supplier supplier
                     :lines (map (fn [item]
                                   {:sku (:sku item) :quantity (- (:target item) (:stock item))})
                                 items)}))]
  (return (sort (mapv order (group-by :supplier missing)))))
