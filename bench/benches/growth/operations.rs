//! The measured operations.

/// An operation: its name, the program that makes `ctx/data` from `ctx/n`, the measured program,
/// its expected number, and the bound of the row.
pub(super) struct Op(
    pub(super) &'static str,
    pub(super) &'static str,
    pub(super) &'static str,
    pub(super) fn(i64) -> i64,
    pub(super) f64,
);

/// The bound of linear operations. Caches and allocators make elements of large collections more
/// expensive.
const LINEAR: f64 = 5.0;
/// The bound of logarithmic operations, and of lookups in tables and trees that exceed the caches.
const TREE: f64 = 12.0;

const NONE: &str = "nil";
const VECTOR: &str = "(vec (range ctx/n))";
const MAP: &str = "(zipmap (range ctx/n) (range ctx/n))";
const SORTED_MAP: &str = "(into (sorted-map) (zipmap (range ctx/n) (range ctx/n)))";
const SET: &str = "(set (range ctx/n))";
const LIST: &str = "(apply list (range ctx/n))";
const WORDS: &str = "(mapv (fn [i] (str \"w\" i)) (range ctx/n))";
const TEXT: &str = "(apply str (repeat ctx/n \"a\"))";
const LETTERS: &str = "(apply str (repeat ctx/n \"é\"))";
const LINE: &str = "(str/join \" \" (repeat ctx/n \"a\"))";
const RECORDS: &str = "(mapv (fn [i] {:id i :name (str \"n\" i) :open (even? i)}) (range ctx/n))";
const PAIRS: &str = "(mapv (fn [i] [i i]) (range ctx/n))";
const NESTED: &str = "(mapv (fn [i] [i [i]]) (range ctx/n))";
/// Numbers in mixed order, each once if `n` is a power of ten.
const MIXED: &str = "(mapv (fn [i] (mod (* i 7919) ctx/n)) (range ctx/n))";
const TWO: &str = "[(vec (range ctx/n)) (vec (range ctx/n))]";
const TWO_MAPS: &str =
    "[(zipmap (range ctx/n) (range ctx/n)) (zipmap (range ctx/n) (range ctx/n))]";
const TWO_SETS: &str = "[(set (range ctx/n)) (set (range ctx/n))]";

const N: fn(i64) -> i64 = |n| n;
const ZERO: fn(i64) -> i64 = |_| 0;
const HALF: fn(i64) -> i64 = |n| n / 2;
const SUM: fn(i64) -> i64 = |n| n * (n - 1) / 2;

