(let [days (map #(date-add ctx/from % :days) (range (inc (time-between ctx/from ctx/to :days))))
      off? (fn [day]
             (or (#{"SATURDAY" "SUNDAY"} (str (.getDayOfWeek day)))
                 (some #{(str day)} ctx/holidays)))]
  (return (count (remove off? days))))
