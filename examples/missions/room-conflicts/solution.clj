(return (for [[a b] (combo/combinations (sort-by :id (remove #(= (:status %) "cancelled") ctx/bookings)) 2)
              :when (and (= (:room a) (:room b))
                         (neg? (compare (:from a) (:to b)))
                         (neg? (compare (:from b) (:to a))))]
          [(:id a) (:id b)]))
