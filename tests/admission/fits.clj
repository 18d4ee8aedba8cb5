(call "rate" {:currency "EUR"})

(call "rate" {:currency :eur})

(call "rate" {"currency" "EUR"})

(call "rate" {:curency "EUR"})

(call "rate" {:currency "EUR" :date "2026-01-01"})

(call "rate")

(call "rate" {})

(call "rate" {:currency 5})

(call "rate" {:currency nil})

(call "rate" {:currency (str 1 2)})

(call "rate" {:currency (count ctx/customers)})

(call "rate" {:currency ctx/region})

(call "rate" {:currency ctx/limit})

(call "rate" {:currency (:name (first ctx/customers))})

(call "rate" {:currency (:nme (second [{:name "a"} {:name "b"}]))})

(call "rate" {:currency (keyword "eur")})

(call "rate" {:currency inc})

(call "rate" ctx/customers)

(call "rate" (assoc {} :currency 1))

(call "rate" (merge {:currency "EUR"} {:x 1}))

(call "rate" (select-keys ctx [:region]))

(call "orders" {:customer 1 :limit nil})

(call "orders" {:customer 1.5})

(call "orders" {:customer "1"})

(call "orders" {:customer (+ 1 2)})

(call "orders" {:customer (/ 6 2)})

(call "orders" {:customer (parse-long "1")})

(map (fn [c] (call "orders" {:customer (:name c)})) ctx/customers)

(map #(call "orders" {:customer (:id %)}) ctx/customers)

(->> ctx/customers (map :name) (map (fn [n] (call "orders" {:customer n}))))

(for [c ctx/customers] (call "orders" {:customer c}))

(let [{:keys [id name]} (first ctx/customers)] (call "orders" {:customer name}))

(defn f [id] (call "orders" {:customer id})) (f "a")

(defn f [id] (call "orders" {:customer id})) (map f [1 2])

(call "top" {:n 0})

(call "top" {:n 11})

(map (fn [t] (call "orders" {:customer t})) (call "top" {:n 2}))

(map (fn [o] (call "orders" {:customer (:sku o)})) (mapcat :lines (call "orders" {:customer 1})))

(doseq [o (call "orders" {:customer 1})] (call "orders" {:customer (:lines o)}))

(call "notify" {:to "a" :level :low})

(call "notify" {:to "a" :level "hgh"})

(call "notify" {:to "a" :level (if ctx/limit :low :mid)})

(call "notify" {:to "a" :level :low :tags ["x" 1]})

(call "notify" {:to "a" :level :low :tags (map :id ctx/customers)})

(call "notify" {:to "a" :level :low :tags (map :id ctx/none)})

(call "notify" {:too "a" :levl :low})

(call "free" {:anything [1 2 {:a inc}]})

(try (call "rate" {:currency 1}) (catch Exception e 0))

(let [f (fn [a b] a)] (f 1))

(map (fn [a b] a) ctx/customers)

(map (fn [a b] a) ctx/none)

(reduce (fn [a] a) 0 ctx/customers)

memory/seen

(memory/put :seen 1) memory/seen
