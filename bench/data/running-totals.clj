; The running total of the orders of each month, in cents, and the day that passes half of the month.
(defn cents [order]
  (reduce + (map (fn [{:keys [quantity price]}] (* quantity (Math/round (* 100 price)))) (:lines order))))

(return
  (->> ctx/orders
       (group-by #(subs (:placed_at %) 0 7))
       (sort-by key)
       (map (fn [[month orders]]
              (let [ordered (sort-by :placed_at orders)
                    running (reductions + (map cents ordered))
                    total (last running)
                    [half] (drop-while (fn [[_ sum]] (< (* 2 sum) total)) (map vector ordered running))]
                {:month month
                 :total total
                 :half (subs (:placed_at (first half)) 0 10)
                 :weeks (mapv last (partition-all 50 running))})))))
