(defn price [position]
  (try
    (call "price" {:symbol (:symbol position)})
    (catch Exception _ {:price (:last_price position) :currency "EUR"})))
(defn value [position]
  (let [{:keys [price currency]} (price position)
        rate (if (= currency "EUR") 1 (call "rate" {:currency currency}))]
    (* (:shares position) price rate)))
(let [values (map (fn [position] [(:symbol position) (value position)]) ctx/positions)
      total (reduce + (map second values))
      [symbol largest] (apply max-key second values)]
  (return {:value total :largest symbol :share_percent (/ (* 100 largest) total)}))
