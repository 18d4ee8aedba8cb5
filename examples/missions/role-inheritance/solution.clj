(let [by-name (into {} (map (juxt :name identity) ctx/roles))]
  (loop [open [ctx/role], seen #{}]
    (if-let [role (first open)]
      (if (seen role)
        (recur (rest open) seen)
        (recur (concat (rest open) (:inherits (by-name role))) (conj seen role)))
      (return (sort (distinct (mapcat #(:permissions (by-name %)) seen)))))))
