(+ 1 2)

(call "rate" {:currency "EUR"})

[(call "rate" {:currency "EUR"}) (tool/rate {:currency "USD"})]

(if ctx/limit (call "rate" {:currency "EUR"}) (call "rate" {:currency "USD"}))

(cond (= ctx/limit 1) (call "rate" {:currency "a"}) (= ctx/limit 2) (call "top" {:n 1}) :else (call "free"))

(map (fn [c] (call "orders" {:customer (:id c)})) ctx/customers)

(map #(call "orders" {:customer (:id %)}) (take 1 ctx/customers))

(->> ctx/customers (filter :id) (mapv (fn [c] (call "orders" {:customer (:id c)}))))

(for [c ctx/customers o (call "orders" {:customer (:id c)})] (call "free" {:id (:id o)}))

(doseq [g ctx/groups] (doseq [n g] (call "free" {:n n})))

(map (fn [n] (call "free" {:n n})) (call "top" {:n 3}))

(let [os (call "orders" {:customer 1})] (map (fn [o] (call "free" o)) os))

(mapcat (fn [c] (call "orders" {:customer (:id c)})) ctx/customers)

(reduce (fn [sum c] (+ sum (call "rate" {:currency (:name c)}))) 0 ctx/customers)

(pmap (fn [c] [(call "free" c) (call "free" c)]) ctx/customers)

(pcalls (fn [] (call "free")) (fn [] (call "rate" {:currency "EUR"})))

(dotimes [i 5] (call "free" {:i i}))

(dotimes [i ctx/limit] (call "free" {:i i}))

(loop [i 0] (when (< i 4) (call "free" {:i i}) (recur (inc i))))

(loop [i 0] (when (< i 4) ((fn [] (loop [k 9] (if (pos? k) (recur (dec k)) k)))) (call "free" {:i i}) (recur (+ i 1))))

(loop [i 0] (when (< i 4) (call "free" {:i i}) (recur (- i -2))))

(loop [i 0] (when (< i 4) (call "free" {:i i}) (recur (+ i 0))))

(loop [i 0] (when (call "free" {:i i}) (recur (inc i))))

(loop [i 10] (when (pos? i) (call "free") (recur (dec i))))

(defn f [x] (call "free" {:x x})) (f 1) (f 2)

(defn f [x] (if x (f (call "free" {:x x})) 1)) (f 1)

(declare g) (defn f [x] (g x)) (defn g [x] (call "free" {:x x})) (f 1)

(letfn [(f [n] (if (pos? n) (g (dec n)) 0)) (g [n] (call "free") (f n))] (f 2))

(let [f (fn [x] (call "free" {:x x}))] [(f 1) (f 2) (f 3)])

(let [f (fn [x] (call "free" {:x x}))] (map (comp f inc) [1 2]))

(defn each [f xs] (map f xs)) (each (fn [x] (call "free" {:x x})) ctx/customers)

(sort-by (fn [c] (call "free" c)) ctx/customers)

(sort (fn [a b] (call "free")) ctx/customers)

(try (call "free") (catch Exception e (call "free")) (finally (call "rate" {:currency "EUR"})))

(let [d (delay (call "free"))] [@d @d])

(take 2 (map (fn [x] (call "free" {:x x})) (range)))

(repeatedly 3 (fn [] (call "free")))

(update {:a 1} :a (fn [x] (call "free" {:x x})))

(while (call "free") (call "rate" {:currency "EUR"}))

(and (call "free") (call "free") (call "rate" {:currency "EUR"}))

(map (fn [c] (map (fn [g] (map (fn [n] (map (fn [o] (call "free")) ctx/customers)) g)) ctx/groups)) ctx/customers)

(return (call "free"))

(if ctx/limit (return 1) (fail {:reason :none :message "nothing"}))

(when ctx/limit (return 1))

(try (return 1) (catch Exception e 2))

(try (return 1) (catch Exception e (fail {:reason :x})))

(map (fn [c] (return c)) ctx/customers)

(map (fn [c] (return c)) ctx/none)

(let [x (return 1)] x)

(loop [i 0] (if (< i 3) (recur (inc i)) (return i)))

(defn with-retry [tool args] (call tool args)) (with-retry "rate" {:currency "EUR"})

(defn with-retry [tool args n] (try (call tool args) (catch Exception e (if (pos? n) (with-retry tool args (dec n)) nil)))) (with-retry "rate" {:currency "EUR"} 3)

(defn with-retry ([tool args] (with-retry tool args 3)) ([tool args n] (try (call tool args) (catch Exception e (if (pos? n) (with-retry tool args (dec n)) nil))))) (with-retry "rate" {:currency "EUR"}) (with-retry "top" {:n 1})

(defn with-retry [tool args] (loop [n 3] (let [r (try {:ok (call tool args)} (catch Exception e nil))] (if (or r (zero? n)) r (recur (dec n)))))) (with-retry "rate" {:currency "EUR"})

(defn with-retry [tool args n] (let [r (try (call tool args) (catch Exception e nil))] (if (or r (zero? n)) r (recur tool args (dec n))))) (with-retry "rate" {:currency "EUR"} 3)

(defn with-retry [tool args] (let [g (fn g [n] (try (call tool args) (catch Exception e (g (dec n)))))] (g 3))) (with-retry "rate" {:currency "EUR"})

(defn with-retry [tool args] (call tool args))

(let [t (if ctx/limit "rate" "top")] (call t {:currency "EUR" :n 1}))

(let [t (case ctx/limit 1 "rate" 2 "top" "free")] (call t ctx/none))

(let [t (or (:tool (call "free" {})) "free")] (call t {}))

(doseq [t ["free" "top"]] (call t {:n 1}))

(map #(call % {:n 1}) ["free" "top"])

(for [t ["free" "top"] c ctx/customers] (call t {:n 1}))

(doseq [[t a] [["rate" {:currency "EUR"}] ["top" {:n 1}]]] (call t a))

(doseq [{:keys [t a]} [{:t "rate" :a {:currency "EUR"}} {:t "top" :a {:n 1}}]] (call t a))

(call (get {:fx "rate" :all "free"} (str "f" "x")) {:currency "EUR"})

(call ({:fx "rate" :all "free"} (str "f" "x")) {:currency "EUR"})

(call (name :free))

(call (str "ra" "te") {:currency "EUR"})

(defn each [f xs] (map f xs)) (each #(call % {}) ["free"])

(loop [t "free"] (call t))

(call (if ctx/limit "return" "fail") {:reason :none})

(let [t "return"] (call t 1))

(let [t (if ctx/limit "return" "free")] (call t {}))

(let [f (fn g [n] (call "free") (when (pos? n) (doseq [x [1 2]] (g (dec n)))))] (f 3))

(let [call (fn [name args] [name args])] (call "rate" {:currency "EUR"}))

(defn return [x] x) (return (call "free"))

(defn fail [] (call "free")) (return (fail))

(defn f [] (keys 1 2)) (try (f) (catch Exception e (call "free")))

(defn f [] (keys 1 2)) (f) (try (call "free") (catch Exception e 0))

(defn f [x] x) (defn g [] (f)) (defn h [] (g)) (try (h) (catch Exception e (call "free")))

(defn f [x] x) (defn g [_] (f)) (try (mapv g ctx/customers) (catch Exception e (call "free")))

(defn f [x] x) (defn g [] (f)) (try (call "free") (catch Exception e (g)))

(into [] (map (fn [c] (call "rate" {:currency "EUR"}))) ctx/customers)

(transduce (comp (filter (fn [c] (call "rate" {:currency "EUR"}))) (take 2)) conj ctx/customers)

(def each (map (fn [c] (call "rate" {:currency "EUR"})))) (sequence each ctx/customers)

(into [] (fn [rf] (fn ([acc] (rf acc)) ([acc x] (call "rate" {:currency "EUR"}) (rf acc x)))) [1 2])

((first (mapv (fn [x] (fn [] (call "rate" {:currency "EUR"}))) [1])))

(find-first (fn [c] (call "free" c)) ctx/customers)

(top-by 2 (fn [c] (call "free" c)) ctx/customers)

(aggregate-by (fn [c] (call "free" c)) :id count ctx/customers)

(aggregate-by :id (fn [c] (call "free" c)) (fn [all] (call "rate" {:currency "a"})) ctx/customers)

(if-error (call "rate" {:currency "EUR"}) (call "free"))
