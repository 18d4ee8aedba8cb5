;; sequences without an end
(take 5 (range))
;=> (0 1 2 3 4)
(->> (iterate inc 1) (filter odd?) (map #(* % %)) (take-while #(< % 60)))
;=> (1 9 25 49)
(take 7 (cycle [:a :b :c]))
;=> (:a :b :c :a :b :c :a)
[(cycle []) (cycle nil) (take 2 (cycle "ab"))]
;=> [() () ("a" "b")]
(for [x (range) :while (< x 4)] (* 10 x))
;=> (0 10 20 30)
(take 4 (for [x (range) y [:a :b] :when (even? x)] [x y]))
;=> ([0 :a] [0 :b] [2 :a] [2 :b])
(doseq [x (range) :while (< x 2)] (println x))
;print 0
;print 1
;=> nil
(map vector (range) [:a :b] (cycle [1]))
;=> ([0 :a 1] [1 :b 1])
(mapv vector [:a :b] (range))
;=> [[:a 0] [:b 1]]
(take 2 (mapcat (fn [n] (repeat n n)) (range)))
;=> (1 2)
(let [[before after] (split-with #(< % 2) (range))] [before (take 2 after)])
;=> [(0 1) (2 3)]
(reduce (fn [sum n] (if (> sum 20) (reduced [n sum]) (+ sum n))) 0 (range))
;=> [7 21]
(first (drop 100000 (range)))
;=> 100000
(loop [xs (range) n 0] (if (= n 1000) (first xs) (recur (rest xs) (inc n))))
;=> 1000
[(seq? (range)) (sequential? (range)) (coll? (range)) (list? (range)) (vector? (range)) (fn? (range))]
;=> [true true true false false false]
(take 3 (conj (range) :x))
;=> (:x 0 1)
(take 3 (cons :x (repeat :y)))
;=> (:x :y :y)
(let [ids (atom (range))] (swap! ids rest) (swap! ids rest) (first @ids))
;=> 2
(take 3 (dedupe (cycle [1 1 2])))
;=> (1 2 1)
(take 2 (partition 2 1 (range)))
;=> ((0 1) (1 2))
(take 3 (keep-indexed (fn [i x] (when (odd? i) [i x])) (cycle [:a :b :c])))
;=> ([1 :b] [3 :a] [5 :c])
(take 3 (tree-seq number? (fn [n] (if (< n 2) [(inc n)])) 0))
;=> (0 1 2)

;; lazy-seq
(defn primes [xs] (lazy-seq (cons (first xs) (primes (filter #(pos? (mod % (first xs))) (rest xs))))))
;=> #'primes
(take 8 (primes (iterate inc 2)))
;=> (2 3 5 7 11 13 17 19)
(defn nodes [tree] (lazy-seq (cons (:v tree) (mapcat nodes (:kids tree)))))
;=> #'nodes
(nodes {:v 1 :kids [{:v 2} {:v 3 :kids [{:v 4}]}]})
;=> (1 2 3 4)
(def fib (lazy-cat [0 1] (map + fib (rest fib))))
;=> #'fib
(nth fib 80)
;=> 23416728348467685
(let [made (atom 0) xs (lazy-seq (swap! made inc) [1 2])] [(first xs) (count xs) (last xs) @made])
;=> [1 2 2 1]
(let [tries (atom 0) xs (lazy-seq (if (= 1 (swap! tries inc)) (throw (ex-info "first" {})) [:ok]))]
  [(try (first xs) (catch Exception e (ex-message e))) (first xs)])
;=> ["first" :ok]
{:a [(lazy-seq [1 (lazy-seq [2])])] :b #{(lazy-seq nil)}}
;=> {:a [(1 (2))], :b #{()}}
[(= (lazy-seq [1 2]) [1 2]) (= [(lazy-seq [1])] [[1]]) (= (lazy-seq nil) ())]
;=> [true true true]
[(str (lazy-seq [1 2])) (pr-str [(lazy-seq ["a"])]) (json/generate-string {:a (lazy-seq [1])})]
;=> ["(1 2)" "[(\"a\")]" "{\"a\":[1]}"]
[(empty? (lazy-seq nil)) (seq (lazy-seq nil)) (next (lazy-seq [1])) (rest (lazy-seq [1]))]
;=> [true nil nil ()]
(apply + (lazy-seq [1 2 3]))
;=> 6
(sort-by - (lazy-seq [1 3 2]))
;=> (3 2 1)
(let [deep (nth (iterate #(filter some? %) (range)) 200)] (take 2 deep))
;=> (0 1)
(return {:xs (lazy-seq [1 2])})
;return {:xs (1 2)}

;; what never ends
(count (range))
;! endless-sequence the program needs all items of a sequence that never ends
(range)
;! endless-sequence the program needs all items of a sequence that never ends
[1 (map inc (iterate inc 0))]
;! endless-sequence the program needs all items of a sequence that never ends
(return (cycle [1]))
;! endless-sequence the program needs all items of a sequence that never ends
(sort (concat [3] (range)))
;! endless-sequence the program needs all items of a sequence that never ends
(zipmap (range) (range))
;! endless-sequence the program needs all items of a sequence that never ends
(def s (lazy-seq (first s)))
;=> #'s
(first s)
;! unsupported a delay or a lazy sequence needs its own value to compute it
(nth (lazy-seq [1 2]) 2)
;! out-of-bounds there is no item at position 2; the sequence is shorter
[(nth (lazy-seq [1 2]) 1) (nth (lazy-seq [1 2]) 2 :none) (try (nth (lazy-seq []) 0) (catch IndexOutOfBoundsException e :out))]
;=> [2 :none :out]
(nth (range) 1000000)
;=> 1000000

;; a function from before the run knew lazy sequences
(defn top [xs] (first xs))
;=> #'top
(top (range 3 9))
;=> 3
(top (range))
;=> 0
(top (take 1 (map inc (range))))
;=> 1

;; A tail of a tail is as near as the tail.
(defn up [n] (lazy-seq (concat [n] (up (inc n))))) (nth (up 0) 100000)
;=> 100000
(defn up [n] (lazy-cat [n] (up (inc n)))) (nth (up 0) 100000)
;=> 100000

;; The rest of the arguments may have no end.
(defn f [x & more] (if (> x 50) x (apply f more))) (apply f (range))
;=> 51
(try (apply (fn [a & more] (/ a 0)) (range)) (catch ArithmeticException e (apply (fn [& xs] xs) [1 2])))
;=> (1 2)
(pmap (fn [x] (apply (fn [a & more] (+ x (first more))) (range))) [1 2])
;=> (2 3)

;; A range that does not fit into memory is made as it is walked.
[(first (range 5 Long/MAX_VALUE)) (take 2 (filter even? (range 3 1e12))) (take 2 (range 0 ##Inf 3))]
;=> [5 (4 6) (0 3)]
(range 1 ##Inf)
;! endless-sequence the program needs all items of a sequence that never ends

;; Two sequences without an end are compared up to a difference, but not for ever.
(= (range) (iterate dec 0))
;=> false
(= (range) (range))
;! endless-sequence the program needs all items of a sequence that never ends

;; `partition-by` calls its function once for each item. A group that an error stopped is made anew.
(let [calls (atom 0), groups (partition-by (fn [x] (swap! calls inc) (quot x 3)) (iterate inc 0))] [(take 2 groups) @calls])
;=> [((0 1 2) (3 4 5)) 7]
(defn once-at [n f] (let [fails (atom true)] (fn [x] (if (and (= x n) @fails) (do (reset! fails false) (throw (ex-info "once" {}))) (f x)))))
;=> #'once-at
(let [groups (partition-by (once-at 4 #(quot % 3)) (iterate inc 0))] [(try (second groups) (catch Exception e (ex-message e))) (second groups) (nth groups 2)])
;=> ["once" (3 4 5) (6 7 8)]
(let [groups (partition-all 3 (map (once-at 4 inc) (iterate inc 0)))] [(first groups) (try (second groups) (catch Exception e (ex-message e))) (take 2 groups)])
;=> [(1 2 3) "once" ((1 2 3) (4 5 6))]

;; The items of a group behind the first thousand are made on demand, and the next group begins behind them.
(let [groups (partition-by #(quot % 1500) (iterate inc 0))] [(ffirst groups) (take 3 (drop 1498 (first groups))) (first (second groups)) (count (nth groups 2)) (take 2 (nth groups 3))])
;=> [0 (1498 1499) 1500 1500 (4500 4501)]
(let [seen (atom 0), groups (partition-by (fn [x] (reset! seen x) (< x 1200)) (iterate inc 0))] [(ffirst groups) (< @seen 1100) (second (first groups)) (count (first groups)) @seen])
;=> [0 true 1 1200 1200]
(defn once-at [n f] (let [fails (atom true)] (fn [x] (if (and (= x n) @fails) (do (reset! fails false) (throw (ex-info "once" {}))) (f x)))))
;=> #'once-at
(let [groups (partition-by (once-at 1300 #(quot % 1500)) (iterate inc 0))] [(try (count (first groups)) (catch Exception e (ex-message e))) (count (first groups)) (first (second groups))])
;=> ["once" 1500 1500]
(let [groups (partition-by (once-at 1300 #(quot % 1500)) (iterate inc 0))] [(try (second groups) (catch Exception e (ex-message e))) (first (second groups)) (count (first groups))])
;=> ["once" 1500 1500]
(map count (partition-by #(quot % 1500) (take-while #(< % 3100) (iterate inc 0))))
;=> (1500 1500 100)
(map count (partition-by (constantly 1) (concat (lazy-seq (range 1200)))))
;=> (1200)

;; Items that are lazy sequences are compared by their items.
[(distinct [(take 2 (range)) [0 1] (map inc (range -1 1))]) (frequencies [(lazy-seq [1]) [1]]) (set (lazy-seq [(lazy-seq [1]) [1]]))]
;=> [((0 1)) {(1) 2} #{(1)}]
(take 2 (dedupe (map (fn [x] (lazy-seq [(quot x 2)])) (range))))
;=> ((0) (1))
