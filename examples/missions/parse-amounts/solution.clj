(defn cents [amount]
  (let [text (str/replace amount #"[^\d,.\-]" "")
        digits (str/replace text #"[,.]" "")]
    (parse-long (if (re-find #"[,.]\d\d$" text) digits (str digits "00")))))
(let [all (map cents ctx/amounts)]
  (return {:cents all :sum (sum all)}))
