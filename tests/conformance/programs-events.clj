;; id: count-by-type
;; ctx: @events
(->> ctx/events
     (map :type)
     frequencies
     (sort-by (juxt (comp - val) key))
     (into []))

;; id: purchases-per-user
;; ctx: @events
(reduce (fn [acc {:keys [user amount]}]
          (update acc user (fnil + 0.0) amount))
        (sorted-map)
        (filter #(= "purchase" (:type %)) ctx/events))

;; id: session-durations
;; ctx: @events
(let [by-user (group-by :user ctx/events)]
  (into (sorted-map)
        (for [[u es] by-user
              :let [ts (map #(java.time.Instant/parse (:ts %)) es)]]
          [u (.toMinutes (java.time.Duration/between (first ts) (last ts)))])))

;; id: conversion
;; ctx: @events
(let [users (fn [t] (set (map :user (filter #(= t (:type %)) ctx/events))))
      logged (users "login")
      bought (users "purchase")]
  {:logged-in (count logged)
   :bought (count bought)
   :rate (double (/ (count bought) (count logged)))
   :never (sort (remove bought logged))})

;; id: errors-by-code
;; ctx: @events
(->> ctx/events
     (filter (comp #{"error"} :type))
     (map (fn [{:keys [code page]}] [code page]))
     (sort-by first)
     (into (sorted-map)))

;; id: hourly-histogram
;; ctx: @events
(->> ctx/events
     (map #(subs (:ts %) 0 13))
     frequencies
     sort
     (map (fn [[h n]] (str h "h " (apply str (repeat n "#")))))
     (clojure.string/join "\n"))

;; id: user-state-machine
;; ctx: @events
(let [step (fn [state {:keys [type]}]
             (case type
               "login" :active
               "logout" :offline
               "error" (if (= state :active) :troubled state)
               state))]
  (->> (group-by :user ctx/events)
       (map (fn [[u es]] [u (reduce step :new es)]))
       (into (sorted-map))))

;; id: slow-views
;; ctx: @events
(let [views (filter #(= (:type %) "view") ctx/events)
      avg (/ (reduce + (map :ms views)) (count views))]
  {:avg avg
   :slow (->> views (filter #(> (:ms %) avg)) (mapv :page))})

;; id: gaps-over-an-hour
;; ctx: @events
(let [times (map #(java.time.Instant/parse (:ts %)) ctx/events)
      gaps (map (fn [a b] (.getSeconds (java.time.Duration/between a b)))
                times
                (rest times))]
  (keep-indexed (fn [i g] (when (> g 3600) [i g])) gaps))

;; id: last-event-per-user
;; ctx: @events
(->> ctx/events
     (reduce (fn [m e] (assoc m (:user e) (:type e))) {})
     (sort-by key)
     (mapv (fn [[u t]] (str u ":" t))))

;; id: partition-by-user-runs
;; ctx: @events
(->> ctx/events
     (partition-by :user)
     (mapv (fn [run] [(:user (first run)) (count run)])))

;; id: funnel
;; ctx: @events
(defn reached? [steps es]
  (loop [steps steps es es]
    (cond
      (empty? steps) true
      (empty? es) false
      (= (first steps) (:type (first es))) (recur (rest steps) (rest es))
      :else (recur steps (rest es)))))
(->> (group-by :user ctx/events)
     (filter (fn [[_ es]] (reached? ["login" "view" "purchase"] es)))
     (map key)
     sort)

;; id: keys-per-type
;; ctx: @events
(into (sorted-map)
      (map (fn [[t es]]
             [t (->> es
                     (mapcat keys)
                     (map name)
                     set
                     sort
                     vec)])
           (group-by :type ctx/events)))

;; id: first-purchase-after-login
;; ctx: @events
(let [es (filter #(= "u2" (:user %)) ctx/events)
      [login & after] (drop-while #(not= "login" (:type %)) es)
      purchase (first (filter :amount after))]
  (when purchase
    {:login (:ts login)
     :amount (:amount purchase)}))

;; id: daily-revenue
;; ctx: @events
(let [day #(first (clojure.string/split (:ts %) #"T"))]
  (->> ctx/events
       (filter :amount)
       (group-by day)
       (map (fn [[d es]] [d (format "%.2f" (reduce + (map :amount es)))]))
       (sort)
       vec))

;; id: unique-pages-in-order
;; ctx: @events
(->> ctx/events
     (keep :page)
     distinct
     (map-indexed (fn [i p] {:n (inc i) :page p}))
     vec)

;; id: event-before-error
;; ctx: @events
(->> (partition 2 1 ctx/events)
     (filter (fn [[a b]] (and (= "error" (:type b)) (= (:user a) (:user b)))))
     (mapv (fn [[a b]] [(:type a) (:code b)])))

;; id: rolling-window
;; ctx: @events
(let [amounts (vec (keep :amount ctx/events))
      windows (partition 2 1 amounts)]
  (mapv #(format "%.2f" (/ (reduce + %) 2)) windows))

;; id: any-and-every
;; ctx: @events
{:any-error (boolean (some #(= "error" (:type %)) ctx/events))
 :all-have-ts (every? :ts ctx/events)
 :no-refund (not-any? #(= "refund" (:type %)) ctx/events)
 :first-error (:code (first (filter #(= "error" (:type %)) ctx/events)))
 :u9 (some #(when (= "u9" (:user %)) %) ctx/events)}

;; id: merge-stats
;; ctx: @events
(->> ctx/events
     (map (fn [{:keys [type amount ms]}]
            {:n 1
             :amount (or amount 0)
             :ms (or ms 0)}))
     (apply merge-with +))

;; id: group-and-sum-with-reduce-kv
;; ctx: @events
(let [by-type (group-by :type ctx/events)]
  (reduce-kv (fn [acc t es]
               (if (> (count es) 2)
                 (assoc acc (keyword t) (count es))
                 acc))
             (sorted-map)
             by-type))

;; id: sessionise
;; ctx: @events
(let [gap 600
      secs (fn [e] (.getEpochSecond (java.time.Instant/parse (:ts e))))
      add (fn [sessions e]
            (let [current (peek sessions)]
              (if (and current (< (- (secs e) (secs (peek current))) gap))
                (conj (pop sessions) (conj current e))
                (conj sessions [e]))))]
  (->> (filter #(= "u1" (:user %)) ctx/events)
       (reduce add [])
       (mapv count)))

;; id: alert-text
;; ctx: @events
(defn describe [{:keys [type user amount code page] :or {page "?"}}]
  (case type
    "purchase" (format "%s spent %.2f" user amount)
    "error" (str user " saw " code " on " page)
    ("login" "logout") (str user " " type)
    (str user " did " type)))
(->> ctx/events
     (drop 3)
     (take 4)
     (map describe)
     (clojure.string/join "; "))
