; Gaps of more than an hour between two readings of the same sensor, the longest first.
(defn minutes-between [from to]
  (.toMinutes (Duration/between (LocalDateTime/parse from) (LocalDateTime/parse to))))

(return
  (->> (group-by :sensor ctx/readings)
       (mapcat (fn [[sensor readings]]
                 (for [[a b] (partition 2 1 (sort (map :at readings)))
                       :let [minutes (minutes-between a b)]
                       :when (> minutes 45)]
                   {:sensor sensor :from a :to b :minutes minutes})))
       (sort-by (juxt (comp - :minutes) :sensor :from))
       (take 100)))
