(->> (re-seq #"\p{L}+" (str/lower-case ctx/text))
     frequencies
     (sort-by (fn [[word n]] [(- n) word]))
     (take ctx/n)
     (map (fn [[word n]] {:word word :count n}))
     return)
