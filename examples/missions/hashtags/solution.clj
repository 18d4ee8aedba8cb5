(->> ctx/posts
     (mapcat (fn [post]
               (map (fn [[_ tag]] {:tag tag :author (:author post)})
                    (re-seq #"#([\p{L}\p{N}_]+)" (str/lower-case (:text post))))))
     distinct
     (map :tag)
     frequencies
     (filter (fn [[_ authors]] (>= authors 2)))
     (map first)
     sort
     return)
