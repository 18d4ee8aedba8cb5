(let [today (LocalDate/parse ctx/today)
      days-late (fn [loan]
                  (- (.between ChronoUnit/DAYS (LocalDate/parse (:due loan)) today)
                     (if (:extended loan) 7 0)))
      late (->> (call "loans" {:branch ctx/branch})
                (map #(assoc % :days (days-late %)))
                (filter #(pos? (:days %))))]
  (doseq [loan late]
    (call "remind" {:reader (:reader loan) :book (:book loan) :days_late (:days loan)}))
  (return (reduce + (map #(min 500 (* 20 (:days %))) late))))
