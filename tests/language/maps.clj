;; Reading.
(keys {:a 1 :b 2})
;=> (:a :b)
(keys {})
;=> nil
(keys nil)
;=> nil
(vals {:a 1 :b 2})
;=> (1 2)
(vals {})
;=> nil
(keys [1 2])
;! wrong-type `keys` expects a map, found a vector [1 2]
(keys [[:a 1]])
;! wrong-type `keys` expects a map, found a vector [[:a 1]]
(vals 5)
;! wrong-type `vals` expects a map, found an integer 5
(key (first {:a 1}))
;=> :a
(val (first {:a 1}))
;=> 1
(key [1 2])
;! wrong-type `key` expects a map entry, found a vector [1 2]
(key [1 2 3])
;! wrong-type `key` expects a map entry, found a vector [1 2 3]
(find {:a 1} :a)
;=> [:a 1]
(find {:a 1} :b)
;=> nil
(find {:a nil} :a)
;=> [:a nil]
(find nil :a)
;=> nil
(find [5] 0)
;=> [0 5]
(select-keys {:a 1 :b 2} [:a :z])
;=> {:a 1}
(select-keys {:a nil} [:a])
;=> {:a nil}
(select-keys nil [:a])
;=> {}
(select-keys {"a" 1} [:a])
;=> {:a 1}
;clj D5 {}
(select-keys {:a 1} nil)
;=> {}

;; Changing.
(dissoc {:a 1 :b 2} :a)
;=> {:b 2}
(dissoc {:a 1} :z)
;=> {:a 1}
(dissoc {:a 1 :b 2 :c 3} :a :c)
;=> {:b 2}
(dissoc nil :a)
;=> nil
(dissoc {:a 1})
;=> {:a 1}
(dissoc {"a" 1} :a)
;=> {}
;clj D5 {"a" 1}
(dissoc [1] 0)
;! wrong-type `dissoc` expects a map, found a vector [1]
(merge {:a 1} {:a 2 :b 3})
;=> {:a 2, :b 3}
(merge {:a 1} nil)
;=> {:a 1}
(merge nil {:a 1})
;=> {:a 1}
(merge nil nil)
;=> nil
(merge)
;=> nil
(merge {:a 1} [:b 2])
;=> {:a 1, :b 2}
(merge {:a {:x 1}} {:a {:y 2}})
;=> {:a {:y 2}}
(merge {"a" 1} {:a 2})
;=> {"a" 2}
;clj D5 {"a" 1, :a 2}
(merge [1] 2)
;=> [1 2]
(merge-with + {:a 1} {:a 2 :b 3})
;=> {:a 3, :b 3}
(merge-with + {:a 1} {:a 2} {:a 3})
;=> {:a 6}
(merge-with into {:a [1]} {:a [2]})
;=> {:a [1 2]}
(merge-with merge {:a {:x 1}} {:a {:y 2}})
;=> {:a {:x 1, :y 2}}
(merge-with + nil {:a 1})
;=> {:a 1}
(merge-with +)
;=> nil
(merge-with + {:a 1} 5)
;! wrong-type `merge-with` expects maps, found an integer 5
(update-vals {:a 1} inc)
;=> {:a 2}
(update-vals {} inc)
;=> {}
(update-vals nil inc)
;=> {}
(update-keys {:a 1} name)
;=> {"a" 1}
(update-keys {:a 1 :b 2} (constantly :x))
;=> {:x 2}
(update-vals [1 2] inc)
;=> [2 3]
(set/rename-keys {:a 1 :b 2} {:a :z})
;=> {:b 2, :z 1}
(set/rename-keys {:a 1} {:x :y})
;=> {:a 1}
(zipmap [:a :a] [1 2])
;=> {:a 2}
(into {} (map (fn [[k v]] [k (inc v)]) {:a 1 :b 2}))
;=> {:a 2, :b 3}
(into {} (filter (fn [[k v]] (odd? v)) {:a 1 :b 2}))
;=> {:a 1}

