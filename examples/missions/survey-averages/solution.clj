(defn score [answer]
  (let [value (:score answer)
        number (cond
                 (integer? value) value
                 (string? value) (parse-long (str/trim value)))]
    (when (and number (<= 1 number 5)) number)))
(->> ctx/answers
     (filter score)
     (group-by :question)
     (#(update-vals % (fn [answers] (/ (reduce + (map score answers)) (count answers)))))
     return)
