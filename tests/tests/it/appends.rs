//! Tests of what is changed in place: texts that are appended to, and atoms.

use ptc_lisp::Limits;
use ptc_tests::{World, assert_no_problems, eval};

/// Ways to append `N` words, a word at a time.
const APPENDS: &[&str] = &[
    "(count (reduce str (repeat N \"word \")))",
    "(count (reduce str \"\" (repeat N \"word \")))",
    "(count (reduce (fn [text word] (str text word)) \"\" (repeat N \"word \")))",
    "(count (loop [text \"\" left N] (if (pos? left) (recur (str text \"word\" \" \") (dec left)) text)))",
    "(let [a (atom \"\")] (dotimes [_ N] (swap! a str \"word \")) (count @a))",
    "(let [a (atom \"\")] (dotimes [_ N] (swap! a (fn [text] (str text \"word \")))) (count @a))",
    "(count (:s (reduce (fn [m word] (update m :s str word)) {:s \"\"} (repeat N \"word \"))))",
    "(count (:s (reduce (fn [m word] (-> m (update :s str word) (update :n inc))) {:s \"\" :n 0} (repeat N \"word \"))))",
    "(let [a (atom {:s \"\"})] (dotimes [_ N] (swap! a update :s str \"word \")) (count (:s @a)))",
    "(let [a (atom \"\")] (dotimes [_ N] (reset! a (str @a \"word \"))) (count @a))",
    // Volatiles.
    "(let [v (volatile! \"\")] (dotimes [_ N] (vswap! v str \"word \")) (count @v))",
    "(let [v (volatile! \"\")] (dotimes [_ N] (vswap! v (fn [text] (str text \"word \")))) (count @v))",
    "(let [v (volatile! {:s \"\"})] (dotimes [_ N] (vswap! v update :s str \"word \")) (count (:s @v)))",
    "(let [v (volatile! \"\")] (dotimes [_ N] (vreset! v (str @v \"word \"))) (count @v))",
    // Transducers.
    "(count (transduce (map identity) str (repeat N \"word \")))",
    "(count (transduce (filter string?) (fn ([text] text) ([text word] (str text word))) \"\" (repeat N \"word \")))",
    "(count (transduce (map identity) (completing (fn [text word] (str text word))) \"\" (repeat N \"word \")))",
    "(count (:s (transduce (map identity) (completing (fn [m word] (update m :s str word))) {:s \"\"} (repeat N \"word \"))))",
    "(count (reduce (fn [text i] (transduce (map identity) str text (repeat 10 \"word \"))) \"\" (range (quot N 10))))",
    // Maps of maps.
    "(count (get-in (reduce (fn [m word] (update-in m [:a :s] str word)) {} (repeat N \"word \")) [:a :s]))",
    "(count (get-in (reduce (fn [m word] (update m :a update :s str word)) {} (repeat N \"word \")) [:a :s]))",
    "(count (get-in (reduce (fn [m word] (assoc-in m [:a :s] (str (get-in m [:a :s]) word))) {} (repeat N \"word \")) [:a :s]))",
    "(let [a (atom {})] (dotimes [_ N] (swap! a update-in [:a :s] str \"word \")) (count (get-in @a [:a :s])))",
    "(let [a (atom {})] (dotimes [_ N] (swap! a assoc-in [:a :s] (str (get-in @a [:a :s]) \"word \"))) (count (get-in @a [:a :s])))",
    // Maps of many entries.
    "(count (get (reduce (fn [m word] (update m 7 str word)) (zipmap (range 100) (repeat \"\")) (repeat N \"word \")) 7))",
    "(let [a (atom (zipmap (range 100) (repeat \"\")))] (dotimes [_ N] (swap! a update 7 str \"word \")) (count (get @a 7)))",
    "(count (apply str (vals (reduce (fn [m i] (update m (mod i 20) str \"word \")) {} (range N)))))",
    // Other functions, and collections between which a text moves.
    "(count (:s (reduce (fn [m word] (assoc m :s (str (:s m) word))) {} (repeat N \"word \"))))",
    "(count (:s (reduce (fn [m word] (merge m {:s (str (:s m) word)})) {} (repeat N \"word \"))))",
    "(count (:s (reduce (fn [{:keys [s n]} word] {:s (str s word) :n (inc n)}) {:s \"\" :n 0} (repeat N \"word \"))))",
    "(count (first (reduce (fn [[s n] word] [(str s word) (inc n)]) [\"\" 0] (repeat N \"word \"))))",
    "(count (peek (reduce (fn [v word] (conj (pop v) (str (peek v) word))) [1 \"\"] (repeat N \"word \"))))",
    "(count (get (reduce (fn [v word] (assoc v 1 (str (nth v 1) word))) [1 \"\"] (repeat N \"word \")) 1))",
    "(count (get (reduce (fn [v word] (update v 1 str word)) [1 \"\"] (repeat N \"word \")) 1))",
    "(count (:s (reduce (fn [m i] (reduce (fn [m word] (update m :s str word)) m (repeat 10 \"word \"))) {} (range (quot N 10)))))",
    "(count (reduce (fn [text word] (if (empty? text) word (str text word))) nil (repeat N \"word \")))",
    "(count (reduce (fn [text word] (if (= text \"\") word (str text word))) \"\" (repeat N \"word \")))",
    "(count (reduce (fn [text word] (if (string? text) (str text word) word)) nil (repeat N \"word \")))",
];

