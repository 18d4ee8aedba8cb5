;; Calls, and arithmetic where the machine takes a short way.
(defn f [x] x) (f (do (defn f [x] [:new x]) 1))
;=> 1
(def n 5) (n 1)
;! not-callable an integer 5 was called as a function with 1 arguments
(def n -9223372036854775808) (n 1)
;! not-callable an integer -9223372036854775808 was called as a function with 1 arguments
(map -9223372036854775808 [1 2])
;! not-callable an integer -9223372036854775808 was called as a function with 1 arguments
(map -9223372036854775808 [])
;=> ()
(reduce -9223372036854775807 [1 2])
;! not-callable an integer -9223372036854775807 was called as a function with 2 arguments
(defn f [x] (if (> x 0.5) :big :small)) [(f 1) (f 0.25) (f 2N)]
;=> [:big :small :big]
(loop [i 9223372036854775806 k 0] (if (< k 3) (recur (inc i) (inc k)) i))
;=> 9223372036854775809N
(loop [i 0.5 s 0] (if (< i 3) (recur (inc i) (+ s i)) [i s]))
;=> [3.5 4.5]
(defn f [x] (if (< x 2) x (f :a))) (f 5)
;! wrong-type `<` expects numbers, its first argument is a keyword :a
((fn [a b] (if (< a b) 1 2)) 1 "x")
;! wrong-type `<` expects numbers, its second argument is a string "x"
(loop [i 0 s nil] (if (< i 3) (recur (inc i) (+ s i)) s))
;! wrong-type `+` expects numbers, its first argument is nil
(def v [1 2 3]) [(v 1) ((fn [m] (m :a)) {:a 1})]
;=> [2 1]
(defn f [& xs] (count xs)) [(f) (f 1 2 3) (map f [1 2])]
;=> [0 3 (1 1)]
(defn f ([] :none) ([a] a) ([a & r] [a r])) [(f) (f 1) (f 1 2 3)]
;=> [:none 1 [1 (2 3)]]
(defn f [x] f) (= f (f 1) ((f 1) 2))
;=> true
(reduce (fn [a x] (if (> a 5) (reduced [a x]) (+ a x))) (range 1 10 1))
;=> [6 4]
(map-indexed (fn [i x] [i x]) [:a :b :c])
;=> ([0 :a] [1 :b] [2 :c])
(map (fn [x] (let [y (* x 2) z (+ y 1)] [x y z])) [1 2 3])
;=> ([1 2 3] [2 4 5] [3 6 7])
(- 1 -2147483648)
;=> 2147483649
((fn [x] [(- x -2147483648) (+ x 2147483647) (dec x) (- x 5)]) -9223372036854775808)
;=> [-9223372034707292160 -9223372034707292161 -9223372036854775809N -9223372036854775813N]
(foo 1)
;! unknown-name `foo` is not defined
(defn g [x] (h x)) (g 1) (defn h [x] x)
;! unknown-name `h` is used before it is defined
((fn [f] (f 1)) -9223372036854775808)
;! not-callable an integer -9223372036854775808 was called as a function with 1 arguments
(apply -9223372036854775808 [1])
;! not-callable an integer -9223372036854775808 was called as a function with 1 arguments
(sort-by -9223372036854775808 [1 2])
;! not-callable an integer -9223372036854775808 was called as a function with 1 arguments
(pmap -9223372036854775808 [1 2])
;! not-callable an integer -9223372036854775808 was called as a function with 1 arguments
(some -9223372036854775807 [1 2])
;! not-callable an integer -9223372036854775807 was called as a function with 1 arguments
(let [v (vec (range 5))] ((fn [v] (nth v (dec (count v)))) v))
;=> 4
