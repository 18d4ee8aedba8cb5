(let [active (sort-by :id (remove #(= (:status %) "cancelled") ctx/bookings))]
  (return (for [a active
                b active
                :when (and (< (:id a) (:id b))
                           (= (:room a) (:room b))
                           (neg? (compare (:from a) (:to b)))
                           (neg? (compare (:from b) (:to a))))]
            [(:id a) (:id b)])))
