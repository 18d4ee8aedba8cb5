;; ctx: {"dictionary": ["kitten", "sitting", "mitten", "bitten", "kitchen"], "typos": ["kiten", "sittin", "kitchn", "xyz"], "max_distance": 2}
(declare distance)

(def edit-distance
  (memoize
    (fn [a b]
      (cond
        (empty? a) (count b)
        (empty? b) (count a)
        (= (first a) (first b)) (edit-distance (rest a) (rest b))
        :else (inc (min (edit-distance (rest a) b)
                        (edit-distance a (rest b))
                        (edit-distance (rest a) (rest b))))))))

(defn distance [a b]
  (edit-distance (seq a) (seq b)))

(defn suggestions [word]
  (->> ctx/dictionary
       (map (fn [candidate] {:word candidate :d (distance word candidate)}))
       (filter #(<= (:d %) ctx/max_distance))
       (sort-by (juxt :d :word))))

(defn describe-word [word]
  (let [[best & others] (suggestions word)]
    (if best
      (str word " -> " (:word best) " (" (:d best) ")"
           (when (seq others)
             (str ", maybe " (clojure.string/join " or " (map :word others)))))
      (str word " -> no idea"))))

(mapv describe-word ctx/typos)
