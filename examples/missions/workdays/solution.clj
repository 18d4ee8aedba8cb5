(let [from (LocalDate/parse ctx/from)
      to (LocalDate/parse ctx/to)
      days (map #(.plusDays from %) (range (inc (.between ChronoUnit/DAYS from to))))
      holidays (set ctx/holidays)
      weekend #{"SATURDAY" "SUNDAY"}]
  (return (count (remove #(or (weekend (str (.getDayOfWeek %))) (holidays (str %))) days))))
