(->> (for [{:keys [name points]} ctx/results]
       {:rank (inc (count (filter #(> (:points %) points) ctx/results))) :name name})
     (filter #(<= (:rank %) 3))
     (sort-by (juxt :rank :name))
     return)
