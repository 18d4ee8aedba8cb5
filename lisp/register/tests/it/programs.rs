//! The programs of the spike: groups of spellings of the same work.

/// A program: its group, its spelling, its source, and the number of its turns.
pub(crate) struct Program {
    pub(crate) group: &'static str,
    pub(crate) spelling: &'static str,
    pub(crate) source: String,
    pub(crate) turns: u64,
}

/// A group: its name, its turns, and its spellings, each with a name and a source.
type Group = (&'static str, u64, &'static [(&'static str, &'static str)]);

const GROUPS: &[Group] = &[
    (
        "fib",
        57_313,
        &[
            ("defn, if", "(defn fib [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))) (fib 22)"),
            (
                "let",
                "(defn fib [n] (if (< n 2) n (let [a (fib (- n 1)) b (fib (- n 2))] (+ a b)))) (fib 22)",
            ),
            (
                "let before",
                "(defn fib [n] (let [a (- n 1) b (- n 2)] (if (< n 2) n (+ (fib a) (fib b))))) (fib 22)",
            ),
            (
                "letfn",
                "(letfn [(fib [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))] (fib 22))",
            ),
            ("case", "(defn fib [n] (case n 0 0 1 1 (+ (fib (- n 1)) (fib (- n 2))))) (fib 22)"),
            (
                "cond",
                "(defn fib [n] (cond (= n 0) 0 (= n 1) 1 :else (+ (fib (- n 1)) (fib (- n 2))))) (fib 22)",
            ),
            (
                "captured",
                "(let [two 2] (letfn [(fib [n] (if (< n two) n (+ (fib (- n 1)) (fib (- n two)))))] (fib 22)))",
            ),
        ],
    ),
    (
        "turns",
        1_000_000,
        &[
            ("<, inc", "(loop [i 0 acc 0] (if (< i 1000000) (recur (inc i) (+ acc i)) acc))"),
            ("pos?, dec", "(loop [i 1000000 acc 0] (if (pos? i) (recur (dec i) (+ acc i)) acc))"),
            ("zero?", "(loop [i 1000000 acc 0] (if (zero? i) acc (recur (dec i) (+ acc i))))"),
            (
                "recur in let",
                "(loop [i 0 acc 0] (if (< i 1000000) (let [j (inc i)] (recur j (+ acc i))) acc))",
            ),
            ("floats", "(loop [i 0 acc 0.0] (if (< i 1000000) (recur (inc i) (+ acc 1.5)) acc))"),
            (
                "all floats",
                "(loop [i 0.0 acc 0.0] (if (< i 1000000.0) (recur (+ i 1.0) (+ acc i)) acc))",
            ),
        ],
    ),
    (
        "turns with a test",
        1_000_000,
        &[
            (
                "if in tail",
                "(loop [i 0 acc 0] (if (< i 1000000) (if (< i 500000) (recur (inc i) (+ acc i)) (recur (inc i) acc)) acc))",
            ),
            (
                "if in recur",
                "(loop [i 0 acc 0] (if (< i 1000000) (recur (inc i) (if (< i 500000) (+ acc i) acc)) acc))",
            ),
            (
                "even? in recur",
                "(loop [i 0 acc 0] (if (< i 1000000) (recur (inc i) (if (even? i) (+ acc i) acc)) acc))",
            ),
            (
                "rem, = in recur",
                "(loop [i 0 acc 0] (if (< i 1000000) (recur (inc i) (if (= (rem i 2) 0) (+ acc i) acc)) acc))",
            ),
        ],
    ),
    (
        "turns with a call",
        300_000,
        &[
            (
                "defn",
                "(defn f [a x] (+ a x)) (loop [i 0 acc 0] (if (< i 300000) (recur (inc i) (f acc i)) acc))",
            ),
            (
                "let before",
                "(defn f [a x] (let [y (+ a x)] y)) (loop [i 0 acc 0] (if (< i 300000) (recur (inc i) (f acc i)) acc))",
            ),
            (
                "captured",
                "(let [k 0 f (fn [a x] (+ a x k))] (loop [i 0 acc 0] (if (< i 300000) (recur (inc i) (f acc i)) acc)))",
            ),
        ],
    ),
    (
        "items of a vector",
        300_000,
        &[
            (
                "nth",
                "(let [v [1 2 3]] (loop [i 0 acc 0] (if (< i 300000) (recur (inc i) (+ acc (nth v (rem i 3)))) acc)))",
            ),
            (
                "get",
                "(let [v [1 2 3]] (loop [i 0 acc 0] (if (< i 300000) (recur (inc i) (+ acc (get v (rem i 3)))) acc)))",
            ),
            (
                "call",
                "(let [v [1 2 3]] (loop [i 0 acc 0] (if (< i 300000) (recur (inc i) (+ acc (v (rem i 3)))) acc)))",
            ),
        ],
    ),
    (
        "map of numbers",
        10_000,
        &[
            ("defn", "(defn f [x] (* x 2)) (count (map f ctx/numbers))"),
            ("fn", "(count (map (fn [x] (* x 2)) ctx/numbers))"),
            ("let", "(count (map (fn [x] (let [y (* x 2)] y)) ctx/numbers))"),
            ("if", "(count (map (fn [x] (if (< x 5000) (* x 2) x)) ctx/numbers))"),
            ("captured", "(let [k 2] (count (map (fn [x] (* x k)) ctx/numbers)))"),
            (
                "defn that calls",
                "(defn g [x] (* x 2)) (defn f [x] (g (g x))) (count (map f ctx/numbers))",
            ),
        ],
    ),
    (
        "sum",
        10_000,
        &[
            ("reduce fn", "(reduce (fn [a x] (+ a x)) 0 ctx/numbers)"),
            ("reduce +", "(reduce + 0 ctx/numbers)"),
            ("reduce fn, let", "(reduce (fn [a x] (let [b (+ a x)] b)) 0 ctx/numbers)"),
            ("reduce fn, if", "(reduce (fn [a x] (if (< x 5000) (+ a x) a)) 0 ctx/numbers)"),
            (
                "[x & more]",
                "(loop [[x & more] ctx/numbers acc 0] (if x (recur more (+ acc x)) acc))",
            ),
            (
                "first, rest",
                "(loop [xs ctx/numbers acc 0] (if (seq xs) (recur (rest xs) (+ acc (first xs))) acc))",
            ),
        ],
    ),
    (
        "counts",
        10_000,
        &[
            ("frequencies", "(frequencies (map :g ctx/rows))"),
            ("update, fnil", "(reduce (fn [m r] (update m (:g r) (fnil inc 0))) {} ctx/rows)"),
            (
                "update, fnil before",
                "(let [f (fnil inc 0)] (reduce (fn [m r] (update m (:g r) f)) {} ctx/rows))",
            ),
            (
                "assoc, or",
                "(reduce (fn [m r] (assoc m (:g r) (inc (or (m (:g r)) 0)))) {} ctx/rows)",
            ),
            (
                "assoc, get",
                "(reduce (fn [m r] (assoc m (:g r) (inc (get m (:g r) 0)))) {} ctx/rows)",
            ),
        ],
    ),
    (
        "sort of rows",
        2_000,
        &[
            ("sort-by", "(count (sort-by :n ctx/few))"),
            ("sort, compare", "(count (sort (fn [a b] (compare (:n a) (:n b))) ctx/few))"),
            ("sort, <", "(count (sort (fn [a b] (< (:n a) (:n b))) ctx/few))"),
        ],
    ),
    (
        "patterns",
        10_000,
        &[
            ("nth", "(count (map (fn [p] (+ (nth p 0) (nth p 1) (nth p 2))) ctx/triples))"),
            ("[a b c]", "(count (map (fn [[a b c]] (+ a b c)) ctx/triples))"),
            ("reduce [a b c]", "(reduce (fn [s [a b c]] (+ s a b c)) 0 ctx/triples)"),
        ],
    ),
    (
        "fields",
        10_000,
        &[
            (":n", "(count (map (fn [r] (+ (:n r) (:m r))) ctx/rows))"),
            ("{:keys}", "(count (map (fn [{:keys [n m]}] (+ n m)) ctx/rows))"),
            ("get", "(count (map (fn [r] (+ (get r :n) (get r :m))) ctx/rows))"),
        ],
    ),
    (
        "tool calls",
        1_000,
        &[
            (
                "loop",
                "(loop [i 0 acc 0] (if (< i 1000) (recur (inc i) (+ acc (tool/get {:id i}))) acc))",
            ),
            (
                "let in loop",
                "(loop [i 0 acc 0] (if (< i 1000) (let [x (tool/get {:id i})] (recur (inc i) (+ acc x))) acc))",
            ),
            ("map", "(count (map (fn [i] (tool/get {:id i})) ctx/thousand))"),
            ("reduce", "(reduce (fn [a i] (+ a (tool/get {:id i}))) 0 ctx/thousand)"),
        ],
    ),
];

/// Returns all programs.
pub(crate) fn programs() -> Vec<Program> {
    let mut all = Vec::new();
    for (group, turns, spellings) in GROUPS {
        for (spelling, source) in *spellings {
            all.push(Program { group, spelling, source: (*source).to_owned(), turns: *turns });
        }
    }
    all
}

/// Returns the data of the programs, as JSON.
pub(crate) fn data() -> String {
    let list = |count: i64, item: &dyn Fn(i64) -> String| {
        (0..count).map(item).collect::<Vec<_>>().join(",")
    };
    format!(
        r#"{{"numbers":[{}],"thousand":[{}],"rows":[{}],"few":[{}],"triples":[{}]}}"#,
        list(10_000, &|at| at.to_string()),
        list(1_000, &|at| at.to_string()),
        list(10_000, &|at| format!(r#"{{"g":"g{}","n":{at},"m":2}}"#, at * 7 % 13)),
        list(2_000, &|at| format!(r#"{{"n":{},"m":2}}"#, at * 7_919 % 2_003)),
        list(10_000, &|at| format!("[{at},2,3]")),
    )
}
