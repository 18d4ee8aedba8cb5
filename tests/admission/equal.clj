(filter #(= (:id %) "17") (call "orders" {:customer 1}))

(filter #(= "x" (:total %)) (call "orders" {:customer 1}))

(map #(not= (:id %) :a) (call "orders" {:customer 1}))

(map #(case (:id %) "1" 1 0) (call "orders" {:customer 1}))

(where {:id "1"} (call "orders" {:customer 1}))

(where {:id #{"1" "2"}} (call "orders" {:customer 1}))

(filter #(#{"1" "2"} (:id %)) (call "orders" {:customer 1}))

(filter #(contains? #{"1" "2"} (:id %)) (call "orders" {:customer 1}))

(filter (fn [{:keys [id]}] (= id "17")) (call "orders" {:customer 1}))

(= ctx/limit "3")

(filter #(= (:name %) 3) ctx/customers)

(= (call "notify" {:to "a" :level "low"}) "true")

(filter #(= (:id %) 17) (call "orders" {:customer 1}))

(filter #(= (:id %) (:total %)) (call "orders" {:customer 1}))

(filter #(= (:id %) nil) (call "orders" {:customer 1}))

(filter #(= (:next (call "page" {})) nil) [1])

(filter #(= (:name %) :Ada) ctx/customers)

(filter #(contains? #{1 2} (:id %)) ctx/customers)

(where {:name #{"Ada" nil}} ctx/customers)

(= 1 "1")

(case 1 "1" :a :b)

(defn same? [a b] (= a b)) [(same? ctx/limit "3") (same? ctx/limit 3)]

(map #(if (string? (:id %)) (= (:id %) "1") (= (:id %) 1)) ctx/customers)

(filter #(> (:total %) "17") (call "orders" {:customer 1}))

(filter #(< "5" (:id %)) (call "orders" {:customer 1}))

(sort-by :id (filter #(pos? (compare (:id %) "17")) (call "orders" {:customer 1})))

(map #(max (:total %) "3") (call "orders" {:customer 1}))

(map #(<= 1 (:id %) "9") (call "orders" {:customer 1}))

(filter #(= 1 (:id %) "9") (call "orders" {:customer 1}))

(filter #(> (:at %) 20260131) (call "events" {}))

(filter #(= (:at %) 20260131) (call "events" {}))

(filter #(> (:id %) 3.5) (call "orders" {:customer 1}))

(try (> (:id (first (call "orders" {:customer 1}))) "1") (catch Exception e false))

(< 1 "2")

(map #(condp = (:id %) "1" :one "2" :two :other) (call "orders" {:customer 1}))

(map #(condp = (:id %) "1" :one 2 :two :other) (call "orders" {:customer 1}))

(index-of (map :id (call "orders" {:customer 1})) "1")

(.indexOf (mapv :id (call "orders" {:customer 1})) "1")

(.contains (mapv :name ctx/customers) 1)

(some #{"1" "2"} (map :id (call "orders" {:customer 1})))

(some #{1 2} (map :id (call "orders" {:customer 1})))

(contains? (mapv :id (call "orders" {:customer 1})) (:name (first ctx/customers)))

(contains? (set (map :id (call "orders" {:customer 1}))) "1")

(contains? (set (map :name ctx/customers)) "Ada")

((set (map :id (call "orders" {:customer 1}))) "1")

(get (call "orders" {:customer 1}) "0")

(get (call "orders" {:customer 1}) (:name (first ctx/customers)))

(get (call "orders" {:customer 1}) 0)

(count (:id (first (call "orders" {:customer 1}))))

(sum-by :total (:id (first (call "orders" {:customer 1}))))

(map inc (count ctx/customers))

(count (call "notify" {:to "a" :level "low"}))

(map #(if (string? (:id %)) (count (:id %)) 0) (call "orders" {:customer 1}))
