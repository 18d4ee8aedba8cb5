//! Large collections share structure, and answer as small ones do.

use ptc_lisp::Limits;
use ptc_tests::World;

/// Programs over `ctx/v`, the numbers below 300, and `ctx/m`, which maps the text of each number to
/// it.
const PROGRAMS: &[(&str, &str)] = &[
    // Parts of vectors.
    (
        "(let [p (subvec ctx/v 100 250)] [(count p) (p 0) (peek p) (nth p 149)])",
        "[150 100 249 249]",
    ),
    ("(let [p (subvec (subvec ctx/v 50) 50 200)] [(count p) (first p) (last p)])", "[150 100 249]"),
    (
        "(let [p (subvec ctx/v 100 250) q (conj p :x)] [(count p) (peek p) (count q) (peek q) (q 149)])",
        "[150 249 151 :x 249]",
    ),
    ("(let [p (subvec ctx/v 100 250)] [(peek (pop p)) ((assoc p 0 :y) 0) (p 0)])", "[248 :y 100]"),
    ("(let [p (subvec ctx/v 10)] (= p (vec (drop 10 ctx/v))))", "true"),
    (
        "(loop [q [] i 0] (if (< i 500) (recur (conj (if (< (count q) 100) q (subvec q 1)) i) (inc i)) [(count q) (first q) (peek q)]))",
        "[100 400 499]",
    ),
    // Versions of one vector, map and set.
    (
        "(let [a (assoc ctx/v 7 :a) b (assoc ctx/v 7 :b) c (conj a :c)] [(a 7) (b 7) (ctx/v 7) (peek c) (count a)])",
        "[:a :b 7 :c 300]",
    ),
    (
        "(let [a (assoc ctx/m \"7\" :a) b (dissoc ctx/m \"7\") c (assoc a :new 1)] [(a \"7\") (get b \"7\") (ctx/m \"7\") (count b) (count c) (count a)])",
        "[:a nil 7 299 301 300]",
    ),
    (
        "(let [s (set ctx/v) a (disj s 7) b (conj s :b)] [(contains? s 7) (contains? a 7) (count a) (count b) (count s)])",
        "[true false 299 301 300]",
    ),
    (
        "(let [v (vec (range 100)) w (conj v :w) v (conj v :v) u (assoc v 0 :u)] [(peek w) (peek v) (v 0) (u 0)])",
        "[:w :v 0 :u]",
    ),
    (
        "(let [m (zipmap (range 100) (range 100)) n (assoc m 0 :n) m (update m 0 inc) o (dissoc m 0)] [(n 0) (m 0) (count o)])",
        "[:n 1 99]",
    ),
    // Sequences that grow at either end.
    (
        "(loop [s ctx/v i 0] (if (< i 100) (recur (concat s [i]) (inc i)) [(count s) (first s) (last s)]))",
        "[400 0 99]",
    ),
    (
        "(loop [s ctx/v i 0] (if (< i 100) (recur (concat [i] s) (inc i)) [(count s) (first s) (nth s 100) (last s)]))",
        "[400 99 0 299]",
    ),
    (
        "(loop [s (map inc ctx/v) i 0] (if (< i 900) (recur (concat (rest s) [i]) (inc i)) [(count s) (first s) (last s)]))",
        "[300 600 899]",
    ),
    (
        "(let [s (map inc ctx/v) a (concat s [:a]) b (concat s [:b :c]) c (concat [:d] s)] [(last a) (last b) (first c) (count s) (count a) (count b) (count c)])",
        "[:a :c :d 300 301 302 301]",
    ),
    (
        "(let [l (apply list ctx/v)] [(list? l) (list? (concat l [1])) (list? (concat l))])",
        "[true false false]",
    ),
    ("(= (concat ctx/v nil (seq ctx/v) []) (into ctx/v ctx/v))", "true"),
    // Rows of tables.
    (
        "(let [s (seq ctx/m)] [(first s) (count s) (first (rest s)) (second s) (nth s 299) (count (next s))])",
        "[[\"0\" 0] 300 [\"1\" 1] [\"1\" 1] [\"299\" 299] 299]",
    ),
    (
        "(let [k (keys ctx/m) v (vals ctx/m)] [(first k) (last v) (count k) (reduce + v) (= (zipmap k v) ctx/m)])",
        "[\"0\" 299 300 44850 true]",
    ),
    (
        "(let [m (into {} ctx/m) s (seq m) m (dissoc m \"0\")] [(first s) (first m) (count s)])",
        "[[\"0\" 0] [\"1\" 1] 300]",
    ),
    ("(loop [m ctx/m k 0] (if (seq m) (recur (dissoc m (key (first m))) (inc k)) k))", "300"),
    (
        "(loop [s (set ctx/v) all []] (if-let [x (first s)] (recur (disj s x) (conj all x)) (= all ctx/v)))",
        "true",
    ),
    // Walks that end early.
    ("(let [[a b] (split-at 250 ctx/v)] [(count a) (first b) (count b)])", "[250 250 50]"),
    (
        "[(first (drop-while #(< % 200) ctx/v)) (count (drop-while #(< % 200) ctx/v)) (drop-while #(< % 900) ctx/v)]",
        "[200 100 ()]",
    ),
    ("(map count (split-with #(< % 200) (apply list ctx/v)))", "(200 100)"),
    (
        "(let [l (reduce conj () ctx/v)] (map (juxt count first) (split-with #(> % 200) l)))",
        "([99 299] [201 200])",
    ),
    // Positions in long texts.
    (
        "(let [s (str/join (repeat 200 \"aé€𝄞\"))] [(count s) (nth s 3) (get s 798) (subs s 397 402) (str/index-of s \"é\" 399) (get s 800) (.indexOf s \"€\" 700) (.length s)])",
        "[800 \"𝄞\" \"€\" \"é€𝄞aé\" 401 nil 702 800]",
    ),
    (
        "(let [s (str/join (repeat 300 \"ab\"))] [(nth s 599) (subs s 598) (str/index-of s \"a\" 599) (str/index-of s \"\" 600) (str/index-of s \"\" 601)])",
        "[\"b\" \"ab\" nil 600 nil]",
    ),
    // Sorted maps with many keys between two.
    (
        "(let [m (reduce (fn [m i] (assoc m (if (even? i) i (- 9999 i)) i)) (sorted-map) (range 1000))] [(count m) (= (keys m) (sort (keys m))) (first m)])",
        "[1000 true [0 0]]",
    ),
    (
        "(let [m (reduce (fn [m i] (assoc m (- 9999 i) i)) (sorted-map 0 0) (range 1000))] [(count m) (= (keys m) (sort (keys m)))])",
        "[1001 true]",
    ),
    (
        "(let [m (reduce (fn [m i] (assoc m (- i) i)) (sorted-map 5 5) (range 500))] (= (keys m) (sort (keys m))))",
        "true",
    ),
    // Difference and union.
    (
        "(let [s (set ctx/v) t (set/difference s #{1 2 :x})] [(count s) (count t) (first t) (second t)])",
        "[300 298 0 3]",
    ),
    (
        "(let [m (merge-with + ctx/m {\"1\" 10 :new 1} {\"1\" 100})] [(m \"1\") (m :new) (count m) (ctx/m \"1\")])",
        "[111 1 301 1]",
    ),
    ("(let [m (merge ctx/m (zipmap ctx/v ctx/v))] [(count m) (count ctx/m)])", "[600 300]"),
];

#[test]
fn large_collections_answer_as_small_ones_do() {
    let numbers: Vec<String> = (0..300).map(|number| number.to_string()).collect();
    let rows: Vec<String> = (0..300).map(|number| format!("\"{number}\": {number}")).collect();
    let ctx = format!("{{\"v\": [{}], \"m\": {{{}}}}}", numbers.join(","), rows.join(","));
    let mut problems = Vec::new();
    for (program, expected) in PROGRAMS {
        let mut world = World::without_tools(&ctx, Limits::default());
        // The second run finds the data in the form that the first one left.
        for round in ["first", "second"] {
            let shown = world.run(program).shown;
            if shown != format!("=> {expected}") {
                problems.push(format!("{program}\n{round}: {shown}\nexpected => {expected}"));
            }
        }
    }
    ptc_tests::assert_no_problems(&problems);
}
