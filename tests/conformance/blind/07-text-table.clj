;; ctx: {"columns": ["name", "dept", "salary", "start"], "rows": [{"name": "Ada", "dept": "R&D", "salary": 120000, "start": "2015-03-01"}, {"name": "Grace Hopper", "dept": "Navy", "salary": 98500.5, "start": null}, {"name": "Linus", "dept": null, "salary": 77000, "start": "2020-11-30"}]}
(require '[clojure.string :as str])

(def numeric? #{"salary"})

(defn cell [column value]
  (cond
    (nil? value) "-"
    (numeric? column) (format "%,.2f" (double value))
    :else (str value)))

(defn pad-left [s n]
  (str (apply str (repeat (- n (count s)) \space)) s))

(defn pad-right [s n]
  (str s (apply str (repeat (- n (count s)) " "))))

(defn widths [table]
  (apply map (fn [& column] (apply max (map count column))) table))

(defn render-row [ws row]
  (->> (map vector ctx/columns ws row)
       (map (fn [[column w s]]
              (if (numeric? column) (pad-left s w) (pad-right s w))))
       (str/join " | ")))

(let [header (map str/upper-case ctx/columns)
      body (for [row ctx/rows]
             (for [column ctx/columns]
               (cell column (get row (keyword column)))))
      ws (widths (cons header body))
      rule (str/join "-+-" (map #(str/join (repeat % "-")) ws))
      lines (concat [(render-row ws header) rule]
                    (map #(render-row ws %) body))]
  (str/join "\n" (map str/trimr lines)))
