; Loops, numbers and recursion. `bench/README.md` tells how to read this file.

;;; a loop that adds: 100000
;; < and inc
(loop [i 0 acc 0] (if (< i COUNT) (recur (inc i) (+ acc i)) acc))
;; >= and +
(loop [i 0 acc 0] (if (>= i COUNT) acc (recur (+ i 1) (+ acc i))))
;; pos? and dec
(loop [i (dec COUNT) acc 0] (if (pos? i) (recur (dec i) (+ acc i)) acc))
;; zero?
(loop [i (dec COUNT) acc 0] (if (zero? i) acc (recur (dec i) (+ acc i))))
;; a local as bound
(let [n COUNT] (loop [i 0 acc 0] (if (< i n) (recur (inc i) (+ acc i)) acc)))
;; let before recur
(loop [i 0 acc 0] (if (< i COUNT) (let [j (inc i) sum (+ acc i)] (recur j sum)) acc))
;; cond
(loop [i 0 acc 0] (cond (= i COUNT) acc :else (recur (inc i) (+ acc i))))
;; when-not and or
(loop [i 0 acc 0] (if (or (> i COUNT) (= i COUNT)) acc (recur (inc i) (+ acc i))))

;;; floats and integers in a loop: 50000
;; integers
(loop [i 0 acc 0] (if (< i COUNT) (recur (inc i) (+ acc 2)) acc))
;; a sum of floats
(long (loop [i 0 acc 0.0] (if (< i COUNT) (recur (inc i) (+ acc 2.0)) acc)))
;; all floats
(long (loop [i 0.0 acc 0.0] (if (< i COUNT.0) (recur (+ i 1.0) (+ acc 2.0)) acc)))
;; a product of floats
(long (loop [i 0 acc 0.0] (if (< i COUNT) (recur (inc i) (+ acc (* 0.5 4))) acc)))

;;; a loop with a test: 50000
;; if in tail
(loop [i 0 acc 0] (if (< i COUNT) (if (even? i) (recur (inc i) (+ acc i)) (recur (inc i) acc)) acc))
;; if in recur
(loop [i 0 acc 0] (if (< i COUNT) (recur (inc i) (if (even? i) (+ acc i) acc)) acc))
;; rem and zero?
(loop [i 0 acc 0] (if (< i COUNT) (recur (inc i) (if (zero? (rem i 2)) (+ acc i) acc)) acc))
;; mod and =
(loop [i 0 acc 0] (if (< i COUNT) (recur (inc i) (if (= 0 (mod i 2)) (+ acc i) acc)) acc))
;; cond
(loop [i 0 acc 0] (cond (>= i COUNT) acc (even? i) (recur (inc i) (+ acc i)) :else (recur (inc i) acc)))
;; case
(loop [i 0 acc 0] (if (< i COUNT) (case (rem i 2) 0 (recur (inc i) (+ acc i)) (recur (inc i) acc)) acc))
;; let and if
(loop [i 0 acc 0] (if (< i COUNT) (let [add (if (even? i) i 0)] (recur (inc i) (+ acc add))) acc))

