;; ctx: {"readings": [{"at": "2024-07-01T12:00:00Z", "c": 20.0}, {"at": "2024-07-01T12:04:00Z", "c": 21.5}, {"at": "2024-07-01T12:11:00Z", "c": 35.0}, {"at": "2024-07-01T12:13:30Z", "c": null}, {"at": "2024-07-01T12:14:59Z", "c": 22.0}, {"at": "2024-07-01T12:31:00Z", "c": 19.0}, {"at": "oops", "c": 1.0}], "window_minutes": 10, "limit": 30}
(defn parse-reading [{:keys [at c] :as raw}]
  (try
    (if (nil? c)
      (throw (ex-info "no value" {:at at}))
      {:time (java.time.Instant/parse at) :celsius c})
    (catch java.time.format.DateTimeParseException _
      {:invalid raw :why "bad timestamp"})
    (catch clojure.lang.ExceptionInfo e
      {:invalid raw :why (ex-message e)})))

(defn window-start [instant minutes]
  (let [seconds (* 60 minutes)
        s (.getEpochSecond instant)]
    (java.time.Instant/ofEpochSecond (- s (mod s seconds)))))

(defn summarise [readings]
  (let [cs (sort (map :celsius readings))
        n (count cs)
        mean (/ (reduce + cs) n)]
    {:n n
     :min (first cs)
     :max (last cs)
     :mean (format "%.2f" mean)}))

(defn fahrenheit [c]
  (-> c (* 9) (/ 5) (+ 32)))

(let [{good false bad true} (group-by (comp boolean :invalid) (map parse-reading ctx/readings))
      windows (group-by #(window-start (:time %) ctx/window_minutes) good)
      alerts (filter #(> (:celsius %) ctx/limit) good)]
  {:windows (mapv (fn [[start rs]] (assoc (summarise rs) :start (str start)))
                  (sort-by key windows))
   :alerts (mapv (fn [{:keys [time celsius]}]
                   (format "%s: %.1f°C = %.1f°F" time celsius (fahrenheit celsius)))
                 alerts)
   :jumps (->> (partition 2 1 good)
               (map (fn [[a b]] (- (:celsius b) (:celsius a))))
               (filterv #(> (Math/abs %) 10)))
   :invalid (mapv :why bad)})
