(let [ranked (map (fn [result]
                    {:rank (inc (count (filter #(> (:points %) (:points result)) ctx/results)))
                     :name (:name result)})
                  ctx/results)]
  (->> ranked
       (filter #(<= (:rank %) 3))
       (sort-by (juxt :rank :name))
       return))
