(let [step (fn [taken {:keys [id day cents]}]
             (->> (sort-by :id ctx/ledger)
                  (where {:cents cents})
                  (remove (set (vals taken)))
                  (find-first #(<= -2 (time-between (:day %) day :days) 2))
                  (assoc taken id)))
      taken (reduce step {} (sort-by (juxt :day :id) ctx/statement))]
  (return {:matched (count (filter val taken))
           :statement_only (sort (keys (remove val taken)))
           :ledger_only (sort (map :id (remove (set (vals taken)) ctx/ledger)))}))
