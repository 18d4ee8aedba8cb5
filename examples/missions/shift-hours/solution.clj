(defn minutes [time]
  (let [[hours minutes] (map parse-long (str/split time #":"))]
    (+ (* 60 hours) minutes)))
(defn worked [shift]
  (let [from (minutes (:from shift))
        to (minutes (:to shift))
        length (if (<= to from) (- (+ to 1440) from) (- to from))]
    (- length (:break_minutes shift))))
(return (update-vals (group-by :worker ctx/shifts)
                     (fn [shifts] (/ (reduce + (map worked shifts)) 60))))
