(return
  (for [month ctx/months
        :let [first-day (LocalDate/of ctx/year month 1)
              days (map #(date-add first-day % :days) (range (.lengthOfMonth first-day)))
              thursdays (filter #(= DayOfWeek/THURSDAY (.getDayOfWeek %)) days)]]
    (if (zero? ctx/n) (last thursdays) (nth thursdays (dec ctx/n)))))
