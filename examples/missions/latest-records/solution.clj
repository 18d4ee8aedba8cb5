(->> (sort-by (juxt :version :saved) ctx/records)
     (index-by :key)
     vals
     (remove :deleted)
     (aggregate-by :key :value first)
     return)
