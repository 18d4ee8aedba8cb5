; Runs of readings that are not "ok", by sensor: the twenty longest with start, end and length.
(let [runs (for [[sensor readings] (group-by :sensor ctx/readings)
                 run (partition-by (fn [reading] (= "ok" (:state reading))) (sort-by :at readings))
                 :when (not= "ok" (:state (first run)))]
             {:sensor sensor
              :from (:at (first run))
              :to (:at (last run))
              :length (count run)
              :states (distinct (map :state run))})]
  (return (take 20 (sort-by (juxt (comp - :length) :sensor :from) runs))))
