; Cohorts: customers by quarter of joining, and their orders by half-years since then.
(defn month-number [day]
  (+ (* 12 (parse-long (subs day 0 4))) (parse-long (subs day 5 7))))

(defn quarter [day]
  (str (subs day 0 4) "-Q" (inc (quot (dec (parse-long (subs day 5 7))) 3))))

(let [joined (into {} (map (juxt :id :joined)) ctx/customers)
      orders (->> ctx/orders
                  (map (fn [o] {:joined (joined (:customer_id o)) :day (subs (:placed_at o) 0 10)}))
                  (remove (fn [{:keys [joined day]}] (neg? (compare day joined)))))]
  (return
    (into (sorted-map)
          (for [[cohort rows] (group-by (comp quarter :joined) orders)]
            [cohort
             (->> rows
                  (map (fn [{:keys [joined day]}]
                         (quot (- (month-number day) (month-number joined)) 6)))
                  frequencies
                  (sort-by key)
                  (mapv second))]))))
