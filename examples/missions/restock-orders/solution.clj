(->> (call "stock" {:warehouse ctx/warehouse})
     (filter #(< (:stock %) (:target %)))
     (sort-by :sku)
     (aggregate-by :supplier
                   (fn [{:keys [sku target stock]}] {:sku sku :quantity (- target stock)})
                   identity)
     (map (fn [[supplier lines]] (call "create_order" {:supplier supplier :lines lines})))
     sort
     return)
