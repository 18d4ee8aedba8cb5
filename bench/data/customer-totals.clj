; The twenty customers with the highest turnover: sums of nested lines after discount.
(defn line-total [{:keys [quantity price discount]}]
  (* quantity price (- 1 (or discount 0))))

(defn order-total [order]
  (reduce + (map line-total (:lines order))))

(let [orders (remove (fn [order] (contains? #{"cancelled" "returned"} (:status order))) ctx/orders)]
  (return
    (->> orders
         (group-by :customer_id)
         (map (fn [[customer orders]]
                {:customer customer
                 :orders (count orders)
                 :total (reduce + (map order-total orders))}))
         (sort-by (fn [row] [(- (:total row)) (:customer row)]))
         (take 20))))
