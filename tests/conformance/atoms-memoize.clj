@(atom 1)

(deref (atom {:a 1}))

(let [a (atom 0)] (swap! a inc) @a)

(let [a (atom 0)] (swap! a inc))

(let [a (atom 0)] (swap! a + 1 2 3))

(let [a (atom 1)] (reset! a 5) @a)

(let [a (atom 1)] (reset! a 5))

(let [a (atom {})] (swap! a assoc :x 1) @a)

(let [a (atom {:n 1})] (swap! a update :n inc) (:n @a))

(let [a (atom [])] (swap! a conj 1) (swap! a conj 2) @a)

(let [a (atom {})] (swap! a update-in [:a :b] (fnil inc 0)) @a)

(let [a (atom 5)] [(swap-vals! a inc) @a])

(let [a (atom 5)] [(reset-vals! a 9) @a])

(let [a (atom 1)] [(compare-and-set! a 1 2) @a (compare-and-set! a 1 3) @a])

(def a (atom 10)) (swap! a - 3) @a

(def log (atom [])) (defn note [x] (swap! log conj x) x) (note 1) (note 2) @log

(defn make-counter [] (let [n (atom 0)] #(swap! n inc))) (let [c (make-counter) d (make-counter)] [(c) (c) (d)])

(let [a (atom 1) b a] (swap! a inc) @b)

(let [a (atom 1)] (= a a))

(= (atom 1) (atom 1))

(let [a (atom nil)] @a)

(let [cache (atom {}) f (fn [x] (if-let [v (get @cache x)] [:hit v] (do (swap! cache assoc x (* x x)) [:miss (* x x)])))] [(f 3) (f 3)])

(let [n (atom 0) f (memoize (fn [x] (swap! n inc) (* x x)))] [(f 2) (f 2) (f 3) @n])

(let [n (atom 0) f (memoize (fn [a b] (swap! n inc) (+ a b)))] [(f 1 2) (f 1 2) (f 2 1) @n])

(let [n (atom 0) f (memoize (fn [x] (swap! n inc) nil))] [(f 1) (f 1) @n])

(let [n (atom 0) f (memoize (fn [] (swap! n inc)))] [(f) (f)])

(def fib (memoize (fn [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))))) (fib 60)

(def mfib (memoize (fn [n] (if (< n 2) n (+' (mfib (- n 1)) (mfib (- n 2))))))) (str (mfib 100))

(let [f (memoize str)] [(f 1 2) (f 1 2)])

(let [f (memoize (fn [m] (:a m)))] (f {:a 1}))

(let [a (atom 0)] (doseq [x [1 2 3]] (swap! a + x)) @a)

(let [a (atom 0)] (run! #(swap! a + %) (range 5)) @a)

(let [a (atom {:x {:y 1}})] (swap! a assoc-in [:x :z] 2) (get-in @a [:x :z]))

(let [a (atom #{})] (swap! a conj :k) (contains? @a :k))

(let [a (atom 3)] (while (pos? @a) (swap! a dec)) @a)

(let [a (atom 0)] (dotimes [_ 5] (swap! a inc)) @a)

(let [a (atom [1 2 3])] (swap! a (fn [v] (mapv inc v))))

(let [a (atom {:a 1 :b 2})] (swap! a dissoc :a))

(let [a (atom 1)] (swap! a (constantly 7)) @a)

(let [a (atom 1)] (swap! a (fn [x y] (+ x y)) 10))

(let [seen (atom #{})] (filterv (fn [x] (if (@seen x) false (do (swap! seen conj x) true))) [1 2 1 3 2]))

(let [v (volatile! 0)] (vreset! v 5) @v)

(let [v (volatile! 1)] (vswap! v + 5))

(let [d (delay 1)] [(realized? d) @d (realized? d)])

(realized? (delay 1))

(let [a (atom 1 :validator pos?)] (swap! a inc))

(let [a (atom 1 :validator pos?)] (swap! a - 5))

(let [a (atom 0) out (atom [])] (add-watch a :k (fn [_ _ o n] (swap! out conj [o n]))) (swap! a inc) (reset! a 5) @out)

(swap! 5 inc)

(reset! {} 1)

(deref 5)

@nil

(let [a (atom 0)] (try (swap! a (fn [_] (throw (ex-info "x" {})))) (catch Exception e nil)) @a)

(let [a (atom "x")] (swap! a str "y" "z"))

(let [state (atom {:balance 100})] (defn withdraw [n] (if (> n (:balance @state)) {:error :insufficient} (swap! state update :balance - n))) [(withdraw 30) (withdraw 100)])

(let [q (atom [1 2 3]) out (atom [])] (while (seq @q) (let [x (first @q)] (swap! q subvec 1) (swap! out conj (* x 10)))) @out)

(let [ids (atom 0) next-id #(swap! ids inc)] (mapv (fn [n] {:id (next-id) :n n}) ["a" "b"]))

