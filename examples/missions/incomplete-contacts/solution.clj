(defn reachable? [{:keys [email phone]}]
  (or (str/includes? (str email) "@")
      (>= (count (re-seq #"\d" (str phone))) 6)))
(return (sort (map :id (remove reachable? ctx/contacts))))
