(defn state [host]
  (if-error
    (let [{:keys [status ms]} (call "check" {:host host})]
      (cond
        (not= status 200) :down
        (> ms ctx/slow_ms) :slow
        :else :up))
    :down))
(return (merge {:up [] :slow [] :down []} (group-by state ctx/hosts)))
