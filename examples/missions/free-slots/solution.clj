(defn minutes [time]
  (let [[h m] (map parse-long (str/split time #":"))]
    (+ (* 60 h) m)))
(defn clock [minutes]
  (format "%02d:%02d" (quot minutes 60) (rem minutes 60)))
(let [day-end (minutes "17:00")
      busy (sort (map (fn [m] [(minutes (:from m)) (minutes (:to m))]) ctx/meetings))]
  (loop [start (minutes "09:00"), busy (concat busy [[day-end day-end]]), found []]
    (if-let [[from to] (first busy)]
      (let [from (min from day-end)]
        (recur (max start to)
               (rest busy)
               (if (>= (- from start) ctx/minutes)
                 (conj found {:from (clock start) :to (clock from)})
                 found)))
      (return found))))
