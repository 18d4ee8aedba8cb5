;; Calls.
(defn f [n] (+ 1 (f n))) (f 1)
;! call-depth-limit
(defn f [n] (map f [n])) (f 1)
;! call-depth-limit
(defn f [n] (reduce (fn [a x] (f a)) [n 1])) (f 1)
;! call-depth-limit
(defn f [n] (sort-by f [n 2])) (f 1)
;! call-depth-limit
(defn f [n] (update {:a 1} :a f)) (f 1)
;! call-depth-limit
(defn f [n] (swap! (atom 1) f)) (f 1)
;! call-depth-limit
(defn f [n] (str/replace "a" #"a" f)) (f 1)
;! call-depth-limit
(defn f [n] (try (f n) (finally 1))) (f 1)
;! call-depth-limit
(defn f [n] @(delay (f n))) (f 1)
;! call-depth-limit
(defn f [n] (first (lazy-seq [(f n)]))) (f 1)
;! call-depth-limit
(defn f [n] (pmap f [n])) (f 1)
;! call-depth-limit
(defn f [n] (sorted-set-by (fn [a b] (f n)) 1 2)) (f 1)
;! call-depth-limit
(defn f [n] (walk/postwalk f [n])) (f 1)
;! call-depth-limit
(let [f (fn [g] (g g))] (f f))
;! call-depth-limit
(letfn [(a [] (b)) (b [] (inc (a)))] (a))
;! call-depth-limit
((reduce comp (repeat 100000 inc)) 0)
;! call-depth-limit
((reduce (fn [f _] (fn [x] (f x))) identity (range 100000)) 0)
;! call-depth-limit
(defmacro m [] 1)
;! not-available

;; Values.
(loop [v [1]] (recur [v]))
;! value-depth-limit
(loop [v [1]] (recur [v v]))
;! value-depth-limit
(loop [v nil] (recur (list v)))
;! value-depth-limit
(loop [v nil] (recur {:a v}))
;! value-depth-limit
(loop [v nil] (recur #{v}))
;! value-depth-limit
(assoc-in {} (repeat 100000 :a) 1)
;! value-depth-limit
(reduce (fn [v _] (list v v)) 1 (range 1000))
;! value-depth-limit
(json/parse-string (str/join (repeat 100000 "[")))
;! value-depth-limit
(json/parse-string (str (str/join (repeat 100000 "[")) (str/join (repeat 100000 "]"))))
;! fuel-limit
(json/parse-string (str (str/join (repeat 10000 "{\"a\":")) 1 (str/join (repeat 10000 "}"))))
;! value-depth-limit
(read-string (str (str/join (repeat 20000 "[")) (str/join (repeat 20000 "]"))))
;! source-nesting-limit
(read-string (str/join (repeat 20000 "'")))
;! source-nesting-limit
(read-string (str/join (repeat 20000 "#_")))
;! source-nesting-limit
{(reduce (fn [v _] [v v]) [] (range 60)) 1}
;! value-depth-limit
(get {1 2} (reduce (fn [v _] [v v]) [] (range 100)))
;=> nil
(hash (reduce (fn [v _] [v v]) [] (range 100)))
;! fuel-limit
(= (reduce (fn [v _] [v v]) [] (range 100)) (reduce (fn [v _] [v v]) [] (range 100)))
;! fuel-limit
(compare (reduce (fn [v _] [v v]) [] (range 100)) (reduce (fn [v _] [v v]) [] (range 100)))
;! fuel-limit
(reduced (reduced (reduced 1)))
;=> #reduced
(loop [v 1] (recur (reduced v)))
;! wrong-type
(loop [a (atom nil)] (recur (atom a)))
;! fuel-limit
(loop [e (ex-info "a" {})] (recur (ex-info "b" {} e)))
;! value-depth-limit
(loop [e 1] (recur (ex-info "b" {:inner e})))
;! value-depth-limit

;; Source.
;; limits: source_nesting=40 source_bytes=2000
((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((
;! source-nesting-limit
[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
;! source-nesting-limit
''''''''''''''''''''''''''''''''''''''''''''''''''''''''''1
;! source-nesting-limit
@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@1
;! source-nesting-limit
#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_#_1
;! source-nesting-limit
^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^{}1
;! source-nesting-limit
