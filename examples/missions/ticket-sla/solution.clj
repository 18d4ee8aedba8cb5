(defn seconds [from to]
  (.between ChronoUnit/SECONDS (LocalDateTime/parse from) (LocalDateTime/parse to)))
(defn in-time? [ticket]
  (<= (seconds (:opened ticket) (or (:closed ticket) ctx/now))
      (* 3600 (get ctx/hours (:priority ticket)))))
(let [counted (remove #(and (nil? (:closed %)) (in-time? %)) ctx/tickets)
      right (count (filter in-time? counted))]
  (return (/ (Math/round (/ (* 1000.0 right) (count counted))) 10.0)))
