(defn topic [{:keys [subject]}]
  (str/lower-case (str/replace subject #"(?i)^\s*((re|fw|fwd|aw):\s*)*" "")))
(let [longest (max-by count (vals (group-by topic ctx/mails)))]
  (return {:mails (count longest) :last_id (:id (max-by :sent longest))}))
