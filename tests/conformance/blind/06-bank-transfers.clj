;; ctx: {"accounts": [{"id": "a", "balance": 100}, {"id": "b", "balance": 50}, {"id": "c", "balance": 0}],
;; ctx:  "transfers": [{"from": "a", "to": "b", "amount": 30}, {"from": "b", "to": "c", "amount": 500}, {"from": "a", "to": "z", "amount": 1}, {"from": "b", "to": "c", "amount": 80}, {"from": "c", "to": "a", "amount": -5}, {"from": "c", "to": "c", "amount": 1}]}
(def initial-state
  {:balances (into {} (map (juxt :id :balance) ctx/accounts))
   :failed []
   :done 0})

(defn check-transfer [balances {:keys [from to amount] :as transfer}]
  (cond
    (not (contains? balances from))
    (throw (ex-info "Unknown source account" {:type :no-account :id from}))

    (not (contains? balances to))
    (throw (ex-info "Unknown target account" {:type :no-account :id to}))

    (not (pos? amount))
    (throw (ex-info "Amount must be positive" {:type :bad-amount :amount amount}))

    (= from to)
    (throw (ex-info "Same account" {:type :same}))

    (< (balances from) amount)
    (throw (ex-info "Insufficient funds"
                    {:type :insufficient :missing (- amount (balances from))})))
  transfer)

(defn apply-transfer [state transfer]
  (try
    (let [{:keys [from to amount]} (check-transfer (:balances state) transfer)]
      (-> state
          (update-in [:balances from] - amount)
          (update-in [:balances to] + amount)
          (update :done inc)))
    (catch clojure.lang.ExceptionInfo e
      (let [{:keys [type] :as data} (ex-data e)]
        (update state :failed conj
                {:reason type
                 :message (ex-message e)
                 :details (dissoc data :type)})))))

(let [final (reduce apply-transfer initial-state ctx/transfers)
      total (reduce + (vals (:balances final)))]
  (assert (= total (reduce + (map :balance ctx/accounts))) "money was created")
  (-> final
      (update :balances #(into (sorted-map) %))
      (assoc :total total)))
