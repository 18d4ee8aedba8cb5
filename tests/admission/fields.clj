(map :nmae ctx/customers)

(map :price ctx/customers)

(:name ctx/customers)

(map #(get % :price nil) ctx/customers)

(map #(:price % 0) ctx/customers)

(map (fn [{:keys [price] :or {price 0}}] price) ctx/customers)

(map (fn [{:keys [price]}] (or price 0)) ctx/customers)

(map (fn [{:keys [nmae]}] (or nmae "?")) ctx/customers)

(map #(or (:price %) 0) ctx/customers)

(map #(or (:nmae %) "?") ctx/customers)

(map #(if-let [p (:price %)] p 0) ctx/customers)

(map #(when (:price %) 1) ctx/customers)

(map #(if (nil? (:price %)) 0 1) ctx/customers)

(map #(some-> % :price inc) ctx/customers)

(map #(if (contains? % :price) 1 0) ctx/customers)

(map #(if (contains? % :nmae) 1 0) ctx/customers)

(filter some? (map :price ctx/customers))

(keep :price ctx/customers)

(filter :price ctx/customers)

(map #(update % :price (fnil inc 0)) ctx/customers)

(map #(assoc % :price 1) ctx/customers)

(map :price (map #(assoc % :price 1) ctx/customers))

(try (map :price ctx/customers) (catch Exception e 0))

(get-in ctx [:customers 0 :nmae])

(let [{[{:keys [nmae]}] :customers} ctx] nmae)

(:regoin ctx)

(:fail ctx)

(:id (first (call "orders" {:customer 1})))

(:idd (first (call "orders" {:customer 1})))

(mapcat #(map :skuu (:lines %)) (call "orders" {:customer 1}))

(:price (call "free" {}))

(map :x (:groups ctx))

(:b {:a 1})

(let [row {:total (count ctx/customers)}] (:totl row))

(let [by (group-by :name ctx/customers)] [(:Ada by) (get by "Bo") (by "Cy")])

((juxt :id :nmae) (first ctx/customers))

((first ctx/customers) :nmae)

(let [k :nmae] (map k ctx/customers))

(set (map (fn [c] (select-keys c [:id :nmae])) ctx/customers))

(defn ask [tool args] (call tool args)) (:idd (first (ask "orders" {:customer 1})))

(let [t (if ctx/limit "orders" "free")] (call t {:customer 1}))

(call (name :shop/free))

(defn both ([t] (both t 1)) ([t n] (if (pos? n) (both t (dec n)) (call t {})))) (both "free") (both (str "fr" "ee") 2)

(defn prices [] (map :price ctx/customers)) (try (prices) (catch Exception e 0))

(try (map :nmae ctx/customers) (catch Exception e 0))

(into [] (map :nmae) ctx/customers)

(into #{} (comp (filter :id) (map :nmae)) ctx/customers)

(sequence (comp (partition-all 2) cat (map :nmae)) ctx/customers)

(map :nmae (into [] (comp (take 2) (remove :id)) ctx/customers))

(map :id (sequence (partition-by :name) ctx/customers))

(transduce (comp (map :nmae) (take 1)) conj ctx/customers)

(into [] (comp (map (fn [c] {:nmae (:name c)})) (map :nmae)) ctx/customers)

(into [] (comp (map (juxt :id :name)) (map first)) ctx/customers)

(:nmae (into {} (halt-when :id) ctx/customers))

(map #(if (contains? % :price) (:price %) 0) ctx/customers)

(map #(if (contains? % :nmae) (:nmae %) 0) ctx/customers)

(map (fn [c] (cond (contains? c :price) (:price c) :else 0)) ctx/customers)

(->> ctx/customers (filter #(contains? % :price)) (map :price) (reduce +))

(let [c (first ctx/customers)] (when (contains? c :price) (+ 1 (:price c))))

(map #(if (contains? % :price) (:price %) 0) (call "orders" {:customer 1}))

(sum-by :total (call "page" {}))

(sum (map :total (call "page" {})))

(count (where {:id 1} (call "page" {})))

(sum-by :id (first ctx/customers))

(max-by :id (index-by :id ctx/customers))

(top-by 1 :id (index-by :id ctx/customers))

(sum-by :n (group-by :name ctx/customers))

(sort-by :count (frequencies (map :name ctx/customers)))

(map :id (index-by :id ctx/customers))

(map (fn [{:keys [id]}] id) (group-by :name ctx/customers))

(:id (first (group-by :name ctx/customers)))

(sum (keep :n (map :id ctx/customers)))

(:x (count ctx/customers))

(map (fn [{:keys [id]}] id) (map :id ctx/customers))

(or (:first (:name (first ctx/customers))) "?")

(map (fn [[name rows]] [name (map :id rows)]) (group-by :name ctx/customers))

(map (comp :name val) (index-by :id ctx/customers))

(sum-by :total (:items (call "page" {})))

(for [[id {:keys [name]}] (index-by :id ctx/customers)] [id name])

(or (:price (first (call "orders" {:customer 1}))) 0)

(keep :amount (:items (call "page" {})))

(for [{:keys [amount]} (:items (call "page" {})) :when amount] amount)

(frequencies (keep :state (call "orders" {:customer 1})))

(some-> (call "page" {}) :cursor str)

(select-keys (call "page" {}) [:items :cursor])

(where {:state "open"} (call "orders" {:customer 1}))

(get (call "page" {}) :cursor nil)

(map :price (call "open" {}))

(keep :price (call "open" {}))

(filter :vip ctx/customers)

(remove :vip ctx/customers)

(every? :vip ctx/customers)

(some :vip ctx/customers)

(where {:vip true} ctx/customers)

(if (:vip (first ctx/customers)) 1 2)

(and (:vip (first ctx/customers)) 1)

(select-keys (first ctx/customers) [:id :vip])

(sum (keep :amount ctx/customers))

(for [{:keys [total]} (call "page" {})] total)

(for [{:keys [count]} (frequencies (map :name ctx/customers))] count)

(return (let [{:keys [a]} (list :a 1)] a))

(return (let [{:keys [a]} [:a 1]] a))

(for [{:keys [n]} (:groups ctx)] n)

(return (:x 5))

(return (let [n 1] (:x n)))

(return (map :n [1 2]))

(return (:x [1 2 3]))

(:price ctx/customers)

(return (:a #{:a :b}))

(return (map #(if (map? %) (:value %) %) [1 2]))

(or (get ctx/customers "0") 0)

(or (get ctx/customers :first) 0)

(contains? ctx/customers "Ada")

(get-in ctx/customers ["0" :name])
