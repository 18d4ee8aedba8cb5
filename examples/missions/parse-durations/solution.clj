(defn minutes [{:keys [duration]}]
  (let [text (str/replace duration #"(\d+):(\d+)" "$1h $2m")]
    (round (sum (for [[_ number unit] (re-seq #"([\d.]+)\s*([dhm])" text)]
                  (* (parse-double number) ({"d" 480 "h" 60 "m" 1} unit)))))))
(return (aggregate-by :project minutes sum ctx/entries))
