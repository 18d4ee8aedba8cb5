;; Ends and parts.
(first [1 2])
;=> 1
(first [])
;=> nil
(first nil)
;=> nil
(first "ab")
;=> "a"
(first {:a 1})
;=> [:a 1]
(first #{7})
;=> 7
(first 5)
;! wrong-type `first` expects a collection, found an integer 5
(second [1 2])
;=> 2
(second [1])
;=> nil
(last [1 2 3])
;=> 3
(last [])
;=> nil
(last nil)
;=> nil
(rest [1 2 3])
;=> (2 3)
(rest [1])
;=> ()
(rest [])
;=> ()
(rest nil)
;=> ()
(next [1 2])
;=> (2)
(next [1])
;=> nil
(next nil)
;=> nil
(ffirst [[1 2]])
;=> 1
(nfirst [[1 2]])
;=> (2)
(fnext [1 2])
;=> 2
(nnext [1 2 3])
;=> (3)
(butlast [1 2 3])
;=> (1 2)
(butlast [1])
;=> nil
(nth [1 2] 0)
;=> 1
(nth [1 2] 9)
;! out-of-bounds there is no item at position 9; the collection has 2 items
(nth [1 2] 9 :no)
;=> :no
(nth '(1 2 3) 1)
;=> 2
(nth "abc" 1)
;=> "b"
(nth nil 0)
;=> nil
(nth nil 0 :d)
;=> :d
(nth [1 2] -1)
;! out-of-bounds there is no item at position -1; the collection has 2 items
(nth #{1} 0)
;! wrong-type `nth` expects a vector, a list or a string, found a set #{1}
(nth {:a 1} 0)
;! wrong-type `nth` expects a vector, a list or a string, found a map {:a 1}
(nth [1 2] nil)
;! wrong-type `nth` expects a position, found nil
(seq [])
;=> nil
(seq [1 2])
;=> (1 2)
(seq nil)
;=> nil
(seq "ab")
;=> ("a" "b")
(seq {:a 1})
;=> ([:a 1])
(seq #{})
;=> nil
(seq 5)
;! wrong-type expected a collection, found an integer 5
(cons 0 [1 2])
;=> (0 1 2)
(cons 1 nil)
;=> (1)
(cons 1 '(2))
;=> (1 2)
(list* 1 2 [3 4])
;=> (1 2 3 4)
(list* [1])
;=> (1)
(take 2 [1 2 3])
;=> (1 2)
(take 5 [1])
;=> (1)
(take 0 [1])
;=> ()
(take -1 [1])
;=> ()
(take 2 nil)
;=> ()
(take 2 "abc")
;=> ("a" "b")
(take nil [1])
;! wrong-type `take` expects a number of items, found nil
(drop 2 [1 2 3])
;=> (3)
(drop 5 [1])
;=> ()
(drop 0 [1])
;=> (1)
(drop -1 [1 2])
;=> (1 2)
(drop 2 nil)
;=> ()
(take-last 2 [1 2 3])
;=> (2 3)
(take-last 0 [1])
;=> nil
(take-last 2 [])
;=> nil
(drop-last [1 2 3])
;=> (1 2)
(drop-last 2 [1 2 3])
;=> (1)
(drop-last 5 [1])
;=> ()
(take-while odd? [1 3 4 5])
;=> (1 3)
(drop-while odd? [1 3 4 5])
;=> (4 5)
(take-while odd? [])
;=> ()
(split-at 1 [1 2 3])
;=> [(1) (2 3)]
(split-with odd? [1 3 4 5])
;=> [(1 3) (4 5)]
(nthrest [1 2 3] 2)
;=> (3)
(nthnext [1 2 3] 2)
;=> (3)
(nthnext [1 2 3] 3)
;=> nil

;; map, filter and kin.
(map inc [1 2])
;=> (2 3)
(map inc nil)
;=> ()
(map inc [])
;=> ()
(map inc #{1})
;=> (2)
(map str "ab")
;=> ("a" "b")
(map :a [{:a 1} {:a 2}])
;=> (1 2)
(map {:a 1} [:a :b])
;=> (1 nil)
(map key {:a 1})
;=> (:a)
(map val {:a 1})
;=> (1)
(map vector [1 2] [:a :b])
;=> ([1 :a] [2 :b])
(map vector [1 2 3] [:a])
;=> ([1 :a])
(map inc 5)
;! wrong-type expected a collection, found an integer 5
(map nil [1])
;! not-callable nil was called as a function with 1 arguments
(map 5 [1])
;! not-callable an integer 5 was called as a function with 1 arguments
(map "a" [1])
;! not-callable a string "a" was called as a function with 1 arguments
(mapcat reverse [[2 1] [3]])
;=> (1 2 3)
(mapcat (fn [x] [x x]) [1 2])
;=> (1 1 2 2)
(mapcat vector [1 2] [:a :b])
;=> (1 :a 2 :b)
(mapcat identity nil)
;=> ()
(mapcat inc [1])
;! wrong-type expected a collection, found an integer 2
(map-indexed vector [:a :b])
;=> ([0 :a] [1 :b])
(map-indexed (fn [i x] (* i x)) [5 6])
;=> (0 6)
(keep :a [{:a 1} {} {:a false}])
;=> (1 false)
(keep-indexed (fn [i x] (if (odd? i) x)) [:a :b])
;=> (:b)
(filter odd? [1 2 3])
;=> (1 3)
(filter :a [{:a 1} {:a nil}])
;=> ({:a 1})
(filter #{1 2} [1 2 3])
;=> (1 2)
(filter (fn [[k v]] (> v 1)) {:a 1 :b 2})
;=> ([:b 2])
(filter nil? [1 nil])
;=> (nil)
(filter identity [1 nil false 2])
;=> (1 2)
(remove odd? [1 2 3])
;=> (2)
(remove nil? [1 nil])
;=> (1)
(some #{2} [1 2])
;=> 2
(some odd? [2 4])
;=> nil
(some :a [{:b 1} {:a 5}])
;=> 5
(some nil? nil)
;=> nil
(every? odd? [1 3])
;=> true
(every? odd? [])
;=> true
(not-every? odd? [1 2])
;=> true
(not-any? odd? [2])
;=> true
(run! println [1 2])
;print 1
;print 2
;=> nil
(doall (map inc [1]))
;=> (2)
(doall {:a 1})
;=> {:a 1}
(doall inc {:a 1})
;=> {:a 1}
(doall (zipmap (range 40) (range 40)))
;=> {0 0, 1 1, 2 2, 3 3, 4 4, 5 5, 6 6, 7 7, 8 8, 9 9, 10 10, 11 11, 12 12, 13 13, 14 14, 15 15, 16 16, 17 17, 18 18, 19 19, 20 20, 21 21, 22 22, 23 23, 24 24, 25 25, 26 26, 27 27, 28 28, 29 29, 30 30, 31 31, 32 32, 33 33, 34 34, 35 35, 36 36, 37 37, 38 38, 39 39}
(dorun (map inc [1]))
;=> nil

;; reduce
(reduce + [1 2 3])
;=> 6
(reduce + 10 [1 2 3])
;=> 16
(reduce + [])
;=> 0
(reduce + [5])
;=> 5
(reduce + 0 nil)
;=> 0
(reduce (fn [a x] (if (> x 2) (reduced a) (+ a x))) 0 [1 2 3 4])
;=> 3
(reduce (fn [a x] (reduced :now)) [1 2])
;=> :now
(reduce conj [] '(1 2))
;=> [1 2]
(reduce (fn [m x] (assoc m x 1)) {} [:a :b])
;=> {:a 1, :b 1}
(reduce max [3 1 2])
;=> 3
(reduce (fn [a b] (str a b)) "ab")
;=> "ab"
(reduce-kv (fn [n k v] (+ n v)) 0 {:a 1 :b 2})
;=> 3
(reduce-kv (fn [acc i x] (conj acc [i x])) [] [:a :b])
;=> [[0 :a] [1 :b]]
(reduce-kv (fn [m k v] (assoc m v k)) {} {:a 1 :b 2})
;=> {1 :a, 2 :b}
(reduce-kv (fn [a k v] (reduced k)) nil {:a 1 :b 2})
;=> :a
(reduce-kv assoc {} nil)
;=> {}
(reductions + [1 2 3])
;=> (1 3 6)
(reductions + 10 [1 2])
;=> (10 11 13)
(reductions + [])
;=> (0)
(reductions (fn [a x] (if (> x 1) (reduced :stop) (+ a x))) 0 [1 2 3])
;=> (0 1 :stop)
(reduce + 5)
;! wrong-type expected a collection, found an integer 5
(reduced 1)
;=> #reduced
;clj D7 #object[Reduced]
(reduced? (reduced 1))
;=> true
(unreduced (reduced 1))
;=> 1

;; Sorts of eight items and more rank their keys by columns. Equal keys keep their order.
(map last (sort-by (juxt first second) [["x" 2 0] ["x" nil 1] ["w" 1.5 2] ["x" 2 3] [nil 1 4] ["w" 1 5] ["x" -0.0 6] ["x" 0 7] ["w" 3 8]]))
;=> (4 5 2 8 1 6 7 0 3)
(sort [["a" [2 1]] ["a" [1 9]] [:b [0 0]] ["a" [2 1]] ["" [5 5]] ["a" [2 0.5]] ["a" [1 9]] ["b" [0 -1]]])
;=> (["" [5 5]] ["a" [1 9]] ["a" [1 9]] ["a" [2 0.5]] ["a" [2 1]] ["a" [2 1]] ["b" [0 -1]] [:b [0 0]])
;clj D5 error
(sort ["2024-05-01T10" "2024-05-01T09" "2024-05" "2024-05-01T10 and later" "2023-12-31" "2024-05-01" "2024-05-01T1" "2024-06"])
;=> ("2023-12-31" "2024-05" "2024-05-01" "2024-05-01T09" "2024-05-01T1" "2024-05-01T10" "2024-05-01T10 and later" "2024-06")
(sort [9.5 2 nil 1e300 -1 true 0 1])
;! wrong-type an integer -1 and a boolean true cannot be compared
(sort [9.5 2 nil 1e300 -1 0.5 0 1 -0.5])
;=> (nil -1 -0.5 0 0.5 1 2 9.5 1.0E300)
(sort-by first [[1 :a] [1 :b] [3 :c] [2 :d] [1 :e] [3 :f] [1 :g] ["2" :h]])
;! wrong-type an integer 1 and a string "2" cannot be compared

;; Order.
(sort [3 1 2])
;=> (1 2 3)
(sort > [1 3 2])
;=> (3 2 1)
(sort ["b" "a"])
;=> ("a" "b")
(sort [:b :a])
;=> (:a :b)
(sort [[2 1] [1 2] [1]])
;=> ([1] [1 2] [2 1])
(sort [nil 1])
;=> (nil 1)
(sort [])
;=> ()
(sort nil)
;=> ()
(sort {:b 1 :a 2})
;=> ([:a 2] [:b 1])
(sort #{3 1 2})
;=> (1 2 3)
(sort [1 "a"])
;! wrong-type an integer 1 and a string "a" cannot be compared
(sort (fn [a b] (compare b a)) [1 3 2])
;=> (3 2 1)
(sort (fn [a b] (- a b)) [3 1 2])
;=> (1 2 3)
(sort compare [2 1])
;=> (1 2)
(sort [2.5 1 2])
;=> (1 2 2.5)
(sort [true false])
;=> (false true)
(sort "cba")
;=> ("a" "b" "c")
(sort-by count ["ccc" "a" "bb"])
;=> ("a" "bb" "ccc")
(sort-by :p > [{:p 1} {:p 3}])
;=> ({:p 3} {:p 1})
(sort-by :p [{:p 2 :q 1} {:p 1 :q 2} {:p 2 :q 3}])
;=> ({:p 1, :q 2} {:p 2, :q 1} {:p 2, :q 3})
(sort-by (juxt :a :b) [{:a 2 :b 1} {:a 1 :b 2} {:a 1 :b 1}])
;=> ({:a 1, :b 1} {:a 1, :b 2} {:a 2, :b 1})
(sort-by first > [[1 :a] [2 :b]])
;=> ([2 :b] [1 :a])
(sort-by :p [{:p nil} {:p 1}])
;=> ({:p nil} {:p 1})
(sort-by val {:a 2 :b 1})
;=> ([:b 1] [:a 2])
(sort-by - [1 3 2])
;=> (3 2 1)
(sort-by :p (fn [a b] (compare b a)) [{:p 1} {:p 2}])
;=> ({:p 2} {:p 1})
(sort-by "p" [{:p 2} {:p 1}])
;! not-callable a string "p" was called as a function with 1 arguments
(reverse [1 2 3])
;=> (3 2 1)
(reverse nil)
;=> ()
(reverse "ab")
;=> ("b" "a")
(rseq [1 2])
;=> (2 1)
(rseq [])
;=> nil
(sort-by :x [])
;=> ()
(sort 5)
;! wrong-type expected a collection, found an integer 5

;; Groups.
(group-by odd? [1 2 3])
;=> {true [1 3], false [2]}
(group-by :k [{:k 1 :v 2} {:k 1 :v 3}])
;=> {1 [{:k 1, :v 2} {:k 1, :v 3}]}
(group-by first ["ab" "ac" "b"])
;=> {"a" ["ab" "ac"], "b" ["b"]}
(group-by odd? [])
;=> {}
(partition 2 [1 2 3])
;=> ((1 2))
(partition 2 1 [1 2 3])
;=> ((1 2) (2 3))
(partition 2 2 [:pad] [1 2 3])
;=> ((1 2) (3 :pad))
(partition 2 2 [] [1 2 3])
;=> ((1 2) (3))
(partition 0 [1])
;! endless-sequence `partition` with a step of 0 never ends
;clj D2 (() () () …)
(partition 3 [1 2])
;=> ()
(partition-all 2 [1 2 3])
;=> ((1 2) (3))
(partition-all 2 1 [1 2 3])
;=> ((1 2) (2 3) (3))
(partition-by odd? [1 3 2 4 5])
;=> ((1 3) (2 4) (5))
(partition-by identity [])
;=> ()
(frequencies [:a :b :a])
;=> {:a 2, :b 1}
(frequencies "aab")
;=> {"a" 2, "b" 1}
(frequencies nil)
;=> {}
(distinct [1 2 1 3 2])
;=> (1 2 3)
(distinct nil)
;=> ()
(distinct [1 1.0])
;=> (1)
;clj D4 (1 1.0)
(dedupe [1 1 2 1])
;=> (1 2 1)
(distinct? 1 2)
;=> true
(distinct? 1 2 1)
;=> false
(flatten [1 [2 [3 '(4)]]])
;=> (1 2 3 4)
(flatten [1 {:a [2]} #{3}])
;=> (1 {:a [2]} #{3})
(flatten nil)
;=> ()
(flatten 5)
;=> ()
(interleave [1 2] [:a :b])
;=> (1 :a 2 :b)
(interleave [1 2 3] [:a])
;=> (1 :a)
(interleave)
;=> ()
(interpose 0 [1 2 3])
;=> (1 0 2 0 3)
(interpose 0 [])
;=> ()
(concat [1] [2] nil '(3))
;=> (1 2 3)
(concat)
;=> ()
(concat [1] {:a 2})
;=> (1 [:a 2])
(concat [1] 5)
;! wrong-type expected a collection, found an integer 5
(repeat 2 :a)
;=> (:a :a)
(repeat 0 :a)
;=> ()
(repeat -1 :a)
;=> ()
(repeat :a)
;! endless-sequence the program needs all items of a sequence that never ends
;clj D2 (:a :a :a …)
(zipmap [1 2] (repeat 2 0))
;=> {1 0, 2 0}
(iterate inc 1)
;! endless-sequence the program needs all items of a sequence that never ends
;clj D2 (1 2 3 …)
(cycle [1 2])
;! endless-sequence the program needs all items of a sequence that never ends
;clj D2 (1 2 1 …)
(take 3 (repeat 1))
;=> (1 1 1)
(sequence [1 2])
;=> (1 2)
(partition-all 0 [1])
;! endless-sequence the program needs all items of a sequence that never ends
;clj D2 (() () () …)
(shuffle [1 2])
;=> [2 1]
;clj D10 varies

;; By key: not in Clojure.
(sum-by :a [{:a 10} {:a nil} {:b 5}])
;=> 10
;clj N3 error
(sum-by :a [])
;=> 0
;clj N3 error
(sum-by :a [{:a "10"}])
;! wrong-type `sum-by` expects numbers, found a string "10"
(avg-by :a [{:a 10} {:a nil} {:a 20}])
;=> 15
;clj N3 error
(avg-by :a [])
;=> nil
;clj N3 error
(min-by :p [{:p nil} {:p 5} {:p 3}])
;=> {:p 3}
;clj N3 error
(max-by :p [{:p 5} {:p 3}])
;=> {:p 5}
;clj N3 error
(max-by :p [])
;=> nil
;clj N3 error
(min-by :p [{:p 1 :n 1} {:p 1 :n 2}])
;=> {:p 1, :n 1}
;clj N3 error
(max-by :p [{:p "b"} {:p "a"}])
;=> {:p "b"}
;clj N3 error
(max-by :p [{:p 1} {:p "a"}])
;! wrong-type a string "a" and an integer 1 cannot be compared
(distinct-by :id [{:id 1 :n 1} {:id 1 :n 2}])
;=> ({:id 1, :n 1})
;clj N3 error
(index-by :id [{:id 1 :n 1} {:id 2} {:id 1 :n 2}])
;=> {1 {:id 1, :n 2}, 2 {:id 2}}
;clj N3 error
(index-of [:a :b] :b)
;=> 1
;clj N3 error
(index-of [1 2] 5)
;=> nil
;clj N3 error
(index-of "abc" "b")
;=> 1
;clj N3 error

;; Sequences stay sequences.
(map inc [1 2])
;=> (2 3)
(conj (map inc [1 2]) 0)
;=> (0 2 3)
(= (map inc [1 2]) [2 3])
;=> true
(= [2 3] (map inc [1 2]))
;=> true
(vector? (rest [1 2]))
;=> false
(vec (map inc [1]))
;=> [2]
(conj (rest [1 2 3]) 9)
;=> (9 2 3)
(conj (seq [1 2]) 0)
;=> (0 1 2)
(conj (vec (seq [1 2])) 3)
;=> [1 2 3]
(str (map inc [1 2]))
;=> "(2 3)"
;clj D2 varies
(get (map inc [1 2]) 0)
;=> nil
(nth (map inc [1 2]) 1)
;=> 3
(count (filter odd? [1 2 3]))
;=> 2
(first (sort > [1 2 3]))
;=> 3
(empty (map inc [1]))
;=> ()
(into (map inc [1]) [9])
;=> (9 2)
(take-nth 0 [1 2])
;! endless-sequence `take-nth` with a step of 0 never ends

;; Ranges that are taken item by item. A stage whose function has effects runs at its place.
(first (map (fn [x] (println x) x) (range 3)))
;print 0
;print 1
;print 2
;=> 0
(let [seen (atom 0)] [(some #(when (> % 2) %) (map (fn [x] (swap! seen inc) x) (range 40))) @seen])
;=> [3 40]
(let [seen (atom 0)] [(some #(when (> % @seen) %) (map (fn [x] (+ x @seen)) (range 40))) (reset! seen 7)])
;=> [1 7]
(defn noisy [x] (println x) x) (take 1 (filter noisy (map inc (range 2))))
;print 1
;print 2
;=> (1)
(first (map #(quot 100 (- 60 %)) (range 100)))
;=> 1
(first (map #(quot 100 (- 20 %)) (range 100)))
;! divide-by-zero `quot` divides by zero
(take 3 (mapcat (fn [x] (range x)) (range 100)))
;=> (0 0 1)
(take 4 (map + (range) (range 10 1000000)))
;=> (10 12 14 16)
(let [xs (range 5)] [(first xs) (map inc xs) (reduce + xs)])
;=> [0 (1 2 3 4 5) 10]
(let [xs (range 5)] [(first xs) xs (vector? xs)])
;=> [0 (0 1 2 3 4) false]
(let [xs (range 3 0)] [(first xs) (empty? xs) (take 2 xs) (second xs)])
;=> [nil true () nil]
(nth (range 3) 5 :none)
;=> :none
(drop-while #(< % 3) (range 6))
;=> (3 4 5)
(for [x (range 6) :when (odd? x) :let [y (* x x)] :when (> y 1)] [x y])
;=> ([3 9] [5 25])
(for [x nil] x)
;=> ()
(for [[k v] {:a 1 :b nil} :when v] k)
;=> (:a)
(reduce (fn [sum x] (if (> x 3) (reduced sum) (+ sum x))) (range 10))
;=> 6
(map (fn [a b] [a b]) (range 2) [:a :b :c])
;=> ([0 :a] [1 :b])

;; Items without an end are made when they are asked for, one by one.
(take 2 (map (fn [x] (println x) x) (range)))
;print 0
;print 1
;=> (0 1)
(first (map #(quot 10 (- 3 %)) (range)))
;=> 3
(every? odd? (take-while #(< % 50) (iterate #(+ 2 %) 1)))
;=> true
(reduce + (take-while #(< % 1000) (map #(* % %) (range))))
;=> 10416
(take 5 (filter even? (map inc (iterate inc 0))))
;=> (2 4 6 8 10)
(take 3 (iterate (fn [x] (println x) (* 2 x)) 1))
;print 1
;print 2
;=> (1 2 4)
(first (iterate (fn [x] (/ 1 0)) 7))
;=> 7
(second (iterate (fn [x] (/ 1 0)) 7))
;! divide-by-zero `/` divides by zero
(take-while pos? (iterate dec 3))
;=> (3 2 1)
(let [xs (take-while pos? (iterate inc 1))] [(first xs) (nth xs 1500)])
;=> [1 1501]
(let [xs (take-while pos? (map inc (range)))] [(first xs) (nth xs 1500)])
;=> [1 1501]
(take 4 (mapcat (fn [x] [x x]) (iterate inc 1)))
;=> (1 1 2 2)
(nth (iterate (fn [[a b]] [b (+ a b)]) [0 1]) 10)
;=> [55 89]
(some (fn [x] (when (> x 5) x)) (keep #(when (even? %) %) (iterate inc 1)))
;=> 6
(map vector (iterate inc 5) [:a :b])
;=> ([5 :a] [6 :b])
(map + (iterate inc 5) (range) [1 2 3])
;=> (6 9 12)
