;; count, empty?
(count [1 2])
;=> 2
(count {:a 1})
;=> 1
(count #{1 2})
;=> 2
(count "héllo")
;=> 5
(count nil)
;=> 0
(count '(1 2 3))
;=> 3
(count 5)
;! wrong-type `count` expects a collection, found an integer 5
(count :a)
;! wrong-type `count` expects a collection, found a keyword :a
(empty? [])
;=> true
(empty? nil)
;=> true
(empty? "")
;=> true
(empty? {})
;=> true
(empty? [nil])
;=> false
(empty? 5)
;! wrong-type `empty?` expects a collection, found an integer 5
(not-empty [])
;=> nil
(not-empty [1])
;=> [1]
(not-empty "")
;=> nil
(not-empty nil)
;=> nil
(empty [1])
;=> []
(empty '(1))
;=> ()
(empty {:a 1})
;=> {}
(empty #{1})
;=> #{}
(empty "a")
;=> nil
(empty nil)
;=> nil

;; get and contains?
(get {:a 1} :a)
;=> 1
(get {:a 1} :b)
;=> nil
(get {:a 1} :b 0)
;=> 0
(get {:a nil} :a 0)
;=> nil
(get {"a" 1} :a)
;=> 1
;clj D5 nil
(get {:a 1} "a")
;=> 1
;clj D5 nil
(get {1 :one} 1.0)
;=> :one
;clj D4 nil
(get [10 20] 1)
;=> 20
(get [10 20] 5)
;=> nil
(get [10 20] 5 :no)
;=> :no
(get [10 20] -1)
;=> nil
(get [10 20] "a")
;=> nil
(get #{1 2} 1)
;=> 1
(get #{1 2} 3)
;=> nil
(get "abc" 1)
;=> "b"
(get "abc" 9 :no)
;=> :no
(get nil :a)
;=> nil
(get nil :a 1)
;=> 1
(get 5 :a)
;=> nil
(get '(1 2) 0)
;=> nil
(get-in {:a [{:b 1}]} [:a 0 :b])
;=> 1
(get-in {:a 1} [])
;=> {:a 1}
(get-in {:a {:b nil}} [:a :b] 0)
;=> nil
(get-in {:a 1} [:x :y] 0)
;=> 0
(get-in nil [:a])
;=> nil
(get-in {:a {"b" 1}} [:a :b])
;=> 1
;clj D5 nil
(get-in {:a 1} nil)
;=> {:a 1}
(contains? {:a nil} :a)
;=> true
(contains? {:a 1} :b)
;=> false
(contains? {"a" 1} :a)
;=> true
;clj D5 false
(contains? #{1} 1)
;=> true
(contains? [5 6] 1)
;=> true
(contains? [5 6] 5)
;=> false
(contains? nil :a)
;=> false
(contains? '(1 2) 1)
;! wrong-type `contains?` expects a map, a set or a vector, found a list (1 2)
(contains? "abc" 1)
;=> true
(contains? ["a"] "a")
;=> false

;; conj
(conj [1] 2)
;=> [1 2]
(conj [1] 2 3)
;=> [1 2 3]
(conj '(1) 2 3)
;=> (3 2 1)
(conj nil 1)
;=> (1)
(conj nil 1 2)
;=> (2 1)
(conj)
;=> []
(conj [1])
;=> [1]
(conj nil)
;=> nil
(conj #{1} 1 2)
;=> #{1 2}
(conj {:a 1} [:b 2])
;=> {:a 1, :b 2}
(conj {:a 1} {:b 2 :a 3})
;=> {:a 3, :b 2}
(conj {:a 1} nil)
;=> {:a 1}
(conj {:a 1} [:b])
;! wrong-type `conj` expects pairs or maps to add to a map, found a vector [:b]
(conj {:a 1} '(:b 2))
;! wrong-type `conj` expects pairs or maps to add to a map, found a list (:b 2)
(conj {:a 1} :b)
;! wrong-type `conj` expects pairs or maps to add to a map, found a keyword :b
(conj (map inc [1]) 0)
;=> (0 2)
(conj 5 1)
;! wrong-type `conj` expects a collection, found an integer 5
(conj "a" "b")
;! wrong-type `conj` expects a collection, found a string "a"
(into [1] '(2 3))
;=> [1 2 3]
(into '(1) [2 3])
;=> (3 2 1)
(into {} [[:a 1] [:b 2]])
;=> {:a 1, :b 2}
(into {:a 1} {:b 2})
;=> {:a 1, :b 2}
(into #{} [1 1 2])
;=> #{1 2}
(into [] {:a 1 :b 2})
;=> [[:a 1] [:b 2]]
(into nil [1 2])
;=> (2 1)
(into [] nil)
;=> []
(into [] "ab")
;=> ["a" "b"]
(into {} [{:a 1} {:b 2}])
;=> {:a 1, :b 2}
(into (list) [1 2 3])
;=> (3 2 1)
(into 5 [1])
;! wrong-type `conj` expects a collection, found an integer 5

;; assoc
(assoc {:a 1} :b 2)
;=> {:a 1, :b 2}
(assoc {:a 1} :a 2)
;=> {:a 2}
(assoc {:a 1} :b 2 :c 3)
;=> {:a 1, :b 2, :c 3}
(assoc nil :a 1)
;=> {:a 1}
(assoc [1 2] 0 :x)
;=> [:x 2]
(assoc [1 2] 2 :x)
;=> [1 2 :x]
(assoc [1 2] 3 :x)
;! out-of-bounds there is no item at position 3; the collection has 2 items
(assoc [1 2] :a 1)
;! wrong-type `assoc` expects a position as the key of a vector, found a keyword :a
(assoc '(1 2) 0 1)
;! wrong-type `assoc` expects a map or a vector, found a list (1 2)
(assoc "a" 0 "b")
;! wrong-type `assoc` expects a map or a vector, found a string "a"
(assoc {"id" 1} :id 2)
;=> {"id" 2}
;clj D5 {"id" 1, :id 2}
(assoc {:id 1} "id" 2)
;=> {:id 2}
;clj D5 {"id" 2, :id 1}
(assoc {} nil 1)
;=> {nil 1}
(assoc {1 :a} 1.0 :b)
;=> {1 :b}
;clj D4 {1 :a, 1.0 :b}
(assoc-in {} [:a :b] 1)
;=> {:a {:b 1}}
(assoc-in {:a {:c 2}} [:a :b] 1)
;=> {:a {:c 2, :b 1}}
(assoc-in [[1 2]] [0 1] :x)
;=> [[1 :x]]
(assoc-in {:a 1} [:a :b] 2)
;! wrong-type `assoc` expects a map or a vector, found an integer 1
(assoc-in {} [] 1)
;=> {nil 1}
(assoc-in nil [:a] 1)
;=> {:a 1}
(update {:a 1} :a inc)
;=> {:a 2}
(update {:a 1} :a + 10)
;=> {:a 11}
(update {} :a (fnil inc 0))
;=> {:a 1}
(update {} :a inc)
;! wrong-type `inc` expects numbers, its first argument is nil
(update [1 2] 0 inc)
;=> [2 2]
(update nil :a (constantly 1))
;=> {:a 1}
(update {:a 1} :a (fn [x] nil))
;=> {:a nil}
(update-in {:a {:b 1}} [:a :b] inc)
;=> {:a {:b 2}}
(update-in {} [:a :b] (fnil conj []) 1)
;=> {:a {:b [1]}}
(update-in {:a [1 2]} [:a 1] + 10)
;=> {:a [1 12]}
(update-in {} [] assoc :a 1)
;=> {nil {:a 1}}
(update "a" 0 inc)
;! wrong-type `inc` expects numbers, its first argument is a string "a"

;; Building.
(vector 1 2)
;=> [1 2]
(vector)
;=> []
(vec '(1 2))
;=> [1 2]
(vec nil)
;=> []
(vec "ab")
;=> ["a" "b"]
(vec {:a 1})
;=> [[:a 1]]
(vec #{1})
;=> [1]
(vec 5)
;! wrong-type expected a collection, found an integer 5
(list 1 2)
;=> (1 2)
(list)
;=> ()
(set [1 1 2])
;=> #{1 2}
(set nil)
;=> #{}
(set "aab")
;=> #{"a" "b"}
(set {:a 1})
;=> #{[:a 1]}
(hash-set 1 1 2)
;=> #{1 2}
(hash-map :a 1)
;=> {:a 1}
(hash-map)
;=> {}
(hash-map :a)
;! wrong-arity `hash-map` has a key without a value
(array-map :a 1 :b 2)
;=> {:a 1, :b 2}
(zipmap [:a :b] [1 2])
;=> {:a 1, :b 2}
(zipmap [:a :b :c] [1 2])
;=> {:a 1, :b 2}
(zipmap [:a] nil)
;=> {}
(peek [1 2])
;=> 2
(peek '(1 2))
;=> 1
(peek [])
;=> nil
(peek nil)
;=> nil
(pop [1 2])
;=> [1]
(pop '(1 2))
;=> (2)
(pop [])
;! out-of-bounds `pop` of an empty collection
(pop nil)
;=> nil
(peek #{1})
;! wrong-type `peek` expects a vector or a list, found a set #{1}
(subvec [1 2 3] 1)
;=> [2 3]
(subvec [1 2 3] 1 2)
;=> [2]
(subvec [1 2 3] 3)
;=> []
(subvec [1 2 3] 4)
;! out-of-bounds `subvec` from 4 to 3 is out of range: the vector has 3 items
(subvec [1 2 3] 2 1)
;! out-of-bounds `subvec` from 2 to 1 is out of range: the vector has 3 items
(subvec '(1 2) 0)
;! wrong-type `subvec` expects a vector, found a list (1 2)
(mapv inc [1 2])
;=> [2 3]
(filterv odd? [1 2 3])
;=> [1 3]

;; Predicates of kind.
(vector? [1])
;=> true
(vector? '(1))
;=> false
(vector? (map inc [1]))
;=> false
(list? '(1))
;=> true
(list? [1])
;=> false
(seq? (map inc [1]))
;=> true
(seq? [1])
;=> false
(map? {})
;=> true
(map? nil)
;=> false
(set? #{})
;=> true
(coll? {})
;=> true
(coll? "a")
;=> false
(sequential? '(1))
;=> true
(sequential? {})
;=> false
(associative? [1])
;=> true
(associative? #{})
;=> false
(counted? [1])
;=> true
(seqable? nil)
;=> true
(seqable? 1)
;=> false
(string? "a")
;=> true
(keyword? :a)
;=> true
(keyword? "a")
;=> false
(symbol? 'a)
;=> true
(ident? :a)
;=> true
(nil? nil)
;=> true
(some? false)
;=> true
(true? true)
;=> true
(false? nil)
;=> false
(not nil)
;=> true
(not 0)
;=> false
(boolean? nil)
;=> false
(type 1)
;=> java.lang.Long
(type nil)
;=> nil
(type (range 3))
;=> clojure.lang.LazySeq
;clj D2 clojure.lang.LongRange
(every? true? [(map? {}) (vector? []) (set? #{})])
;=> true
(char? \a)
;=> true
(any? nil)
;=> true

;; Sharing: changing one never changes another.
(let [a [1 2 3] b (conj a 4) c (assoc a 0 :x)] [a b c])
;=> [[1 2 3] [1 2 3 4] [:x 2 3]]
(let [a {:x 1} b (assoc a :y 2) c (dissoc b :x)] [a b c])
;=> [{:x 1} {:x 1, :y 2} {:y 2}]
(let [a #{1} b (conj a 2) c (disj b 1)] [a b c])
;=> [#{1} #{1 2} #{2}]
(let [a (vec (range 100)) b (assoc a 50 :x)] [(nth a 50) (nth b 50) (count b)])
;=> [50 :x 100]
(let [a '(1 2) b (conj a 0) c (rest b)] [a b c (= a c)])
;=> [(1 2) (0 1 2) (1 2) true]
(let [m {:a {:b [1 2]}} n (update-in m [:a :b] conj 3)] [m n])
;=> [{:a {:b [1 2]}} {:a {:b [1 2 3]}}]
(def kept [1 2 3])
;=> #'kept
(do (conj kept 4) (sort > kept) (reverse kept) (map inc kept) kept)
;=> [1 2 3]
(do (into kept [4 5]) (assoc kept 0 9) (pop kept) (subvec kept 1) kept)
;=> [1 2 3]
(let [m (zipmap (range 40) (range 40)) n (assoc m 5 :x) o (dissoc n 7)] [(m 5) (n 5) (count m) (count o) (o 7 :gone)])
;=> [5 :x 40 39 :gone]

;; What Clojure's own code makes of odd arguments.
[(+ nil) (* nil) (max "a") (min nil) (< "a") (== :a)]
;=> [nil nil "a" nil true true]
(+ "a")
;! wrong-type `+` expects numbers, its first argument is a string "a"
(- nil)
;! wrong-type `-` expects numbers, its first argument is nil
[(compare "a" "B") (compare "abc" "ab") (compare :a/b :c) (compare :c :a/b) (compare ["a"] ["c"]) (compare [[:a]] [[:d]]) (compare {} {}) (compare inc inc)]
;=> [31 1 -2 2 -2 -3 0 0]
(let [m {:a 1}] (compare m m))
;=> 0
(compare {:a 1} {:a 1})
;! wrong-type a map {:a 1} and a map {:a 1} cannot be compared
(sort [:b :a/z :c :a/b])
;=> (:a/b :a/z :b :c)
[(nthrest [1 2] 0) (nthrest [1 2] 5) (nthrest nil 2) (nthrest "abc" 0) (nthrest {:a 1} 0)]
;=> [[1 2] () nil "abc" {:a 1}]
[(keys []) (keys "") (keys (seq {:a 1})) (vals (filter some? {:a 1 :b 2}))]
;=> [nil nil (:a) (1 2)]
(keys [1 2])
;! wrong-type `keys` expects a map, found a vector [1 2]
(keys 5)
;! wrong-type `keys` expects a map, found an integer 5
[(update-vals [1 2] inc) (update-keys [1 2] inc) (update-vals nil inc) (reduce-kv conj [] (seq {:a 1})) (reduce-kv conj [] #{})]
;=> [[2 3] {1 1, 2 2} {} [:a 1] []]
(update-vals 5 inc)
;! wrong-type `update-vals` expects a map and then a function, found an integer 5
[(conj {:a 1} (seq {:b 2 :c 3})) (conj {:a 1} ()) (conj {:a 1} "") (merge {:a 1} [:b 2])]
;=> [{:a 1, :b 2, :c 3} {:a 1} {:a 1} {:a 1, :b 2}]
(conj {:a 1} '(:b 2))
;! wrong-type `conj` expects pairs or maps to add to a map, found a list (:b 2)
(conj {:a 1} [:b 2 3])
;! wrong-type `conj` expects pairs or maps to add to a map, found a vector [:b 2 3]
(into {} [5])
;! wrong-type `conj` expects pairs or maps to add to a map, found an integer 5
[(set/union [1 2] #{3}) (set/union '(1) [2 3]) (set/union nil [1]) (set/union {:a 1} {:b 2})]
;=> [[1 2 3] [2 3 1] [1] {:a 1, :b 2}]
[(set/intersection [1 2] #{1}) (set/intersection #{1 2} [1]) (set/difference #{1 2} [1]) (set/difference #{1} [1 2]) (set/difference nil #{1})]
;=> [#{1} [1] #{2} #{} nil]
[(set/subset? [1] #{1 2}) (set/superset? #{1} [1])]
;=> [true true]
(set/intersection #{1} '(1))
;! wrong-type `set/intersection` expects a map, a set or a vector, found a list (1)
(set/difference [1 2] #{1})
;! wrong-type `set/difference` expects a set, found a vector [1 2]
(set/union 5 #{1})
;! wrong-type `set/union` expects a collection, found an integer 5
(select-keys 5 [:a])
;! wrong-type `select-keys` expects a map, found an integer 5
[(select-keys [1 2] [0]) (select-keys 5 []) (select-keys nil [:a])]
;=> [{0 1} {} {}]
(find "abc" 0)
;! wrong-type `find` expects a map, found a string "abc"
[(partition 0 []) (partition-all 0 [])]
;=> [() ()]
(partition 0 [1])
;! endless-sequence `partition` with a step of 0 never ends
(map (fn [f] (try (f) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))) [#(vec 5) #(distinct 5) #(rseq nil) #(rseq '(1)) #(symbol 5) #(hash-map :a) #(nth "abc" 9) #(nth [1] 5) #(Math/abs nil) #(str/replace "a" 5 "b")])
;=> (["RuntimeException" "Unable to convert: class java.lang.Long to Object[]"] ["UnsupportedOperationException" "nth not supported on this type: Long"] ["NullPointerException" "`rseq` expects a vector or a sorted collection, found nil"] ["ClassCastException" "class clojure.lang.PersistentList cannot be cast to class clojure.lang.Reversible (clojure.lang.PersistentList and clojure.lang.Reversible are in unnamed module of loader 'app')"] ["IllegalArgumentException" "no conversion to symbol"] ["IllegalArgumentException" "No value supplied for key: :a"] ["StringIndexOutOfBoundsException" "String index out of range: 9"] ["IndexOutOfBoundsException" "there is no item at position 5; the collection has 1 item"] ["IllegalArgumentException" "No matching method abs found taking 1 args"] ["IllegalArgumentException" "Invalid match arg: 5"])
[(str/replace 5 "5" "x") (str/starts-with? :abc ":a") (str/includes? [1 2] "1") (str/index-of 123 "2") (str/replace-first 123 "2" "x")]
;=> ["x" true true 1 "1x3"]
[(sort (fn [a b] 0.5) [2 1]) (sort (fn [a b] false) [2 1])]
;=> [(2 1) (2 1)]
(sort (fn [a b] nil) [2 1])
;! wrong-type `a comparator` expects a number or a boolean, found nil
#{[1] '(1)}
;=> #{[1]}

;; Entries of maps and lists are told from vectors and sequences.
[(map-entry? (first {:a 1})) (map-entry? [:a 1]) (map-entry? (find {:a 1} :a)) (vector? (first {:a 1})) (= [:a 1] (first {:a 1}))]
;=> [true false true true true]
[(map key {:a 1}) (map val (filter identity {:a 1})) (key (last (sort-by val {:a 2 :b 1}))) (key (apply max-key val {:a 1 :b 3}))]
;=> [(:a) (1) :a :b]
[(map-entry? (conj (first {:a 1}) 2)) (map-entry? (assoc (first {:a 1}) 0 :b)) (empty (first {:a 1})) (class (first {:a 1})) (instance? java.util.Map$Entry (first {:a 1}))]
;=> [false false nil clojure.lang.MapEntry true]
(key [:a 1])
;! wrong-type `key` expects a map entry, found a vector [:a 1]
(key (clojure.lang.MapEntry. :a 1))
;=> :a
(val (clojure.lang.MapEntry/create :a 1))
;=> 1
(walk/postwalk #(if (map-entry? %) [(key %) (inc (val %))] %) {:a 1 :b 2})
;=> {:a 2, :b 3}
(keys '([:a 1]))
;! wrong-type `keys` expects a map entry, found a vector [:a 1]
(into {} (map (fn [[k v]] [k (inc v)]) {:a 1}))
;=> {:a 2}
(key (first (sorted-map :b 1 :a 2)))
;=> :a
[(list? '(1)) (list? (list)) (list? (map inc [1])) (list? (conj '(1) 0)) (list? (cons 0 '(1))) (list? (rest '(1 2))) (list? (rest [1 2])) (list? (rest [1])) (list? (drop 1 '(1 2))) (list? (reverse [1])) (list? (seq [1])) (list? (conj nil 1)) (list? (into () [1])) (list? (range 3)) (list? ())]
;=> [true true false true false true false true false true false true true false true]
[(class '(1)) (class (map inc [1])) (counted? '(1)) (counted? (map inc [1])) (counted? [1])]
;=> [clojure.lang.PersistentList clojure.lang.LazySeq true false true]
(walk/postwalk #(if (list? %) (vec %) %) '(+ 1 (* 2 3)))
;=> [+ 1 [* 2 3]]
(let [l '(1 2 3) d (drop 1 l)] [d (rest d) (drop 1 (cons 0 d)) (count (drop 2 l))])
;=> [(2 3) (3) (2 3) 1]
[(sort (fn [a b] true) [1 2 3]) (sort > [1 3 2]) (sort-by first (fn [a b] (< a b)) [[2 :a] [1 :b] [2 :c] [1 :d]])]
;=> [(3 2 1) (3 2 1) ([1 :b] [1 :d] [2 :a] [2 :c])]
