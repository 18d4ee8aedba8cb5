(let [sales (remove #(= (:state %) "refunded") ctx/sales)
      totals (update-vals (group-by #(subs (:at %) 0 10) sales) #(reduce + (map :cents %)))
      [day cents] (first (sort-by (fn [[day cents]] [(- cents) day]) totals))
      days (sort (keys totals))
      span (.between ChronoUnit/DAYS (LocalDate/parse (first days)) (LocalDate/parse (last days)))]
  (return {:day day :cents cents :days_without (- (inc span) (count days))}))
