(defn value [{:keys [symbol shares last_price]}]
  (let [{:keys [price currency]} (if-error (call "price" {:symbol symbol})
                                           {:price last_price :currency "EUR"})
        rate (if (= currency "EUR") 1 (call "rate" {:currency currency}))]
    (* shares price rate)))
(let [values (map (juxt :symbol value) ctx/positions)
      total (sum-by second values)
      [symbol largest] (max-by second values)]
  (return {:value total :largest symbol :share_percent (/ (* 100 largest) total)}))
