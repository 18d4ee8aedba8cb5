; Median, 95th percentile and maximum of the values of each sensor.
(defn percentile [sorted p]
  (nth sorted (min (dec (count sorted)) (int (* p (count sorted))))))

(return
  (->> ctx/readings
       (filter (fn [reading] (some? (:value reading))))
       (group-by :sensor)
       (map (fn [[sensor readings]]
              (let [values (vec (sort (map :value readings)))]
                {:sensor sensor
                 :count (count values)
                 :median (percentile values 0.5)
                 :p95 (percentile values 0.95)
                 :max (peek values)})))
       (sort-by :sensor)))
