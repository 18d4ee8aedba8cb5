(defn fields [line]
  (for [[_ quoted plain] (re-seq #"(?:^|,)(?:\"((?:[^\"]|\"\")*)\"|([^,]*))" line)]
    (or plain (str/replace quoted "\"\"" "\""))))
(let [[header & lines] (map fields (str/split-lines (str/trim ctx/text)))]
  (->> (map #(zipmap header %) lines)
       (aggregate-by :region (comp parse-long :amount) sum)
       return))
