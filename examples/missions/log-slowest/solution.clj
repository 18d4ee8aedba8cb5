(defn parse [line]
  (let [[_ endpoint status ms] (re-matches #"(\S+ [^\s?]+)\S* (\d+) (\d+)ms" line)]
    {:endpoint endpoint :status (parse-long status) :ms (parse-long ms)}))
(->> (map parse ctx/lines)
     (filter #(<= 200 (:status %) 399))
     (aggregate-by :endpoint :ms mean)
     (max-by val)
     (zipmap [:endpoint :mean_ms])
     return)
