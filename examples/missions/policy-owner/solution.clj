(let [found (call "search" {:words (str ctx/topic " policy")})
      documents (map #(call "read" {:id (:id %)}) found)
      current (last (sort-by :published (filter #(= (:status %) "final") documents)))]
  (return (second (re-find #"Owner: ([^\s@]+@[\w.]+\w)" (:text current)))))
