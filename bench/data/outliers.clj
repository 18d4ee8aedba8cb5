; Mean and standard deviation of each sensor, and the readings more than three deviations away.
(defn stats [values]
  (let [n (count values)
        mean (/ (reduce + values) n)
        variance (/ (reduce + (map (fn [v] (let [d (- v mean)] (* d d))) values)) n)]
    {:n n :mean mean :sd (Math/sqrt variance)}))

(let [valid (filter :value ctx/readings)
      by-sensor (update-vals (group-by :sensor valid) (fn [readings] (stats (map :value readings))))]
  (return
    {:sensors by-sensor
     :outliers (->> valid
                    (map (fn [{:keys [sensor value] :as reading}]
                           (let [{:keys [mean sd]} (by-sensor sensor)]
                             (assoc reading :z (/ (- value mean) sd)))))
                    (filter (fn [reading] (> (abs (:z reading)) 3)))
                    (sort-by (juxt (comp - :z) :sensor :at))
                    (take 40)
                    (map #(select-keys % [:sensor :at :value :z])))}))
