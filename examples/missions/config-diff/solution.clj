(let [{:keys [old new]} ctx
      only (fn [a b] (sort (remove #(contains? b %) (keys a))))]
  (return {:added (only new old)
           :removed (only old new)
           :changed (sort (filter #(and (contains? new %) (not= (old %) (new %))) (keys old)))}))
