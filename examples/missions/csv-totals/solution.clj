(defn unquote-field [field]
  (if (str/starts-with? field "\"")
    (str/replace (subs field 1 (dec (count field))) "\"\"" "\"")
    field))
(defn fields [line]
  (map (fn [[_ field]] (unquote-field field))
       (re-seq #"(?:^|,)(\"(?:[^\"]|\"\")*\"|[^,]*)" line)))
(let [[header & lines] (map fields (str/split-lines (str/trim ctx/text)))
      rows (map #(zipmap header %) lines)]
  (return (update-vals (group-by #(get % "region") rows)
                       (fn [rows] (reduce + (map #(parse-long (get % "amount")) rows))))))
