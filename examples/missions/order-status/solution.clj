(defn delivered? [parcel]
  (let [events (call "events" {:parcel parcel})]
    (= "delivered" (:status (last (sort-by :at events))))))
(defn status [order]
  (let [parcels (map delivered? (call "parcels" {:order order}))]
    (cond
      (empty? parcels) "empty"
      (every? true? parcels) "complete"
      (some true? parcels) "partial"
      :else "pending")))
(return (into {} (map (fn [order] [order (status order)]) ctx/orders)))
