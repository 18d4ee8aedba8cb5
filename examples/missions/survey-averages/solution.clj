(defn score [{:keys [score]}]
  (let [number (if (string? score) (parse-long (str/trim score)) score)]
    (when (and (integer? number) (<= 1 number 5)) number)))
(return (aggregate-by :question score mean (filter score ctx/answers)))
