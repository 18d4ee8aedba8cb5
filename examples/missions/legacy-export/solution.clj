(println (call "export" {:table ctx/table}))
; next turn
(let [lines (remove #(str/starts-with? % "--") (str/split-lines (call "export" {:table ctx/table})))
      [header & rows] (map #(str/split % #"\|" -1) lines)
      people (map #(zipmap (map keyword header) %) rows)]
  (->> people
       (filter #(str/blank? (:left %)))
       (sort-by :joined)
       reverse
       (map :name)
       return))
