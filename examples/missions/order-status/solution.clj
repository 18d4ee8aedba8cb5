(defn delivered? [parcel]
  (= "delivered" (:status (max-by :at (call "events" {:parcel parcel})))))
(defn status [order]
  (case (set (map delivered? (call "parcels" {:order order})))
    #{} "empty"
    #{true} "complete"
    #{false} "pending"
    "partial"))
(return (zipmap ctx/orders (map status ctx/orders)))
