(let [current (map (fn [[_ records]] (last (sort-by (juxt :version :saved) records)))
                   (group-by :key ctx/records))]
  (return (into {} (map (juxt :key :value) (remove :deleted current)))))
