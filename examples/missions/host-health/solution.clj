(defn state [host]
  (try
    (let [{:keys [status ms]} (call "check" {:host host})]
      (cond
        (not= status 200) :down
        (> ms ctx/slow_ms) :slow
        :else :up))
    (catch Exception _ :down)))
(let [states (group-by second (map (juxt identity state) ctx/hosts))
      hosts (fn [state] (map first (get states state [])))]
  (return {:up (hosts :up) :slow (hosts :slow) :down (hosts :down)}))
