(defn decisions [note]
  (->> (str/split-lines (:text note))
       (filter #(str/starts-with? % "DECISION: "))
       (map #(subs % (count "DECISION: ")))))
(->> (call "find_notes" {:topic ctx/topic})
     (map #(call "note" {:id %}))
     (sort-by :date)
     (mapcat decisions)
     return)
