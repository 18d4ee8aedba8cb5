(defn country [address]
  (try
    (:country (call "locate" {:address address}))
    (catch Exception _ "unknown")))
(return (frequencies (map country ctx/addresses)))
