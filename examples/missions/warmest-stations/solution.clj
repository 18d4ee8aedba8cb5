(defn celsius [{:keys [temperature unit]}]
  (case unit
    "C" temperature
    "F" (/ (* (- temperature 32) 5) 9)
    "K" (- temperature 273.15)))
(return (update-vals (group-by :region ctx/stations) #(:station (max-by celsius %))))
