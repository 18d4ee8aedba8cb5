(defn days-apart [a b]
  (abs (.between ChronoUnit/DAYS (LocalDate/parse (:day a)) (LocalDate/parse (:day b)))))
(let [step (fn [{:keys [ledger unmatched]} line]
             (let [match (first (filter #(and (= (:cents %) (:cents line)) (<= (days-apart % line) 2))
                                        ledger))]
               (if match
                 {:ledger (remove #(= (:id %) (:id match)) ledger) :unmatched unmatched}
                 {:ledger ledger :unmatched (conj unmatched (:id line))})))
      {:keys [ledger unmatched]} (reduce step
                                         {:ledger (sort-by :id ctx/ledger) :unmatched []}
                                         (sort-by (juxt :day :id) ctx/statement))]
  (return {:matched (- (count ctx/statement) (count unmatched))
           :statement_only (sort unmatched)
           :ledger_only (map :id ledger)}))
