(let [busy (sort-by :from ctx/meetings)
      starts (reductions #(max-by identity [%1 %2]) "09:00" (map :to busy))
      ends (conj (mapv #(min-by identity [% "17:00"]) (map :from busy)) "17:00")]
  (return (for [[from to] (map vector starts ends)
                :when (>= (time-between from to :minutes) ctx/minutes)]
            {:from from :to to})))
