(defn depth [{:keys [replies]}]
  (inc (reduce max 0 (map depth replies))))
(let [counts (frequencies
               (for [{:keys [author replies]} (mapcat #(tree-seq :replies :replies %) ctx/thread)
                     reply replies
                     :when (not= (:author reply) author)]
                 author))
      [author replies] (max-by val (sort counts))]
  (return {:author author :replies replies :depth (apply max (map depth ctx/thread))}))
