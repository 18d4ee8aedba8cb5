; Reshapes long to wide: one row per time with a column per sensor, of the first thousand times.
(let [by-time (group-by :at ctx/readings)]
  (return
    (->> by-time
         (sort-by key)
         (take 1000)
         (map (fn [[at readings]]
                (into {:at at}
                      (for [{:keys [sensor value]} readings
                            :when (some? value)]
                        [(keyword sensor) value])))))))