/// Ways that make a program one with lazy sequences, whose builtins look at their arguments first.
const LAZY: &str = "(do (first (lazy-seq [1])) PROGRAM)";

/// The price of a word does not depend on the length of the text. At the end the whole text is read once.
#[test]
fn a_word_costs_the_same_at_the_end_of_a_long_text() {
    let mut problems = Vec::new();
    let lazily = APPENDS.iter().map(|program| LAZY.replace("PROGRAM", program));
    for program in APPENDS.iter().map(|program| (*program).to_owned()).chain(lazily) {
        let [few, many] = [2_000, 20_000].map(|words: u64| {
            let ran = eval(&program.replace('N', &words.to_string()));
            if ran.shown != format!("=> {}", words * 5) {
                problems.push(format!("{program}\n  {}", ran.shown));
            }
            ran.fuel.saturating_sub(words * 5 / 256 * 2) / words
        });
        if many > few + 1 || many > 40 {
            problems.push(format!("{program}\n  {few} and {many} of fuel a word"));
        }
    }
    assert_no_problems(&problems);
}

/// Programs over `a`, a text of 300 characters, with their values.
const SHARED: &[(&str, &str)] = &[
    (
        "(let [b (str a \"b\") c (str a \"c\")] [(last-two b) (last-two c) (count a)])",
        "[\"ab\" \"ac\" 300]",
    ),
    (
        "(let [b (str a \"b\") c (str b \"c\") d (str b \"d\") e (str c \"e\")] (map last-two [a b c d e]))",
        "(\"aa\" \"ab\" \"bc\" \"bd\" \"ce\")",
    ),
    (
        "(let [all (reductions str a [\"b\" \"c\" \"d\"])] (map last-two all))",
        "(\"aa\" \"ab\" \"bc\" \"cd\")",
    ),
    (
        "(let [x (atom a)] (swap! x str \"b\") (let [b @x] (swap! x str \"c\") (map last-two [a b @x])))",
        "(\"aa\" \"ab\" \"bc\")",
    ),
    (
        "(let [m (update {:s a} :s str \"b\") n (update m :s str \"c\") o (update m :s str \"d\")] (map (comp last-two :s) [m n o]))",
        "(\"ab\" \"bc\" \"bd\")",
    ),
    (
        "(let [x (atom {:s a :n 1})] (swap! x update :s str \"b\") (let [m @x] (swap! x update :s str \"c\") (map (comp last-two :s) [m @x])))",
        "(\"ab\" \"bc\")",
    ),
    (
        "(let [b (str a \"b\") f (fn [] (last-two b))] (str b \"c\") [(f) (last-two (str b \"d\"))])",
        "[\"ab\" \"bd\"]",
    ),
    ("(map last-two (pmap (fn [x] (str (str a \"b\") x)) [1 2 3]))", "(\"b1\" \"b2\" \"b3\")"),
    (
        "(let [b (str a \"b\")] (map last-two (pmap (fn [x] (str b x)) [1 2 3])))",
        "(\"b1\" \"b2\" \"b3\")",
    ),
    (
        "(let [b (str a \"b\")] [(= b (str a \"b\")) (= (hash b) (hash (str a \"b\"))) (compare b (str a \"c\")) (get {b 1} (str a \"b\"))])",
        "[true true -1 1]",
    ),
    (
        "(let [b (str a \"b\")] [(string? b) (type b) (case b \"x\" 1 2) (b? b) (identical? b b) (subs b 299) (seq? (seq b)) (:k b) (get b 300)])",
        "[true java.lang.String 2 true true \"ab\" true nil \"b\"]",
    ),
    ("(let [b (str a \"b\") m {:s b b 1}] [(get m b) (count (:s m))])", "[1 301]"),
    (
        "(let [b (str a \"b\")] [(count (first [b])) (contains? #{b} (str a \"b\")) (count (val (first {1 b}))) (count (name (keyword b)))])",
        "[301 true 301 301]",
    ),
    (
        "(let [m (update {:s a} :s str \"b\")] [(= m {:s (str a \"b\")}) (count m) (keys m) (contains? m :s) (count (first (vals m)))])",
        "[true 1 (:s) true 301]",
    ),
    (
        "(let [m (update {:s a} :s str \"b\")] [(count (:s (assoc m :t 1))) (count (:s (first [m]))) (count (:s (:m {:m m})))])",
        "[301 301 301]",
    ),
    (
        "(let [m (update-in {:x {:s a}} [:x :s] str \"b\") n (update-in m [:x :s] str \"c\") o (assoc-in m [:x :s] (str (get-in m [:x :s]) \"d\"))] (map (comp last-two :s :x) [m n o]))",
        "(\"ab\" \"bc\" \"bd\")",
    ),
    (
        "(let [v [(str a \"b\") 1] w (update v 0 str \"c\") x (conj (pop v) (str (first v) \"d\"))] [(last-two (first v)) (last-two (first w)) (last-two (peek x))])",
        "[\"ab\" \"bc\" \"bd\"]",
    ),
    (
        "(let [m {:v [(str a \"b\")] :n 1}] [(= m {:v [(str a \"b\")] :n 1}) (= m {:v [a] :n 1}) (= (hash m) (hash {:v [(str a \"b\")] :n 1})) (count (pr-str m)) (get {m 1} {:v [(str a \"b\")] :n 1})])",
        "[true false true 316 1]",
    ),
    (
        "(let [m {:v [(str a \"b\")]}] [(map count (:v m)) (get-in m [:v 0 300]) (select-keys m [:n]) (count (first (:v (dissoc m :n)))) (mapv last-two (first (vals m)))])",
        "[(301) \"b\" {} 301 [\"ab\"]]",
    ),
    (
        "(let [b (str a \"b\") m (assoc {} b 1 :k b)] [(get m b) (first (keys m)) (contains? m b) (str/ends-with? (val (find m :k)) \"ab\")])",
        "[1 \"KEY\" true true]",
    ),
    (
        "(let [b (str a \"b\")] [(empty? b) (string? b) (some? b) (nil? b) (= b nil) (= b \"\") (not= b a) (= b [b]) (every? string? [b a]) (filter string? [b])])",
        "[false true true false false false true false true (\"KEY\")]",
    ),
    (
        "(let [b (str a \"b\")] (pos? b))",
        "! wrong-type `pos?` expects numbers, its first argument is a string \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…",
    ),
    (
        "(let [b (conj [] (str a \"b\"))] [(apply str (map count (into #{} b))) (sort b) (set b)])",
        "[\"301\" (\"KEY\") #{\"KEY\"}]",
    ),
    ("(let [[x y] (str a \"b\")] [x y])", "[\"a\" \"a\"]"),
    ("(count (vec (str a \"b\")))", "301"),
    ("(count (tool/echo {:v (str a \"b\")}))", "301"),
    ("(count (:s (tool/echo {:v (update {:s a} :s str \"b\")})))", "301"),
    ("(do (def kept (str a \"b\")) (count kept))", "301"),
    ("(do (memory/put :s (str a \"b\")) (count memory/s))", "301"),
    ("(count (:s (do (memory/put :m (update {:s a} :s str \"b\")) memory/m)))", "301"),
    (
        "(+ (str a \"b\") 1)",
        "! wrong-type `+` expects numbers, its first argument is a string \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…",
    ),
];

