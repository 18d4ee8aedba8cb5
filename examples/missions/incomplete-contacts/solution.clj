(defn reachable? [contact]
  (or (str/includes? (or (:email contact) "") "@")
      (>= (count (re-seq #"[0-9]" (or (:phone contact) ""))) 6)))
(return (sort (map :id (remove reachable? ctx/contacts))))
