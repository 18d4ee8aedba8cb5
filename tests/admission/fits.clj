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

(let [t "rat"] (call t {:currency "EUR"}))

(let [t "rate"] (call t {:curency "EUR"}))

(defn f [t] (call t {})) (f "nope")

(defn f [t] (if (contains? #{"free"} t) (call t {}) :unknown)) (f "nope")

(defn f [t] (call t {})) (try (f "nope") (catch Exception e 1))

(let [t "rat"] (try (call t {}) (catch Exception e 1)))

(doseq [t ["free" "nope"]] (call t {}))

(doseq [t ["rate" "top"]] (call t {:n 1}))

(let [t :rate] (call t {:currency "EUR"}))

(call (count ctx/groups) {})

(let [t "rate"] (call t))

(call (str "free") {} {})

(call :free {})

(/ 1 0)

(quot ctx/limit 0)

(/ ctx/limit 0)

(rem 1.5 0)

(/ 1.5 0)

(return (mod 7 0))

(if ctx/limit (/ 1 0) 1)

(or ctx/limit (/ 1 0))

(try (/ 1 0) (catch Exception e 1))

(do (when ctx/limit (return 1)) (/ 1 0))

(do (call "free") (/ 1 0))

(defn f [x] (quot x 0))

(defn f [x] (quot x 0)) (f 1)

(defn f [x] (quot x 0)) (when ctx/limit (f 1))

(defn f [x] (when x (return x))) (f 1) (/ 1 0)

(defn f [x] (when x (return x))) (map f [1]) (/ 1 0)

(map (fn [x] (mod x 0)) [1 2])

(map (fn [x] (mod x 0)) ctx/none)

(loop [i 0] (if (< i 3) (recur (inc i)) (/ i 0)))

(defn stop [x] (return x)) (do (count ctx/customers) (/ 1 0))

(defn stop [x] (return x)) (let [a ctx/limit b 2] (do (str a b) (/ 1 0)))

(defn stop [x] (return x)) (do (map stop ctx/customers) (/ 1 0))

(delay (/ 1 0))

(call "rate" {:currency (pcalls (fn [] 1))})

(call "rate" (assoc {} :curency "EUR"))

(call "rate" (merge {:curency "EUR"} {}))

(call "rate" (into {} {:curency "EUR"}))

(call "rate" (into {} [[:curency "EUR"]]))

(call "rate" (conj {} [:curency "EUR"]))

(call "rate" (conj {} {:curency "EUR"}))

(call "rate" (hash-map :curency "EUR"))

(call "rate" (zipmap [:curency] ["EUR"]))

(call "rate" (select-keys {:curency "EUR" :x 1} [:curency]))

(call "rate" (into {:currency "EUR"} (hash-map "page" 1)))

(call "rate" (zipmap (map str [1 2]) ["EUR" "USD"]))

(let [k (first ["currency" "page"])] (call "rate" (into {} [[k "EUR"]])))
