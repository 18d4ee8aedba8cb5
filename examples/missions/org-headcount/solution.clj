(defn total [unit]
  (reduce + (:staff unit) (map total (:units unit))))
(->> (tree-seq :units :units ctx/company)
     (map (fn [unit] {:unit (:name unit) :staff (total unit)}))
     (sort-by (juxt (comp - :staff) :unit))
     return)
