(let [today (LocalDate/parse ctx/today)
      last-day (.plusDays today ctx/days)]
  (->> ctx/contracts
       (map (fn [c] {:name (:name c)
                     :cancel_by (.minusDays (LocalDate/parse (:ends c)) (:notice_days c))}))
       (remove #(or (.isBefore (:cancel_by %) today) (.isAfter (:cancel_by %) last-day)))
       (map #(update % :cancel_by str))
       (sort-by (juxt :cancel_by :name))
       return))
