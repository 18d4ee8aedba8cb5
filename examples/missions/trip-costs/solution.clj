(let [rate (memoize (fn [currency] (if (= currency "EUR") 1 (call "rate" {:currency currency}))))
      euros (fn [{:keys [cents currency]}] (round (* cents (rate currency))))]
  (return (aggregate-by :person euros sum ctx/receipts)))
