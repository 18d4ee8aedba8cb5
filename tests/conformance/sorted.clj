(sorted-map :b 1 :a 2)

(sorted-map)

(sorted-map "b" 1 "a" 2)

(sorted-map 3 :c 1 :a 2 :b)

(sorted-map-by > 1 :a 2 :b)

(sorted-map-by (fn [a b] (compare b a)) :a 1 :b 2)

(sorted-set 3 1 2)

(sorted-set)

(sorted-set "b" "a")

(sorted-set-by > 1 3 2)

(sorted-set [2 1] [1 2])

(into (sorted-map) {:c 3 :a 1 :b 2})

(into (sorted-set) [:c :a :b])

(into (sorted-map-by >) {1 :a 2 :b})

(into (sorted-set-by #(compare (count %1) (count %2))) ["aaa" "b" "cc"])

(assoc (sorted-map :b 1) :a 2)

(dissoc (sorted-map :b 1 :a 2) :a)

(update (sorted-map :b 1 :a 2) :b inc)

(conj (sorted-set 3 1) 2)

(disj (sorted-set 3 1 2) 1)

(first (sorted-map :b 1 :a 2))

(last (sorted-map :b 1 :a 2))

(first (sorted-set 3 1 2))

(keys (sorted-map :b 1 :a 2))

(vals (sorted-map :b 1 :a 2))

(seq (sorted-set 3 1))

(seq (sorted-map))

(vec (sorted-map 2 :b 1 :a))

(map first (sorted-map :b 1 :a 2))

(map val (sorted-map "z" 1 "a" 2))

(get (sorted-map :a 1) :a)

(get (sorted-map :a 1) :b :none)

(:a (sorted-map :a 1))

((sorted-map :a 1) :a)

((sorted-set 1 2) 2)

(contains? (sorted-set 1 2) 3)

(contains? (sorted-map :a 1) :a)

(count (sorted-set 1 1 2))

(sorted? (sorted-map))

(sorted? (sorted-set))

(sorted? [])

(map? (sorted-map :a 1))

(set? (sorted-set 1))

(= (sorted-map :a 1 :b 2) {:b 2 :a 1})

(= (sorted-set 1 2) #{2 1})

(= {:a 1} (sorted-map :a 1))

(subseq (sorted-set 1 2 3 4) > 2)

(subseq (sorted-set 1 2 3 4) >= 2)

(subseq (sorted-set 1 2 3 4) < 3)

(subseq (sorted-set 1 2 3 4) > 1 <= 3)

(subseq (sorted-map 1 :a 2 :b 3 :c) >= 2)

(rsubseq (sorted-set 1 2 3 4) < 3)

(rsubseq (sorted-set 1 2 3 4) >= 2)

(rseq (sorted-set 1 2 3))

(rseq (sorted-map :a 1 :b 2))

(reverse (sorted-set 3 1 2))

(merge (sorted-map :b 1) {:a 2})

(merge {:b 1 :a 2} (sorted-map :c 1))

(empty (sorted-map :a 1))

(reduce-kv (fn [acc k v] (conj acc [k v])) [] (sorted-map :b 1 :a 2))

(into {} (sorted-map :a 1))

(into (sorted-map) (frequencies ["b" "a" "b"]))

(into (sorted-map) (group-by count ["bb" "a" "cc"]))

(into (sorted-map) (update-vals (group-by :t [{:t "y" :n 1} {:t "x" :n 2}]) count))

(apply sorted-map [:b 1 :a 2])

(apply sorted-set [3 1 2])

(sorted-map :a)

(sorted-map 1 :a "b" 2)

(sorted-set 1 :a)

(sorted-set nil 1)

(str (sorted-map :b 1 :a 2))

(pr-str (sorted-set "b" "a"))

(take 2 (sorted-set 5 3 9))

(filter even? (sorted-set 4 3 2))

(map inc (sorted-set 3 1))

(select-keys (sorted-map :a 1 :b 2) [:b])

(sort-by val (sorted-map :a 2 :b 1))

(reduce (fn [m w] (update m w (fnil inc 0))) (sorted-map) ["b" "a" "b"])

(for [[k v] (sorted-map :b 1 :a 2)] [k v])

(let [{:keys [a]} (sorted-map :a 1)] a)

(assoc (sorted-map-by >) 1 :a 3 :c 2 :b)

(keys (sorted-map-by (comparator >) 1 :a 2 :b))

(update-vals (sorted-map :b 1 :a 2) inc)

(zipmap (sorted-set :b :a) [1 2])

(dissoc (sorted-map :a 1) :zzz)

(nth (seq (sorted-set 3 1 2)) 1)

(some #{2} (sorted-set 1 2))

(sorted-map "a" 1 "B" 2)

(sorted-set-by (fn [a b] (compare [(count a) a] [(count b) b])) "bb" "a" "aa")

(into (sorted-map-by (fn [a b] (compare [(get {:x 2 :y 1} b) a] [(get {:x 2 :y 1} a) b]))) {:x 2 :y 1})


(compare #{} (sorted-set))

(compare {} (sorted-map))

(compare (sorted-set) (sorted-set))

(sort [#{} (sorted-set)])

(sort-by :a [{:a {}} {:a (sorted-map)}])

(sorted-set {})

(sorted-set '(1))

(sorted-set [{}])

(sorted-map {} 1)

(sorted-map nil 1)

(assoc (sorted-map) #{1} 1)

(conj (sorted-set) '(1))

(into (sorted-set) [{:a 1}])

(try (sorted-map inc 1) (catch ClassCastException e :caught))

(sorted-set-by 1)

(sorted-set-by :a 1 2)

(sorted-map-by [1])

(sorted-map-by {} 1 2)

(sorted-set-by nil)

(sort 1 {:a 1})

(sort :a [1])

(sort 1 [])

(sort nil [2 1])
