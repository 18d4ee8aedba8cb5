; Revenue by day of the week and by hour, with real dates.
(defn amount [order]
  (reduce + (map (fn [{:keys [quantity price]}] (* quantity price)) (:lines order))))

(let [rows (map (fn [order]
                  (let [at (LocalDateTime/parse (:placed_at order))]
                    {:day (str (.getDayOfWeek at)) :hour (.getHour at) :amount (amount order)}))
                ctx/orders)
      sums (fn [key rows]
             (->> (group-by key rows)
                  (map (fn [[k rows]] [k (reduce + (map :amount rows))]))
                  (sort-by first)))]
  (return {:days (sums :day rows) :hours (sums :hour rows)}))
