; The highest moving average over five readings of each sensor, without missing values.
(return
  (into (sorted-map)
        (for [[sensor readings] (group-by :sensor ctx/readings)
              :let [values (keep :value (sort-by :at readings))
                    averages (map (fn [window] (/ (reduce + window) 5)) (partition 5 1 values))]]
          [sensor {:windows (count averages) :max (apply max averages) :min (apply min averages)}])))
