(let [today (LocalDate/parse ctx/today)
      age (fn [ticket] (.between ChronoUnit/DAYS (LocalDate/parse (:last_at ticket)) today))
      stale (->> (call "tickets" {:queue ctx/queue})
                 (filter #(and (= (:state %) "open")
                               (= (:last_from %) "agent")
                               (> (age %) 14)))
                 (map :id)
                 sort)
      close (fn [id]
              (try
                (call "close_ticket" {:id id})
                (catch Exception _ false)))]
  (return (filterv close stale)))