;;; a loop that calls a function: 30000
;; defn
(defn add [a x] (+ a x))
(loop [i 0 acc 0] (if (< i COUNT) (recur (inc i) (add acc i)) acc))
;; defn with let
(defn add [a x] (let [sum (+ a x)] sum))
(loop [i 0 acc 0] (if (< i COUNT) (recur (inc i) (add acc i)) acc))
;; a local function
(let [add (fn [a x] (+ a x))] (loop [i 0 acc 0] (if (< i COUNT) (recur (inc i) (add acc i)) acc)))
;; a short function
(let [add #(+ %1 %2)] (loop [i 0 acc 0] (if (< i COUNT) (recur (inc i) (add acc i)) acc)))
;; letfn
(letfn [(add [a x] (+ a x))] (loop [i 0 acc 0] (if (< i COUNT) (recur (inc i) (add acc i)) acc)))
;; a captured value
(let [zero 0 add (fn [a x] (+ a x zero))] (loop [i 0 acc 0] (if (< i COUNT) (recur (inc i) (add acc i)) acc)))
;; several arities
(defn add ([a] a) ([a x] (+ a x)))
(loop [i 0 acc 0] (if (< i COUNT) (recur (inc i) (add acc i)) acc))

;;; fib: 8361
;; data
{:depth (cond (< COUNT 30) 7 (< COUNT 1000) 8 :else 18)}
;; defn and if
(defn fib [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(fib ctx/depth)
;; dec
(defn fib [n] (if (<= n 1) n (+ (fib (dec n)) (fib (- n 2)))))
(fib ctx/depth)
;; let
(defn fib [n] (if (< n 2) n (let [a (fib (- n 1)) b (fib (- n 2))] (+ a b))))
(fib ctx/depth)
;; letfn
(letfn [(fib [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))] (fib ctx/depth))
;; case
(defn fib [n] (case n 0 0 1 1 (+ (fib (- n 1)) (fib (- n 2)))))
(fib ctx/depth)
;; cond
(defn fib [n] (cond (= n 0) 0 (= n 1) 1 :else (+ (fib (- n 1)) (fib (- n 2)))))
(fib ctx/depth)
;; a named function
((fn fib [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))) ctx/depth)
;; or
(defn fib [n] (if (or (= n 0) (= n 1)) n (+ (fib (- n 1)) (fib (- n 2)))))
(fib ctx/depth)

;;; fibonacci numbers one after another: 80
;; loop
(loop [i 0 a 0 b 1 all []] (if (< i COUNT) (recur (inc i) b (+ a b) (conj all a)) all))
;; iterate
(map first (take COUNT (iterate (fn [[a b]] [b (+ a b)]) [0 1])))
;; reduce with the last two
(reduce (fn [all _] (conj all (+ (peek all) (nth all (- (count all) 2))))) [0 1] (range (- COUNT 2)))
;;~ reduce with take-last
(reduce (fn [all _] (conj all (apply + (take-last 2 all)))) [0 1] (range (- COUNT 2)))
;; lazy-seq
(take COUNT ((fn step [a b] (lazy-seq (cons a (step b (+ a b))))) 0 1))
;;~ memoize
(def fib (memoize (fn [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))))
(mapv fib (range COUNT))

;;; items of a vector by index: 20000
;; data
{:xs (vec (range COUNT))}
;; nth
(let [xs ctx/xs] (loop [i 0 acc 0] (if (< i COUNT) (recur (inc i) (+ acc (nth xs i))) acc)))
;; get
(let [xs ctx/xs] (loop [i 0 acc 0] (if (< i COUNT) (recur (inc i) (+ acc (get xs i))) acc)))
;; a call of the vector
(let [xs ctx/xs] (loop [i 0 acc 0] (if (< i COUNT) (recur (inc i) (+ acc (xs i))) acc)))
;; reduce over indexes
(let [xs ctx/xs] (reduce (fn [acc i] (+ acc (nth xs i))) 0 (range (count xs))))
;; count as bound
(loop [i 0 acc 0] (if (< i (count ctx/xs)) (recur (inc i) (+ acc (nth ctx/xs i))) acc))
;; map over indexes
(let [xs ctx/xs] (reduce + (map #(nth xs %) (range (count xs)))))

;;; sum of a list: 10000
;; data
{:xs (vec (range COUNT))}
;; reduce
(reduce + ctx/xs)
;; reduce with a start
(reduce + 0 ctx/xs)
;; apply
(apply + ctx/xs)
;; reduce with a function
(reduce (fn [acc x] (+ acc x)) 0 ctx/xs)
;; reduce with let
(reduce (fn [acc x] (let [sum (+ acc x)] sum)) 0 ctx/xs)
;; first and rest
(loop [xs ctx/xs acc 0] (if (seq xs) (recur (rest xs) (+ acc (first xs))) acc))
;; first and next
(loop [xs (seq ctx/xs) acc 0] (if xs (recur (next xs) (+ acc (first xs))) acc))
;; empty?
(loop [xs ctx/xs acc 0] (if (empty? xs) acc (recur (rest xs) (+ acc (first xs)))))
;; [x & more]
(loop [[x & more] ctx/xs acc 0] (if x (recur more (+ acc x)) acc))
;; transduce
(transduce (map identity) + 0 ctx/xs)

;;; sum of the squares of odd numbers: 10000
;; ->>
(->> (range COUNT) (filter odd?) (map #(* % %)) (reduce +))
;; reduce with if
(reduce (fn [acc x] (if (odd? x) (+ acc (* x x)) acc)) 0 (range COUNT))
;; loop
(loop [x 0 acc 0] (if (< x COUNT) (recur (inc x) (if (odd? x) (+ acc (* x x)) acc)) acc))
;; transduce
(transduce (comp (filter odd?) (map #(* % %))) + (range COUNT))
;; for
(reduce + (for [x (range COUNT) :when (odd? x)] (* x x)))
;; apply
(apply + (map (fn [x] (* x x)) (filter odd? (range COUNT))))
;; step
(reduce + (map #(* % %) (range 1 COUNT 2)))

;;; primes by trial division: 1000
;; loop
(defn prime? [n] (loop [d 2] (cond (> (* d d) n) true (zero? (rem n d)) false :else (recur (inc d)))))
(count (filter prime? (range 2 COUNT)))
;; every? and iterate
(defn prime? [n] (every? #(pos? (rem n %)) (take-while #(<= (* % %) n) (iterate inc 2))))
(count (filter prime? (range 2 COUNT)))
;; not-any? and take-while
(defn prime? [n] (not-any? #(zero? (rem n %)) (take-while #(<= (* % %) n) (range 2 n))))
(count (filter prime? (range 2 COUNT)))
;; not-any? and sqrt
(defn prime? [n] (not-any? #(zero? (rem n %)) (range 2 (inc (int (Math/sqrt n))))))
(count (filter prime? (range 2 COUNT)))
;; some
(defn prime? [n] (not (some #(zero? (mod n %)) (range 2 (inc (int (Math/sqrt n)))))))
(count (filter prime? (range 2 COUNT)))
;; recursion
(defn no-divisor? [n d] (cond (> (* d d) n) true (zero? (rem n d)) false :else (no-divisor? n (inc d))))
(count (filter #(no-divisor? % 2) (range 2 COUNT)))

;;; steps of Collatz: 300
;; loop
(defn steps [n] (loop [n n c 0] (if (= n 1) c (recur (if (even? n) (quot n 2) (inc (* 3 n))) (inc c)))))
(reduce max (map steps (range 1 COUNT)))
;; iterate
(defn step [n] (if (even? n) (quot n 2) (inc (* 3 n))))
(defn steps [n] (count (take-while #(not= 1 %) (iterate step n))))
(reduce max (map steps (range 1 COUNT)))
;; recursion
(defn steps [n] (if (= n 1) 0 (inc (steps (if (even? n) (quot n 2) (inc (* 3 n)))))))
(reduce max (map steps (range 1 COUNT)))
;; recur in the function
(defn steps ([n] (steps n 0)) ([n c] (cond (= n 1) c (even? n) (recur (quot n 2) (inc c)) :else (recur (+ 1 (* n 3)) (inc c)))))
(apply max (map steps (range 1 COUNT)))

;;; greatest common divisors: 5000
;; recursion
(defn gcd [a b] (if (zero? b) a (gcd b (mod a b))))
(reduce + (map #(gcd % 360) (range 1 COUNT)))
;; recur
(defn gcd [a b] (if (zero? b) a (recur b (rem a b))))
(reduce + (map #(gcd % 360) (range 1 COUNT)))
;; loop
(defn gcd [a b] (loop [x a y b] (if (= y 0) x (recur y (rem x y)))))
(reduce + (map #(gcd % 360) (range 1 COUNT)))
;; a pair
(defn gcd [a b] (loop [[x y] [a b]] (if (zero? y) x (recur [y (mod x y)]))))
(reduce + (map #(gcd % 360) (range 1 COUNT)))

;;; sums of digits: 3000
;; quot and rem
(defn digits [n] (loop [n n s 0] (if (zero? n) s (recur (quot n 10) (+ s (rem n 10))))))
(reduce + (map digits (range 100000 (+ 100000 COUNT))))
;; recursion
(defn digits [n] (if (< n 10) n (+ (mod n 10) (digits (quot n 10)))))
(reduce + (map digits (range 100000 (+ 100000 COUNT))))
;; iterate
(defn digits [n] (reduce + (map #(rem % 10) (take-while pos? (iterate #(quot % 10) n)))))
(reduce + (map digits (range 100000 (+ 100000 COUNT))))
;;~ str and parse-long
(defn digits [n] (reduce + (map #(parse-long (str %)) (str n))))
(reduce + (map digits (range 100000 (+ 100000 COUNT))))
;;~ str and int
(defn digits [n] (apply + (map #(- (int %) 48) (str n))))
(reduce + (map digits (range 100000 (+ 100000 COUNT))))

;;; factorials: 2000
;; reduce
(reduce + (map (fn [i] (reduce * (range 1 (+ 5 (rem i 15))))) (range COUNT)))
;; apply
(reduce + (map (fn [i] (apply * (range 1 (+ 5 (rem i 15))))) (range COUNT)))
;; loop
(defn fact [n] (loop [i n acc 1] (if (pos? i) (recur (dec i) (* acc i)) acc)))
(reduce + (map (fn [i] (fact (+ 4 (rem i 15)))) (range COUNT)))
;; recursion
(defn fact [n] (if (<= n 1) 1 (* n (fact (dec n)))))
(reduce + (map (fn [i] (fact (+ 4 (rem i 15)))) (range COUNT)))
;; recur in the function
(defn fact ([n] (fact n 1)) ([n acc] (if (< n 2) acc (recur (dec n) (* acc n)))))
(reduce + (map (fn [i] (fact (+ 4 (rem i 15)))) (range COUNT)))

;;; pairs of two ranges: 10000
;; data
{:side (long (Math/sqrt COUNT))}
;; two loops
(let [n ctx/side]
  (loop [i 0 all 0]
    (if (< i n)
      (recur (inc i) (loop [j 0 all all] (if (< j n) (recur (inc j) (if (zero? (rem (+ i j) 7)) (inc all) all)) all)))
      all)))
;; for with two bindings
(let [n ctx/side] (count (for [i (range n) j (range n) :when (zero? (rem (+ i j) 7))] [i j])))
;; filter of for
(let [n ctx/side] (count (filter (fn [[i j]] (zero? (rem (+ i j) 7))) (for [i (range n) j (range n)] [i j]))))
;; reduce in reduce
(let [n ctx/side]
  (reduce (fn [all i] (reduce (fn [all j] (if (zero? (rem (+ i j) 7)) (inc all) all)) all (range n))) 0 (range n)))
;; mapcat
(let [n ctx/side]
  (count (filter #(zero? (rem % 7)) (mapcat (fn [i] (map (fn [j] (+ i j)) (range n))) (range n)))))
;; doseq and an atom
(let [n ctx/side all (atom 0)]
  (doseq [i (range n) j (range n)] (when (zero? (rem (+ i j) 7)) (swap! all inc)))
  @all)

;;; sum of floats: 10000
;; data
{:xs (mapv #(/ % 4.0) (range COUNT))}
;; reduce
(reduce + ctx/xs)
;; apply
(apply + ctx/xs)
;; reduce with a function
(reduce (fn [acc x] (+ acc x)) 0.0 ctx/xs)
;; loop with nth
(let [xs ctx/xs n (count xs)] (loop [i 0 acc 0.0] (if (< i n) (recur (inc i) (+ acc (nth xs i))) acc)))
;; transduce
(transduce (map identity) + 0.0 ctx/xs)

;;; mean and variance: 5000
;; data
{:xs (mapv #(rem (* % 7919) 1009) (range COUNT))}
;; two passes
(let [n (count ctx/xs) mean (/ (reduce + ctx/xs) (double n))]
  [mean (/ (reduce + (map #(* (- % mean) (- % mean)) ctx/xs)) n)])
;; Math/pow
(let [n (count ctx/xs) mean (/ (reduce + ctx/xs) (double n))]
  [mean (/ (reduce + (map (fn [x] (Math/pow (- x mean) 2)) ctx/xs)) n)])
;; reduce
(let [n (count ctx/xs) mean (/ (apply + ctx/xs) (double n))]
  [mean (/ (reduce (fn [acc x] (let [d (- x mean)] (+ acc (* d d)))) 0.0 ctx/xs) n)])
;; loop
(let [n (count ctx/xs) mean (double (/ (reduce + 0 ctx/xs) n))]
  [mean (loop [i 0 acc 0.0] (if (= i n) (/ acc n) (let [d (- (nth ctx/xs i) mean)] (recur (inc i) (+ acc (* d d))))))])
