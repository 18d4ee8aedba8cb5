(defn attempt [sensor token]
  (try
    {:value (call "reading" {:sensor sensor :token token})}
    (catch Exception e
      {:token (second (re-find #"retry with token (\S+)" (ex-message e)))})))
(defn reading [sensor]
  (loop [result (attempt sensor nil)]
    (if (:token result)
      (recur (attempt sensor (:token result)))
      (:value result))))
(return (into {}
              (for [sensor ctx/sensors
                    :let [value (reading sensor)]
                    :when value]
                [sensor value])))
