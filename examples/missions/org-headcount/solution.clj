(defn total [{:keys [staff units]}]
  (+ staff (sum-by total units)))
(->> (tree-seq :units :units ctx/company)
     (map (fn [unit] {:unit (:name unit) :staff (total unit)}))
     (sort-by (juxt (comp - :staff) :unit))
     return)
