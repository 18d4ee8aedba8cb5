(def by-name (index-by :name ctx/roles))
(defn visit [seen role]
  (if (seen role)
    seen
    (reduce visit (conj seen role) (:inherits (by-name role)))))
(return (sort (distinct (mapcat (comp :permissions by-name) (visit #{} ctx/role)))))
