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
