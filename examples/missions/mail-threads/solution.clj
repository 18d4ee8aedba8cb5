(defn topic [subject]
  (str/lower-case (str/replace subject #"(?i)^\s*((re|fw|fwd|aw):\s*)*" "")))
(let [longest (apply max-key count (vals (group-by #(topic (:subject %)) ctx/mails)))]
  (return {:mails (count longest)
           :last_id (:id (last (sort-by :sent longest)))}))
