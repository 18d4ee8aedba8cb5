(defn parse [line]
  (let [[method path status time] (str/split line #" ")]
    {:endpoint (str method " " (first (str/split path #"\?")))
     :status (parse-long status)
     :ms (parse-long (str/replace time "ms" ""))}))
(->> ctx/lines
     (map parse)
     (filter #(<= 200 (:status %) 399))
     (group-by :endpoint)
     (map (fn [[endpoint requests]]
            {:endpoint endpoint
             :mean_ms (/ (reduce + (map :ms requests)) (count requests))}))
     (apply max-key :mean_ms)
     return)
