(= 1 1)

(= 1 2)

(= 1 1 1)

(= 1 1 2)

(= 1)

(= nil nil)

(= nil false)

(= "a" "a")

(= :a :a)

(= 'a 'a)

(= [1 2] [1 2])

(= [1 2] '(1 2))

(= '(1 2) [1 2])

(= [1 2] (map identity [1 2]))

(= [] '())

(= [] nil)

(= () nil)

(= {} [])

(= #{} [])

(= #{1 2} #{2 1})

(= {:a 1 :b 2} {:b 2 :a 1})

(= {:a 1} {:a 1 :b nil})

(= [1 [2 [3]]] [1 [2 [3]]])

(= {:a [1 {:b 2}]} {:a [1 {:b 2}]})

(= ##NaN ##NaN)

(= 0.0 -0.0)

;; divergence: D4
;; ours: true
(= 1 1.0)

;; divergence: D4
;; ours: true
(= 1.0 1)

;; divergence: D4
;; ours: false
(not= 1 1.0)

;; divergence: D4
;; ours: true
(= [1 2] [1.0 2.0])

;; divergence: D4
;; ours: true
(= {:a 1} {:a 1.0})

;; divergence: D4
;; ours: true
(= #{1} #{1.0})

;; divergence: D4
;; ours: 1
(count (set [1 1.0]))

;; divergence: D4
;; ours: (1 2)
(distinct [1 1.0 2])

;; divergence: D4
;; ours: :one
(get {1 :one} 1.0)

;; divergence: D4
;; ours: true
(contains? #{1 2} 1.0)

;; divergence: D4
;; ours: {1 2}
(frequencies [1 1.0])

;; divergence: D4
;; ours: {1 :b}
(assoc {1 :a} 1.0 :b)

;; divergence: D4
;; ours: :int
(case 1.0 1 :int :other)

(== 1 1.0)

(== 1 1)

(== 1 2)

(== 1 1.0 1)

(not= 1 2)

(not= 1 1)

(not= :a :b :a)

(not= 1 1 2)

(< 1 2)

(< 2 1)

(< 1 1)

(< 1 2 3)

(< 1 3 2)

(< 1)

(< 1 1.5 2)

(<= 1 1 2)

(<= 1 2 1)

(> 3 2 1)

(> 3 1 2)

(>= 3 3 2)

(>= 1.0 1)

(< 1 ##Inf)

(< ##NaN 1)

(> ##NaN 1)

(compare 1 2)

(compare 2 1)

(compare 1 1)

(compare 1 1.0)

(compare 1.5 1)

(compare "a" "b")

(compare "b" "a")

(compare "a" "a")

(pos? (compare "b" "a"))

(compare "abc" "abd")

(neg? (compare "abc" "abcd"))

(neg? (compare "Z" "a"))

(compare :a :b)

(compare :b :a)

(compare :a :a)

(compare nil 1)

(compare 1 nil)

(compare nil nil)

(compare nil "a")

(compare [1 2] [1 3])

(compare [1 2] [1 2])

(compare [1 2 3] [1 2])

(compare [9] [1 2])

(compare false true)

(compare true true)

(compare 'a 'b)

(compare [1 "b"] [1 "a"])

(sort [3 1 2])

(sort ["b" "a" "C"])

(sort [:b :a :c])

(sort > [1 3 2])

(sort < [1 3 2])

(sort [nil 3 1])

(sort [[2 1] [1 2] [1 1]])

(sort [[1 2 3] [9] [1 2]])

(sort compare ["b" "a"])

(sort #(compare %2 %1) ["a" "c" "b"])

(sort (comparator >) [1 3 2])

(sort [true false true])

(sort [1 2.5 2 0.5])

(sort nil)

(sort [])

(sort {:b 1 :a 2})

(sort "hello")

(sort-by count ["ccc" "a" "bb"])

(sort-by first [[2 :a] [1 :b] [3 :c]])

(sort-by :age [{:age 30} {:age 20}])

(sort-by :age > [{:age 20} {:age 30}])

(sort-by - [1 3 2])

(sort-by (comp - :n) [{:n 1} {:n 3} {:n 2}])

(sort-by (juxt :a :b) [{:a 2 :b 1} {:a 1 :b 2} {:a 1 :b 1}])

(sort-by (juxt (comp - :score) :name) [{:name "b" :score 1} {:name "a" :score 1} {:name "c" :score 2}])

(sort-by val {:a 3 :b 1 :c 2})

(sort-by val > {:a 3 :b 1 :c 2})

(sort-by key {:c 3 :a 1 :b 2})

(sort-by :x [{:x 1 :i 1} {:x 0 :i 2} {:x 1 :i 3} {:x 0 :i 4}])

(sort-by :x [{:x 2} {} {:x 1}])

(sort-by identity #(compare %2 %1) ["a" "c" "b"])

(sort-by str [10 9 1])

(sort-by (fn [[k v]] [(- v) k]) {"a" 1 "b" 2 "c" 1})

(vec (sort-by second (map-indexed vector [3 1 2])))

(reverse (sort [3 1 2]))

(sort-by clojure.string/lower-case ["b" "A" "C"])

(max-key count "a" "bbb" "cc")

(min-key count "aa" "b" "ccc")

(max-key :n {:n 1} {:n 5} {:n 3})

(apply max-key :n [{:n 1} {:n 5} {:n 3}])

(apply min-key second [[:a 3] [:b 1] [:c 2]])

(max-key :n {:n 1 :id 1} {:n 1 :id 2})

(min-key :n {:n 1 :id 1} {:n 1 :id 2})

(key (apply max-key val {:a 3 :b 7 :c 5}))

(apply max [3 1 2])

(apply min [3 1 2])

(identical? :a :a)

(identical? nil nil)

(distinct? 1 2 3)

(distinct? 1 2 1)

(apply distinct? [1 2 3])

[(identical? :a :a) (identical? :a "a") (identical? "a" :a)]

[(keyword? :a) (keyword? "a") (string? "a") (string? :a)]

[(str :a) (str "a") (name :a) (name "a") (pr-str :a "a")]

(let [seen (atom []) f (memoize (fn [x] (swap! seen conj x) x))] [(f :a) (f "a") (f :a) (f [:a]) (f ["a"]) (f [:a]) @seen])

[(= :a 'a) (= "a" 'a) (= :a "b") (= :a nil)]
