; Functions made of functions, and ways to call. `bench/README.md` tells how to read this file.

;;; comp and partial: 5000
;; data
{:xs (vec (range COUNT))}
;; a function
(map (fn [x] (inc (* 3 x))) ctx/xs)
;; a short function
(map #(inc (* 3 %)) ctx/xs)
;; comp and partial
(map (comp inc (partial * 3)) ctx/xs)
;; comp of functions
(map (comp inc (fn [x] (* 3 x))) ctx/xs)
;; two maps
(map inc (map (partial * 3) ctx/xs))
;; ->> with two maps
(->> ctx/xs (map #(* 3 %)) (map inc))
;; a composed name
(def f (comp inc #(* 3 %)))
(map f ctx/xs)
;; a function that threads
(map (fn [x] (-> x (* 3) inc)) ctx/xs)

;;; sum of two fields: 5000
;; data
{:rows (mapv (fn [i] {:a i :b (rem i 7) :c "x"}) (range COUNT))}
;; keywords
(map (fn [r] (+ (:a r) (:b r))) ctx/rows)
;; get
(map (fn [r] (+ (get r :a) (get r :b))) ctx/rows)
;; {:keys}
(map (fn [{:keys [a b]}] (+ a b)) ctx/rows)
;; let with {:keys}
(map (fn [r] (let [{:keys [a b]} r] (+ a b))) ctx/rows)
;; juxt and apply
(map (fn [r] (apply + ((juxt :a :b) r))) ctx/rows)
;;~ map of the row
(map (fn [r] (reduce + (map r [:a :b]))) ctx/rows)
;; comp
(map (comp (partial apply +) (juxt :a :b)) ctx/rows)
;;~ select-keys
(map (fn [r] (reduce + (vals (select-keys r [:a :b])))) ctx/rows)
;; strings
(map (fn [r] (+ (r "a") (r "b"))) ctx/rows)
;; two lists
(map + (map :a ctx/rows) (map :b ctx/rows))

;;; numbers that pass two tests: 5000
;; data
{:xs (vec (range (- COUNT) COUNT 2))}
;; a function with and
(filter (fn [x] (and (pos? x) (zero? (rem x 3)))) ctx/xs)
;; a short function
(filter #(and (pos? %) (zero? (rem % 3))) ctx/xs)
;; every-pred
(filter (every-pred pos? #(zero? (rem % 3))) ctx/xs)
;; two filters
(filter #(zero? (rem % 3)) (filter pos? ctx/xs))
;; ->>
(->> ctx/xs (filter pos?) (filter (fn [x] (= 0 (mod x 3)))))
;; for
(for [x ctx/xs :when (pos? x) :when (zero? (rem x 3))] x)
;; remove
(remove #(or (<= % 0) (not= 0 (rem % 3))) ctx/xs)

;;; numbers that pass one of two tests: 5000
;; data
{:xs (vec (range COUNT))}
;; or
(filter (fn [x] (or (zero? (rem x 3)) (zero? (rem x 5)))) ctx/xs)
;; some-fn
(filter (some-fn #(zero? (rem % 3)) #(zero? (rem % 5))) ctx/xs)
;; some over divisors
(filter (fn [x] (some #(zero? (rem x %)) [3 5])) ctx/xs)
;; if
(filter #(if (zero? (rem % 3)) true (zero? (rem % 5))) ctx/xs)
;; cond
(filter (fn [x] (cond (zero? (mod x 3)) true (zero? (mod x 5)) true :else false)) ctx/xs)

;;; negation of a test: 5000
;; data
{:xs (vec (range COUNT))}
;; remove
(remove even? ctx/xs)
;; complement
(filter (complement even?) ctx/xs)
;; not
(filter #(not (even? %)) ctx/xs)
;; comp not
(filter (comp not even?) ctx/xs)
;; odd?
(filter odd? ctx/xs)
;; if
(filter (fn [x] (if (even? x) false true)) ctx/xs)

;;; count of matching items: 5000
;; data
{:xs (mapv #(rem (* % 7919) 1009) (range COUNT))}
;; filter
(count (filter #(> % 500) ctx/xs))
;; reduce
(reduce (fn [n x] (if (> x 500) (inc n) n)) 0 ctx/xs)
;; ones and zeros
(reduce + (map (fn [x] (if (> x 500) 1 0)) ctx/xs))
;; frequencies
(get (frequencies (map #(> % 500) ctx/xs)) true)
;; for
(count (for [x ctx/xs :when (> x 500)] x))
;; loop
(loop [xs ctx/xs n 0] (if (empty? xs) n (recur (rest xs) (if (> (first xs) 500) (inc n) n))))
;;~ group-by
(count (get (group-by #(> % 500) ctx/xs) true))
;; keep
(count (keep #(when (> % 500) %) ctx/xs))

;;; calls with several arguments: 10000
;; data
{:xs (vec (range COUNT))}
;; three arguments
(defn area [a b c] (+ a (* b c)))
(map (fn [x] (area x 2 3)) ctx/xs)
;; a rest
(defn area [a & [b c]] (+ a (* b c)))
(map (fn [x] (area x 2 3)) ctx/xs)
;; several arities
(defn area ([a] (area a 2 3)) ([a b c] (+ a (* b c))))
(map area ctx/xs)
;;~ a map of options
(defn area [{:keys [a b c]}] (+ a (* b c)))
(map (fn [x] (area {:a x :b 2 :c 3})) ctx/xs)
;;~ named options
(defn area [a & {:keys [b c]}] (+ a (* b c)))
(map (fn [x] (area x :b 2 :c 3)) ctx/xs)
;; defaults
(defn area [a {:keys [b c] :or {b 2 c 3}}] (+ a (* b c)))
(map (fn [x] (area x {})) ctx/xs)
;; apply
(defn area [a b c] (+ a (* b c)))
(map (fn [x] (apply area [x 2 3])) ctx/xs)
;; partial
(defn area [b c a] (+ a (* b c)))
(map (partial area 2 3) ctx/xs)

;;; a pipeline for each item: 5000
;; data
{:xs (vec (range COUNT))}
;; nested calls
(map (fn [x] (str (* 2 (+ x 1)))) ctx/xs)
;; ->
(map (fn [x] (-> x (+ 1) (* 2) str)) ctx/xs)
;; ->>
(map (fn [x] (->> x (+ 1) (* 2) (str))) ctx/xs)
;; let
(map (fn [x] (let [a (+ x 1) b (* a 2)] (str b))) ctx/xs)
;; as->
(map (fn [x] (as-> x it (+ it 1) (* 2 it) (str it))) ctx/xs)
;; some->
(map (fn [x] (some-> x (+ 1) (* 2) str)) ctx/xs)
;; comp
(map (comp str (partial * 2) (partial + 1)) ctx/xs)
;;~ reduce over functions
(map (fn [x] (reduce (fn [v f] (f v)) x [inc #(* 2 %) str])) ctx/xs)

;;; sum of a tree: 2000
;; data
(let [nodes (mapv (fn [i] {:id i :value (rem (* i 31) 17)}) (range COUNT))]
  {:tree (loop [i (dec COUNT) kids {}]
           (let [node (assoc (nth nodes i) :children (vec (get kids i [])))]
             (if (zero? i) node (recur (dec i) (update kids (quot (dec i) 20) (fnil conj []) node)))))})
;; map and reduce
(defn total [node] (+ (:value node) (reduce + (map total (:children node)))))
(total ctx/tree)
;; reduce with a start
(defn total [{:keys [value children]}] (reduce (fn [acc child] (+ acc (total child))) value children))
(total ctx/tree)
;; apply
(defn total [node] (apply + (:value node) (map total (:children node))))
(total ctx/tree)
;; tree-seq
(reduce + (map :value (tree-seq :children :children ctx/tree)))
;; a stack
(loop [stack [ctx/tree] acc 0]
  (if (empty? stack)
    acc
    (let [node (peek stack)] (recur (into (pop stack) (:children node)) (+ acc (:value node))))))
;; first and concat
(loop [[node & more] [ctx/tree] acc 0] (if node (recur (concat (:children node) more) (+ acc (:value node))) acc))

;;; a cached function: 3000
;; data
{:xs (mapv #(rem (* % 7919) 53) (range COUNT))}
;; memoize
(def slow (memoize (fn [x] (reduce + (range (* x 3))))))
(reduce + (map slow ctx/xs))
;; an atom
(def cache (atom {}))
(defn slow [x] (or (get @cache x) (let [v (reduce + (range (* x 3)))] (swap! cache assoc x v) v)))
(reduce + (map slow ctx/xs))
;; a map made before
(let [known (into {} (map (fn [x] [x (reduce + (range (* x 3)))]) (distinct ctx/xs)))] (reduce + (map known ctx/xs)))
;; a map in reduce
(first
  (reduce (fn [[sum known] x]
            (if-let [v (known x)]
              [(+ sum v) known]
              (let [v (reduce + (range (* x 3)))] [(+ sum v) (assoc known x v)])))
          [0 {}] ctx/xs))

;;; sum in an atom: 10000
;; loop
(loop [i 0 acc 0] (if (< i COUNT) (recur (inc i) (+ acc i)) acc))
;; swap! in dotimes
(let [acc (atom 0)] (dotimes [i COUNT] (swap! acc + i)) @acc)
;; swap! in doseq
(let [acc (atom 0)] (doseq [i (range COUNT)] (swap! acc + i)) @acc)
;; a function of swap!
(let [acc (atom 0)] (doseq [i (range COUNT)] (swap! acc (fn [a] (+ a i)))) @acc)
;; run!
(let [acc (atom 0)] (run! #(swap! acc + %) (range COUNT)) @acc)
;; reset!
(let [acc (atom 0)] (doseq [i (range COUNT)] (reset! acc (+ @acc i))) @acc)
;; a volatile
(let [acc (volatile! 0)] (doseq [i (range COUNT)] (vswap! acc + i)) @acc)
;; while
(let [i (atom 0) acc (atom 0)] (while (< @i COUNT) (swap! acc + @i) (swap! i inc)) @acc)

;;; a list in an atom: 5000
;; map
(mapv #(* 2 %) (range COUNT))
;; reduce conj
(reduce (fn [all i] (conj all (* 2 i))) [] (range COUNT))
;; loop conj
(loop [i 0 all []] (if (< i COUNT) (recur (inc i) (conj all (* 2 i))) all))
;; for
(vec (for [i (range COUNT)] (* 2 i)))
;; into with a transducer
(into [] (map #(* 2 %)) (range COUNT))
;; swap! conj
(let [all (atom [])] (doseq [i (range COUNT)] (swap! all conj (* 2 i))) @all)
;; swap! in dotimes
(let [all (atom [])] (dotimes [i COUNT] (swap! all (fn [v] (conj v (* i 2))))) @all)
;; repeatedly
(let [i (atom -1)] (vec (repeatedly COUNT #(* 2 (swap! i inc)))))

;;; accounts and transfers: 5000
;; data
{:moves (mapv (fn [i] {:from (str "a" (rem i 7)) :to (str "a" (rem (* i 3) 11)) :amount (rem i 13)}) (range COUNT))}
;; reduce with update
(reduce (fn [all {:keys [from to amount]}] (-> all (update from (fnil - 0) amount) (update to (fnil + 0) amount)))
        {} ctx/moves)
;; reduce with assoc
(reduce (fn [all m]
          (let [all (assoc all (:from m) (- (get all (:from m) 0) (:amount m)))]
            (assoc all (:to m) (+ (get all (:to m) 0) (:amount m)))))
        {} ctx/moves)
;; loop
(loop [moves ctx/moves all {}]
  (if-let [{:keys [from to amount]} (first moves)]
    (recur (rest moves) (let [all (assoc all from (- (or (all from) 0) amount))] (assoc all to (+ (or (all to) 0) amount))))
    all))
;; swap! in doseq
(let [all (atom {})]
  (doseq [{:keys [from to amount]} ctx/moves]
    (swap! all update from (fnil - 0) amount)
    (swap! all update to (fnil + 0) amount))
  @all)
;;~ merge-with
(apply merge-with + (mapcat (fn [{:keys [from to amount]}] [{from (- amount)} {to amount}]) ctx/moves))
