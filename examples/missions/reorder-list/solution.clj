(->> (for [{:keys [sku stock on_order minimum target pack_size]} ctx/items
           :let [available (+ stock on_order)]
           :when (< available minimum)]
       {:sku sku :packs (long (Math/ceil (/ (- target available) pack_size)))})
     (sort-by :sku)
     return)
