;; id: open-by-priority
;; ctx: @tickets
(->> ctx/tickets
     (filter #(not= "closed" (:status %)))
     (group-by (comp keyword :priority))
     (map (fn [[p ts]] [p (mapv :id ts)]))
     (into {}))

;; id: overdue
;; ctx: @tickets
(let [today (java.time.LocalDate/parse ctx/today)
      age (fn [t] (.between java.time.temporal.ChronoUnit/DAYS
                            (java.time.LocalDate/parse (:created t))
                            today))]
  (->> ctx/tickets
       (remove #(= "closed" (:status %)))
       (filter (fn [t] (> (age t) (get ctx/sla_days (keyword (:priority t))))))
       (mapv (juxt :id age))))

;; id: sort-by-priority-rank
;; ctx: @tickets
(let [rank {"high" 0 "medium" 1 "low" 2}]
  (->> ctx/tickets
       (sort-by (juxt (comp rank :priority) :created))
       (map :id)))

;; id: workload
;; ctx: @tickets
(let [load (->> ctx/tickets
                (remove (comp #{"closed"} :status))
                (map #(or (:assignee %) "unassigned"))
                frequencies)]
  (sort-by (juxt (comp - val) key) load))

;; id: comment-counts
;; ctx: @tickets
(mapv (fn [{:keys [id comments]}]
        {:id id :comments (count comments)})
      ctx/tickets)

;; id: tickets-without-comments-key
;; ctx: @tickets
(let [no-key (remove #(contains? % :comments) ctx/tickets)
      empty-list (filter #(and (contains? % :comments) (empty? (:comments %))) ctx/tickets)]
  {:no-key (map :id no-key)
   :empty (map :id empty-list)})

;; id: search-text
;; ctx: @tickets
(defn matches? [term {:keys [title comments]}]
  (let [texts (cons title (map :text comments))
        term (clojure.string/lower-case term)]
    (some #(clojure.string/includes? (clojure.string/lower-case %) term) texts)))
(->> ctx/tickets
     (filter (partial matches? "error"))
     (mapv :id))

;; id: resolution-times
;; ctx: @tickets
(for [{:keys [id created closed]} ctx/tickets
      :when closed
      :let [c (java.time.LocalDate/parse created)
            d (java.time.LocalDate/parse closed)]]
  {:id id
   :days (- (.toEpochDay d) (.toEpochDay c))})

;; id: tag-cloud
;; ctx: @tickets
(let [freqs (frequencies (mapcat :tags ctx/tickets))]
  (->> freqs
       (sort-by (fn [[tag n]] [(- n) tag]))
       (take 4)
       (map (fn [[tag n]] (str tag "(" n ")")))
       (clojure.string/join " ")))

;; id: escalate
;; ctx: @tickets
(defn escalate [ticket]
  (cond-> ticket
    (nil? (:assignee ticket)) (assoc :assignee "triage")
    (= "high" (:priority ticket)) (update :tags conj "escalated")
    (> (count (:comments ticket)) 1) (assoc :hot true)))
(->> ctx/tickets
     (map escalate)
     (map #(select-keys % [:id :assignee :tags :hot]))
     (take 3)
     vec)

;; id: people-involved
;; ctx: @tickets
(let [assignees (keep :assignee ctx/tickets)
      commenters (mapcat #(map :by (:comments %)) ctx/tickets)]
  (-> (set assignees)
      (into commenters)
      sort
      vec))

;; id: self-commented
;; ctx: @tickets
(->> ctx/tickets
     (filter (fn [{:keys [assignee comments]}]
               (some #(= assignee (:by %)) comments)))
     (map (juxt :id :assignee)))

;; id: status-matrix
;; ctx: @tickets
(let [cell (fn [p s]
             (count (filter #(and (= p (:priority %)) (= s (:status %))) ctx/tickets)))]
  (vec (for [p ["high" "medium" "low"]]
         (into [p] (map #(cell p %) ["open" "in_progress" "closed"])))))

;; id: build-lookup-and-update
;; ctx: @tickets
(let [index (reduce #(assoc %1 (:id %2) %2) {} ctx/tickets)
      index (-> index
                (assoc-in [101 :status] "closed")
                (update-in [103 :comments] conj {:by "me" :text "x"})
                (update-in [104 :votes] (fnil inc 0)))]
  [(get-in index [101 :status])
   (count (get-in index [103 :comments]))
   (get-in index [104 :votes])
   (get-in index [999 :status] :missing)])

;; id: validation-report
;; ctx: @tickets
(defn problems [{:keys [assignee status closed comments]}]
  (cond-> []
    (nil? assignee) (conj :no-assignee)
    (and (= status "closed") (nil? closed)) (conj :no-close-date)
    (nil? comments) (conj :no-comments)))
(->> ctx/tickets
     (map (juxt :id problems))
     (filter (comp seq second))
     (into {}))

;; id: throw-on-bad-ticket
;; ctx: @tickets
(defn check! [t]
  (when-not (:assignee t)
    (throw (ex-info "unassigned ticket" {:id (:id t) :priority (:priority t)})))
  (:id t))
(try
  (mapv check! ctx/tickets)
  (catch Exception e
    {:error (ex-message e)
     :data (ex-data e)}))

;; id: slugs
;; ctx: @tickets
(->> ctx/tickets
     (map :title)
     (map #(-> %
               clojure.string/lower-case
               (clojure.string/replace #"[^a-z0-9]+" "-")
               (clojure.string/replace #"^-|-$" "")))
     vec)

;; id: word-lengths
;; ctx: @tickets
(let [words (->> ctx/tickets
                 (mapcat #(clojure.string/split (:title %) #"\s+"))
                 (map clojure.string/lower-case)
                 distinct)]
  (->> words
       (group-by count)
       (into (sorted-map))
       (reduce-kv (fn [acc n ws] (conj acc [n (first (sort ws))])) [])))

;; id: round-robin
;; ctx: @tickets
(let [agents ["kim" "lee" "pat"]
      open (filter #(= "open" (:status %)) ctx/tickets)]
  (into (sorted-map)
        (map (fn [t a] [(:id t) a]) open (cycle agents))))

;; id: group-nested
;; ctx: @tickets
(->> ctx/tickets
     (group-by :priority)
     (map (fn [[p ts]]
            [p (update-vals (group-by :status ts) count)]))
     (into (sorted-map)))

;; id: urgent-first-line
;; ctx: @tickets
(if-let [t (first (filter #(some #{"urgent"} (:tags %)) ctx/tickets))]
  (let [{:keys [id title] [{:keys [by text]}] :comments} t]
    (format "#%d %s (%s: %s)" id title by text))
  "none")
