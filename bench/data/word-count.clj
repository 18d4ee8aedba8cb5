; The thirty most frequent words of all messages, in any script.
(return
  (->> ctx/messages
       (map :text)
       (mapcat (fn [text] (re-seq #"\p{L}+" (str/lower-case text))))
       frequencies
       (sort-by (fn [[word n]] [(- n) word]))
       (take 30)
       (mapv (fn [[word n]] {:word word :count n}))))
