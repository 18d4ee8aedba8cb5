; A pivot table: months down, statuses across, numbers of orders in the cells.
(let [counts (reduce (fn [table order]
                       (update-in table [(subs (:placed_at order) 0 7) (:status order)] (fnil inc 0)))
                     {}
                     ctx/orders)
      statuses (sort (distinct (map :status ctx/orders)))]
  (return
    (for [[month row] (sort counts)]
      (into {:month month}
            (map (fn [status] [status (get row status 0)]) statuses)))))
