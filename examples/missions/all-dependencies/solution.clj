(defn visit [seen package]
  (if (seen package)
    seen
    (reduce visit (conj seen package) (call "dependencies" {:package package}))))
(return (sort (disj (visit #{} ctx/package) ctx/package)))
