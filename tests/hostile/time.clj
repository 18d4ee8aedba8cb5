;; Loops and recursion that do not end.
(loop [] (recur))
;! fuel-limit
(while true)
;! fuel-limit
(while true (inc 1))
;! fuel-limit
(loop [i 0] (when (>= i 0) (recur (inc i))))
;! fuel-limit
((fn f [] (recur)))
;! fuel-limit
(dotimes [i 9223372036854775807] i)
;! fuel-limit
(doseq [x (range 100000) y (range 100000)] y)
;! fuel-limit
(count (for [x (range 100000) y (range 100000)] 1))
;! fuel-limit
(trampoline (fn f [] f))
;! fuel-limit
(last (iterate inc 0))
;! endless-sequence
(count (repeat 1))
;! endless-sequence
(reduce + (cycle [1 2 3]))
;! fuel-limit
(some neg? (range))
;! fuel-limit
(every? nat-int? (range))
;! fuel-limit
(drop 1000000000 (range))
;! fuel-limit
(nth (range) 1000000000)
;! fuel-limit
(take-while nat-int? (range))
;! fuel-limit
(defn collatz [n] (loop [n n] (recur (if (even? n) (/ n 2) (inc (* 3 n)))))) (collatz 27)
;! fuel-limit
(letfn [(a [n] #(b n)) (b [n] #(a n))] (trampoline a 1))
;! fuel-limit
(doall (map inc (range)))
;! endless-sequence
(dorun (filter odd? (iterate (partial + 2) 0)))
;! endless-sequence
(reduce (fn [a x] (if (= a -1) (reduced a) x)) (range))
;! fuel-limit
(str/join (repeatedly (fn [] "x")))
;! endless-sequence
(sort (range))
;! endless-sequence
(into #{} (range))
;! endless-sequence
(vec (range))
;! endless-sequence
(apply + (range))
;! endless-sequence
(count (tree-seq (constantly true) (fn [x] [x x]) 1))
;! fuel-limit
(walk/postwalk (fn [x] (if (number? x) [x x] x)) [1])
;=> [[1 1]]
(flatten (iterate (fn [x] [x x]) [1]))
;! endless-sequence

;; Two values in a tree of a million million places. Each place that a function visits has its price.
(walk/postwalk identity (reduce (fn [a _] [a a]) 1 (range 40)))
;! fuel-limit
(walk/prewalk identity (reduce (fn [a _] {:a a :b a}) 1 (range 40)))
;! fuel-limit
(walk/postwalk-replace {1 2} (reduce (fn [a _] (list a a)) 1 (range 40)))
;! fuel-limit
(walk/keywordize-keys (reduce (fn [a _] {"a" a "b" a}) 1 (range 40)))
;! fuel-limit
((fn f [x] (walk/walk f identity x)) (reduce (fn [a _] [a a]) 1 (range 40)))
;! fuel-limit
(count (flatten (reduce (fn [a _] [a a]) 1 (range 40))))
;! fuel-limit
(count (tree-seq vector? seq (reduce (fn [a _] [a a]) 1 (range 40))))
;! fuel-limit
(hash (reduce (fn [a _] [a a]) 1 (range 40)))
;! fuel-limit
(= (reduce (fn [a _] [a a]) 1 (range 40)) (reduce (fn [a _] [a a]) 1 (range 40)))
;! fuel-limit
(compare (reduce (fn [a _] [a a]) 1 (range 40)) (reduce (fn [a _] [a a]) 1 (range 40)))
;! fuel-limit
(count (str (reduce (fn [a _] [a a]) 1 (range 40))))
;! memory-limit
(count (pr-str (reduce (fn [a _] [a a]) 1 (range 40))))
;! memory-limit
(count (json/write-str (reduce (fn [a _] [a a]) 1 (range 40))))
;! fuel-limit

;; Builtins that look at all of a long value, again and again.
;; data: long
(dotimes [i 10000000] (count ctx/text))
;! fuel-limit
(dotimes [i 10000000] (nth ctx/text 990000))
;! fuel-limit
(dotimes [i 10000000] (get ctx/text 990000))
;! fuel-limit
(dotimes [i 10000000] (last ctx/items))
;! fuel-limit
(dotimes [i 10000000] (parse-long ctx/digits))
;! fuel-limit
(dotimes [i 10000000] (parse-double ctx/digits))
;! fuel-limit
(dotimes [i 10000000] (keyword ctx/text))
;! fuel-limit
(dotimes [i 10000000] (= ctx/text ctx/other-text))
;! fuel-limit
(dotimes [i 10000000] (compare ctx/text ctx/other-text))
;! fuel-limit
(dotimes [i 10000000] (str/starts-with? ctx/text ctx/other-text))
;! fuel-limit
(dotimes [i 10000000] (str/blank? ctx/blank))
;! fuel-limit
(dotimes [i 10000000] (subs ctx/text 900000))
;! fuel-limit
(dotimes [i 10000000] (hash ctx/text))
;! fuel-limit
(dotimes [i 10000000] (hash ctx/items))
;! fuel-limit
(dotimes [i 10000000] (= ctx/items (vec ctx/items)))
;! fuel-limit
(dotimes [i 10000000] (get ctx/table ctx/items))
;! fuel-limit
(dotimes [i 10000000] (ctx/table ctx/items))
;! fuel-limit
(dotimes [i 10000000] (contains? ctx/table ctx/text))
;! fuel-limit
(dotimes [i 10000000] (str/includes? ctx/text "zz"))
;! fuel-limit
(dotimes [i 10000000] (str/index-of ctx/text "zz"))
;! fuel-limit
(dotimes [i 10000000] (str/upper-case ctx/text))
;! fuel-limit
(dotimes [i 10000000] (try (+ 1 ctx/text) (catch Exception e nil)))
;! fuel-limit
(dotimes [i 10000000] (try (Long/parseLong ctx/text) (catch Exception e nil)))
;! fuel-limit
(let [k (keyword ctx/text)] (dotimes [i 10000000] (= k (keyword ctx/other-text))))
;! fuel-limit
(let [k (keyword ctx/text)] (dotimes [i 10000000] (name k)))
;! fuel-limit
(let [k (keyword ctx/text)] (dotimes [i 10000000] (get ctx/table k)))
;! fuel-limit
(frequencies (repeat 10000000 ctx/text))
;! fuel-limit
(let [a #{ctx/items} b #{(vec ctx/items)}] (dotimes [i 10000000] (= a b)))
;! fuel-limit
(let [a {ctx/items 1} b {(vec ctx/items) 1}] (dotimes [i 10000000] (= a b)))
;! fuel-limit
(sort (fn [a b] (compare ctx/text ctx/other-text)) (range 1000000))
;! fuel-limit
(dotimes [i 10000000] (str/split-lines ctx/text))
;! fuel-limit
(dotimes [i 10000000] (read-string ctx/text))
;! fuel-limit
(dotimes [i 10000000] (format "%s" ctx/text))
;! fuel-limit
(dotimes [i 10000000] (println ctx/text))
;! fuel-limit
(dotimes [i 10000000] (describe ctx/items))
;! fuel-limit
(dotimes [i 10000000] (.indexOf ctx/items -1))
;! fuel-limit
(dotimes [i 10000000] (distinct ctx/items))
;! fuel-limit

;; A function that fails at the first of many items.
;; data: long
(dotimes [i 10000000] (try (map inc ctx/text) (catch Exception e nil)))
;! fuel-limit
(dotimes [i 10000000] (try (reduce inc ctx/table) (catch Exception e nil)))
;! fuel-limit
(dotimes [i 10000000] (try (mapv inc ctx/table) (catch Exception e nil)))
;! fuel-limit
(dotimes [i 10000000] (try (set/rename ctx/text 1) (catch Exception e nil)))
;! fuel-limit
(dotimes [i 10000000] (try (walk/walk "a" "a" ctx/table) (catch Exception e nil)))
;! fuel-limit
(dotimes [i 10000000] (set/rename-keys {1 2} ctx/table))
;! fuel-limit
(set/subset? ctx/items ctx/text)
;! fuel-limit
(set/subset? [1 2 3] ctx/text)
;=> true

;; Dropping a large tree that shares most of itself with another one, and holds something deep.
(let [deep (reduce (fn [a _] [a]) 1 (range 40)) base (into [deep] (range 5000))] (loop [i 0] (let [w (assoc base 5 i)] (recur (inc i)))))
;! fuel-limit
(let [deep (reduce (fn [a _] [a]) 1 (range 40)) base (into {:a deep} (map (fn [i] [i i]) (range 5000)))] (loop [i 0] (let [w (assoc base 5 i)] (recur (inc i)))))
;! fuel-limit
(let [deep (reduce (fn [a _] [a]) 1 (range 40)) base (into #{deep} (range 5000))] (loop [i 0] (let [w (conj base (- -1 i))] (recur (inc i)))))
;! fuel-limit
(let [deep (reduce (fn [a _] [a]) 1 (range 40)) base (into (sorted-set-by (fn [a b] (compare (count deep) 1) (compare a b))) (range 1000))] (loop [i 0] (let [w (conj base (- -1 i))] (recur (inc i)))))
;! fuel-limit
