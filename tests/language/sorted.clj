;; sorted maps and sets
(sorted-map :b 1 :a 2)
;=> {:a 2, :b 1}
(into (sorted-map) (frequencies (str/split "b a c a" #" ")))
;=> {"a" 2, "b" 1, "c" 1}
(reduce (fn [m w] (update m w (fnil inc 0))) (sorted-map) ["b" "a" "b"])
;=> {"a" 1, "b" 2}
(:b (into (sorted-map) {"b" 1 "a" 2}))
;=> 1
(assoc (into (sorted-map) {"b" 1}) :a 2)
;=> {:a 2, "b" 1}
(let [m (sorted-map 3 :c 1 :a)] [(assoc m 2 :b) (dissoc m 1) (first m) (last m) (keys m) (vals m) (count m) m])
;=> [{1 :a, 2 :b, 3 :c} {3 :c} [1 :a] [3 :c] (1 3) (:a :c) 2 {1 :a, 3 :c}]
(let [s (sorted-set 3 1 2)] [(conj s 0) (disj s 1) (s 2) (contains? s 5) (rseq s) (empty (conj s 9)) (sorted? (empty s))])
;=> [#{0 1 2 3} #{2 3} 2 false (3 2 1) #{} true]
(merge-with + (sorted-map :b 1) {:a 2 :b 3})
;=> {:a 2, :b 4}
[(set/union (sorted-set 3 1) #{2}) (set/intersection (sorted-set 3 1 2) #{3 1}) (set/difference (sorted-set 3 1 2) #{1})]
;=> [#{1 2 3} #{1 3} #{2 3}]
[(= (sorted-map :a 1) {:a 1}) (= {:b 2 :a 1} (sorted-map :a 1 :b 2)) (= #{1 2} (sorted-set 2 1))]
;=> [true true true]
[(get {(sorted-map :a 1) :found} {:a 1}) (contains? #{(sorted-set 1 2)} #{2 1})]
;=> [:found true]
(let [m (reduce (fn [m i] (assoc m (mod (* i 7919) 1009) i)) (sorted-map) (range 1009))] [(= (keys m) (range 1009)) (get m 500)])
;=> [true 920]
(let [s (reduce conj (sorted-set) (range 300 0 -1))] [(count s) (first s) (take 3 s)])
;=> [300 1 (1 2 3)]
[(subseq (sorted-map 1 :a 2 :b 3 :c) >= 2) (subseq (sorted-set 1 2 3 4) > 1 < 4) (subseq (sorted-set 1) > 1) (rsubseq (sorted-set 1 2 3) <= 2)]
;=> [([2 :b] [3 :c]) (2 3) nil (2 1)]
(sorted-set [2 1] [1 3] [1 2])
;=> #{[1 2] [1 3] [2 1]}
(sorted-set nil 2 1)
;=> #{nil 1 2}
(json/generate-string (sorted-map :b 1 :a 2))
;=> "{\"a\":2,\"b\":1}"

;; sorted by a function
(sorted-map-by > 1 :a 3 :c 2 :b)
;=> {3 :c, 2 :b, 1 :a}
(sorted-set-by (fn [a b] (compare (count a) (count b))) "ccc" "a" "bb" "zz")
;=> #{"a" "bb" "ccc"}
(let [m (sorted-map-by > 1 :a 3 :c)] [(assoc m 2 :b) (get m 3) (m 1) (dissoc m 3) (into m {5 :e 4 :d}) (update m 1 str) (merge m {9 :z}) (merge-with str m {1 :y 2 :q}) (first m) (subseq m < 2) (rseq m)])
;=> [{3 :c, 2 :b, 1 :a} :c :a {1 :a} {5 :e, 4 :d, 3 :c, 1 :a} {3 :c, 1 ":a"} {9 :z, 3 :c, 1 :a} {3 :c, 2 :q, 1 ":a:y"} [3 :c] ([3 :c]) ([1 :a] [3 :c])]
(let [scores {:ann 3 :bob 9 :cid 5}] (keys (into (sorted-map-by (fn [a b] (compare [(scores b) a] [(scores a) b]))) scores)))
;=> (:bob :cid :ann)
(reduce conj (sorted-set-by >) [1 3 2 3])
;=> #{3 2 1}
(let [best (atom (sorted-set-by >))] (doseq [n [4 9 2]] (swap! best conj n)) (take 2 @best))
;=> (9 4)
(assoc-in (sorted-map-by > 1 {:n 1}) [2 :n] 5)
;=> {2 {:n 5}, 1 {:n 1}}
(update-in (sorted-map-by > 1 {:n 1}) [1 :n] inc)
;=> {1 {:n 2}}
(set/union (sorted-set-by > 1 3) #{2})
;=> #{3 2 1}
(into (sorted-set-by (constantly 0)) [1 2 3])
;=> #{1}
(sort (keys (sorted-map-by (fn [a b] (compare (str a) (str b))) 10 :a 9 :b)))
;=> (9 10)

;; what has no order
(sorted-map 1 :a "b" 2)
;! wrong-type a string "b" and an integer 1 cannot be compared
(sorted-set 1 :a)
;! wrong-type a keyword :a and an integer 1 cannot be compared
(sorted-map :a)
;! wrong-arity a keyword :a is a key without a value
(sorted-map-by < 1)
;! wrong-arity an integer 1 is a key without a value
(conj (sorted-set-by >) 1 "x")
;! wrong-type `>` expects numbers, its first argument is a string "x"
(subseq {:a 1} > 1)
;! wrong-type `subseq` expects a sorted map or set, found a map {:a 1}
(sorted-map-by (fn [a b] :what) 1 2 3 4)
;! wrong-type `a comparator` expects a number or a boolean, found a keyword :what
