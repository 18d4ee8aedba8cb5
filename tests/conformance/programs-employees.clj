;; id: payroll-by-dept
;; ctx: @employees
(->> ctx/employees
     (group-by :dept)
     (map (fn [[dept es]]
            [dept (reduce + (keep :salary es))]))
     (into (sorted-map)))

;; id: top-earner-per-dept
;; ctx: @employees
(into (sorted-map)
      (for [[dept es] (group-by :dept ctx/employees)
            :let [paid (filter :salary es)]
            :when (seq paid)]
        [dept (:name (apply max-key :salary paid))]))

;; id: give-raises
;; ctx: @employees
(let [pct ctx/raise_pct
      raise (fn [s] (when s (Math/round (* s (+ 1 (/ pct 100.0))))))]
  (->> ctx/employees
       (map #(update % :salary raise))
       (map (juxt :id :salary))
       (into [])))

;; id: manager-names
;; ctx: @employees
(let [by-id (reduce (fn [m e] (assoc m (:id e) e)) {} ctx/employees)]
  (for [e ctx/employees
        :let [m (get by-id (:manager_id e))]]
    (str (:name e) " -> " (or (:name m) "nobody"))))

;; id: org-tree
;; ctx: @employees
(let [children (group-by :manager_id ctx/employees)]
  (letfn [(node [e]
            (let [kids (get children (:id e))]
              (if (seq kids)
                [(:id e) (mapv node kids)]
                [(:id e)])))]
    (mapv node (get children nil))))

;; id: chain-of-command
;; ctx: @employees
(let [by-id (zipmap (map :id ctx/employees) ctx/employees)
      chain (fn [id]
              (loop [e (by-id id) acc []]
                (if e
                  (recur (by-id (:manager_id e)) (conj acc (:id e)))
                  acc)))]
  (map chain [5 4 1]))

;; id: skill-index
;; ctx: @employees
(->> ctx/employees
     (mapcat (fn [{:keys [id skills]}]
               (map (fn [s] [s id]) skills)))
     (reduce (fn [m [s id]] (update m s (fnil conj []) id))
             (sorted-map)))

;; id: most-common-skill
;; ctx: @employees
(let [freqs (frequencies (mapcat :skills ctx/employees))
      [skill n] (apply max-key val freqs)]
  {:skill skill :count n})

;; id: budget-check
;; ctx: @employees
(let [spent (fn [dept]
              (->> ctx/employees
                   (filter #(= dept (:dept %)))
                   (keep :salary)
                   (reduce + 0)))]
  (mapv (fn [{:keys [name budget]}]
          (let [s (spent name)]
            {:dept name
             :over? (> s budget)
             :left (- budget s)}))
        ctx/depts))

;; id: salary-stats
;; ctx: @employees
(let [salaries (sort (keep :salary ctx/employees))
      n (count salaries)
      mid (quot n 2)
      median (if (odd? n)
               (nth salaries mid)
               (/ (+ (nth salaries mid) (nth salaries (dec mid))) 2))]
  {:n n
   :min (first salaries)
   :max (last salaries)
   :mean (/ (reduce + salaries) n)
   :median median})

;; id: initials
;; ctx: @employees
(map (fn [{:keys [name]}]
       (->> (clojure.string/split name #"\s+")
            (map #(subs % 0 1))
            (clojure.string/join ".")))
     ctx/employees)

;; id: emails-from-names
;; ctx: @employees
(mapv (fn [e]
        (let [[first-name last-name] (clojure.string/split (:name e) #" ")]
          (-> (str (subs first-name 0 1) last-name "@example.com")
              clojure.string/lower-case)))
      ctx/employees)

;; id: years-of-service
;; ctx: @employees
(let [today (java.time.LocalDate/parse "2024-06-01")
      years (fn [d]
              (.getYears (java.time.Period/between (java.time.LocalDate/parse d) today)))]
  (->> ctx/employees
       (map (juxt :name (comp years :hired)))
       (sort-by (juxt (comp - second) first))
       (take 3)))

;; id: missing-salaries
;; ctx: @employees
(let [missing (filter #(nil? (:salary %)) ctx/employees)]
  {:count (count missing)
   :names (mapv :name missing)
   :any? (boolean (seq missing))
   :key-present? (every? #(contains? % :salary) ctx/employees)})

;; id: rank-by-salary
;; ctx: @employees
(->> ctx/employees
     (filter (comp number? :salary))
     (sort-by :salary #(compare %2 %1))
     (map-indexed (fn [i e] (str (inc i) ". " (:name e) " $" (:salary e))))
     vec)

;; id: dept-lookup-with-default
;; ctx: @employees
(let [budgets (into {} (map (fn [d] [(:name d) (:budget d)]) ctx/depts))]
  (mapv #(get budgets % 0) ["Research" "Legal" "Sales"]))

;; id: departments-without-staff
;; ctx: @employees
(let [staffed (set (map :dept ctx/employees))
      all (set (map :name ctx/depts))]
  (sort (clojure.set/difference all staffed)))

;; id: same-skill-pairs
;; ctx: @employees
(for [a ctx/employees
      b ctx/employees
      :when (< (:id a) (:id b))
      :let [common (clojure.set/intersection (set (:skills a)) (set (:skills b)))]
      :when (seq common)]
  [(:id a) (:id b) (first common)])

;; id: salary-bands
;; ctx: @employees
(defn band [salary]
  (cond
    (nil? salary) :unknown
    (< salary 80000) :junior
    (< salary 100000) :mid
    :else :senior))
(reduce (fn [acc {:keys [salary name]}]
          (update acc (band salary) (fnil conj []) name))
        {}
        ctx/employees)

;; id: direct-report-counts
;; ctx: @employees
(let [counts (frequencies (keep :manager_id ctx/employees))]
  (->> ctx/employees
       (map (fn [{:keys [id name]}] {:name name :reports (get counts id 0)}))
       (filter (comp pos? :reports))
       (sort-by (juxt (comp - :reports) :name))))

;; id: hired-per-decade
;; ctx: @employees
(->> ctx/employees
     (map #(parse-long (subs (:hired %) 0 4)))
     (map #(* 10 (quot % 10)))
     frequencies
     sort
     (mapv (fn [[d n]] (str d "s: " n))))

;; id: pay-gap
;; ctx: @employees
(let [paid (filter :salary ctx/employees)
      by-dept (group-by :dept paid)
      gap (fn [es]
            (let [s (map :salary es)]
              (- (apply max s) (apply min s))))]
  (->> by-dept
       (map (fn [[d es]] {:dept d :gap (gap es) :n (count es)}))
       (filter #(> (:n %) 1))
       (sort-by :gap >)
       (mapv (juxt :dept :gap))))

;; id: hiring-plan
;; ctx: @employees
(loop [budget 200000
       candidates [{:n "x" :cost 90000} {:n "y" :cost 120000} {:n "z" :cost 60000} {:n "w" :cost 50000}]
       hired []]
  (let [[c & others] candidates]
    (cond
      (nil? c) {:hired hired :left budget}
      (> (:cost c) budget) (recur budget others hired)
      :else (recur (- budget (:cost c)) others (conj hired (:n c))))))

;; id: bonus-rules
;; ctx: @employees
(def rules
  [[#(some #{"math"} (:skills %)) 1000]
   [#(nil? (:manager_id %)) 5000]
   [#(= "Research" (:dept %)) 500]])
(defn bonus [employee]
  (reduce (fn [total [applies? amount]]
            (if (applies? employee) (+ total amount) total))
          0
          rules))
(->> ctx/employees
     (map (juxt :id bonus))
     (filter (comp pos? second))
     (into (sorted-map)))
