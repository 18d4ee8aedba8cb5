(->> (for [{:keys [text author]} ctx/posts
           [_ tag] (re-seq #"#([\p{L}\p{N}_]+)" (str/lower-case text))]
       [tag author])
     distinct
     (count-by first)
     (filter-vals #(> % 1))
     keys
     sort
     return)
