;; ctx: {"today": "2024-03-15", "invoices": [{"no": "A-1", "issued": "2024-01-10", "terms": 30, "amount": 1200.0, "paid": "2024-02-05"}, {"no": "A-2", "issued": "2024-01-31", "terms": 30, "amount": 450.5, "paid": null},
;; ctx:  {"no": "A-3", "issued": "2024-02-20", "terms": 14, "amount": 89.99, "paid": null}, {"no": "A-4", "issued": "2024-03-10", "terms": 60, "amount": 2300.0}, {"no": "A-5", "issued": "not yet", "terms": 10, "amount": 5.0}]}
(import '(java.time LocalDate)
        '(java.time.temporal ChronoUnit)
        '(java.time.format DateTimeFormatter DateTimeParseException))

(def today (LocalDate/parse ctx/today))
(def pretty (DateTimeFormatter/ofPattern "d MMM yyyy"))

(defn parse-date [s]
  (try
    (LocalDate/parse s)
    (catch DateTimeParseException _ nil)))

(defn due-date [{:keys [issued terms]}]
  (some-> (parse-date issued) (.plusDays terms)))

(defn late-days [invoice]
  (if-let [due (due-date invoice)]
    (max 0 (.between ChronoUnit/DAYS due today))
    0))

(defn bucket [days]
  (cond
    (zero? days) :current
    (<= days 15) :1-15
    (<= days 30) :16-30
    :else :over-30))

(let [open (remove :paid ctx/invoices)
      valid (filter due-date open)
      invalid (remove due-date open)]
  {:aging (->> valid
               (group-by (comp bucket late-days))
               (map (fn [[b is]] [b (reduce + (map :amount is))]))
               (sort-by (comp str first))
               vec)
   :reminders (vec (for [inv valid
                         :let [days (late-days inv)]
                         :when (pos? days)]
                     (str (:no inv) " was due " (.format (due-date inv) pretty)
                          ", " days " day" (when (not= days 1) "s") " late")))
   :next-due (->> valid
                  (map due-date)
                  (filter #(.isAfter % today))
                  sort
                  first
                  str)
   :unreadable (mapv :no invalid)})
