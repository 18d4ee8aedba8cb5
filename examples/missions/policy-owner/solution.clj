(->> (call "search" {:words (str ctx/topic " policy")})
     (map #(call "read" {:id (:id %)}))
     (where {:status "final"})
     (max-by :published)
     :text
     (re-find #"Owner: ([^\s@]+@[\w.]+\w)")
     second
     return)
