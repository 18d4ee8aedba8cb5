(let [booked (aggregate-by :department :amount sum ctx/bookings)]
  (->> (for [[department plan] ctx/plan]
         {:department department :difference (- (booked department 0) plan)})
       (sort-by (juxt (comp - :difference) :department))
       return))
