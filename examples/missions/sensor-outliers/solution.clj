(let [middle (median (map :value ctx/readings))]
  (->> (filter :value ctx/readings)
       (filter #(> (abs (- (:value %) middle)) ctx/limit))
       (map :time)
       return))
