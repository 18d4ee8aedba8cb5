(seq nil)

(seq [1])

(seq {:a 1})

(seq #{1})

(seq 5)

(first nil)

(first {:a 1})

(first 5)

(rest nil)

(next nil)

(second nil)

(last nil)

(last {:a 1 :b 2})

(butlast nil)

(count {:a 1 :b 2})

(count 5)

(map inc [1 2 3])

(map inc nil)

(map inc [])

(map + [1 2] [10 20 30])

(map vector [1 2] [:a :b] ["x" "y"])

(map str [1 2] "ab")

(map (fn [[k v]] [k (inc v)]) {:a 1})

(map key {:a 1 :b 2})

(map val {:a 1 :b 2})

(map first {:a 1})

(map {:a 1} [:a :b])

(map #{1 2} [1 3])

(map :a nil)

(map inc 5)

(map inc [1 nil])

(map inc [1 "a"])

(map identity {:a 1})

(map-indexed (fn [i x] [i x]) [:a :b])

(map-indexed vector nil)

(map-indexed (fn [i x] (* i x)) [5 6 7])

(mapcat (fn [x] [x x]) [1 2])

(mapcat identity [[1] nil [2 3]])

(mapcat :tags [{:tags ["a" "b"]} {} {:tags ["c"]}])

(mapcat vector [1 2] [:a :b])

(mapcat identity {:a 1})

(filter even? [1 2 3 4])

(filter even? nil)

(filter identity [1 nil false 2])

(filter :active [{:active true :n 1} {:active false :n 2}])

(filter #{:a} [:a :b :a])

(filter (fn [[k v]] (> v 1)) {:a 1 :b 2})

(filter pos? "a")

(filter {:a 1} [:a :b])

(remove even? [1 2 3 4])

(remove nil? [1 nil 2])

(remove nil? nil)

(remove #{1} [1 2 1])

(keep #(when (even? %) (* % %)) [1 2 3 4])

(keep :a [{:a 1} {} {:a false} {:a nil}])

(keep identity [nil false 1])

(keep-indexed #(if (odd? %1) %2) [:a :b :c :d])

(take 2 [1 2 3])

(take 5 [1 2])

(take 0 [1])

(take -1 [1])

(take 2 nil)

(take 1 {:a 1 :b 2})

(drop 2 [1 2 3])

(drop 5 [1 2])

(drop 0 [1 2])

(drop -1 [1 2])

(drop 1 nil)

(take-while pos? [1 2 -1 3])

(take-while pos? [])

(drop-while pos? [1 2 -1 3])

(drop-while pos? [1 2])

(take-last 2 [1 2 3])

(take-last 5 [1 2])

(take-last 0 [1 2])

(take-last 2 nil)

(drop-last [1 2 3])

(drop-last 5 [1 2])

(take-nth 3 (range 10))

(split-at 2 [1 2 3])

(split-with even? [2 4 5 6])

(partition 2 [1 2 3 4 5])

(partition 2 1 [1 2 3 4])

(partition 3 3 [:pad] [1 2 3 4])

(partition 3 3 [:x :y :z] [1 2 3 4])

(partition 2 3 [1 2 3 4 5 6 7])

(partition 5 [1 2])

(partition 2 nil)

(partition-all 2 [1 2 3 4 5])

(partition-all 2 1 [1 2 3])

(partition-by odd? [1 3 2 4 5])

(partition-by identity [1 1 2 1])

(partition-by :t [{:t 1 :n 1} {:t 1 :n 2} {:t 2 :n 3}])

(partition-by identity nil)

(concat [1] [2] [3])

(concat)

(concat nil [1] nil)

(concat {:a 1} [2])

(concat '(1) nil)

(interleave [1 2 3] [:a :b])

(interleave [1 2])

(interleave)

(interleave [1 2] [3 4] [5 6])

(interpose :x [])

(interpose :x [1])

(distinct [1 2 1 3 2])

(distinct [])

(distinct nil)

(distinct [nil nil 1])

(distinct (map :city [{:city "A"} {:city "B"} {:city "A"}]))

(dedupe [1 1 2 2 3 1])

(dedupe [])

(reverse [])

(reverse {:a 1 :b 2})

(sort-by first {:b 1 :a 2})


(flatten '(1 (2 3) ((4))))

(flatten {:a [1]})

(group-by odd? [1 2 3])

(group-by :type [{:type :a :n 1} {:type :b :n 2} {:type :a :n 3}])

(group-by count ["a" "bb" "c"])

(group-by :x nil)

(group-by (juxt :a :b) [{:a 1 :b 2} {:a 1 :b 2 :c 3}])

(frequencies [:a :b :a])

(frequencies [])

(frequencies nil)

(frequencies (map :s [{:s "x"} {:s "y"} {:s "x"} {}]))

(zipmap [:a :b :c] [1 2])

(zipmap [] [])

(zipmap [:a :a] [1 2])

(every? even? [2 4])

(every? even? [2 3])

(every? even? nil)

(every? :ok [{:ok 1} {:ok nil}])

(every? #{1 2} [1 2 1])

(some even? [1 2 3])

(some even? [1 3])

(some even? nil)

(some #{3} [1 2 3])

(some :a [{:b 1} {:a 7}])

(some nil? [1 nil])

(some #(when (> % 2) (* 10 %)) [1 2 3 4])

(some {:a 1} [:b :a])

(not-any? even? [1 3])

(not-any? even? [1 2])

(not-every? even? [2 3])

(not-every? even? [2 4])

(first (filter #(> % 2) [1 2 3 4]))

(first (filter #(> % 9) [1 2]))

(ffirst {:a 1})

(ffirst nil)

(nth (map inc [1 2 3]) 1)

(nth (range 10) 3)

(nth nil 3)

(nth (seq [1 2]) 5)

(nth #{1} 0)

(nth {:a 1} 0)

(nthrest [1 2 3] 1)

(nthrest [] 1)

(nthnext [1 2 3] 5)

(nthnext nil 1)

(range 5)

(range 2 5)

(range 0 10 3)

(range 10 0 -3)

(range 0)

(range 5 2)

(range 0 1 0.25)

(range -2 2)

(range 0 -3 -1)

(range 1.5 4)

(count (range 1000))

(reduce + (range 10))

(repeat 3 :x)

(repeat 0 :x)

(repeat -1 :x)

(repeatedly 3 (constantly 1))

(replicate 2 :a)

(vec (repeatedly 2 #(do 5)))

(empty? nil)

(empty? (filter even? [1]))

(empty? {})

(empty? #{})

(empty? 5)

(not-empty nil)

(not-empty {})

(not-empty (filter even? [1]))

(not-empty [0])

(seq (filter even? [1]))

(seq (map inc [1]))

(rest (map inc [1 2]))

(next (map inc [1]))

(cons 1 (map inc [1]))

(cons 1 "ab")

(conj (map inc [1]) 0)

(into [] (map inc [1 2]))

(into #{} (map inc [1]))

(into {} (map (fn [x] [x (* x x)]) [1 2]))

(into {} [[:a 1] [:b 2]])

(into {} [{:a 1} {:b 2}])

(into {:a 1} {:b 2})

(into {} nil)

(into {} [[1 2 3]])

(into {} [1 2])

(into [] (filter even? (range 6)))

(into (sorted-map) {:b 1 :a 2})

(into {} (filter (fn [[k v]] (pos? v)) {:a 1 :b -1}))

(into {} (map (fn [[k v]] [k (str v)]) {:a 1}))

(into {} (for [x [1 2]] [x x]))

(tree-seq :children :children {:id 1 :children [{:id 2} {:id 3 :children [{:id 4}]}]})

(map :id (tree-seq :children :children {:id 1 :children [{:id 2} {:id 3 :children [{:id 4}]}]}))

(filter number? (tree-seq coll? seq [1 [2 [3]] {:a 4}]))

(tree-seq sequential? seq [1 [2]])

(reductions + [1 2 3 4])

(reductions + 10 [1 2])

(reductions + [])

(reductions + 5 [])

(reductions conj [] [1 2])

(reductions max [1 3 2])

(reduce + [])


(doall (map inc [1]))

(dorun (map inc [1]))

(run! identity [1 2])

(let [a (atom 0)] (run! #(swap! a + %) [1 2 3]) @a)

(let [a (atom [])] (doseq [x [1 2]] (swap! a conj x)) @a)

(seqable? nil)

(seqable? "a")

(seqable? 1)

(sequential? (map inc []))

(sequential? {})

(sequential? "a")

(coll? {})

(coll? "a")

(coll? nil)

(counted? [])

(seq? (range 3))

(= (range 3) [0 1 2])

(= (map inc [0 1]) '(1 2))

(hash-map :a (map inc [1]))

(list (map inc [1]) (filter odd? [1]))

(apply concat [[1] [2 3]])

(apply + (map :n [{:n 1} {:n 2}]))

(apply max (map count ["a" "bbb"]))

(apply max [])

(apply interleave [[1 2] [3 4]])

(first (sort-by - [1 3 2]))

(last (sort [3 1 2]))

(sequence [1 2])

(sequence nil)

(max-key second [:a 1] [:b 5])

(first (drop 1 [1 2]))

(take 2 (drop 1 [1 2 3 4]))

(->> (range 10) (filter odd?) (map #(* % %)) (reduce +))

(->> [3 1 2] sort (take 2) vec)

(->> [{:a 1} {:a 2}] (map :a) (apply +))

(->> (range 20) (partition-all 7) (map count))

(mapv (fn [g] (reduce + g)) (partition 3 (range 9)))

(map (fn [x y z] (+ x y z)) [1 2] [10 20] [100 200])

(map #(%1 %2) [inc dec] [1 1])

(map apply [+ *] [[1 2] [3 4]])

(map list [1 2] (range))

(map (comp inc :a) [{:a 1}])

(map (partial * 2) [1 2])

(map (juxt identity str) [1 2])

(map count [[1] [] nil "ab" {:a 1}])

(bounded-count 3 [1 2])

(splitv-at 1 [1 2])



(sequence (map inc) [1 2])

(transduce (map inc) + [1 2])

(into #{} (comp (map inc) (filter even?)) [1 2])

(eduction (map inc) [1 2])

(range 5 4 5)

(range 5 4 -5)

;; divergence: D2
;; ours-error: any
(take 3 (range 0 10 0))

(range 0 0 0)

(range 5 5 0)

(range 0.5 0.5 0)

(range 5 4 5.0)

(range 5 4)

(range 4 5 0.5)

(range -3)

(range 5.5)

(range nil)

(range :a)

(range 10 0 3)

(range 0 10 -3)

(range 1 1 5)

(range 5 4 10)

(range 5 3 5)

(range 3 10 9223372036854775807)

(range 9223372036854775806 9223372036854775807)

(partition 3 1 [:a :b] (range 4))

(partition 3 1 [] (range 4))

(partition 3 1 nil (range 4))

(partition 4 2 [:a] (range 7))

(partition 2 3 [:a] (range 7))

(partition 3 1 (repeat :x) (range 4))

(partition 3 3 (range) (range 4))

(partition-all 3 1 (range 4))

(partition-all 2 3 (range 7))

(take 1.5 [1 2 3])

(take 0.5 [1 2 3])

(take 1.0 [1 2 3])

(take -1.5 [1 2 3])

(take ##NaN [1 2 3])

(take ##Inf [1 2 3])

(drop 1.5 [1 2 3])

(drop 0.5 [1 2 3])

(drop -0.5 [1 2 3])

(drop ##Inf [1 2 3])

(split-at 1.5 [1 2 3])

(split-at 0.5 [1 2 3])

(nthrest [1 2 3] 1.5)

(nthrest [1 2 3] 0.5)

(nthrest [1 2 3] -1)

(nthnext [1 2 3] 1.5)

(nthnext [1 2 3] 0.5)

(nthnext nil nil)

(nthrest nil nil)

(nthrest [1] nil)

(nthnext [1] nil)

(nthnext [] nil)

(nthrest [] nil)

(take nil nil)

(take nil [])

(drop nil nil)

(drop nil [1])

(drop nil [])

(take :a [])

(drop :a [])

(take-last 1.5 [1 2 3])

(take-last 0.5 [1 2 3])

(take-last nil nil)

(take-last nil [1])

(take-last :a [])

(drop-last 1.5 [1 2 3])

(drop-last 0.5 [1 2 3])

(drop-last nil [1])

(drop-last nil nil)

(drop-last nil [])

(partition 1.5 (range 5))

(partition 0.5 (range 5))

(partition 1.5 1 (range 5))

(partition 2 1.5 (range 5))

(partition 2 0.5 (range 3))

(partition 1.5 1.5 [9] (range 5))

(partition-all 1.5 (range 5))

(partition-all 2.0 (range 5))

;; divergence: D4
;; ours: ((0 1) (2 3))
(partition 2.0 (range 5))

(partition-all 2 1.5 (range 5))

(take 5 (partition 0 1 (range 3)))

(partition 0 1 [1 2 3])

(partition 0 1 nil)

(partition 0 nil)

;; divergence: D2
;; ours-error: any
(take 3 (partition 1 0 [1]))

(take 3 (partition 2 0 [1]))

(partition 2 0 [1])

(partition 2 0 [9] [1])

(take 3 (partition -1 [1 2]))

(take 3 (partition -1 1 [1 2]))

(partition 2 -1 [1])

(take 3 (partition-all 0 1 [1 2]))

(partition-all 0 1 [1 2])

;; divergence: D2
;; ours-error: any
(take 3 (partition-all 2 0 [1 2]))

(take 3 (partition-all -1 1 [1 2]))

(nth '(1 2 3) 1.5)

(nth "abc" 1.5)

(nth nil 1.5)

(nth nil nil)

(nth nil :a)

(nth nil :a 1)

(nth '() nil)

(nth '(1) :a)

(take-nth 1.5 (range 5))

(take-nth 2.0 (range 5))

;; divergence: D2
;; ours-error: any
(take 3 (take-nth 0 [1 2]))

(take-nth 0 [])

(take-nth 0 nil)

(take-nth nil nil)

(take-nth nil [1])

(take-nth 0.5 [1 2])

(repeat 1.5 :a)

(repeat 0.5 :a)

(repeat 2.9 :a)

(repeat -1 :a)

(repeat nil :a)

(repeat ##NaN :a)

(take 2 (repeat ##Inf :a))

(repeatedly 1.5 (constantly 1))

(repeatedly 0.5 (constantly 1))

(repeatedly -1 (constantly 1))

(repeatedly nil (constantly 1))

(replicate 1.5 :a)

(get [1 2 3] 1.5)

(assoc [1 2 3] 1.5 :x)

([1 2 3] 1.5)

(bounded-count 1.5 [1 2 3])

(bounded-count 2 [1 2 3])

(dorun 1.5 [1 2 3])

(doall 1.5 [1 2 3])

(take-last -1 [1 2])

(drop-last -1 [1 2])

(split-at -1 [1 2])

(nthnext [1 2] 5)

(nthrest "abc" 1)

(nthnext {:a 1 :b 2} 1)

(take 2 {:a 1 :b 2 :c 3})

(take 2 "abc")

(drop 1 "abc")

(drop 1 #{1})

(drop-last "abc")

(drop-last 1 {:a 1 :b 2})

(take-last 1 "abc")

(take-last 1 #{7})

(take-last 1 {:a 1})

(split-at 1 {:a 1 :b 2})

(partition 2 {:a 1 :b 2})

(partition-all 2 "abc")

(partition-all 2 nil)

(take-nth 2 "abcd")

(take-nth 2 {:a 1 :b 2})

(take-nth 2 nil)

(drop 2 5)

(take 0 5)

(take -1 5)

(drop 0 5)

(partition 2 5)

(take-last 1 5)

(nthrest 5 1)

(nthrest 5 0)

(nthnext 5 1)

(nthnext 5 0)

(split-at 0 5)

(repeat 0 :a)

(repeat 2.0 :a)

(repeat 1N :a)

(repeat 100000000000000000000 :a)

(take 100000000000000000000 [1 2])

(drop 100000000000000000000 [1 2])

(take -100000000000000000000 [1 2])

(take "1" [1])

(take \a [1])

(drop true [1])

(partition :a [1 2])

(partition 1 :a [1 2])

(nth '(1 2) -1)

(nth "abc" 5)

(nth "abc" -1)

(let [[a & r] (range 3)] [a r])

(reduce (fn [acc [k & v]] (conj acc k v)) [] {:a 1 :b 2})

(run! (fn [x] (reduced x)) [1 2 3])

(let [a (atom [])] (run! (fn [x] (swap! a conj x) (if (= x 2) (reduced nil))) {:a 1 :b 2}) @a)

(let [a (atom [])] (run! (fn [x] (swap! a conj x) (if (= x 2) (reduced nil))) (range 5)) @a)

(let [a (atom [])] (run! #(swap! a conj %) []) @a)

(count (apply concat (repeat 3 [1 2])))

(take 4 (mapcat (fn [x] (repeat x)) [1 2 3]))

(apply = (repeat 3 1))

(last (take-while #(< % 3000) (iterate inc 0)))

(map count (partition-by #(quot % 3000) (range 0 7000)))
