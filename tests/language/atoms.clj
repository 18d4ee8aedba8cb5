;; atoms
(let [a (atom 0)] (swap! a inc) (swap! a + 10) @a)
;=> 11
(let [a (atom 1)] [(reset! a 2) @a])
;=> [2 2]
(let [a (atom [])] (doseq [i (range 3)] (swap! a conj i)) @a)
;=> [0 1 2]
(deref (atom :x))
;=> :x
(reset-vals! (atom 1) 2)
;=> [1 2]
(swap-vals! (atom 1) inc)
;=> [1 2]
(let [a (atom 1)] [(compare-and-set! a 1 2) (compare-and-set! a 1 3) @a])
;=> [true false 2]
(let [a (atom 1)] (= a a))
;=> true
(= (atom 1) (atom 1))
;=> false
(let [a (atom nil)] (reset! a [a]) (count @a))
;=> 1
(swap! 1 inc)
;! wrong-type `swap!` expects an atom, found an integer 1
@1
;! wrong-type `deref` expects an atom or a delay, found an integer 1
(let [n (atom 3) out (atom [])] (while (pos? @n) (swap! out conj @n) (swap! n dec)) @out)
;=> [3 2 1]

;; memoize
(let [calls (atom 0) f (memoize (fn [x] (swap! calls inc) (* x x)))] [(f 3) (f 3) (f 4) @calls])
;=> [9 9 16 2]
(let [calls (atom 0) f (memoize (fn [] (swap! calls inc) nil))] (f) (f) @calls)
;=> 1

;; letfn
(letfn [(even2? [n] (if (zero? n) true (odd2? (dec n)))) (odd2? [n] (if (zero? n) false (even2? (dec n))))] [(even2? 10) (odd2? 7)])
;=> [true true]
(let [k 5] (letfn [(f [x] (+ k (g x))) (g [x] (* 2 x))] (map f [1 2])))
;=> (7 9)
(let [a 1 b 2] (letfn [(f [] [a (map (fn [_] (g)) [0])]) (g [] b)] (f)))
;=> [1 (2)]
(letfn [(f ([] (f 1)) ([x] (inc x)))] (f))
;=> 2
(letfn [(f [x] x)] (f))
;! wrong-arity the function `f` takes 1 argument, not 0
(letfn f 1)
;! bad-form `letfn` needs a vector of functions

;; volatiles
(let [v (volatile! 1)] [(vswap! v + 1 2) @v (vreset! v 9) @v])
;=> [4 4 9 9]
[(volatile? (volatile! 1)) (volatile? (atom 1)) (volatile? nil)]
;=> [true false false]
(swap! (volatile! 1) inc)
;! wrong-type `swap!` expects an atom, found a volatile #volatile
(vreset! (atom 1) 2)
;! wrong-type `vreset!` expects a volatile, found an atom #atom

;; delays
(let [n (atom 0) d (delay (swap! n inc))] [(realized? d) @d @d (force d) (realized? d) @n])
;=> [false 1 1 1 true 1]
(let [d (delay)] [@d (delay? d) (delay? 1) (force 1) (force nil)])
;=> [nil true false 1 nil]
(let [n (atom 0) d (delay (swap! n inc) (throw (ex-info "no" {:a 1})))] [(try @d (catch Exception e (ex-data e))) (try @d (catch Exception e (ex-message e))) @n (realized? d)])
;=> [{:a 1} "no" 1 true]
(map deref [(atom 1) (delay 2) (volatile! 3)])
;=> (1 2 3)
(let [d (delay (/ 1 0))] (try @d (catch ArithmeticException e (ex-message e))))
;=> "Divide by zero"
(def d (delay (inc @d))) @d
;! unsupported a delay or a lazy sequence needs its own value to compute it
(realized? [1])
;! wrong-type `realized?` expects a delay, found a vector [1]
(realized? (map inc [1]))
;=> true
;clj D2 false

;; validators
(let [a (atom 1 :validator pos?)] [(swap! a inc) (try (reset! a -1) (catch IllegalStateException e (ex-message e))) @a])
;=> [2 "Invalid reference state" 2]
(atom -1 :validator pos?)
;! thrown Invalid reference state
(let [a (atom 1)] [(set-validator! a odd?) (fn? (get-validator a)) (try (swap! a inc) (catch Exception e :refused)) (set-validator! a nil) (get-validator a) (swap! a inc)])
;=> [nil true :refused nil nil 2]
(let [a (atom 1)] (try (set-validator! a even?) (catch IllegalStateException e [(ex-message e) (get-validator a)])))
;=> ["Invalid reference state" nil]
@(atom 1 :meta {:a 1})
;=> 1
(atom 1 :validator)
;! wrong-arity `atom` takes options in pairs, and a keyword :validator has no value
@(atom 1 :unknown 3)
;=> 1

;; watches
(let [a (atom 0) out (atom [])] (add-watch a :k (fn [k r o n] (swap! out conj [k (= r a) o n]))) (swap! a inc) (reset! a 5) (compare-and-set! a 5 6) (compare-and-set! a 5 7) (remove-watch a :k) (swap! a inc) [@out @a])
;=> [[[:k true 0 1] [:k true 1 5] [:k true 5 6]] 7]
(let [a (atom 0) out (atom [])] (add-watch a :x (fn [_ _ _ n] (swap! out conj [:first n]))) (add-watch a :y (fn [_ _ _ n] (swap! out conj [:second n]))) (add-watch a :x (fn [_ _ _ n] (swap! out conj [:new n]))) (swap! a inc) @out)
;=> [[:new 1] [:second 1]]
(let [a (atom 0)] (add-watch a :k (fn [_ _ _ _] (throw (ex-info "seen" {})))) [(try (swap! a inc) (catch Exception e (ex-message e))) @a])
;=> ["seen" 1]
(let [a (atom 1)] [(= a (add-watch a :k list)) (= a (remove-watch a :k))])
;=> [true true]

;; text of what is printed
(with-out-str (println "a" 1) (print "b" nil) (prn "c") (pr :d))
;=> "a 1\nb nil\"c\"\n:d"
[(with-out-str) (with-out-str 1)]
;=> ["" ""]
(with-out-str (println 1) (print (count (with-out-str (println "inner")))))
;=> "1\n6"
(with-out-str (try (println "a") (throw (ex-info "m" {})) (catch Exception e (println (ex-message e)))))
;=> "a\nm\n"
(do (try (with-out-str (println "lost") (/ 1 0)) (catch Exception e (println "kept"))) (with-out-str (printf "%d%n" 1) (newline)))
;print kept
;=> "1\n\n"
(let [f (fn [x] (println x) x)] [(with-out-str (run! f [1 2])) (with-out-str (pmap f [3 4]))])
;=> ["1\n2\n" "3\n4\n"]
(loop [] (with-out-str (recur)))
;! bad-form `recur` must be the last thing its loop or function does

;; branches
(pmap + [1 2 3] [10 20])
;=> (11 22)
(pcalls (fn [] 1) (fn [] 2))
;=> (1 2)
(pvalues 1 (+ 1 1))
;=> (1 2)
[(pmap inc nil) (pcalls) (pvalues)]
;=> [() () ()]
(pmap (fn [x] (pmap (fn [y] (* x y)) [1 2])) [3 4])
;=> ((3 6) (4 8))
(try (pmap (fn [x] (/ 6 x)) [3 0 1]) (catch ArithmeticException e (ex-message e)))
;=> "Divide by zero"
;clj D7 error
(pmap 5 [1])
;! not-callable an integer 5 was called as a function with 1 arguments
(pmap inc 5)
;! wrong-type expected a collection, found an integer 5
