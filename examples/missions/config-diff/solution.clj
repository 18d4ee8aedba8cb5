(let [{:keys [old new]} ctx
      old-keys (set (keys old))
      new-keys (set (keys new))]
  (return {:added (sort (set/difference new-keys old-keys))
           :removed (sort (set/difference old-keys new-keys))
           :changed (sort (filter #(not= (get old %) (get new %))
                                  (set/intersection old-keys new-keys)))}))
