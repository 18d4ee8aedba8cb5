(defn reading [sensor token]
  (try
    (call "reading" {:sensor sensor :token token})
    (catch Exception e
      (when-let [[_ token] (re-find #"retry with token (\S+)" (ex-message e))]
        (reading sensor token)))))
(return (filter-vals some? (zipmap ctx/sensors (map #(reading % nil) ctx/sensors))))
