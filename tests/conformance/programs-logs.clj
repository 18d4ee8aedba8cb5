;; id: parse-lines
;; ctx: @logs
(defn parse-line [line]
  (when-let [[_ date time level service message]
             (re-matches #"(\S+) (\S+) (\w+)\s+\[(\w+)\] (.*)" line)]
    {:date date :time time :level (keyword (clojure.string/lower-case level))
     :service service :message message}))
(->> (clojure.string/split-lines ctx/logs)
     (keep parse-line)
     (map (juxt :level :service))
     frequencies
     (sort-by (juxt (comp - val) (comp str key)))
     (into []))

;; id: count-malformed
;; ctx: @logs
(let [lines (clojure.string/split-lines ctx/logs)
      ok? #(re-find #"^\d{4}-\d{2}-\d{2} " %)
      {good true bad false} (group-by (comp boolean ok?) lines)]
  {:good (count good)
   :bad (vec bad)})

;; id: error-messages
;; ctx: @logs
(->> (clojure.string/split ctx/logs #"\n")
     (filter #(clojure.string/includes? % " ERROR "))
     (map #(second (re-find #"\] (.*)$" %)))
     vec)

;; id: http-status-classes
;; ctx: @logs
(let [codes (->> (re-seq #"(?:GET|POST) \S+ (\d{3})" ctx/logs)
                 (map second)
                 (map parse-long))]
  (into (sorted-map)
        (map (fn [[k v]] [(str k "xx") v])
             (frequencies (map #(quot % 100) codes)))))

;; id: latency-stats
;; ctx: @logs
(let [ms (->> (re-seq #"(\d+)ms" ctx/logs)
              (map (comp parse-long second))
              sort
              vec)
      n (count ms)]
  {:n n
   :min (first ms)
   :max (peek ms)
   :mean (/ (reduce + ms) n)
   :p50 (nth ms (quot n 2))})

;; id: csv-to-maps
;; ctx: @logs
(let [[header & rows] (clojure.string/split-lines ctx/csv)
      ks (map keyword (clojure.string/split header #","))]
  (mapv (fn [row]
          (zipmap ks (clojure.string/split row #"," -1)))
        rows))

;; id: csv-average-age
;; ctx: @logs
(let [rows (->> (clojure.string/split-lines ctx/csv)
                rest
                (map #(clojure.string/split % #",")))
      ages (keep (fn [[_ age _]] (parse-long age)) rows)]
  {:ages ages
   :avg (/ (reduce + ages) (double (count ages)))})

;; id: csv-group-by-city
;; ctx: @logs
(->> (clojure.string/split-lines ctx/csv)
     (drop 1)
     (map #(clojure.string/split % #","))
     (group-by last)
     (map (fn [[city rows]] [city (mapv first rows)]))
     (into (sorted-map)))

;; id: key-value-config
;; ctx: @logs
(->> (clojure.string/split ctx/kv #";")
     (map #(clojure.string/split % #"=" 2))
     (reduce (fn [m [k v]] (assoc m (keyword k) v)) {}))

;; id: typed-config
;; ctx: @logs
(defn typed [s]
  (cond
    (= s "") nil
    (re-matches #"-?\d+" s) (parse-long s)
    (#{"true" "false"} s) (= s "true")
    :else s))
(into (sorted-map)
      (for [pair (clojure.string/split ctx/kv #";")
            :let [[k v] (clojure.string/split pair #"=" 2)]]
        [k (typed v)]))

;; id: gaps-between-errors
;; ctx: @logs
(let [times (->> (clojure.string/split-lines ctx/logs)
                 (filter #(re-find #"ERROR" %))
                 (map #(subs % 0 19))
                 (map #(clojure.string/replace % " " "T"))
                 (map #(java.time.LocalDateTime/parse %)))]
  (map (fn [[a b]] (.getSeconds (java.time.Duration/between a b)))
       (partition 2 1 times)))

;; id: service-health
;; ctx: @logs
(let [entries (->> (re-seq #"(INFO|WARN|ERROR)\s+\[(\w+)\]" ctx/logs)
                   (map (fn [[_ level service]] [service level])))
      worst (fn [levels]
              (cond
                (some #{"ERROR"} levels) :down
                (some #{"WARN"} levels) :degraded
                :else :ok))]
  (->> entries
       (group-by first)
       (map (fn [[s es]] [(keyword s) (worst (map second es))]))
       (into (sorted-map))))

;; id: redact-numbers
;; ctx: @logs
(-> (first (clojure.string/split-lines ctx/logs))
    (clojure.string/replace #"\d" "#")
    (clojure.string/replace #"\s+" " "))

;; id: levels-with-case
;; ctx: @logs
(->> (clojure.string/split-lines ctx/logs)
     (map #(case (second (re-find #" (INFO|WARN|ERROR) " %))
             "INFO" 0
             "WARN" 1
             "ERROR" 2
             nil -1))
     (reduce max))

;; id: first-error-with-context
;; ctx: @logs
(let [lines (vec (clojure.string/split-lines ctx/logs))
      idx (first (keep-indexed (fn [i l] (when (re-find #"ERROR \[db\]" l) i)) lines))]
  {:index idx
   :before (subs (nth lines (dec idx)) 11 19)
   :after (subs (get lines (inc idx)) 11 19)
   :beyond (get lines 99 "-")})

;; id: words-in-messages
;; ctx: @logs
(->> (clojure.string/split-lines ctx/logs)
     (mapcat #(re-seq #"[a-z]{3,}" %))
     frequencies
     (filter #(>= (val %) 2))
     (sort-by (fn [[w n]] [(- n) w]))
     (mapv first))

;; id: line-widths
;; ctx: @logs
(let [widths (map count (clojure.string/split-lines ctx/logs))]
  {:longest (apply max widths)
   :shortest (apply min widths)
   :over-40 (count (filter #(> % 40) widths))
   :total (reduce + widths)})

;; id: minute-buckets
;; ctx: @logs
(loop [lines (clojure.string/split-lines ctx/logs)
       buckets (sorted-map)]
  (if (empty? lines)
    buckets
    (let [m (re-find #"\d{2}:\d{2}" (first lines))]
      (recur (rest lines)
             (if m (update buckets m (fnil inc 0)) buckets)))))

;; id: paths-and-methods
;; ctx: @logs
(->> (re-seq #"(GET|POST) (/\w+) (\d+) (\d+)ms" ctx/logs)
     (map (fn [[_ method path status ms]]
            {:method (keyword (clojure.string/lower-case method))
             :path path
             :status (Integer/parseInt status)
             :ms (Integer/parseInt ms)}))
     (sort-by :ms >)
     (take 2)
     vec)

;; id: retry-parse
;; ctx: @logs
(defn to-number [s]
  (try
    (Integer/parseInt s)
    (catch NumberFormatException _
      (try
        (Double/parseDouble s)
        (catch NumberFormatException _ :nan)))))
(mapv to-number ["12" "1.5" "abc" ""])

;; id: template-fill
;; ctx: @logs
(let [config (into {} (map #(vec (clojure.string/split % #"=" 2)) (clojure.string/split ctx/kv #";")))
      template "http://{{host}}:{{port}}/x?missing={{nope}}"]
  (clojure.string/replace template
                          #"\{\{(\w+)\}\}"
                          (fn [[_ k]] (get config k "?"))))
