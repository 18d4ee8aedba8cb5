; Functions of sequences. `bench/README.md` tells how to read this file.

;;; items with their index: 5000
;; data
{:xs (mapv #(rem (* % 7919) 1009) (range COUNT))}
;; map-indexed
(map-indexed (fn [i x] (* i x)) ctx/xs)
;; map with (range)
(map (fn [i x] (* i x)) (range) ctx/xs)
;; map with a bounded range
(map (fn [i x] (* i x)) (range (count ctx/xs)) ctx/xs)
;; * itself
(map * (range) ctx/xs)
;; pairs
(map (fn [[i x]] (* i x)) (map vector (range) ctx/xs))
;; pairs of map-indexed
(map (fn [[i x]] (* i x)) (map-indexed vector ctx/xs))
;; keep-indexed
(keep-indexed (fn [i x] (* i x)) ctx/xs)
;; for and nth
(for [i (range (count ctx/xs))] (* i (nth ctx/xs i)))
;; loop
(loop [i 0 xs ctx/xs all []] (if (seq xs) (recur (inc i) (rest xs) (conj all (* i (first xs)))) all))
;; reduce-kv
(reduce-kv (fn [all i x] (conj all (* i x))) [] ctx/xs)

;;; two lists side by side: 5000
;; data
{:xs (vec (range COUNT)) :ys (mapv #(rem % 17) (range COUNT))}
;; map of *
(reduce + (map * ctx/xs ctx/ys))
;; map of a function
(reduce + (map (fn [x y] (* x y)) ctx/xs ctx/ys))
;; mapv
(apply + (mapv #(* %1 %2) ctx/xs ctx/ys))
;; pairs
(reduce + (map (fn [[x y]] (* x y)) (map vector ctx/xs ctx/ys)))
;; apply to pairs
(reduce + (map (partial apply *) (map vector ctx/xs ctx/ys)))
;;~ interleave and partition
(reduce + (map (fn [[x y]] (* x y)) (partition 2 (interleave ctx/xs ctx/ys))))
;; loop
(loop [xs ctx/xs ys ctx/ys acc 0] (if (seq xs) (recur (rest xs) (rest ys) (+ acc (* (first xs) (first ys)))) acc))
;; indexes
(reduce + (for [i (range (count ctx/xs))] (* (nth ctx/xs i) (nth ctx/ys i))))

;;; lists in one list: 5000
;; data
{:rows (mapv (fn [i] {:tags [(rem i 3) (rem i 5) i]}) (range (quot COUNT 3)))}
;; mapcat
(mapcat :tags ctx/rows)
;; apply concat
(apply concat (map :tags ctx/rows))
;; for with two bindings
(for [r ctx/rows t (:tags r)] t)
;; reduce into
(reduce into [] (map :tags ctx/rows))
;; reduce with a function
(reduce (fn [all r] (into all (:tags r))) [] ctx/rows)
;; flatten
(flatten (map :tags ctx/rows))
;; reduce concat
(reduce concat (map :tags ctx/rows))
;; a transducer
(into [] (mapcat :tags) ctx/rows)

;;; filter and map: 5000
;; data
{:rows (mapv (fn [i] {:n i :on (even? i)}) (range COUNT))}
;; ->>
(->> ctx/rows (filter :on) (map :n))
;; nested calls
(map (fn [r] (:n r)) (filter (fn [r] (:on r)) ctx/rows))
;; for
(for [r ctx/rows :when (:on r)] (:n r))
;; for with {:keys}
(for [{:keys [n on]} ctx/rows :when on] n)
;; keep
(keep #(when (:on %) (:n %)) ctx/rows)
;; reduce
(reduce (fn [all r] (if (:on r) (conj all (:n r)) all)) [] ctx/rows)
;; a transducer
(into [] (comp (filter :on) (map :n)) ctx/rows)
;; sequence
(sequence (comp (filter :on) (map :n)) ctx/rows)
;;~ mapcat
(mapcat (fn [r] (if (:on r) [(:n r)] [])) ctx/rows)
;; loop
(loop [[r & more] ctx/rows all []] (cond (nil? r) all (:on r) (recur more (conj all (:n r))) :else (recur more all)))

;;; the first match: 5000
;; data
{:xs (vec (range COUNT)) :goal (- COUNT 3)}
;; first of filter
(first (filter #(>= % ctx/goal) ctx/xs))
;; some
(some #(when (>= % ctx/goal) %) ctx/xs)
;; drop-while
(first (drop-while #(< % ctx/goal) ctx/xs))
;; loop
(loop [xs ctx/xs] (if (>= (first xs) ctx/goal) (first xs) (recur (rest xs))))
;; reduced
(reduce (fn [_ x] (if (>= x ctx/goal) (reduced x) nil)) nil ctx/xs)
;; a local as goal
(let [goal ctx/goal] (first (filter (fn [x] (>= x goal)) ctx/xs)))
;; for
(first (for [x ctx/xs :when (>= x ctx/goal)] x))

;;; the greatest number: 5000
;; data
{:xs (mapv #(rem (* % 7919) (+ COUNT 1)) (range COUNT))}
;; apply max
(apply max ctx/xs)
;; reduce max
(reduce max ctx/xs)
;; reduce with if
(reduce (fn [a b] (if (> b a) b a)) ctx/xs)
;; loop
(loop [xs (rest ctx/xs) best (first ctx/xs)]
  (if (seq xs) (recur (rest xs) (if (> (first xs) best) (first xs) best)) best))
;; loop with max
(loop [[x & more] ctx/xs best 0] (if x (recur more (max best x)) best))
;; max-key
(apply max-key identity ctx/xs)

;;; the greatest row: 3000
;; data
{:rows (mapv (fn [i] {:id i :n (rem (* i 7919) 10007)}) (range COUNT))}
;; max-key
(:id (apply max-key :n ctx/rows))
;; reduce max-key
(:id (reduce (partial max-key :n) ctx/rows))
;; reduce with if
(:id (reduce (fn [a b] (if (> (:n b) (:n a)) b a)) ctx/rows))
;;~ last of sort-by
(:id (last (sort-by :n ctx/rows)))
;;~ first of sort-by >
(:id (first (sort-by :n > ctx/rows)))
;;~ first of sort-by -
(:id (first (sort-by (comp - :n) ctx/rows)))
;; loop
(loop [rows ctx/rows best nil]
  (if-let [r (first rows)] (recur (rest rows) (if (or (nil? best) (> (:n r) (:n best))) r best)) (:id best)))

;;; windows of three: 5000
;; data
{:xs (mapv #(rem (* % 7919) 1009) (range COUNT))}
;; [a b c]
(map (fn [[a b c]] (+ a b c)) (partition 3 1 ctx/xs))
;; nth
(map (fn [w] (+ (nth w 0) (nth w 1) (nth w 2))) (partition 3 1 ctx/xs))
;; apply
(map #(apply + %) (partition 3 1 ctx/xs))
;; reduce
(map (fn [w] (reduce + w)) (partition 3 1 ctx/xs))
;; three lists
(map + ctx/xs (rest ctx/xs) (drop 2 ctx/xs))
;; indexes
(let [xs ctx/xs] (for [i (range (- (count xs) 2))] (+ (nth xs i) (nth xs (+ i 1)) (nth xs (+ i 2)))))
;; subvec
(let [xs ctx/xs] (map (fn [i] (reduce + (subvec xs i (+ i 3)))) (range (- (count xs) 2))))
;; loop
(loop [[a b c & more] ctx/xs all []] (if c (recur (cons b (cons c more)) (conj all (+ a b c))) all))

;;; differences of neighbours: 5000
;; data
{:xs (mapv #(rem (* % 7919) 1009) (range COUNT))}
;; map -
(map - (rest ctx/xs) ctx/xs)
;; partition
(map (fn [[a b]] (- b a)) (partition 2 1 ctx/xs))
;; loop
(loop [prev (first ctx/xs) xs (rest ctx/xs) all []]
  (if (seq xs) (recur (first xs) (rest xs) (conj all (- (first xs) prev))) all))
;; reduce with a pair
(second (reduce (fn [[prev all] x] [x (conj all (- x prev))]) [(first ctx/xs) []] (rest ctx/xs)))
;;~ reduce with a map
(:all (reduce (fn [{:keys [prev all]} x] {:prev x :all (conj all (- x prev))})
              {:prev (first ctx/xs) :all []} (rest ctx/xs)))
;; indexes
(for [i (range 1 (count ctx/xs))] (- (nth ctx/xs i) (nth ctx/xs (dec i))))
;; map with a function
(map (fn [a b] (- b a)) ctx/xs (rest ctx/xs))

;;; runs of equal items: 5000
;; data
{:xs (mapv #(quot (rem (* % 37) 101) 25) (range COUNT))}
;; partition-by
(map (fn [run] [(first run) (count run)]) (partition-by identity ctx/xs))
;; juxt
(map (juxt first count) (partition-by identity ctx/xs))
;; reduce with peek
(reduce (fn [all x]
          (let [[y n] (peek all)] (if (= x y) (conj (pop all) [x (inc n)]) (conj all [x 1]))))
        [] ctx/xs)
;; loop
(loop [xs (rest ctx/xs) x (first ctx/xs) n 1 all []]
  (cond (empty? xs) (conj all [x n])
        (= (first xs) x) (recur (rest xs) x (inc n) all)
        :else (recur (rest xs) (first xs) 1 (conj all [x n]))))
;; split-with
(loop [xs ctx/xs all []]
  (if (seq xs)
    (let [[run more] (split-with #(= % (first xs)) xs)] (recur more (conj all [(first xs) (count run)])))
    all))

;;; sums of chunks: 5000
;; data
{:xs (vec (range COUNT))}
;; partition-all
(map #(reduce + %) (partition-all 10 ctx/xs))
;; apply
(map (partial apply +) (partition-all 10 ctx/xs))
;; take and drop
(loop [xs ctx/xs all []] (if (seq xs) (recur (drop 10 xs) (conj all (reduce + (take 10 xs)))) all))
;; split-at
(loop [xs ctx/xs all []] (if (empty? xs) all (let [[a b] (split-at 10 xs)] (recur b (conj all (apply + a))))))
;; subvec
(let [n (count ctx/xs)] (for [i (range 0 n 10)] (reduce + (subvec ctx/xs i (min n (+ i 10))))))
;; a transducer
(into [] (comp (partition-all 10) (map #(reduce + %))) ctx/xs)

;;; running totals: 5000
;; data
{:xs (mapv #(rem (* % 7919) 1009) (range COUNT))}
;; reductions
(reductions + ctx/xs)
;; reductions with a function
(reductions (fn [a b] (+ a b)) ctx/xs)
;; loop
(loop [xs ctx/xs sum 0 all []] (if (seq xs) (let [sum (+ sum (first xs))] (recur (rest xs) sum (conj all sum))) all))
;; reduce with peek
(reduce (fn [all x] (conj all (+ x (or (peek all) 0)))) [] ctx/xs)
;; reduce with last
(reduce (fn [all x] (conj all (+ x (or (last all) 0)))) [] ctx/xs)
;; reduce with a pair
(first (reduce (fn [[all sum] x] (let [sum (+ sum x)] [(conj all sum) sum])) [[] 0] ctx/xs))
;; an atom
(let [sum (atom 0)] (mapv (fn [x] (swap! sum + x)) ctx/xs))

;;; iterated values: 3000
;; iterate
(take COUNT (iterate #(rem (+ (* 75 %) 74) 65537) 1))
;; loop
(loop [x 1 i 0 all []] (if (< i COUNT) (recur (rem (+ (* 75 x) 74) 65537) (inc i) (conj all x)) all))
;; reductions
(reductions (fn [x _] (rem (+ (* 75 x) 74) 65537)) 1 (range (dec COUNT)))
;; reduce with peek
(reduce (fn [all _] (conj all (rem (+ (* 75 (peek all)) 74) 65537))) [1] (range (dec COUNT)))
;; lazy-seq
(defn numbers [x] (lazy-seq (cons x (numbers (rem (+ (* 75 x) 74) 65537)))))
(take COUNT (numbers 1))
;; an atom
(let [x (atom 1)] (mapv (fn [_] (let [v @x] (swap! x #(rem (+ (* 75 %) 74) 65537)) v)) (range COUNT)))

;;; distinct items: 5000
;; data
{:xs (mapv #(rem (* % 7919) (quot COUNT 3)) (range COUNT))}
;; set
(count (set ctx/xs))
;; distinct
(count (distinct ctx/xs))
;; into
(count (into #{} ctx/xs))
;; reduce conj
(count (reduce conj #{} ctx/xs))
;; frequencies
(count (keys (frequencies ctx/xs)))
;; apply hash-set
(count (apply hash-set ctx/xs))
;;~ a seen set
(count
  (second
    (reduce (fn [[seen all] x] (if (contains? seen x) [seen all] [(conj seen x) (conj all x)])) [#{} []] ctx/xs)))
;;~ group-by
(count (group-by identity ctx/xs))
;; loop
(loop [xs ctx/xs seen #{}] (if (seq xs) (recur (rest xs) (conj seen (first xs))) (count seen)))

;;; a reversed list: 5000
;; data
{:xs (vec (range COUNT))}
;; reverse
(reverse ctx/xs)
;; into a list
(into () ctx/xs)
;; rseq
(rseq ctx/xs)
;; reduce conj
(reduce conj () ctx/xs)
;; reduce cons
(reduce (fn [all x] (cons x all)) nil ctx/xs)
;; loop
(loop [xs ctx/xs all ()] (if (seq xs) (recur (rest xs) (conj all (first xs))) all))
;; indexes
(let [xs ctx/xs] (map #(nth xs %) (range (dec (count xs)) -1 -1)))

;;; numbers in falling order: 2000
;; data
{:xs (mapv #(rem (* % 7919) 2003) (range COUNT))}
;; sort >
(sort > ctx/xs)
;; reverse of sort
(reverse (sort ctx/xs))
;; sort-by -
(sort-by - ctx/xs)
;; compare
(sort #(compare %2 %1) ctx/xs)
;; a function with >
(sort (fn [a b] (> a b)) ctx/xs)
;; comp - compare
(sort (comp - compare) ctx/xs)
;; sort-by identity
(sort-by identity > ctx/xs)

;;; a table turned round: 10000
;; data
{:table (let [n (long (Math/sqrt COUNT))] (mapv (fn [i] (mapv #(+ (* i n) %) (range n))) (range n)))}
;; apply map
(apply map vector ctx/table)
;; apply mapv
(apply mapv (fn [& column] (vec column)) ctx/table)
;; nth of each row
(map (fn [i] (map #(nth % i) ctx/table)) (range (count (first ctx/table))))
;; for in for
(for [i (range (count (first ctx/table)))] (for [row ctx/table] (get row i)))
;; mapv in mapv
(mapv (fn [i] (mapv (fn [row] (row i)) ctx/table)) (range (count (first ctx/table))))
;; get-in
(let [n (count ctx/table)] (for [i (range n)] (for [j (range n)] (get-in ctx/table [j i]))))

;;; a graph searched in breadth: 2000
;; data
{:next (into {} (map (fn [i] [(str i) [(str (rem (+ 1 (* 2 i)) COUNT)) (str (rem (* 3 i) COUNT))]]) (range COUNT)))}
;; a vector and subvec
(loop [queue ["1"] seen #{"1"}]
  (if (empty? queue)
    (count seen)
    (let [new (remove seen (get ctx/next (first queue)))] (recur (into (subvec queue 1) new) (into seen new)))))
;; rest and concat
(loop [queue ["1"] seen #{"1"}]
  (if-let [node (first queue)]
    (let [new (remove seen (ctx/next node))] (recur (concat (rest queue) new) (into seen new)))
    (count seen)))
;;~ [node & more]
(loop [[node & more] ["1"] seen #{"1"}]
  (if (nil? node)
    (count seen)
    (let [new (filter #(not (contains? seen %)) (get ctx/next node))] (recur (into (vec more) new) (into seen new)))))
;; levels
(loop [level ["1"] seen #{"1"}]
  (if (seq level)
    (let [new (distinct (remove seen (mapcat ctx/next level)))] (recur new (into seen new)))
    (count seen)))
;; a stack
(loop [stack ["1"] seen #{}]
  (if (empty? stack)
    (count seen)
    (let [node (peek stack) stack (pop stack)]
      (if (seen node) (recur stack seen) (recur (into stack (get ctx/next node)) (conj seen node))))))
