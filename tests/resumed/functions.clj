;; Functions from one program to the next, by way of a snapshot: see `values.clj`.

;; Names, docs, arities, a rest.
(defn area "The area of a box." ([a] (area a a)) ([a b] (* a b)) ([a b & more] (apply * a b more)))
;=> #'area
[(area 3) (area 3 4) (area 1 2 3 4) area (fn? area)]
;=> [9 12 24 #function[area] true]
(area)
;! wrong-arity the function `area` takes 1 or 2 or 2 or more arguments, not 0

;; Parameters taken apart, with defaults.
(defn full [{:keys [first last] :or {last "?"} :as who} [x & ys] & {:keys [sep]}] [first last sep x ys (count who)])
;=> #'full
(full {:first "Ada"} [1 2 3] :sep "-")
;=> ["Ada" "?" "-" 1 (2 3) 1]
(full {:first "Ada" :last "L"} [] {:sep 1})
;=> ["Ada" "L" 1 nil nil 2]

;; Recursion by the name, by `recur`, and among several.
(defn fact [n] (if (< n 2) 1 (* n (fact (dec n)))))
;=> #'fact
(declare odd-one?)
;=> nil
(defn even-one? [n] (if (zero? n) true (odd-one? (dec n))))
;=> #'even-one?
(defn odd-one? [n] (if (zero? n) false (even-one? (dec n))))
;=> #'odd-one?
(defn sum [xs] (loop [[x & more] xs, all 0] (if x (recur more (+ all x)) all)))
;=> #'sum
[(fact 20) (fact 25) (even-one? 101) (odd-one? 101) (sum [1 2 3])]
;=> [2432902008176640000 15511210043330985984000000N false true 6]

;; Functions that close over values, over functions, and over themselves.
(def adders (mapv (fn [n] (fn [x] (+ x n))) [1 2 3]))
;=> #'adders
(def chain (reduce (fn [f g] (fn [x] (f (g x)))) adders))
;=> #'chain
(def named (fn again [n] (if (zero? n) :done (again (dec n)))))
;=> #'named
(defn counter [] (let [n (atom 0)] {:next (fn [] (swap! n inc)) :now (fn [] @n)}))
;=> #'counter
[(map #(% 10) adders) (chain 10) (named 5) ((:next (counter)))]
;=> [(11 12 13) 16 :done 1]
(def pair (let [secret {:k 1}] (letfn [(up [n] (if (> n 3) [n secret] (down (inc n)))) (down [n] (up (inc n)))] [up down])))
;=> #'pair
[((first pair) 0) ((second pair) 0) (= (first pair) (first pair)) (= (first pair) (second pair))]
;=> [[4 {:k 1}] [5 {:k 1}] true false]

;; An atom that two functions close over belongs to its program, which is over; they still share it.

(let [n (atom 0)] (def up! (fn [] (swap! n inc))) (def now (fn [] @n)))
;=> #'now
(up!)
;! unsupported this atom or delay belongs to an earlier program, which has ended
(now)
;! unsupported this atom or delay belongs to an earlier program, which has ended
(try (up!) (catch IllegalStateException e (ex-message e)))
;=> "this atom or delay belongs to an earlier program, which has ended"

;; A function is equal to itself alone, wherever it is kept.
(defn f [x] x)
;=> #'f
(def table {:f f, :g [f f], :h (fn [x] x)})
;=> #'table
[(= f (:f table)) (apply = (:g table)) (= f (:h table)) ((:h table) 3) (contains? (set (:g table)) f)]
;=> [true true false 3 true]

;; Functions of the language, and those that it makes of others.
(def made [inc map (partial + 1 2) (comp str inc) (complement nil?) (constantly 7) (juxt inc dec) (fnil + 10) (memoize inc) (some-fn even? neg?) (every-pred pos? odd?) :key 'sym {:a 1} #{1} (map inc) (comp (filter odd?) (map inc))])
;=> #'made
[((nth made 0) 1) ((nth made 1) inc [1]) ((nth made 2) 3) ((nth made 3) 4) ((nth made 4) 1) ((nth made 5) 1) ((nth made 6) 1) ((nth made 7) nil 1) ((nth made 9) 3) ((nth made 10) 3)]
;=> [2 (2) 6 "5" true 7 [2 0] 11 false true]
((nth made 8) 1)
;! unsupported this atom or delay belongs to an earlier program, which has ended
[(into [] (nth made 15) [1 2]) (into [] (nth made 16) [1 2 3]) made]
;=> [[2 3] [2 4] [#function[inc] #function[map] #function[fn] #function[fn] #function[fn] #function[fn] #function[fn] #function[fn] #function[fn] #function[fn] #function[fn] :key sym {:a 1} #{1} #function[map] #function[fn]]]

;; Transducers and what they make.
(def xf (comp (mapcat range) (partition-all 2) (take 3)))
;=> #'xf
(def rf ((take 2) conj))
;=> #'rf
(def lazy-xf (sequence xf [1 2 3 4]))
;=> #'lazy-xf
[(transduce xf conj [] [3 4 5]) (sequence xf [3 4 5]) lazy-xf]
;=> [[[0 1] [2 0] [1 2]] ([0 1] [2 0] [1 2]) ([0 0] [1 0] [1 2])]
(rf (rf [] 1) 2)
;=> #reduced
(def odd-rf (rf [] 1))
;=> #'odd-rf

;; Names of ranges: two of one range, and one that is paid for.
(def far-off (range 5 100000000000 7))
;=> #'far-off
(def some-of (rest far-off))
;=> #'some-of
[(first some-of) (nth far-off 3) (count some-of)]
;=> [12 26 14285714284]
(def little (range 9 -9 -3))
;=> #'little
(def little-too little)
;=> #'little-too
[(vec little) (vec little-too) little]
;=> [[9 6 3 0 -3 -6] [9 6 3 0 -3 -6] (9 6 3 0 -3 -6)]
[(vec little) (vec little-too)]
;=> [[9 6 3 0 -3 -6] [9 6 3 0 -3 -6]]

;; Functions that hold a range: three numbers, or a list of items that are paid for.
(def far (let [r (range 5 100000000000 7)] (fn [] [(first r) (nth r 3) (last r) (count r)])))
;=> #'far
(def both (let [r (rest (range 9 -9 -3))] [(fn [] (count r)) (fn [] (vec r))]))
;=> #'both
[(far) ((both 0)) ((both 1)) ((both 1))]
;=> [[5 26 99999999993 14285714285] 5 [6 3 0 -3 -6] [6 3 0 -3 -6]]
(let [sum (reduce + ((both 1)))] [sum (far)])
;=> [0 [5 26 99999999993 14285714285]]

;; Libraries under names of the program, threads, short functions, `for`, tools as functions.
(require '[clojure.string :as s] '[clojure.set :as sets])
;=> nil
(do (require '[clojure.string :as s]) (defn shout [x] (-> x s/upper-case (s/replace "A" "4") (str "!"))))
;=> #'shout
(def fs (for [n [1 2] m [10 20]] #(+ n m % %2)))
;=> #'fs
(def call-it tool/echo)
;=> #'call-it
(defn twice [x] (->> x (map #(* 2 %)) (filter (fn [y] (> y 2))) vec))
;=> #'twice
[(shout "banana") (map #(% 1 2) fs) (call-it {:v 3}) (twice [1 2 3])]
;call echo {:v 3}
;=> ["B4N4N4!" (14 24 15 25) 3 [4 6]]
(defn lazily [n] (lazy-seq (cons n (lazily (inc n)))))
;=> #'lazily
(def from-5 (lazily 5))
;=> #'from-5
(take 2 from-5)
;=> (5 6)
[(take 3 from-5) (take 1 (lazily 1))]
;=> [(5 6 7) (1)]

;; A name means what it meant when the function was checked.
(defn size [x] (count x))
;=> #'size
(defn count [x] :mine)
;=> #'count
[(size [1 2]) (count [1 2])]
;=> [2 :mine]
(defn size2 [x] (count x))
;=> #'size2
(size2 [1 2])
;=> :mine

;; Problems in functions of earlier programs have their places there.
(defn half
  [x]
  (/ 1 x))
;=> #'half
(half 0)
;! divide-by-zero `/` divides by zero
(half 1 2)
;! wrong-arity the function `half` takes 1 argument, not 2
(defn uses [r] (+ 1 (:missing r)))
;=> #'uses
(uses {:a 1})
;! wrong-type `+` expects numbers, its second argument is nil

;; Names that are defined anew.
(def rate 2)
;=> #'rate
(defn price [n] (* n rate))
;=> #'price
(def rate 3)
;=> #'rate
(price 5)
;=> 15
(defn price [n] (+ n rate))
;=> #'price
(price 5)
;=> 8

;; A program that fails leaves nothing.
(def v 1)
;=> #'v
(do (def v 2) (throw (Exception. "no")))
;! thrown no
v
;=> 1
