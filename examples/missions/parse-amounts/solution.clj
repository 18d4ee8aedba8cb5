(defn cents [amount]
  (let [text (str/replace amount #"[^0-9,.\-]" "")
        [_ whole part] (re-matches #"(.*?)(?:[.,](\d{2}))?" text)
        digits (str/replace whole #"[^0-9]" "")
        value (+ (* 100 (parse-long digits)) (parse-long (or part "0")))]
    (if (str/starts-with? text "-") (- value) value)))
(let [all (mapv cents ctx/amounts)]
  (return {:cents all :sum (reduce + all)}))
