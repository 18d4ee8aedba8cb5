;; fn
((fn [x] (* x 2)) 4)
;=> 8
((fn [] 1))
;=> 1
((fn [x y] [x y]) 1 2)
;=> [1 2]
((fn [x & more] [x more]) 1)
;=> [1 nil]
((fn [x & more] [x more]) 1 2 3)
;=> [1 (2 3)]
((fn [& all] all))
;=> nil
((fn f [n] (if (zero? n) :done (f (dec n)))) 3)
;=> :done
((fn ([x] 1) ([x y] 2)) 1 2)
;=> 2
((fn ([] 0) ([x & xs] (count xs))) 1 2 3)
;=> 2
((fn [x] 1) 1 2)
;! wrong-arity this function takes 1 argument, not 2
((fn named [x] 1))
;! wrong-arity the function `named` takes 1 argument, not 0
((fn [x]) 1)
;=> nil
(fn [x] x)
;=> #function[fn]
(fn named [x] x)
;=> #function[named]
(fn)
;! bad-form a function needs its parameters in a vector
(fn x)
;! bad-form a function needs its parameters in a vector
(fn [1] 1)
;! bad-form this is not a name that can be bound
(fn ([x] 1) ([y] 2))
;! bad-form a function has two arities of the same number of parameters
(fn ([& x] 1) ([& y] 2))
;! bad-form a function has two arities with `&`
(fn [&] 1)
;! bad-form `&` needs exactly one name after it
(fn [x] {:pre [(pos? x)]} x)
;=> #function[fn]
(fn [x &] x)
;! bad-form `&` needs exactly one name after it

