#{}

#{1}

#{1 2 3}

#{:a "b" 3}

(set [1 2 2 3])

(set nil)

(set "aa")

(set {:a 1})

(set '())

(hash-set)

(hash-set 1 2 1)

(hash-set nil)

(sorted-set 3 1 2)

(set? #{})

(set? [])

(set? (sorted-set))

(coll? #{1})

(associative? #{1})

(sequential? #{1})

(count #{1 2})

(count (set [1 1 1]))

(contains? #{1 2} 1)

(contains? #{1 2} 3)

(contains? #{nil} nil)

(#{1 2} 1)

(#{1 2} 3)

(#{nil} nil)

(#{false} false)

(get #{1 2} 2)

(get #{1 2} 3)

(get #{1} 3 :none)

(:a #{:a})

(conj #{1} 2)

(conj #{1} 1)

(conj #{} nil)

(conj #{1} 2 3)

(disj #{1 2} 1)

(disj #{1 2} 3)

(disj #{1 2 3} 1 2)

(disj nil 1)

(disj #{1})

(into #{} [1 2 1])

(into #{1} #{2})

(empty #{1})

(empty? #{})

(seq #{})

(seq #{1})

(first #{1})

(sort #{3 1 2})

(vec (sort #{3 1 2}))

(sort-by - #{1 2 3})

(map inc #{1})

(sort (map inc #{1 2 3}))

(reduce + #{1 2 3})

(filter even? #{2})

(sort (filter even? #{1 2 3 4}))

(set (filter even? #{1 2 3 4}))

(set (map :a [{:a 1} {:a 1} {:a 2}]))

(every? #{1 2 3} [1 2])

(some #{1} [2 3])

(some #{false} [false])

(remove #{1 2} [1 2 3])

(filter (complement #{1}) [1 2])

(= #{1 2} #{2 1})

(= #{1 2} [1 2])

(= #{} #{})

(= (set [1 2]) (hash-set 2 1))

(apply max #{3 1 2})

(apply + #{1 2})

(set (concat [1 2] [2 3]))

(count (into #{} (map str [1 2 1])))

(contains? (set (map :id [{:id 1} {:id 2}])) 2)

(group-by even? (sort #{1 2 3}))

(set [[1 2] [1 2] '(1 2)])

(set [{:a 1} {:a 1}])

(count #{[1] #{1} {1 1}})

#{1 1}

(set [nil nil])

(not-empty #{})

(#{1 2})

(#{1} 1 2)

(set 5)

(disj [1] 1)

(nth #{1} 0)

(assoc #{1} 0 1)

(key #{1})

(conj #{[1 2]} [1 2])

(boolean (#{:a :b} :a))

(keep #{1 2 3} [5 3 1])

(map #{1 2} [1 5 2])

(frequencies (sort #{1 2}))

(sort (vec #{:c :a :b}))

(clojure.string/join "," (sort #{"b" "a"}))

(into (sorted-set) [3 1 2])

(into [] (sorted-set 2 1))

(let [seen #{1 2}] (remove seen [1 2 3]))

(let [allowed #{"a" "b"}] (filter #(allowed (:t %)) [{:t "a"} {:t "z"}]))

(reduce (fn [seen x] (if (seen x) (reduced x) (conj seen x))) #{} [1 2 1])

(pr-str #{1})

(str #{:a})

;; divergence: D6
;; ours: [3 1 2]
(vec #{3 1 2})

;; divergence: D6
;; ours: "#{3 1 2}"
(str #{3 1 2})

;; divergence: D6
;; ours: (:c :a :b)
(seq (set [:c :a :b]))

;; divergence: D6
;; ours: "c,a,b"
(clojure.string/join "," (map name #{:c :a :b}))

;; divergence: D6
;; ours: (9 8 7 6 5 4 3 2 1 0)
(keys (into {} (map (fn [i] [i i]) (range 9 -1 -1))))

;; divergence: D6
;; ours: [:a :b :c :d :e :f :g :h :i :j]
(vec (keys {:a 1 :b 2 :c 3 :d 4 :e 5 :f 6 :g 7 :h 8 :i 9 :j 10}))

;; divergence: D6
;; ours: "{\"j\" 1, \"i\" 1, \"h\" 1, \"g\" 1, \"f\" 1, \"e\" 1, \"d\" 1, \"c\" 1, \"b\" 1, \"a\" 1}"
(pr-str (zipmap ["j" "i" "h" "g" "f" "e" "d" "c" "b" "a"] (repeat 1)))

;; divergence: D6
;; ours: 30
(first (set [30 20 10]))
