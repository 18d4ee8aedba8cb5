(let [high? (fn [r] (and (:value r) (> (:value r) ctx/threshold)))
      runs (filter #(high? (first %)) (partition-by #(boolean (high? %)) ctx/readings))
      longest (reduce (fn [best run] (if (> (count run) (count best)) run best)) runs)]
  (return {:from (:time (first longest))
           :to (:time (last longest))
           :readings (count longest)}))
