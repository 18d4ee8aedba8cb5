(= [1 2 3] '(1 2 3) (map identity [1 2 3]))

(= [1 [2 {:a #{3}}]] [1 [2 {:a #{3}}]])

(= {:a [1 2]} {:a '(1 2)})

(= #{[1 2]} #{'(1 2)})

(get {[1 2] :v} '(1 2))

(get {'(1 2) :v} [1 2])

(contains? #{[1]} '(1))

(distinct [[1] '(1) [2]])

(count (set [[1 2] '(1 2)]))

(= "1" 1)

(= :a 'a "a")

(= true "true")

(= nil 0)

(= nil [])

(= [nil] [])

(= [nil] [nil])

(= {} nil)

(= {:a nil} {})

(= [1 2] [2 1])

(= [] () (range 0))

(= (range 3) (list 0 1 2) [0 1 2])

(= (sorted-set 1 2) #{1 2})

(= (sorted-map :a 1) {:a 1})

(= {:a 1} {"a" 1 :b 2})

(= inc inc)

(= (fn [x] x) (fn [x] x))

(let [f (fn [x] x)] (= f f))

(= 100000000000000000000 100000000000000000000)

(= 1e2 100.0)

(= 0.1 0.10)

(= (+ 0.1 0.2) 0.3)

(== 1 1.0 1)

(= 'x 'x)

(= #{} {})

(not= nil false)

(hash-map [1] 2)

(= (hash [1 2]) (hash '(1 2)))

(= (hash {:a 1}) (hash {:a 1}))

(= (hash #{1 2}) (hash #{2 1}))

(compare "a" "B")

(compare "" "a")

(compare [] [1])

(compare [1 2] [3])

(compare ["a" 1] ["a" 2])

(compare [nil] [1])

(compare 1 "a")

(compare {:a 1} {:a 2})

(compare #{1} #{2})

(compare '(1) '(2))

(compare 1 nil)

(compare 2.5 2)

(compare true nil)

(sort [1 "a"])

(sort [{:a 2} {:a 1}])

(sort [#{1}])

(sort ["b" nil "a"])

(sort [2 nil 1])

(sort [true false])

(sort [[1 "b"] [1 "a"] [0 "z"]])

(sort [[1 nil] [1 2]])

(sort ["a10" "a9" "a1"])

(sort ["é" "z" "a"])

(sort ["_" "a" "A" "1" " "])

(sort [-1 -1.5 0 2.5])

(sort-by :a [{:a 2} {:a 1} {:a nil}])

(sort-by :a [{:a "x"} {:b 1}])

(sort-by :a [{:a 1} {:a "x"}])

(sort-by (juxt :a :b) [{:a 1 :b "z"} {:a 1 :b "a"} {:a 0 :b "q"}])

(sort-by (juxt :a :b) [{:a 1 :b nil} {:a 1 :b 2}])

(sort-by first > [[1 :a] [2 :b] [1 :c]])

(sort-by count > ["a" "bb" "cc" "d"])

(sort-by :n #(compare %2 %1) [{:n "a"} {:n "b"}])

(sort-by (comp str/lower-case :n) [{:n "b"} {:n "A"}])

(sort-by #(if (nil? %) 1 0) [nil 1 nil 2])

(sort-by identity > [1 3 2])

(sort-by :s > [{:s nil} {:s 1}])

(sort > ["a" "b"])

(sort #(< (count %1) (count %2)) ["aaa" "b" "cc"])

(sort (fn [a b] 0) [3 1 2])

(sort (fn [a b] (compare (:p b) (:p a))) [{:p 1} {:p 3} {:p 2}])

(sort (fn [a b] true) [1 2])

(sort (fn [a b] nil) [2 1])

(sort 5)

(sort-by inc [3 "a"])

(reverse (sort-by :a [{:a 1 :i 0} {:a 1 :i 1}]))

(max "a" 1)

(max 1 nil)

(max 1 1.0)

(max 1.0 1)

(min 1 1.0)

(max ##NaN 1)

(max-key identity 1)

(max-key :a {:a nil} {:a 1})

(max-key count [])

(max-key :a)

(min-key abs -3 2 1)

(apply max-key :a [])

(< 1 2 nil)

(< 2 1 nil)

(> "b" "a")

(<= nil 1)

(= (list) nil)

(= (seq []) nil)

(= (rest [1]) ())

(= (next [1]) nil)

(every? true? [(= 1 1) (not= 1 2) (= [1] '(1))])

(apply = [1 1 1])

(apply = [[1 2] [1 2]])

(apply < [1 2 3])

(apply < [1 3 2])

(apply <= (map :n [{:n 1} {:n 1} {:n 2}]))

(=)

(<)

(compare 1)

(apply = [])

(min-key :p {:p 3 :n "a"} {:p 1 :n "b"})

(last (sort-by :p [{:p 3 :n "a"} {:p 1 :n "b"} {:p 3 :n "c"}]))
