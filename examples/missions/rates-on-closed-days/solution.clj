(defn rate [{:keys [currency day]}]
  (if (= currency "EUR")
    1
    (some #(if-error (call "rate" {:currency currency :day (str (date-add day (- %) :days))}) nil)
          (range 30))))
(return (sum-by #(* (:amount %) (rate %)) ctx/payments))