#[rustfmt::skip]
pub(super) const OPERATIONS: &[Op] = &[
    // Collections grow and shrink one element at a time.
    Op("conj, vector", NONE, "(count (reduce conj [] (range ctx/n)))", N, LINEAR),
    Op("conj, list", NONE, "(count (reduce conj () (range ctx/n)))", N, LINEAR),
    Op("conj, set", NONE, "(count (reduce conj #{} (range ctx/n)))", N, LINEAR),
    Op("conj, map", NONE, "(count (reduce (fn [m i] (conj m [i i])) {} (range ctx/n)))", N, LINEAR),
    Op("cons", NONE, "(count (reduce (fn [l i] (cons i l)) nil (range ctx/n)))", N, LINEAR),
    Op("assoc, map", NONE, "(count (reduce (fn [m i] (assoc m i i)) {} (range ctx/n)))", N, LINEAR),
    Op("assoc, vector", NONE, "(count (reduce (fn [v i] (assoc v i 0)) (vec (range ctx/n)) (range ctx/n)))", N, LINEAR),
    Op("assoc, vector of ctx", VECTOR, "(count (reduce (fn [v i] (assoc v i 0)) ctx/data (range ctx/n)))", N, LINEAR),
    Op("dissoc", NONE, "(count (reduce dissoc (zipmap (range ctx/n) (range ctx/n)) (range ctx/n)))", ZERO, LINEAR),
    Op("dissoc, map of ctx", MAP, "(count (reduce dissoc ctx/data (range ctx/n)))", ZERO, TREE),
    Op("disj", NONE, "(count (reduce disj (set (range ctx/n)) (range ctx/n)))", ZERO, LINEAR),
    Op("update", NONE, "(count (reduce (fn [m i] (update m i (fnil inc 0))) {} (range ctx/n)))", N, LINEAR),
    Op("update, map of ctx", MAP, "(count (reduce (fn [m i] (update m i inc)) ctx/data (range ctx/n)))", N, TREE),
    Op("update with conj", NONE, "(count (:a (reduce (fn [m i] (update m :a (fnil conj []) i)) {} (range ctx/n))))", N, LINEAR),
    Op("into vector", VECTOR, "(count (into [] ctx/data))", N, LINEAR),
    Op("into list", VECTOR, "(count (into () ctx/data))", N, LINEAR),
    Op("into set", VECTOR, "(count (into #{} ctx/data))", N, LINEAR),
    Op("into map", PAIRS, "(count (into {} ctx/data))", N, LINEAR),
    Op("into sorted map", PAIRS, "(count (into (sorted-map) ctx/data))", N, TREE),
    Op("into with one, again and again", VECTOR, "(count (reduce (fn [v x] (into v [x])) [] ctx/data))", N, LINEAR),
    Op("into set with one, again and again", VECTOR, "(count (reduce (fn [v x] (into v [x])) #{} ctx/data))", N, LINEAR),
    Op("concat behind, in reduce", VECTOR, "(count (reduce (fn [acc x] (concat acc [x])) [] ctx/data))", N, LINEAR),
    Op("concat behind, in loop", VECTOR, "(loop [i 0 acc []] (if (< i ctx/n) (recur (inc i) (concat acc [i])) (count acc)))", N, LINEAR),
    Op("concat behind, in loop, kept", NONE, "(loop [i 0 acc [] old nil] (if (< i ctx/n) (recur (inc i) (concat acc [i]) acc) (count acc)))", N, LINEAR),
    Op("concat in front, in loop", VECTOR, "(loop [i 0 acc []] (if (< i ctx/n) (recur (inc i) (concat [i] acc)) (count acc)))", N, LINEAR),
    Op("concat behind ctx", VECTOR, "(reduce (fn [k x] (+ k (first (concat ctx/data [x])))) 0 ctx/data)", ZERO, LINEAR),
    Op("concat in front of ctx", VECTOR, "(reduce (fn [k x] (+ k (first (concat [x] ctx/data)))) 0 ctx/data)", SUM, LINEAR),
    Op("apply concat", PAIRS, "(count (apply concat ctx/data))", |n| 2 * n, LINEAR),
    Op("reduce concat", PAIRS, "(count (reduce concat ctx/data))", |n| 2 * n, LINEAR),
    Op("vec of concat, in loop", VECTOR, "(loop [i 0 acc []] (if (< i 100) (recur (inc i) (vec (concat acc (subvec ctx/data (quot (* i ctx/n) 100) (quot (* (inc i) ctx/n) 100))))) (count acc)))", N, LINEAR),
    Op("merge with one, in reduce", NONE, "(count (reduce (fn [m i] (merge m {i i})) {} (range ctx/n)))", N, LINEAR),
    Op("merge-with", NONE, "(count (reduce (fn [m i] (merge-with + m {(mod i 10) 1 (+ i 100) 1})) {} (range ctx/n)))", |n| n + 10, LINEAR),
    Op("apply merge", NONE, "(count (apply merge (map (fn [i] {i i}) (range ctx/n))))", N, LINEAR),
    // Sequences as a whole.
    Op("map", VECTOR, "(count (map inc ctx/data))", N, LINEAR),
    Op("mapv", VECTOR, "(count (mapv (fn [x] (* x 2)) ctx/data))", N, LINEAR),
    Op("map of two", VECTOR, "(count (map + ctx/data ctx/data))", N, LINEAR),
    Op("map-indexed", VECTOR, "(count (map-indexed vector ctx/data))", N, LINEAR),
    Op("filter", VECTOR, "(count (filter even? ctx/data))", HALF, LINEAR),
    Op("remove", VECTOR, "(count (remove even? ctx/data))", HALF, LINEAR),
    Op("keep", VECTOR, "(count (keep identity ctx/data))", N, LINEAR),
    Op("reduce", VECTOR, "(reduce + ctx/data)", SUM, LINEAR),
    Op("reductions", VECTOR, "(count (reductions + ctx/data))", N, LINEAR),
    Op("reductions conj", VECTOR, "(count (last (reductions conj [] (take 3000 ctx/data))))", |n| n.min(3000), LINEAR),
    Op("mapcat", VECTOR, "(count (mapcat (fn [x] [x x]) ctx/data))", |n| 2 * n, LINEAR),
    Op("take and drop", VECTOR, "(+ (count (take (quot ctx/n 2) ctx/data)) (count (drop (quot ctx/n 2) ctx/data)))", N, LINEAR),
    Op("take and drop, in loop", VECTOR, "(loop [s ctx/data k 0] (if (seq s) (recur (drop 10 s) (+ k (count (take 10 s)))) k))", N, LINEAR),
    Op("split-at, in loop", VECTOR, "(loop [s ctx/data k 0] (if (seq s) (let [[a b] (split-at 10 s)] (recur b (+ k (count a)))) k))", N, LINEAR),
    Op("take-while and drop-while, in loop", VECTOR, "(loop [s ctx/data k 0] (if (seq s) (let [t (quot (first s) 10) f (fn [x] (= t (quot x 10)))] (recur (drop-while f s) (+ k (count (take-while f s))))) k))", N, LINEAR),
    Op("split-with, in loop", VECTOR, "(loop [s ctx/data k 0] (if (seq s) (let [t (quot (first s) 10) [a b] (split-with (fn [x] (= t (quot x 10))) s)] (recur b (+ k (count a)))) k))", N, LINEAR),
    Op("filter of rest, in loop", VECTOR, "(loop [s (take 100 ctx/data) k 0] (if (seq s) (recur (filter even? (rest s)) (inc k)) k))", |n| if n < 100 { 5 } else { 50 }, LINEAR),
    Op("first of map, in loop", VECTOR, "(loop [s ctx/data k 0] (if (seq s) (recur (rest s) (+ k (first (map identity (take 1 s))))) k))", SUM, LINEAR),
    Op("partition", VECTOR, "(count (partition 2 ctx/data))", HALF, LINEAR),
    Op("partition, by steps of one", VECTOR, "(count (partition 2 1 ctx/data))", |n| n - 1, LINEAR),
    Op("partition-by", VECTOR, "(count (partition-by (fn [x] (quot x 2)) ctx/data))", HALF, LINEAR),
    Op("group-by", VECTOR, "(count (group-by (fn [x] (mod x 10)) ctx/data))", |_| 10, LINEAR),
    Op("group-by, each its own", VECTOR, "(count (group-by identity ctx/data))", N, LINEAR),
    Op("frequencies", VECTOR, "(count (frequencies ctx/data))", N, LINEAR),
    Op("sort", MIXED, "(nth (sort ctx/data) 7)", |_| 7, LINEAR),
    Op("sort, strings", WORDS, "(count (sort ctx/data))", N, LINEAR),
    Op("sort-by", MIXED, "(nth (sort-by - ctx/data) 7)", |n| n - 8, LINEAR),
    Op("sort-by with a comparator", MIXED, "(nth (sort-by identity > ctx/data) 7)", |n| n - 8, LINEAR),
    Op("sort, sorted already", VECTOR, "(nth (sort ctx/data) 7)", |_| 7, LINEAR),
    Op("distinct", VECTOR, "(count (distinct ctx/data))", N, LINEAR),
    Op("dedupe", VECTOR, "(count (dedupe ctx/data))", N, LINEAR),
    Op("interleave", VECTOR, "(count (interleave ctx/data ctx/data))", |n| 2 * n, LINEAR),
    Op("interpose", VECTOR, "(count (interpose 0 ctx/data))", |n| 2 * n - 1, LINEAR),
    Op("zipmap", VECTOR, "(count (zipmap ctx/data ctx/data))", N, LINEAR),
    Op("reverse", VECTOR, "(count (reverse ctx/data))", N, LINEAR),
    Op("flatten", NESTED, "(count (flatten ctx/data))", |n| 2 * n, LINEAR),
    Op("tree-seq", NESTED, "(count (tree-seq vector? seq ctx/data))", |n| 1 + 4 * n, LINEAR),
    Op("postwalk", NESTED, "(count (walk/postwalk identity ctx/data))", N, LINEAR),
    Op("some, to the end", VECTOR, "(if (some neg? ctx/data) 1 0)", ZERO, LINEAR),
    Op("apply +", VECTOR, "(apply + ctx/data)", SUM, LINEAR),
    Op("apply max-key", VECTOR, "(apply max-key identity ctx/data)", |n| n - 1, LINEAR),
    Op("for", VECTOR, "(count (for [x ctx/data :when (even? x) :let [y x]] y))", HALF, LINEAR),
    Op("for of for", VECTOR, "(count (for [x ctx/data y [1 2]] [x y]))", |n| 2 * n, LINEAR),
    Op("doseq and an atom", VECTOR, "(let [a (atom [])] (doseq [x ctx/data] (swap! a conj x)) (count @a))", N, LINEAR),
    Op("swap! of a map in an atom", VECTOR, "(let [a (atom {})] (doseq [x ctx/data] (swap! a assoc x 1)) (count @a))", N, TREE),
    Op("swap! update in an atom", VECTOR, "(let [a (atom {:v []})] (doseq [x ctx/data] (swap! a update :v conj x)) (count (:v @a)))", N, LINEAR),
    Op("memoize", VECTOR, "(let [f (memoize inc)] (reduce (fn [k x] (+ k (- (f x) x))) 0 ctx/data))", N, TREE),
    Op("pmap", VECTOR, "(count (pmap inc ctx/data))", N, LINEAR),
    Op("iterate and take", NONE, "(count (take ctx/n (iterate inc 0)))", N, LINEAR),
    Op("lazy-seq", NONE, "(do (defn from [i] (lazy-seq (cons i (from (inc i))))) (reduce + (take ctx/n (from 0))))", SUM, LINEAR),
    // Elements one at a time.
    Op("nth, vector", VECTOR, "(reduce (fn [k i] (+ k (nth ctx/data i))) 0 ctx/data)", SUM, LINEAR),
    Op("get, map", MAP, "(reduce (fn [k i] (+ k (get ctx/data i))) 0 (range ctx/n))", SUM, LINEAR),
    Op("get, map, random", MAP, "(reduce (fn [k i] (+ k (get ctx/data (mod (* i 7919) ctx/n)))) 0 (range ctx/n))", SUM, TREE),
    Op("contains?, set", SET, "(reduce (fn [k i] (if (contains? ctx/data i) (inc k) k)) 0 (range ctx/n))", N, LINEAR),
    Op("get, tree of versions", VECTOR, "(let [w (assoc ctx/data 0 0)] (reduce (fn [k i] (+ k (nth w i))) 0 ctx/data))", SUM, LINEAR),
    Op("nth, string", TEXT, "(loop [i 0 k 0] (if (< i ctx/n) (recur (inc i) (if (= \"a\" (nth ctx/data i)) (inc k) k)) k))", N, LINEAR),
    Op("get, string past ASCII", LETTERS, "(loop [i 0 k 0] (if (< i ctx/n) (recur (inc i) (if (= \"é\" (get ctx/data i)) (inc k) k)) k))", N, LINEAR),
    Op("subs, string", TEXT, "(loop [i 0 k 0] (if (< i ctx/n) (recur (inc i) (if (= \"a\" (subs ctx/data i (inc i))) (inc k) k)) k))", N, LINEAR),
    Op("subs, string past ASCII", LETTERS, "(loop [i 0 k 0] (if (< i ctx/n) (recur (inc i) (if (= \"é\" (subs ctx/data i (inc i))) (inc k) k)) k))", N, LINEAR),
    Op("charAt", TEXT, "(loop [i 0 k 0] (if (< i ctx/n) (recur (inc i) (if (= \"a\" (.charAt ctx/data i)) (inc k) k)) k))", N, LINEAR),
    Op("indexOf from", LINE, "(loop [i 0 k 0] (if-let [at (str/index-of ctx/data \"a\" i)] (recur (inc at) (inc k)) k))", N, LINEAR),
    Op("count, string in loop", TEXT, "(loop [i 0] (if (< i (count ctx/data)) (recur (inc i)) i))", N, LINEAR),
    Op("first and rest, string", TEXT, "(loop [s ctx/data k 0] (if (seq s) (recur (rest s) (if (= \"a\" (first s)) (inc k) k)) k))", N, LINEAR),
    Op("first and rest, list", LIST, "(loop [s ctx/data k 0] (if (seq s) (recur (rest s) (+ k (first s))) k))", SUM, LINEAR),
    Op("first and next, vector", VECTOR, "(loop [s ctx/data k 0] (if s (recur (next s) (+ k (first s))) k))", SUM, LINEAR),
    Op("first and next, consed list", NONE, "(loop [s (reduce (fn [l i] (cons i l)) nil (range ctx/n)) k 0] (if s (recur (next s) (+ k (first s))) k))", SUM, LINEAR),
    Op("first and next, map", MAP, "(loop [s (seq ctx/data) k 0] (if s (recur (next s) (+ k (val (first s)))) k))", SUM, LINEAR),
    Op("first and dissoc, map", NONE, "(loop [m (zipmap (range ctx/n) (range ctx/n)) k 0] (if (seq m) (recur (dissoc m (first (keys (take 1 m)))) (inc k)) k))", N, LINEAR),
    Op("first and disj, set", NONE, "(loop [s (set (range ctx/n)) k 0] (if-let [x (first s)] (recur (disj s x) (inc k)) k))", N, LINEAR),
    Op("first and disj, sorted set", NONE, "(loop [s (apply sorted-set (range ctx/n)) k 0] (if-let [x (first s)] (recur (disj s x) (inc k)) k))", N, TREE),
    Op("first and conj, set as a queue", NONE, "(loop [s (set (range ctx/n)) k 0] (if (< k ctx/n) (let [x (first s)] (recur (conj (disj s x) (+ x ctx/n)) (inc k))) (count s)))", N, LINEAR),
    Op("empty? and seq, map", MAP, "(reduce (fn [k i] (if (empty? ctx/data) k (if (seq ctx/data) (inc k) k))) 0 (range ctx/n))", N, LINEAR),
    Op("first of seq of map", MAP, "(reduce (fn [k i] (+ k (val (first ctx/data)) (key (first (seq ctx/data))))) 0 (range ctx/n))", ZERO, LINEAR),
    Op("first of keys", MAP, "(reduce (fn [k i] (+ k (first (keys ctx/data)) (first (vals ctx/data)))) 0 (range ctx/n))", ZERO, LINEAR),
    Op("seq of set", SET, "(reduce (fn [k i] (+ k (first (seq ctx/data)))) 0 (range ctx/n))", ZERO, LINEAR),
    Op("last, vector", VECTOR, "(reduce (fn [k i] (if (= (peek ctx/data) (dec ctx/n)) (inc k) k)) 0 (range ctx/n))", N, LINEAR),
    Op("subvec of the rest", VECTOR, "(loop [v ctx/data k 0] (if (seq v) (recur (subvec v 1) (inc k)) k))", N, LINEAR),
    Op("subvec, halves", VECTOR, "((fn total [v] (if (< (count v) 2) (count v) (let [h (quot (count v) 2)] (+ (total (subvec v 0 h)) (total (subvec v h)))))) ctx/data)", N, LINEAR),
    Op("vector as a queue", NONE, "(loop [q [0] i 1] (if (< i ctx/n) (recur (conj (subvec q (if (even? i) 1 0)) i) (inc i)) i))", N, TREE),
    Op("peek and pop, vector", NONE, "(loop [v (vec (range ctx/n)) k 0] (if (seq v) (recur (pop v) (+ k (peek v))) k))", SUM, LINEAR),
    Op("peek and pop, vector of ctx", VECTOR, "(loop [v ctx/data k 0] (if (seq v) (recur (pop v) (+ k (peek v))) k))", SUM, LINEAR),
    Op("peek and pop, list", LIST, "(loop [v ctx/data k 0] (if (seq v) (recur (pop v) (+ k (peek v))) k))", SUM, LINEAR),
    Op("butlast, a few times", VECTOR, "(loop [v ctx/data k 0] (if (< k 5) (recur (butlast v) (inc k)) (count v)))", |n| n - 5, LINEAR),
    Op("[x & more], vector", VECTOR, "(loop [[x & more] ctx/data k 0] (if x (recur more (+ k x)) k))", SUM, LINEAR),
    Op("[x & more], list", LIST, "(loop [s ctx/data k 0] (if (seq s) (let [[x & more] s] (recur more (+ k x))) k))", SUM, LINEAR),
    Op("[x y & more]", VECTOR, "(loop [[x y & more] ctx/data k 0] (if x (recur more (+ k x y)) k))", SUM, LINEAR),
    Op("keys of records", RECORDS, "(reduce (fn [k {:keys [id open]}] (if open (+ k id) (+ k id))) 0 ctx/data)", SUM, LINEAR),
    // Nested data.
    Op("get-in", RECORDS, "(reduce (fn [k i] (+ k (get-in ctx/data [i :id]))) 0 (range ctx/n))", SUM, LINEAR),
    Op("assoc-in, maps", NONE, "(count (reduce (fn [m i] (assoc-in m [:a i] i)) {} (range ctx/n)))", |_| 1, LINEAR),
    Op("assoc-in, many maps", NONE, "(count (reduce (fn [m i] (assoc-in m [(quot i 10) i] i)) {} (range ctx/n)))", |n| n / 10, LINEAR),
    Op("assoc-in, records of ctx", RECORDS, "(count (reduce (fn [v i] (assoc-in v [i :open] nil)) ctx/data (range ctx/n)))", N, TREE),
    Op("update-in, maps", NONE, "(count (:b (:a (reduce (fn [m i] (update-in m [:a :b] (fnil conj []) i)) {} (range ctx/n)))))", N, LINEAR),
    Op("update-in, vector in a map", NONE, "(count (:v (reduce (fn [m i] (update-in m [:v i] inc)) {:v (vec (range ctx/n))} (range ctx/n))))", N, TREE),
    Op("update-in, vector in a vector", NONE, "(count (get (reduce (fn [m i] (update-in m [0 i] inc)) [(vec (range ctx/n))] (range ctx/n)) 0))", N, TREE),
    Op("update, vector in a vector", NONE, "(count (get (reduce (fn [m i] (update m 0 conj i)) [[]] (range ctx/n)) 0))", N, TREE),
    // Sorted collections.
    Op("sorted-map, ascending", NONE, "(count (reduce (fn [m i] (assoc m i i)) (sorted-map) (range ctx/n)))", N, TREE),
    Op("sorted-map, descending", NONE, "(count (reduce (fn [m i] (assoc m (- i) i)) (sorted-map) (range ctx/n)))", N, TREE),
    Op("sorted-map, mixed", MIXED, "(count (reduce (fn [m i] (assoc m i i)) (sorted-map) ctx/data))", N, TREE),
    Op("sorted-map, towards the middle", NONE, "(count (reduce (fn [m i] (assoc m (if (even? i) i (- 10000000 i)) i)) (sorted-map) (range ctx/n)))", N, TREE),
    Op("sorted-map, above the least", NONE, "(count (reduce (fn [m i] (assoc m (- 10000000 i) i)) (sorted-map 0 0) (range ctx/n)))", |n| n + 1, TREE),
    Op("sorted-map-by", MIXED, "(count (reduce (fn [m i] (assoc m i i)) (sorted-map-by >) ctx/data))", N, TREE),
    Op("subseq", SORTED_MAP, "(reduce (fn [k i] (+ k (key (first (subseq ctx/data >= i))))) 0 (range (min 300 ctx/n)))", |n| n.min(300) * (n.min(300) - 1) / 2, TREE),
    // Maps and sets as a whole.
    Op("merge of two", TWO_MAPS, "(count (merge (ctx/data 0) (ctx/data 1)))", N, TREE),
    Op("select-keys", MAP, "(count (select-keys ctx/data (range ctx/n)))", N, TREE),
    Op("select-keys of one, of ctx", MAP, "(reduce (fn [k i] (+ k (count (select-keys ctx/data [i])))) 0 (range ctx/n))", N, TREE),
    Op("keys and vals", MAP, "(+ (count (keys ctx/data)) (count (vals ctx/data)))", |n| 2 * n, LINEAR),
    Op("map over a map", MAP, "(count (into {} (map (fn [[k v]] [k (inc v)]) ctx/data)))", N, TREE),
    Op("update-vals", MAP, "(count (update-vals ctx/data inc))", N, TREE),
    Op("reduce-kv", MAP, "(reduce-kv (fn [k _ v] (+ k v)) 0 ctx/data)", SUM, TREE),
    Op("set/union", TWO_SETS, "(count (set/union (ctx/data 0) (ctx/data 1)))", N, TREE),
    Op("set/union with one, in reduce", NONE, "(count (reduce (fn [s i] (set/union s #{i})) #{} (range ctx/n)))", N, LINEAR),
    Op("set/difference with one, in reduce", NONE, "(count (reduce (fn [s i] (set/difference s #{i})) (set (range ctx/n)) (range ctx/n)))", ZERO, LINEAR),
    Op("set/intersection", TWO_SETS, "(count (set/intersection (ctx/data 0) (ctx/data 1)))", N, TREE),
    Op("set/join", NONE, "(let [a (set (map (fn [i] {:a i :b i}) (range ctx/n))) b (set (map (fn [i] {:a i :c i}) (range ctx/n)))] (count (set/join a b)))", N, TREE),
    Op("= of vectors", TWO, "(if (= (ctx/data 0) (ctx/data 1)) 0 1)", ZERO, LINEAR),
    Op("= of maps", TWO_MAPS, "(if (= (ctx/data 0) (ctx/data 1)) 0 1)", ZERO, TREE),
    Op("= of sets", TWO_SETS, "(if (= (ctx/data 0) (ctx/data 1)) 0 1)", ZERO, TREE),
    Op("compare of vectors", TWO, "(compare (ctx/data 0) (ctx/data 1))", ZERO, LINEAR),
    Op("hash", VECTOR, "(do (hash ctx/data) 0)", ZERO, LINEAR),
    Op("hash, map", MAP, "(do (hash ctx/data) 0)", ZERO, LINEAR),
    // Text.
    Op("str/join", WORDS, "(if (< ctx/n (count (str/join \", \" ctx/data))) 0 1)", ZERO, LINEAR),
    Op("str/split", LINE, "(count (str/split ctx/data #\" \"))", N, LINEAR),
    Op("str/replace", LINE, "(count (str/replace ctx/data \"a\" \"b\"))", |n| 2 * n - 1, LINEAR),
    Op("re-seq", LINE, "(count (re-seq #\"a\" ctx/data))", N, LINEAR),
    Op("seq of a string", TEXT, "(count (seq ctx/data))", N, LINEAR),
    Op("apply str", WORDS, "(if (< ctx/n (count (apply str ctx/data))) 0 1)", ZERO, LINEAR),
    Op("str/reverse", TEXT, "(count (str/reverse ctx/data))", N, LINEAR),
    Op("pr-str", RECORDS, "(if (< ctx/n (count (pr-str ctx/data))) 0 1)", ZERO, LINEAR),
    Op("str, growing, in reduce", TEXT, "(count (reduce (fn [s i] (str s \"a\")) \"\" (range ctx/n)))", N, TREE),
    Op("JSON out", RECORDS, "(if (< ctx/n (count (json/write-str ctx/data))) 0 1)", ZERO, TREE),
    Op("JSON in", "(json/write-str (mapv (fn [i] {:id i :name (str \"n\" i)}) (range ctx/n)))", "(count (json/parse-string ctx/data))", N, TREE),
    Op("read-string", "(pr-str (mapv (fn [i] {:id i :name (str \"n\" i)}) (range ctx/n)))", "(count (read-string ctx/data))", N, TREE),
    // Versions that share.
    Op("each step shares the one before", NONE, "(count (peek (reduce (fn [acc x] (conj acc (conj (peek acc) x))) [[]] (range (min ctx/n 3000)))))", |n| n.min(3000), LINEAR),
    Op("old vector kept one step", NONE, "(count (first (reduce (fn [[v _] x] [(conj v x) v]) [[] nil] (range ctx/n))))", N, TREE),
    Op("old map kept one step", NONE, "(count (first (reduce (fn [[m _] x] [(assoc m x x) m]) [{} nil] (range ctx/n))))", N, TREE),
    Op("old set kept one step", NONE, "(count (first (reduce (fn [[m _] x] [(conj m x) m]) [#{} nil] (range ctx/n))))", N, TREE),
    Op("vector of ctx changed once, again and again", VECTOR, "(reduce (fn [k i] (+ k (nth (assoc ctx/data i 0) i))) 0 (range ctx/n))", ZERO, TREE),
    Op("conj on a vector of ctx, again and again", VECTOR, "(reduce (fn [k i] (+ k (peek (conj ctx/data i)))) 0 (range ctx/n))", SUM, TREE),
    Op("map of ctx changed once, again and again", MAP, "(reduce (fn [k i] (+ k (get (assoc ctx/data i 0) i))) 0 (range ctx/n))", ZERO, TREE),
    Op("merge into a map of ctx, again and again", MAP, "(reduce (fn [k i] (+ k (get (merge ctx/data {i 0}) i))) 0 (range ctx/n))", ZERO, TREE),
    Op("set of ctx changed once, again and again", SET, "(reduce (fn [k i] (+ k (count (disj ctx/data i)))) 0 (range ctx/n))", |n| n * (n - 1), TREE),
    Op("every version of a vector kept in an atom", NONE, "(let [old (atom ())] (reduce (fn [v x] (swap! old conj v) (conj v x)) [] (range (min ctx/n 3000))) (count @old))", |n| n.min(3000), TREE),
    Op("every version of a map kept in an atom", NONE, "(let [old (atom ())] (reduce (fn [m x] (swap! old conj m) (assoc m x x)) {} (range (min ctx/n 3000))) (count @old))", |n| n.min(3000), TREE),
    Op("every version of a list kept in an atom", NONE, "(let [old (atom ())] (reduce (fn [l x] (swap! old conj l) (conj l x)) () (range ctx/n)) (count @old))", N, TREE),
];
