(defn depth [comment]
  (inc (reduce max 0 (map depth (:replies comment)))))
(let [comments (mapcat #(tree-seq :replies :replies %) ctx/thread)
      counts (frequencies (for [comment comments
                                reply (:replies comment)
                                :when (not= (:author reply) (:author comment))]
                            (:author comment)))
      [author replies] (first (sort-by (fn [[author n]] [(- n) author]) counts))]
  (return {:author author :replies replies :depth (apply max (map depth ctx/thread))}))
