;; ctx: {"customers": [{"id": 1, "name": "Acme Corp", "region": "EU"}, {"id": 2, "name": "Globex", "region": "US"}, {"id": 3, "name": "Initech", "region": "EU"}],
;; ctx:  "orders": [{"id": 10, "customer_id": 1, "lines": [{"sku": "P1", "qty": 3}, {"sku": "P2", "qty": 1}]}, {"id": 11, "customer_id": 2, "lines": [{"sku": "P3", "qty": 10}]},
;; ctx:   {"id": 12, "customer_id": 1, "lines": [{"sku": "P3", "qty": 2}]}, {"id": 13, "customer_id": 9, "lines": [{"sku": "P1", "qty": 1}]}],
;; ctx:  "prices": {"P1": 20.0, "P2": 99.5, "P3": 4.25}}
(require '[clojure.string :as str])

(def customers-by-id
  (into {} (map (juxt :id identity) ctx/customers)))

(defn line-total
  "Price of one line; unknown SKUs cost nothing."
  [{:keys [sku qty]}]
  (* qty (get ctx/prices (keyword sku) 0)))

(defn order-total [order]
  (reduce + 0 (map line-total (:lines order))))

(defn enrich [{:keys [customer_id] :as order}]
  (let [{:keys [name region]} (customers-by-id customer_id)]
    (assoc order
           :customer (or name "UNKNOWN")
           :region (or region "??")
           :amount (order-total order))))

(defn region-row [[region orders]]
  (let [total (reduce + (map :amount orders))
        names (->> orders (map :customer) distinct sort (str/join "/"))]
    (format "%-3s %3d %9.2f  %s" region (count orders) (double total) names)))

(->> ctx/orders
     (map enrich)
     (group-by :region)
     (sort-by key)
     (map region-row)
     (str/join "\n"))
