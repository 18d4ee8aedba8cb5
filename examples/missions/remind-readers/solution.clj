(let [today (LocalDate/parse ctx/today)
      days-late (fn [loan]
                  (- (.between ChronoUnit/DAYS (LocalDate/parse (:due loan)) today)
                     (if (:extended loan) 7 0)))
      late (->> (call "loans" {:branch ctx/branch})
                (map #(assoc % :days (days-late %)))
                (filter #(pos? (:days %))))]
  (doseq [{:keys [reader book days]} late]
    (try
      (call "remind" {:reader reader :book book :days_late days})
      (catch Exception _ (call "letter" {:reader reader :book book}))))
  (return (reduce + (map #(min 500 (* 20 (:days %))) late))))
