(let [in-kg {"g" 0.001 "kg" 1 "t" 1000 "lb" 0.45359237}
      weight (fn [{:keys [quantity weight unit]}] (* quantity weight (in-kg unit)))]
  (return {:total_kg (sum-by weight ctx/items)
           :heavy (map :name (filter #(> (weight %) ctx/limit_kg) ctx/items))}))
