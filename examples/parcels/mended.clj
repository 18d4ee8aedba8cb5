(let [days (fn [parcel] (:late (tool/track {:id (:id parcel)})))
      owed (fn [parcel] {:customer (:customer parcel) :owed (* 2.0 (days parcel))})]
  (return (filterv (fn [row] (pos? (:owed row))) (mapv owed ctx/parcels))))
