(let [currencies (remove #{"EUR"} (distinct (map :currency ctx/receipts)))
      rates (into {"EUR" 1} (map (fn [c] [c (call "rate" {:currency c})]) currencies))
      euros (fn [receipt] (Math/round (* 1.0 (:cents receipt) (rates (:currency receipt)))))]
  (return (update-vals (group-by :person ctx/receipts)
                       #(reduce + (map euros %)))))
