(defn minutes [time]
  (let [[h m] (map parse-long (str/split time #":"))]
    (+ (* 60 h) m)))
(defn catch? [reached train]
  (when-let [{:keys [at trains]} (reached (:from train))]
    (>= (minutes (:departs train)) (+ at (if (empty? trains) 0 5)))))
(defn board [reached train]
  (let [at (minutes (:arrives train))
        known (:at (reached (:to train)))]
    (if (and (catch? reached train) (or (nil? known) (< at known)))
      (assoc reached (:to train)
             {:at at
              :arrives (:arrives train)
              :trains (conj (:trains (reached (:from train))) (:train train))})
      reached)))
(let [start {ctx/from {:at (minutes ctx/at) :trains []}}
      reached (reduce board start (sort-by :departs ctx/trains))]
  (return (select-keys (reached ctx/to) [:arrives :trains])))
