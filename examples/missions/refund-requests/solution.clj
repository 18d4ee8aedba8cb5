(defn decide [{:keys [id order]}]
  (let [{:keys [cents delivered used]} (if-error (call "order" {:id order}) nil)
        reject (fn [reason] (call "reject" {:request id :reason reason}) 0)]
    (cond
      (nil? cents) (reject "no-order")
      (> (time-between delivered ctx/today :days) 30) (reject "too-late")
      (> cents 10000) (do (call "escalate" {:request id}) 0)
      :else (let [amount (if used (quot cents 2) cents)]
              (call "refund" {:request id :cents amount})
              amount))))
(return (sum-by decide (call "refund_requests" {:day ctx/day})))
