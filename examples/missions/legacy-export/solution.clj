(call "export" {:table ctx/table})
; next turn
(let [lines (remove #(str/starts-with? % "--") (str/split-lines *1))
      [header & rows] (map #(str/split % #"\|" -1) lines)]
  (->> (map #(zipmap header %) rows)
       (where {:left ""})
       (sort-by :joined)
       reverse
       (map :name)
       return))
