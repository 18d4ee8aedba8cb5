(loop [eliminated []]
  (let [left #(remove (set eliminated) %)
        tops (aggregate-by (comp first left :ranking) :votes sum ctx/ballots)
        votes (into {} (map (juxt identity #(tops % 0))) (left (distinct (mapcat :ranking ctx/ballots))))
        [leader most] (max-by val votes)]
    (if (> (* 2 most) (sum (vals votes)))
      (return {:winner leader :eliminated eliminated})
      (recur (conj eliminated (key (min-by (juxt val key) votes)))))))
