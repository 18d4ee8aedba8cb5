; Flattens nested customers to rows with dotted keys, and counts the columns.
(defn flat [prefix value]
  (cond
    (map? value) (mapcat (fn [[k v]] (flat (if prefix (str prefix "." k) (str k)) v)) value)
    (sequential? value) (mapcat (fn [[i v]] (flat (str prefix "." i) v)) (map-indexed vector value))
    :else [[prefix value]]))

(let [rows (map (fn [customer] (into {} (flat nil customer))) ctx/customers)
      columns (frequencies (mapcat keys rows))]
  (return
    {:columns (into (sorted-map) columns)
     :rows (take 20 rows)}))
