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
;! wrong-type `deref` expects an atom, found an integer 1
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
