(defn board [reached {:keys [train from to departs arrives]}]
  (let [{at :arrives :keys [trains]} (reached from)]
    (if (and at
             (>= (time-between at departs :minutes) (if (empty? trains) 0 5))
             (neg? (compare arrives (:arrives (reached to) "24:00"))))
      (assoc reached to {:arrives arrives :trains (conj trains train)})
      reached)))
(let [start {ctx/from {:arrives ctx/at :trains []}}]
  (return ((reduce board start (sort-by :departs ctx/trains)) ctx/to)))
