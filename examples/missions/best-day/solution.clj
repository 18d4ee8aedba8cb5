(let [totals (->> ctx/sales
                  (remove #(= (:state %) "refunded"))
                  (aggregate-by #(subs (:at %) 0 10) :cents sum)
                  sort)
      [day cents] (max-by val totals)
      span (time-between (ffirst totals) (first (last totals)) :days)]
  (return {:day day :cents cents :days_without (- (inc span) (count totals))}))
