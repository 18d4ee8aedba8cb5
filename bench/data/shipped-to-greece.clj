; Which shipped orders go to Greece? Newest first, with the number of lines.
(return
  (->> ctx/orders
       (filter (fn [order]
                 (and (= "shipped" (:status order))
                      (= "GR" (get-in order [:shipping :country])))))
       (sort-by (juxt :placed_at :id))
       reverse
       (mapv (fn [order]
               {:id (:id order)
                :placed_at (:placed_at order)
                :city (get-in order [:shipping :city])
                :lines (count (:lines order))}))))