;; One key for a keyword and a string of one name (D5).
{:a 1 "a" 2}
;! bad-form this map has `:a` and `"a"`, which are equal
;clj D5 {"a" 2, :a 1}
(assoc {:a 1} "a" 2)
;=> {:a 2}
;clj D5 {"a" 2, :a 1}
(get {"a" 1} :a)
;=> 1
;clj D5 nil
("a" {:a 1})
;! not-callable expected a function, found `"a"`
(keys (assoc {"a" 1} :a 2))
;=> ("a")
;clj D5 ("a" :a)
(= {:a 1} {"a" 1})
;=> true
;clj D5 false
(contains? {:a 1} "a")
;=> true
;clj D5 false
(= :a "a")
;=> true
;clj D5 false
(#{:a} "a")
;=> :a
;clj D5 nil
(count #{:a "a"})
;! bad-form this set has `:a` and `"a"`, which are equal
(let [x 1] {"a" x :b 2 :a 3})
;! bad-form this map has `"a"` and `:a`, which are equal
(let [x 1] {:a x :a 3})
;! bad-form this map has a duplicate key
(case 1 :a 1 ("b" "a") 2)
;! bad-form `case` has `:a` and `"a"`, which are equal
(frequencies [:a "a"])
;=> {:a 2}
;clj D5 {"a" 1, :a 1}
(group-by identity [:a "a"])
;=> {:a [:a "a"]}
;clj D5 {"a" ["a"], :a [:a]}
(distinct [:a "a"])
;=> (:a)
;clj D5 (:a "a")
(merge {:id 1} {"id" 2})
;=> {:id 2}
;clj D5 {"id" 2, :id 1}
(index-by identity [:a "a"])
;=> {:a "a"}
;clj N3 error
(dissoc {:a 1} "a")
;=> {}
;clj D5 {:a 1}
(get-in {"a" {"b" 1}} [:a :b])
;=> 1
;clj D5 nil
(assoc-in {"a" {"b" 1}} [:a :b] 2)
;=> {"a" {"b" 2}}
;clj D5 {"a" {"b" 1}, :a {:b 2}}
(update {"n" 1} :n inc)
;=> {"n" 2}
;clj D5 error
(get {'a 1} :a)
;=> nil

;; Equal numbers are one key (D4).
{1 :a 1.0 :b}
;! bad-form this map has `1` and `1.0`, which are equal
;clj D4 {1 :a, 1.0 :b}
(get {1.0 :x} 1)
;=> :x
;clj D4 nil
(#{1} 1.0)
;=> 1
;clj D4 nil
(count #{1 1.0})
;=> 1
;clj D4 2

;; Insertion order at every size (D6).
{:z 1 :y 2 :x 3 :a 4}
;=> {:z 1, :y 2, :x 3, :a 4}
(assoc {:z 1 :y 2} :a 3)
;=> {:z 1, :y 2, :a 3}
(assoc {:z 1 :y 2} :z 3)
;=> {:z 3, :y 2}
(dissoc {:z 1 :y 2 :x 3} :y)
;=> {:z 1, :x 3}
(assoc (dissoc {:z 1 :y 2} :z) :z 3)
;=> {:y 2, :z 3}
(keys (reduce (fn [m i] (assoc m (- 20 i) i)) {} (range 20)))
;=> (20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1)
;clj D6 (7 20 1 4 15 13 6 17 3 12 2 19 11 9 5 14 16 10 18 8)
(keys (dissoc (zipmap (range 20 0 -1) (range 20)) 20 1))
;=> (19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2)
;clj D6 (7 4 15 13 6 17 3 12 2 19 11 9 5 14 16 10 18 8)
(into {} (map vector [9 8 7 6 5 4 3 2 1 0] (range)))
;=> {9 0, 8 1, 7 2, 6 3, 5 4, 4 5, 3 6, 2 7, 1 8, 0 9}
;clj D2 {0 9, 1 8, 2 7, 3 6, 4 5, 5 4, 6 3, 7 2, 8 1, 9 0}
(into {} (map vector [9 8 7 6 5 4 3 2 1 0] (range 10)))
;=> {9 0, 8 1, 7 2, 6 3, 5 4, 4 5, 3 6, 2 7, 1 8, 0 9}
(set (range 20 0 -1))
;=> #{20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1}
(let [m (assoc (reduce dissoc (zipmap (range 100) (range 100)) (range 70)) 3 :new 99 :last)] [(count m) (m 70) (m 98) (m 69) (m 99) (m 3) (apply + (keys m))])
;=> [31 70 98 nil :last :new 2538]
(first (zipmap (range 100 0 -1) (range 100)))
;=> [100 0]
;clj D6 [65 35]

;; Keys of every kind.
{nil 1}
;=> {nil 1}
({nil 1} nil)
;=> 1
{[1 2] :v}
;=> {[1 2] :v}
(get {[1 2] :v} '(1 2))
;=> :v
(get {{:a 1} :v} {:a 1})
;=> :v
(get {#{1 2} :v} #{2 1})
;=> :v
(get {true 1} true)
;=> 1
{1 2 3 4}
;=> {1 2, 3 4}
(get {inc 1} inc)
;=> 1
(get {"a b" 1} "a b")
;=> 1
(hash-map [1] 2)
;=> {[1] 2}

;; Entries.
(seq {:a 1 :b 2})
;=> ([:a 1] [:b 2])
(map (fn [e] (key e)) {:a 1})
;=> (:a)
(vec {:a 1})
;=> [[:a 1]]
(reduce (fn [a [k v]] (+ a v)) 0 {:a 1 :b 2})
;=> 3
(vector? (first {:a 1}))
;=> true
(nth (first {:a 1}) 1)
;=> 1
(sort-by second {:a 2 :b 1})
;=> ([:b 1] [:a 2])
(apply concat {:a 1})
;=> (:a 1)
(map first {:a 1 :b 2})
;=> (:a :b)
(count (first {:a 1}))
;=> 2
(walk inc identity [1 2])
;! unknown-name `walk` is not defined
(clojure.walk/keywordize-keys {"a" 1})
;=> {:a 1}
(sorted-map :b 1 :a 2)
;=> {:a 2, :b 1}
(map-entry? (first {:a 1}))
;=> true
