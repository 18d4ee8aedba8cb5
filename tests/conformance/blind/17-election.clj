;; ctx: {"ballots": [["ann", "bob", "cat"], ["ann", "cat"], ["bob", "cat", "ann"], ["bob", "cat"], ["cat", "bob"], ["bob"], ["cat", "ann"], ["cat"], ["dan", "ann"], []]}
(defn top-choice [eliminated ballot]
  (first (remove eliminated ballot)))

(defn tally [ballots eliminated]
  (->> ballots
       (keep (partial top-choice eliminated))
       frequencies))

(defn loser [counts]
  (let [fewest (apply min (vals counts))]
    (->> counts
         (filter #(= fewest (val %)))
         (map key)
         sort
         last)))

(defn instant-runoff [ballots]
  (loop [eliminated #{} rounds []]
    (let [counts (tally ballots eliminated)
          total (reduce + (vals counts))
          [leader votes] (first (sort-by (juxt (comp - val) key) counts))
          round {:counts (into (sorted-map) counts) :total total}
          rounds (conj rounds round)]
      (cond
        (> votes (/ total 2))
        {:winner leader :rounds rounds :eliminated (sort eliminated)}

        (= 1 (count counts))
        {:winner leader :rounds rounds}

        :else
        (recur (conj eliminated (loser counts)) rounds)))))

(defn borda [ballots]
  (let [candidates (distinct (apply concat ballots))
        n (count candidates)]
    (->> (for [ballot ballots
               [i c] (map-indexed vector ballot)]
           {c (- n i 1)})
         (apply merge-with +)
         (sort-by (juxt (comp - val) key)))))

(let [{:keys [winner rounds eliminated]} (instant-runoff ctx/ballots)]
  {:winner winner
   :rounds (count rounds)
   :final (:counts (peek rounds))
   :first-round (:counts (first rounds))
   :eliminated eliminated
   :borda (vec (borda ctx/ballots))
   :exhausted (count (filter empty? ctx/ballots))})
