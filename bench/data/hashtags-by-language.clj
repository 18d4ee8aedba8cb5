; Hashtags by language, without regard to case, the five most frequent of each.
(let [pairs (for [message ctx/messages
                  tag (re-seq #"#[\p{L}\p{N}_]+" (:text message))]
              [(:lang message) (str/lower-case tag)])]
  (return
    (into (sorted-map)
          (for [[lang pairs] (group-by first pairs)]
            [lang (->> (map second pairs)
                       frequencies
                       (sort-by (fn [[tag n]] [(- n) tag]))
                       (take 5)
                       (map (fn [[tag n]] {:tag tag :count n})))]))))
