;; ctx: {"log": "127.0.0.1 - - [10/Oct/2023:13:55:36] \"GET /index.html HTTP/1.1\" 200 2326\n10.0.0.7 - bob [10/Oct/2023:13:55:40] \"POST /login HTTP/1.1\" 302 128\n10.0.0.7 - bob [10/Oct/2023:13:56:01] \"GET /account HTTP/1.1\" 200 9812\n192.168.1.9 - - [10/Oct/2023:13:57:12] \"GET /missing HTTP/1.1\" 404 512\ngarbage here\n127.0.0.1 - - [10/Oct/2023:13:58:59] \"GET /index.html HTTP/1.1\" 304 -\n192.168.1.9 - - [10/Oct/2023:14:00:00] \"GET /boom HTTP/1.1\" 500 77"}
(def line-re
  #"^(\S+) \S+ (\S+) \[([^\]]+)\] \"(\w+) (\S+) [^\"]*\" (\d{3}) (\d+|-)$")

(defn parse-line [line]
  (let [[matched ip user ts method path status size] (re-matches line-re line)]
    (if matched
      {:ip ip
       :user (when (not= user "-") user)
       :minute (subs ts 12 17)
       :method (keyword (clojure.string/lower-case method))
       :path path
       :status (Integer/parseInt status)
       :bytes (or (parse-long size) 0)}
      {:bad line})))

(let [parsed (map parse-line (clojure.string/split-lines ctx/log))
      {bad true ok false} (group-by #(contains? % :bad) parsed)
      error? (fn [{:keys [status]}] (>= status 400))
      by-ip (group-by :ip ok)]
  {:lines (count parsed)
   :bad (mapv :bad bad)
   :users (vec (sort (distinct (keep :user ok))))
   :traffic (into (sorted-map)
                  (for [[ip es] by-ip]
                    [ip (reduce + (map :bytes es))]))
   :error-paths (->> ok (filter error?) (mapv (juxt :path :status)))
   :top-path (->> ok
                  (map :path)
                  frequencies
                  (sort-by (juxt (comp - val) key))
                  ffirst)
   :per-minute (->> ok (map :minute) frequencies (into (sorted-map)))})
