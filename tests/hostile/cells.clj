;; Cells that hold themselves.
(let [a (atom nil)] (reset! a a) (some? @a))
;=> true
(let [a (atom nil)] (reset! a [a a]) (count @a))
;=> 2
(let [a (atom nil)] (reset! a {:self a}) (str @a))
;=> "{:self #atom}"
(let [a (atom nil)] (reset! a {:self a}) (println a) (= a (:self @a)))
;=> true
(let [a (atom nil)] (reset! a (fn [] a)) (fn? @a))
;=> true
(let [v (volatile! nil)] (vreset! v v) (volatile? @v))
;=> true
(let [d (atom nil) e (delay @d)] (reset! d e) (delay? @e))
;=> true
(let [a (atom 0)] (add-watch a :k (fn [_ a _ _] (swap! a inc))) (swap! a inc))
;! call-depth-limit
(let [a (atom 0) b (atom 0)] (add-watch a :k (fn [& _] (swap! b inc))) (add-watch b :k (fn [& _] (swap! a inc))) (swap! a inc))
;! call-depth-limit
(let [a (atom 0)] (dotimes [i 1000000] (add-watch a i (fn [& _]))))
;! fuel-limit
(let [a (atom 0)] (swap! a (fn [x] (swap! a inc) (swap! a inc))) @a)
;! fuel-limit
(let [a (atom 0)] (loop [] (swap! a inc) (recur)))
;! fuel-limit
(let [a (atom [])] (loop [] (swap! a conj @a) (recur)))
;! value-depth-limit
(let [a (atom [])] (loop [] (swap! a conj (vec (range 1000))) (recur)))
;! fuel-limit
(dotimes [i 10000000] (atom i))
;! fuel-limit
(mapv atom (range 10000000))
;! fuel-limit
(let [a (atom 1)] (set-validator! a (fn [x] (reset! a x))) (reset! a 2))
;! call-depth-limit
(let [d (delay (throw (ex-info "no" {})))] (dotimes [i 3] (try @d (catch Exception e nil))) (realized? d))
;=> true
(def kept (atom 1)) (reset! kept kept) (some? kept)
;=> true
(some? kept)
;=> true

;; What remembers.
(let [f (memoize (fn [x] (vec (range 1000))))] (dotimes [i 1000000] (f i)))
;! fuel-limit
(let [f (memoize (fn [x] x))] (loop [i 0] (f i) (recur (inc i))))
;! fuel-limit
(let [f (memoize (fn [& xs] (count xs)))] (count (mapv (fn [i] (apply f (range i))) (range 3000))))
;! fuel-limit
(let [f (atom nil)] (reset! f (memoize (fn [x] (@f x)))) (@f 1))
;! call-depth-limit
(let [f (memoize (fn [x] x))] (f (reduce (fn [v _] [v v]) [] (range 60))))
;! value-depth-limit
(def f (memoize (fn [x] (str/join (repeat 100000 "x"))))) (count (mapv f (range 1000)))
;! fuel-limit
