(defn celsius [station]
  (let [t (:temperature station)]
    (case (:unit station)
      "C" t
      "F" (/ (* (- t 32) 5) 9)
      "K" (- t 273.15))))
(return (update-vals (group-by :region ctx/stations)
                     (fn [stations] (:station (apply max-key celsius stations)))))
