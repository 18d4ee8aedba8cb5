(defn order-of [request]
  (try
    (call "order" {:id (:order request)})
    (catch Exception _ nil)))
(defn days-since [day]
  (.between ChronoUnit/DAYS (LocalDate/parse day) (LocalDate/parse ctx/today)))
(defn decide [request]
  (let [{:keys [cents delivered used] :as order} (order-of request)
        id (:id request)]
    (cond
      (nil? order) (do (call "reject" {:request id :reason "no-order"}) 0)
      (> (days-since delivered) 30) (do (call "reject" {:request id :reason "too-late"}) 0)
      (> cents 10000) (do (call "escalate" {:request id}) 0)
      :else (let [amount (if used (quot cents 2) cents)]
              (call "refund" {:request id :cents amount})
              amount))))
(return (reduce + (mapv decide (call "refund_requests" {:day ctx/day}))))
