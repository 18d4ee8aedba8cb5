(defn minutes [duration]
  (if-let [[_ hours minutes] (re-matches #"(\d+):(\d\d)" duration)]
    (+ (* 60 (parse-long hours)) (parse-long minutes))
    (->> (re-seq #"(\d+(?:\.\d+)?)\s*(d|h|m)" duration)
         (map (fn [[_ number unit]] (* (parse-double number) (get {"d" 480 "h" 60 "m" 1} unit))))
         (reduce +)
         long)))
(return (update-vals (group-by :project ctx/entries)
                     #(reduce + (map (comp minutes :duration) %))))
