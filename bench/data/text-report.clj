; A text report: one line per order of a month, with padded columns and a total.
(defn total [order]
  (reduce + (map #(* (:quantity %) (:price %)) (:lines order))))

(let [orders (->> ctx/orders
                  (filter #(str/starts-with? (:placed_at %) "2024-0"))
                  (sort-by (juxt :placed_at :id)))
      line (fn [order]
             (format "%s  %-10s %-9s %10.2f %s"
                     (subs (:placed_at order) 0 10)
                     (:customer_id order)
                     (:status order)
                     (total order)
                     (str/join "," (sort (:tags order)))))]
  (return
    {:lines (count orders)
     :text (str/join "\n" (map (comp str/trim line) orders))}))