/// A text that grew is a text like others, and nobody who holds it sees what others append.
#[test]
fn no_holder_of_a_text_sees_what_another_appends() {
    let mut problems = Vec::new();
    for (program, expected) in SHARED {
        let source = format!(
            "(defn last-two [text] (subs text (- (count text) 2))) (defn b? [text] (str/ends-with? text \"b\"))
             (let [a (apply str (repeat 300 \"a\"))] {program})"
        );
        let shown = World::new("{}", Limits::default()).run(&source).shown;
        let shown = shown.replace(&format!("{}b", "a".repeat(300)), "KEY");
        if shown.trim_start_matches("=> ") != *expected {
            problems.push(format!("{program}\n  {shown}"));
        }
    }
    assert_no_problems(&problems);
}

/// Programs that change an atom by a function of their own, with their values. Where something may see the old value, the
/// function gets a copy.
const SWAPS: &[(&str, &str)] = &[
    ("(let [a (atom {:n 1})] (swap! a (fn [m] (update m :n inc))) @a)", "{:n 2}"),
    ("(let [a (atom {:n 1})] (swap! a (fn [m] (assoc m :k (:n @a)))) @a)", "{:n 1, :k 1}"),
    (
        "(let [a (atom {:n 1}) f (fn [] (:n @a))] (swap! a (fn [m] (assoc m :k (f)))) @a)",
        "{:n 1, :k 1}",
    ),
    (
        "(let [a (atom {:n 1}) old @a] (swap! a (fn [m] (assoc m :k 2))) [old @a])",
        "[{:n 1} {:n 1, :k 2}]",
    ),
    (
        "(let [a (atom {:n 1})] [(try (swap! a (fn [m] (assoc m :k (/ (:n m) 0)))) (catch Exception e :no)) @a])",
        "[:no {:n 1}]",
    ),
    (
        "(let [a (atom {:n 1})] [(if-error (swap! a (fn [m] (assoc m :k (/ (:n m) 0)))) :no) @a])",
        "[:no {:n 1}]",
    ),
    (
        "(let [a (atom {:n 1}) d (delay (swap! a (fn [m] (assoc m :k (/ (:n m) 0)))))] [(if-error @d :no) @a])",
        "[:no {:n 1}]",
    ),
    (
        "(let [a (atom {:n 1})] (try (swap! a (fn [m] (/ (:n m) 0))) (catch Exception e) (finally (println @a))) @a)",
        "{:n 1}",
    ),
    (
        "(let [a (atom {:n 1})] (swap! a (fn [m] (tool/echo {:v 1}) (assoc m :k (:n @a)))) @a)",
        "{:n 1, :k 1}",
    ),
    (
        "(let [v (volatile! {:n 1})] [(vswap! v (fn [m] (assoc m :k (:n @v)))) @v])",
        "[{:n 1, :k 1} {:n 1, :k 1}]",
    ),
    (
        "(let [v (volatile! {:n 1})] [(try (vswap! v (fn [m] (assoc m :k (/ (:n m) 0)))) (catch Exception e :no)) @v])",
        "[:no {:n 1}]",
    ),
    // A volatile takes the result, and an atom tries again.
    (
        "(let [v (volatile! 1) a (atom 1) f (fn [c] (fn [n] (when (< n 3) (c 5)) (inc n)))] [(vswap! v (f (fn [n] (vreset! v n)))) @v (swap! a (f (fn [n] (reset! a n)))) @a])",
        "[2 2 6 6]",
    ),
    (
        "(let [v (volatile! {:n 1})] [(vswap! v update :n (fn [n] (vreset! v {:n 5 :k 1}) (inc n))) @v])",
        "[{:n 2} {:n 2}]",
    ),
    ("(let [a (atom 0)] (pmap (fn [i] (swap! a (fn [n] (+ n i)))) [1 2 3]) @a)", "6"),
    (
        "(let [a (atom {:n 1})] (swap! a (fn [m] (reduce (fn [m k] (assoc m k 1)) m [:x :y]))) @a)",
        "{:n 1, :x 1, :y 1}",
    ),
];

#[test]
fn a_swap_changes_in_place_what_nothing_else_can_see() {
    let mut problems = Vec::new();
    for (program, expected) in SWAPS {
        let shown = eval(program).shown;
        if shown.trim_start_matches("=> ") != *expected {
            problems.push(format!("{program}\n  {shown}"));
        }
    }
    assert_no_problems(&problems);
}
