; Parses log lines with one expression. Lines and errors by service, and the slowest call of each.
(def line-pattern #"^(\S+ \S+) (\w+)\s+\[([^\]]+)\] (.*)$")

(defn parse-line [{:keys [host line]}]
  (when-let [[_ at level service message] (re-matches line-pattern line)]
    {:host host
     :level level
     :service service
     :ms (some-> (re-find #"took (\d+) ms" message) second parse-long)}))

(let [entries (keep parse-line ctx/logs)]
  (return
    (->> (group-by :service entries)
         (map (fn [[service entries]]
                {:service service
                 :lines (count entries)
                 :levels (frequencies (map :level entries))
                 :slowest (reduce max 0 (keep :ms entries))}))
         (sort-by :service))))
