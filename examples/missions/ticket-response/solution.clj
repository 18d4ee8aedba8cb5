(defn minutes [ticket]
  (.between ChronoUnit/MINUTES
            (LocalDateTime/parse (:opened ticket))
            (LocalDateTime/parse (:answered ticket))))
(defn median [numbers]
  (let [sorted (vec (sort numbers))
        n (count sorted)
        middle (quot n 2)]
    (if (odd? n)
      (sorted middle)
      (/ (+ (sorted middle) (sorted (dec middle))) 2))))
(->> ctx/tickets
     (filter :answered)
     (group-by :priority)
     (#(update-vals % (fn [tickets] (median (map minutes tickets)))))
     return)
