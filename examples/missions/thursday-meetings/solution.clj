(defn thursdays [month]
  (let [first-day (LocalDate/of ctx/year month 1)]
    (->> (range (.lengthOfMonth first-day))
         (map #(.plusDays first-day %))
         (filter #(= DayOfWeek/THURSDAY (.getDayOfWeek %))))))
(return (mapv (fn [month]
                (str (if (zero? ctx/n)
                       (last (thursdays month))
                       (nth (thursdays month) (dec ctx/n)))))
              ctx/months))
