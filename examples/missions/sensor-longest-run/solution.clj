(let [high? (fn [{:keys [value]}] (and value (> value ctx/threshold)))
      longest (max-by count (filter (comp high? first) (partition-by (comp boolean high?) ctx/readings)))]
  (return {:from (:time (first longest)) :to (:time (last longest)) :readings (count longest)}))
