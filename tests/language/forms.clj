;; let
(let [x 1 y (+ x 1)] y)
;=> 2
(let [x 1] (let [x 2] x))
;=> 2
(let [x 1 x (inc x)] x)
;=> 2
(let [x 1] (let [x 2] x) x)
;=> 1
(let [] 1)
;=> 1
(let [x 1])
;=> nil
(let [x 1] 2 3)
;=> 3
(let [x] x)
;! bad-form a name of this `let` has no value
(let (x 1) x)
;! bad-form `let` needs its names and values in a vector
(let x)
;! bad-form `let` needs its names and values in a vector
(let)
;! bad-form `let` needs a vector of names and values
(let [1 2] 3)
;! bad-form this is not a name that can be bound
(let [:a 2] 3)
;! bad-form this is not a name that can be bound
(let [map 1] map)
;=> 1
(let [if 1] (if true if 2))
;=> 1
(let [y x x 1] y)
;! unknown-name `x` is not defined

;; if and its kin
(if nil 1 2)
;=> 2
(if false 1)
;=> nil
(if true 1)
;=> 1
(if 0 :yes :no)
;=> :yes
(if "" :yes :no)
;=> :yes
(if [] :yes :no)
;=> :yes
(if)
;! bad-form `if` takes a test, a value and an optional second value, not 0 forms
(if 1)
;! bad-form `if` takes a test, a value and an optional second value, not 1 forms
(if 1 2 3 4)
;! bad-form `if` takes a test, a value and an optional second value, not 4 forms
(if-not nil 1 2)
;=> 1
(if-not 1 2)
;=> nil
(if-not)
;! bad-form `if-not` takes a test, a value and an optional second value
(when true 1 2)
;=> 2
(when false 1)
;=> nil
(when)
;! bad-form `when` needs a test
(when 1)
;=> nil
(when-not nil 1 2)
;=> 2
(cond false 1 :else 2)
;=> 2
(cond false 1)
;=> nil
(cond nil 1 2 3)
;=> 3
(cond)
;=> nil
(cond 1)
;! bad-form a test of `cond` has no value
(condp = 2 1 :one 2 :two)
;=> :two
(condp = 3 1 :one 2 :two :other)
;=> :other
(condp = 3 1 :one)
;! no-clause no clause matches an integer 3
(condp some [1 2 3] #{5} :>> inc #{2} :>> (fn [x] (* x 10)) :none)
;=> 20
(condp = 3)
;! no-clause no clause matches an integer 3
(case 2 1 :one 2 :two)
;=> :two
(case 9 1 :one :default)
;=> :default
(case 9 1 :one)
;! no-clause no clause matches an integer 9
(case :b (:a :b) 1 :c 2)
;=> 1
(case "x" "x" 1)
;=> 1
(case 'a a 1 2)
;=> 1
(case nil nil :nil :other)
;=> :nil
(case [1 2] [1 2] :vec :other)
;=> :vec
(case \a \a 1 2)
;=> 1
(case 1)
;! no-clause no clause matches an integer 1
(case (+ 1 1) 2 :two)
;=> :two
(case)
;! bad-form `case` needs a value
(if-let [x nil] 1 2)
;=> 2
(if-let [x 3] (inc x) 0)
;=> 4
(if-let [x false] 1)
;=> nil
(if-let [[a b] [1 2]] (+ a b) 0)
;=> 3
(if-let [{:keys [a]} nil] a :none)
;=> :none
(if-let [x 1 y 2] x y)
;! bad-form `if-let` binds exactly one name
(if-let x 1)
;! bad-form `if-let` binds exactly one name
(if-let [x 1])
;! bad-form `if-let` takes a value and an optional second value after the binding
(when-let [x 3] (inc x))
;=> 4
(when-let [x nil] (inc x))
;=> nil
(if-some [x false] [x] 0)
;=> [false]
(if-some [x nil] x 0)
;=> 0
(when-some [x false] [x])
;=> [false]
(when-first [x [1 2]] x)
;=> 1
(when-first [x []] x)
;=> nil
(when-first [x [nil]] [x])
;=> [nil]

;; and, or, do
(and)
;=> true
(and 1)
;=> 1
(and 1 nil 2)
;=> nil
(and 1 2 3)
;=> 3
(and false nil)
;=> false
(or)
;=> nil
(or nil false 3)
;=> 3
(or nil false)
;=> false
(or 1 (boom-not-called))
;! unknown-name `boom-not-called` is not defined
(do)
;=> nil
(do 1 2)
;=> 2
(and nil (/ 1 0))
;=> nil
(or 1 (/ 1 0))
;=> 1
(do 1 (do 2 (do 3)))
;=> 3

;; Threading.
(-> 1)
;=> 1
(-> 1 inc)
;=> 2
(-> 1 inc inc (- 10))
;=> -7
(-> {:a 1} (assoc :b 2) :b)
;=> 2
(-> {:a {:b 1}} :a :b)
;=> 1
(-> [1 2] first)
;=> 1
(->> [1 2 3] (map inc) (filter even?))
;=> (2 4)
(->> 1 (- 10))
;=> 9
(-> 5 (->> (- 10)))
;=> 5
(as-> 1 x (+ x 1) (* x x))
;=> 4
(as-> [1 2] [a b] (+ a b))
;=> 3
(some-> {:a {:b 1}} :a :b inc)
;=> 2
(some-> {:a nil} :a :b inc)
;=> nil
(some-> nil inc)
;=> nil
(some->> [1 2] (map inc) first)
;=> 2
(some->> nil (map inc))
;=> nil
(cond-> 1 true inc false (* 10) (= 1 1) (+ 5))
;=> 7
(cond->> [1 2] true (map inc) false (filter odd?))
;=> (2 3)
(cond-> 1 true)
;! bad-form a test of `cond->` has no step
(doto {:a 1} (assoc :b 2))
;=> {:a 1}
(->)
;! bad-form `->` needs a value
(-> 1 ())
;! not-callable expected a function, found `1`
(-> 3 (fn [x] x))
;! bad-form a function needs its parameters in a vector
(-> 1 #(+ % 1))
;=> 2
;clj N2 error

;; loop and recur
(loop [i 0 a 0] (if (< i 5) (recur (inc i) (+ a i)) a))
;=> 10
(loop [] 1)
;=> 1
(loop [x 3 acc []] (if (zero? x) acc (recur (dec x) (conj acc x))))
;=> [3 2 1]
(loop [[x & more] [1 2 3] sum 0] (if x (recur more (+ sum x)) sum))
;=> 6
(loop [{:keys [n]} {:n 3} out []] (if (pos? n) (recur {:n (dec n)} (conj out n)) out))
;=> [3 2 1]
(loop [a 1 b 2] (if (< a 3) (recur b (+ a b)) [a b]))
;=> [3 5]
(loop [i 0] (let [j (inc i)] (if (< j 3) (recur j) j)))
;=> 3
(loop [i 0] (cond (< i 3) (recur (inc i)) :else i))
;=> 3
(loop [i 0] (when (< i 3) (recur (inc i))))
;=> nil
(loop [i 0] (recur))
;! wrong-arity `recur` gives 0 values to a loop with 1 variable
(loop [i 0] (recur 1 2))
;! wrong-arity `recur` gives 2 values to a loop with 1 variable
(loop [i 0] (+ 1 (recur 1)))
;! bad-form `recur` must be the last thing its loop or function does
(loop [i 0] (do (recur 1) 2))
;! bad-form `recur` must be the last thing its loop or function does
(loop [i 0] [(recur 1)])
;! bad-form `recur` must be the last thing its loop or function does
(recur 1)
;! bad-form `recur` must be the last thing its loop or function does
((fn [n acc] (if (zero? n) acc (recur (dec n) (* acc n)))) 5 1)
;=> 120
((fn [& xs] (if (next xs) (recur (rest xs)) xs)) 1 2 3)
;=> (3)
(loop [i 0 fs []] (if (< i 3) (recur (inc i) (conj fs (fn [] i))) (map (fn [f] (f)) fs)))
;=> (0 1 2)
(loop [i 0] (if (< i 5) (let [x i] (recur (+ x 1))) i))
;=> 5
(loop [i 0] (case i 3 :done (recur (inc i))))
;=> :done
(loop [x 10] (or (when (< x 5) x) (recur (dec x))))
;=> 4
(loop [x 10] (and true (if (> x 5) (recur (dec x)) x)))
;=> 5
(loop [x 0] (if-let [y (when (< x 3) x)] (recur (inc y)) x))
;=> 3

;; for, doseq, dotimes
(for [x [1 2 3]] (* x x))
;=> (1 4 9)
(for [x [1 2] y [10 20 30] :while (< y 25)] [x y])
;=> ([1 10] [1 20] [2 10] [2 20])
(for [x (range 6) :when (even? x)] x)
;=> (0 2 4)
(for [x (range 10) :while (< x 3)] x)
;=> (0 1 2)
(for [x (range 4) :let [y (* x 10)] :when (> y 10)] [x y])
;=> ([2 20] [3 30])
(for [[k v] {:a 1 :b 2}] [v k])
;=> ([1 :a] [2 :b])
(for [{:keys [a]} [{:a 1} {:a 2}]] a)
;=> (1 2)
(for [x []] x)
;=> ()
(for [x nil] x)
;=> ()
(for [x [1 2] y [x (* 10 x)]] y)
;=> (1 10 2 20)
(for [x [1 2 3] :when (odd? x) y [x x] :while (< y 3)] [x y])
;=> ([1 1] [1 1])
(for [c "ab"] c)
;=> ("a" "b")
(for [x [[1 2] [3]] y x] y)
;=> (1 2 3)
(for [] 1)
;! bad-form `for` needs alternating names and collections
(for [x] x)
;! bad-form `for` needs alternating names and collections
(for [x [1] :else 2] x)
;! bad-form `for` has no option `:else`
(for x 1)
;! bad-form `for` needs alternating names and collections
(for [x 5] x)
;! wrong-type expected a collection, found an integer 5
(vector? (for [x [1]] x))
;=> false
(doseq [x [1 2]] (println x))
;print 1
;print 2
;=> nil
(doseq [x [1 2] y [:a :b]] (println x y))
;print 1 :a
;print 1 :b
;print 2 :a
;print 2 :b
;=> nil
(doseq [x [1 2 3] :when (odd? x)] (println x))
;print 1
;print 3
;=> nil
(dotimes [i 3] (println i))
;print 0
;print 1
;print 2
;=> nil
(dotimes [i 0] (println i))
;=> nil
(dotimes [i -1] (println i))
;=> nil

;; quote, def, defn
(quote a)
;=> a
(quote (a b))
;=> (a b)
'a
;=> a
''a
;=> (quote a)
(quote)
;! bad-form `quote` takes one form
(quote a b)
;! bad-form `quote` takes one form
(def x 1)
;=> #'x
x
;=> 1
(def x 2) x
;=> 2
(def y "a doc" 3)
;=> #'y
y
;=> 3
(def)
;! bad-form `def` takes a name and a value
(def 1 2)
;! bad-form `def` needs a name
(def z)
;=> #'z
z
;=> nil
;clj D7 #object[Unbound]
(def a/b 1)
;! bad-form `a/b` cannot be defined
(def if 1)
;! bad-form `if` cannot be defined
;clj N2 #'if
(defn f [x] (* x 2))
;=> #'f
(f 4)
;=> 8
(defn g "Doc." [x] x)
;=> #'g
(g 1)
;=> 1
(defn h ([x] [x]) ([x y] [x y]) ([x y & more] [x y more]))
;=> #'h
(h 1)
;=> [1]
(h 1 2)
;=> [1 2]
(h 1 2 3)
;=> [1 2 (3)]
(h)
;! wrong-arity the function `h` takes 1 or 2 or 2 or more arguments, not 0
(defn- hidden [] 7)
;=> #'hidden
(hidden)
;=> 7
(defn)
;! bad-form `defn` needs a name
(defn f2)
;! bad-form a function needs its parameters in a vector
(defn f3 x)
;! bad-form a function needs its parameters in a vector
(defn 1 [x] x)
;! bad-form `defn` needs a name
(defn k {:doc "x"} [x] x)
;=> #'k
(k 1)
;=> 1
(let [x 1] (def inner x))
;=> #'inner
inner
;=> 1
(defn later [] (earlier))
;! unknown-name `earlier` is not defined
(defn even2 [n] (if (= n 0) true (odd2 (dec n)))) (defn odd2 [n] (if (= n 0) false (even2 (dec n)))) (even2 10)
;=> true
;clj N2 error
(declare soon) (defn use-soon [] (soon)) (defn soon [] :now) (use-soon)
;=> :now
(defn fact [n] (if (< n 2) 1 (* n (fact (dec n))))) (fact 20)
;=> 2432902008176640000

;; Names that look like forms.
(let [list 1] list)
;=> 1
(let [f (fn [if] 1)] (f 2))
;=> 1
if
;! bad-form `if` is a form, not a value
->
;! bad-form `->` is a form, not a value
let
;! bad-form `let` is a form, not a value
(map if [1])
;! bad-form `if` is a form, not a value
(foo 1)
;! unknown-name `foo` is not defined
foo
;! unknown-name `foo` is not defined
(foo/bar 1)
;! unknown-name `foo/bar` is not defined
clojure.core/inc
;=> #function[inc]
(clojure.string/upper-case "a")
;=> "A"
(str/uper-case "a")
;! unknown-name `str/uper-case` is not defined
(uper-case "a")
;! unknown-name `uper-case` is not defined
(upper-case "a")
;! unknown-name `upper-case` is not defined
(ns my.app)
;=> nil
(require '[clojure.string :as str])
;=> nil
(slurp "x")
;! not-available `slurp` is not part of the language
(rand-int 5)
;=> 1
;clj D10 varies
(try 1)
;=> 1
(atom 1)
;=> #atom
;clj D10 #object[Atom]
(System/currentTimeMillis)
;! not-available `System/currentTimeMillis` is not part of the language
;clj D10 varies
(defmacro m [])
;! not-available `defmacro` is not part of the language
;clj D7 #'m
(.toUpperCase "a")
;=> "A"
(Integer/parseInt "1")
;=> 1
(new String)
;=> ""
(set! x 1)
;! not-available `set!` is not part of the language
(var inc)
;=> #function[inc]
;clj D7 #'inc
#'inc
;=> #function[inc]
;clj D7 #'inc
@x
;! unknown-name `x` is not defined
