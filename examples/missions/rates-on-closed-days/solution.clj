(defn rate-on [currency date]
  (try
    (call "rate" {:currency currency :day (str date)})
    (catch Exception _ nil)))
(defn rate [currency day]
  (if (= currency "EUR")
    1.0
    (->> (iterate #(.minusDays % 1) (LocalDate/parse day))
         (take 30)
         (some #(rate-on currency %)))))
(return (reduce + (map (fn [{:keys [day currency amount]}] (* amount (rate currency day)))
                       ctx/payments)))
