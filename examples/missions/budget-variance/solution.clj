(let [booked (update-vals (group-by :department ctx/bookings) #(reduce + (map :amount %)))]
  (->> ctx/plan
       (map (fn [[department plan]]
              {:department department :difference (- (get booked department 0) plan)}))
       (sort-by (juxt (comp - :difference) :department))
       return))
