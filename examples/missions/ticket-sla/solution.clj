(defn in-time? [{:keys [opened closed priority]}]
  (<= (time-between opened (or closed ctx/now) :seconds) (* 3600 (ctx/hours priority))))
(let [counted (remove #(and (nil? (:closed %)) (in-time? %)) ctx/tickets)]
  (return (round (/ (* 100 (count (filter in-time? counted))) (count counted)) 1)))