;; Short functions.
(#(+ %1 %2) 1 2)
;=> 3
(#(* % %) 3)
;=> 9
(#(str %& %1) 1 2 3)
;=> "(2 3)1"
(#(vector %2) 1 2)
;=> [2]
(#(do 5))
;=> 5
(#(-> % inc) 1)
;=> 2
(map #(hash-map :n %) [1 2])
;=> ({:n 1} {:n 2})
(#([% 1]) 5)
;! wrong-arity a vector [5 1] as a function takes one position, not 0 arguments
(map #(#(inc %) %) [1])
;! bad-form `#(…)` is not allowed inside another `#(…)`
(#(+ %1 %3) 1 2 3)
;=> 4
(#(+ % 1))
;! wrong-arity this function takes 1 argument, not 0
(#{} 1)
;=> nil
%
;! unknown-name `%` is not defined

;; Closures.
(let [x 1 f (fn [y] (+ x y))] (f 2))
;=> 3
(let [add (fn [x] (fn [y] (+ x y)))] ((add 1) 2))
;=> 3
(let [fs (map (fn [i] (fn [] i)) [1 2 3])] (map (fn [f] (f)) fs))
;=> (1 2 3)
(let [x 1 f (fn [] x) x 2] (f))
;=> 1
(((fn [a] (fn [b] (fn [c] [a b c]))) 1) 2)
;=> #function[fn]
((((fn [a] (fn [b] (fn [c] [a b c]))) 1) 2) 3)
;=> [1 2 3]
(defn counter [start] (fn [step] (+ start step)))
;=> #'counter
((counter 10) 5)
;=> 15

;; Calling data.
(:name {:name "A"})
;=> "A"
(:x {} 7)
;=> 7
(:x nil)
;=> nil
(:x nil 1)
;=> 1
(:x (read-string "5"))
;=> nil
(:x (read-string "[1 2]"))
;=> nil
(:x 5)
;! unknown-field a number has no field `:x`
(:x [1 2 3])
;! unknown-field a vector has no field `:x`
(:a #{:a})
;=> :a
(:b #{:a})
;=> nil
('a {'a 1})
;=> 1
({:a 1} :a)
;=> 1
({:a 1} :b)
;=> nil
({:a 1} :b 0)
;=> 0
(#{1 2} 2)
;=> 2
(#{1 2} 3)
;=> nil
(#{nil} nil)
;=> nil
([1 2 3] 1)
;=> 2
([1 2 3] 9)
;! out-of-bounds there is no item at position 9; the collection has 3 items
([1 2 3] -1)
;! out-of-bounds there is no item at position -1; the collection has 3 items
([1 2] :a)
;! out-of-bounds there is no item at a keyword :a; the collection has 2 items
((list 1 2) 0)
;! not-callable a list (1 2) was called as a function with 1 arguments
(1 2)
;! not-callable expected a function, found `1`
("a" 1)
;! not-callable expected a function, found `"a"`
(nil 1)
;! not-callable expected a function, found `nil`
((get {} :f) 1)
;! not-callable nil was called as a function with 1 arguments
(true 1)
;! not-callable expected a function, found `true`
(:a)
;! wrong-arity a keyword as a function takes a map and an optional default, not 0 arguments
(:a 1 2 3)
;! wrong-arity a keyword as a function takes a map and an optional default, not 3 arguments
({:a 1})
;! wrong-arity a map {:a 1} as a function takes a key and an optional default, not 0 arguments
(#{1} 1 2)
;! wrong-arity a set #{1} as a function takes one member, not 2 arguments
([1 2])
;! wrong-arity a vector [1 2] as a function takes one position, not 0 arguments
((:f {:f inc}) 1)
;=> 2
((constantly :a) 1 2)
;=> :a

;; Functions of functions.
((comp inc abs) -3)
;=> 4
((comp) 5)
;=> 5
((comp inc) 5)
;=> 6
((comp str inc +) 1 2)
;=> "4"
((comp first rest) [1 2 3])
;=> 2
((comp :b :a) {:a {:b 1}})
;=> 1
((partial + 1) 2)
;=> 3
((partial + 1 2) 3 4)
;=> 10
((partial +))
;=> 0
((partial map inc) [1 2])
;=> (2 3)
((complement nil?) 1)
;=> true
((complement <) 1 2)
;=> false
((juxt inc dec) 1)
;=> [2 0]
((juxt :a :b) {:a 1 :b 2})
;=> [1 2]
(map (juxt identity str) [1 2])
;=> ([1 "1"] [2 "2"])
((fnil inc 0) nil)
;=> 1
((fnil inc 0) 5)
;=> 6
((fnil + 1 2) nil nil)
;=> 3
((fnil + 1 2 3) nil nil nil 4)
;=> 10
[((fnil + 1) nil 2) ((fnil + 1) 5 2) ((fnil + 1) nil 2 3) ((fnil + 1) nil 2 3 4)]
;=> [3 7 6 10]
((every-pred odd? pos?) 3)
;=> true
((every-pred odd? pos?) 3 -3)
;=> false
((some-fn :a :b) {:b 1})
;=> 1
((some-fn even? neg?) 1 3)
;=> false
((some-fn nil? zero?) 0)
;=> true
(apply + [1 2])
;=> 3
(apply + 1 2 [3 4])
;=> 10
(apply max [3 1 2])
;=> 3
(apply str ["a" "b"])
;=> "ab"
(apply + nil)
;=> 0
(apply + [])
;=> 0
(apply (fn [& xs] xs) [])
;=> nil
(apply map vector [[1 2] [3 4]])
;=> ([1 3] [2 4])
(apply max-key second (seq {:a 3 :b 7}))
;=> [:b 7]
(apply inc 1)
;! wrong-type expected a collection, found an integer 1
(apply {:a 1} [:a])
;=> 1
(apply :a [{:a 1}])
;=> 1
(apply hash-map [:a 1 :b 2])
;=> {:a 1, :b 2}
(apply f)
;! unknown-name `f` is not defined
;! wrong-arity `apply` takes at least 2 arguments, not 1
(identity 1)
;=> 1
(map identity [1])
;=> (1)
((identity inc) 1)
;=> 2
(repeatedly 2 (constantly 1))
;=> (1 1)
(map + [1 2] [10 20] [100 200])
;=> (111 222)
(map (fn [a b] (* a b)) [1 2 3] [4 5])
;=> (4 10)
(max-key count [1] [1 2])
;=> [1 2]
(max-key count "ab" "cd")
;=> "cd"
(min-key abs -3 2 -2)
;=> -2
(max-key :a {:a 1} {:a 5})
;=> {:a 5}
(fn? inc)
;=> true
(fn? :a)
;=> false
(ifn? :a)
;=> true
(ifn? 1)
;=> false
inc
;=> #function[inc]
(str inc)
;=> "#function[inc]"
;clj D7 varies
(= inc inc)
;=> true
(= (fn [x] x) (fn [x] x))
;=> false
(let [f (fn [x] x)] (= f f))
;=> true
(memoize inc)
;=> #function[fn]
;clj D10 #function

;; Arity.
(inc)
;! wrong-arity `inc` takes 1 argument, not 0
(inc 1 2)
;! wrong-arity `inc` takes 1 argument, not 2
(map)
;! wrong-arity `map` takes at least 2 arguments, not 0
(assoc {} :a)
;! wrong-arity `assoc` takes at least 3 arguments, not 2
(assoc {:a 1} :b 2 :c)
;! wrong-arity `assoc` has a key without a value
(count 1 2)
;! wrong-arity `count` takes 1 argument, not 2
(get {})
;! wrong-arity `get` takes 2 to 3 arguments, not 1
(defn two [a b] [a b])
;=> #'two
(two 1)
;! wrong-arity the function `two` takes 2 arguments, not 1
(two 1 2 3)
;! wrong-arity the function `two` takes 2 arguments, not 3
(map two [1 2])
;! wrong-arity the function `two` takes 2 arguments, not 1
(reduce two [1 2 3 4])
;=> [[[1 2] 3] 4]
(let [f (fn [x] x)] (f))
;! wrong-arity this function takes 1 argument, not 0
(apply two [1])
;! wrong-arity the function `two` takes 2 arguments, not 1
(update {:a 1} :a two)
;! wrong-arity the function `two` takes 2 arguments, not 1

;; What `def` gives can be called, unless it is its own value.
[((defn f [x] (inc x)) 1) (map (defn g [x] [x]) [1 2])]
;=> [2 ([1] [2])]
((def x 5) 1)
;! not-callable an integer 5 was called as a function with 1 arguments
(def a (def a 1)) (a 1)
;! not-callable a var #'a was called as a function with 1 arguments
((defn f [x] x) 1 2)
;! wrong-arity the function `f` takes 1 argument, not 2
