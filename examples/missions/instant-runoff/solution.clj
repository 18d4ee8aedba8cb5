(defn counts [eliminated]
  (let [in (remove eliminated (distinct (mapcat :ranking ctx/ballots)))
        tops (for [{:keys [votes ranking]} ctx/ballots
                   :let [top (first (remove eliminated ranking))]
                   :when top]
               {top votes})]
    (apply merge-with + (zipmap in (repeat 0)) tops)))
(loop [eliminated []]
  (let [round (counts (set eliminated))
        total (reduce + (vals round))
        [leader votes] (apply max-key val round)
        [loser _] (first (sort-by (fn [[name n]] [n name]) round))]
    (if (> (* 2 votes) total)
      (return {:winner leader :eliminated eliminated})
      (recur (conj eliminated loser)))))
