(let [in-kg {"g" 0.001 "kg" 1.0 "t" 1000.0 "lb" 0.45359237}
      weight (fn [item] (* (:quantity item) (:weight item) (in-kg (:unit item))))]
  (return {:total_kg (reduce + (map weight ctx/items))
           :heavy (mapv :name (filter #(> (weight %) ctx/limit_kg) ctx/items))}))
