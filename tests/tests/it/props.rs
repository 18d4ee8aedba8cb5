//! Properties of all values and all texts.

use proptest::prelude::*;
use ptc_lisp::{Limits, Value, json, print};
use ptc_tests::laws::{self, Law};
use ptc_tests::{World, one_in};

/// Generates values that read back as themselves.
fn readable() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Nil),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_filter("equals itself", |float| !float.is_nan()).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[a-zé][a-z0-9.?!*-]{0,8}(/[a-z]{1,4})?".prop_map(Value::keyword),
        "[\\PC]{0,20}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::vector),
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::list),
            prop::collection::vec((inner.clone(), inner.clone()), 0..8).prop_map(Value::map),
            prop::collection::vec(inner, 0..8).prop_map(Value::set),
        ]
    })
}

/// Generates values that survive a round trip through JSON.
fn plain() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Nil),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_filter("is finite", |float| float.is_finite()).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::vector),
            prop::collection::vec((any::<String>().prop_map(Value::from), inner), 0..8)
                .prop_map(Value::map),
        ]
    })
}

/// Generates pairs of values that are often equal. The second is the first with other spellings of
/// numbers and names, or a different value.
fn pairs() -> impl Strategy<Value = (Value, Value)> {
    let name = || prop::sample::select(&["a", "b", "a/b", ""][..]);
    let name = prop_oneof![name().prop_map(Value::from), name().prop_map(keyword)];
    prop_oneof![
        (name.clone(), name),
        (readable(), any::<u64>()).prop_map(|(value, bits)| {
            let other = respelled(&value, &mut bits.clone());
            (value, other)
        }),
        (readable(), readable()),
    ]
}

/// Returns the keyword of a text if it can be written, and otherwise the text.
fn keyword(text: &str) -> Value {
    let is_plain = |c: char| c.is_ascii_lowercase() || c == '/';
    let is_name = text.starts_with(|c: char| c.is_ascii_lowercase()) && !text.ends_with('/');
    if is_name && text.chars().all(is_plain) { Value::keyword(text) } else { Value::from(text) }
}

fn respelled(value: &Value, bits: &mut u64) -> Value {
    *bits = bits.rotate_left(1);
    let changes = *bits & 1 == 1;
    match value {
        Value::Str(text) if changes => keyword(text),
        Value::Keyword(text) if changes => Value::from(text.as_str()),
        Value::Int(int) if changes && int.abs() < 1 << 50 => Value::from(*int as f64),
        Value::Map(map) => {
            let rows = map.iter();
            let mut other = |it: &Value| respelled(it, bits);
            Value::map(rows.map(|(key, it)| (other(key), other(it))).collect::<Vec<_>>())
        }
        Value::Set(set) => Value::set(set.iter().map(|it| respelled(it, bits)).collect::<Vec<_>>()),
        Value::Vector(_) | Value::List(_) => {
            let items = value.items().into_iter().flatten();
            let items: Vec<Value> = items.map(|it| respelled(it, bits)).collect();
            if changes { Value::list(items) } else { Value::vector(items) }
        }
        other => other.clone(),
    }
}

/// Converts the outcome of a law for proptest.
fn holds(law: Law) -> Result<(), TestCaseError> {
    law.map_err(TestCaseError::fail)
}

/// Found by fuzzing: a value may nest deeper than a source may.
#[test]
fn deep_values_print_and_read() {
    let mut bytes = vec![b'1'];
    bytes.resize(700, b'-');
    let value = laws::value_from(&bytes);
    assert!(value.to_string().contains(&"#{".repeat(500)));
    assert_eq!(laws::prints_and_reads(&value), Ok(()));
}

/// Keys of objects, some of them equal and with escapes.
const KEYS: [&str; 7] =
    ["\"a\"", "\"b\"", "\"ab\"", "\"\\u0061\"", "\"\\u0062\"", "\"\"", "\"long_key_name\""];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300 / one_in(6) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printed_values_read_as_equal_values(value in readable()) {
        holds(laws::prints_and_reads(&value))?;
    }

    #[test]
    fn values_of_any_bytes_print_and_read(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        holds(laws::prints_and_reads(&laws::value_from(&bytes)))?;
    }

    /// D4 and D5: equality, hashing and order agree.
    #[test]
    fn equality_is_the_same_everywhere((a, b) in pairs()) {
        let source = format!(
            "(let [a '{a} b '{b} same (= a b)
                   others (map (fn [n] [:other :key n]) (range 20))
                   order (try (compare a b) (catch Exception e nil))]
               [same
                (= b a)
                (not (not= a b))
                (= [a] (list b))
                (= {{:k a}} {{\"k\" b}})
                (= #{{[a]}} #{{[b]}})
                (contains? #{{a}} b)
                (contains? {{a 1}} b)
                (contains? (into (hash-set) (conj others a)) b)
                (= 1 (get (into {{a 1}} (map (fn [it] [it 2]) others)) b 0))
                (= 1 (count (set [a b])))
                (= 1 (count (distinct [a b])))
                (= 1 (count (dedupe [a b])))
                (= 1 (count (frequencies [a b])))
                (= 1 (count (group-by identity [a b])))
                (= 1 (count (assoc {{a 1}} b 2)))
                (empty? (disj #{{a}} b))
                (empty? (dissoc {{a 1}} b))
                (= 0 (.indexOf [a] b))
                (not (distinct? a b))
                (case a ({b}) true false)
                (and same (= (hash a) (hash b)))
                (if order (zero? order) same)])"
        );
        let found = World::new("{}", Limits::default()).run(&source).shown;
        let ends = ["[true".to_string() + &" true".repeat(22) + "]", "[false".to_string() + &" false".repeat(22) + "]"];
        prop_assert!(ends.iter().any(|it| found == format!("=> {it}")), "{source}\n{found}");
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[\\PC\\n\\t]{0,80}", tokens in prop::collection::vec(prop::sample::select(TOKENS), 0..20)) {
        holds(laws::reads(&text))?;
        holds(laws::reads(&tokens.join(" ")))?;
    }

    #[test]
    fn json_round_trips(value in plain()) {
        holds(laws::json_comes_back(&value))?;
    }

    #[test]
    fn floats_are_written_as_by_the_standard_library(bits in any::<u64>(), size in -2_i32..7, digits in 0_i64..10_000_000) {
        for float in [f64::from_bits(bits), digits as f64 / 10_f64.powi(size), digits as f64] {
            if (1e-3..1e7).contains(&float.abs()) || float == 0.0 {
                prop_assert_eq!(json::write(&Value::Float(float)).unwrap(), format!("{float:?}"));
            }
        }
    }

    #[test]
    fn objects_share_keys_and_keep_their_own(keys in prop::collection::vec(prop::collection::vec(0..KEYS.len(), 0..12), 0..5)) {
        let object = |keys: &Vec<usize>| {
            let rows = keys.iter().enumerate().map(|(i, key)| format!("{}: [{{{}: {i}}}]", KEYS[*key], KEYS[*key]));
            format!("{{{}}}", rows.collect::<Vec<_>>().join(", "))
        };
        let text = format!("[{}]", keys.iter().map(object).collect::<Vec<_>>().join(","));
        let theirs: serde_json::Value = serde_json::from_str(&text).unwrap();
        let ours = json::parse(&text).unwrap();
        prop_assert_eq!(&ours, &json::from_serde(&theirs));
        prop_assert_eq!(json::to_serde(&ours).unwrap(), theirs);
    }

    #[test]
    fn texts_of_json_end_at_their_quote(before in "[ -~äé€😀]{0,20}", mark in "[\"\\\\\n\t\u{1f}]", after in "[ -~ä]{0,20}") {
        let text = format!("{before}{mark}{after}");
        let written = serde_json::to_string(&text).unwrap();
        prop_assert_eq!(json::parse(&written).unwrap(), Value::str(&text));
        let raw = format!("\"{before}{mark}{after}\"");
        prop_assert_eq!(json::parse(&raw).is_ok(), serde_json::from_str::<serde_json::Value>(&raw).is_ok());
    }

    #[test]
    fn json_agrees_with_serde(value in plain()) {
        // `serde_json` writes every digit, but may read the last one wrong.
        let theirs = json::to_serde(&value).unwrap();
        prop_assert_eq!(&json::parse(&theirs.to_string()).unwrap(), &value);
        prop_assert_eq!(json::from_serde(&theirs), value);
    }

    #[test]
    fn direct_conversion_to_serde_equals_that_through_text(value in readable()) {
        if let Ok(theirs) = json::to_serde(&value) {
            let text = json::write(&value).unwrap();
            prop_assert_eq!(&serde_json::from_str::<serde_json::Value>(&text).unwrap(), &theirs);
            prop_assert_eq!(json::from_serde(&theirs), json::parse(&theirs.to_string()).unwrap());
        }
    }

    #[test]
    fn external_values_keep_every_digit(value in readable()) {
        let plain = json::plain(&value);
        if let Ok(theirs) = json::to_serde(&value) {
            prop_assert_eq!(plain.as_ref(), Ok(&json::from_serde(&theirs)));
        }
        if let Ok(plain) = plain {
            prop_assert_eq!(&json::parse(&json::write(&plain).unwrap()).unwrap(), &plain);
            let again = json::plain(&plain);
            prop_assert_eq!(again.as_ref(), Ok(&plain));
        }
    }

    #[test]
    fn any_text_is_json_to_both_or_to_none(text in "[\\PC\\n\\t]{0,60}", tokens in prop::collection::vec(prop::sample::select(JSON_TOKENS), 0..30)) {
        holds(laws::json_agrees(&text))?;
        holds(laws::json_agrees(&tokens.concat()))?;
    }

    #[test]
    fn a_preview_is_bounded(value in readable(), chars in 1_usize..50, items in 1_usize..5, depth in 1_usize..4) {
        let bounds = print::Preview { max_chars: chars, max_items: items, max_depth: depth, hide_private: true };
        let (text, _) = print::preview(&value, &bounds);
        prop_assert!(text.chars().count() <= chars + 1, "{}", text);
    }

    #[test]
    fn any_text_is_admitted_or_refused_with_places(text in "[\\PC\\n\\t]{0,80}") {
        holds(laws::admits(&text))?;
    }

    #[test]
    fn any_soup_of_tokens_runs_to_one_end(tokens in prop::collection::vec(prop::sample::select(TOKENS), 0..40)) {
        holds(laws::runs(&tokens.join(" ")))?;
    }

    #[test]
    fn calls_of_any_builtin_with_any_values_never_panic(call in any_call()) {
        holds(laws::runs(&call))?;
    }

    #[test]
    fn a_diagnostic_points_into_its_source(tokens in prop::collection::vec(prop::sample::select(TOKENS), 0..20)) {
        let source = tokens.join("\n");
        for problem in World::new("{}", Limits { fuel: 5_000, ..Limits::default() }).problems(&source) {
            holds(laws::points_into(&problem, &source))?;
        }
    }

    #[test]
    fn maps_behave_like_a_list_of_pairs(steps in prop::collection::vec(step(), 0..1500)) {
        check_map(&steps)?;
    }

    #[test]
    fn sets_behave_like_a_list(members in prop::collection::vec(-40_i64..1200, 0..1500)) {
        let mut model: Vec<i64> = Vec::new();
        for member in &members {
            if !model.contains(member) {
                model.push(*member);
            }
        }
        let set = Value::set(members.iter().copied().map(Value::from));
        let found: Vec<i64> = set.items().unwrap().filter_map(Value::as_int).collect();
        prop_assert_eq!(found, model);
    }
}

const JSON_TOKENS: &[&str] = &[
    "{", "}", "[", "]", ",", ":", "\"a\"", "1", "-", "1e", "1.5", "true", "fals", "null", "\\u12",
    "\"", "\u{1}", " ", "1e400", "-0",
];

const TOKENS: &[&str] = &[
    "(",
    "(",
    "(",
    ")",
    ")",
    ")",
    "[",
    "]",
    "{",
    "}",
    "#{",
    "#(",
    "'",
    "#_",
    "^",
    "@",
    "#'",
    "%",
    "%2",
    "&",
    "\"s\"",
    "\\a",
    ":k",
    ":as",
    ":keys",
    ":or",
    ":when",
    ":let",
    ":else",
    "1",
    "-2",
    "0",
    "2.5",
    "1e3",
    "nil",
    "true",
    "false",
    "x",
    "y",
    "f",
    "let",
    "fn",
    "def",
    "defn",
    "loop",
    "recur",
    "if",
    "when",
    "cond",
    "case",
    "for",
    "doseq",
    "do",
    "and",
    "or",
    "->",
    "->>",
    "as->",
    "some->",
    "quote",
    "map",
    "filter",
    "reduce",
    "transduce",
    "into",
    "sequence",
    "eduction",
    "sort",
    "sort-by",
    "apply",
    "range",
    "inc",
    "+",
    "/",
    "str",
    "get",
    "assoc",
    "update",
    "conj",
    "first",
    "ctx/a",
    "memory/m",
    "memory/put",
    "call",
    "tool/echo",
    "\"echo\"",
    "return",
    "fail",
    "println",
    "#\"a\"",
    "*1",
    "if-let",
    "comp",
    "partial",
    "count",
    "=",
    "<",
    "str/join",
    "str/split",
    "str/replace",
    "merge",
    "group-by",
    "juxt",
    "condp",
    "##NaN",
    "; c\n",
];

const ARGUMENTS: &[&str] = &[
    "nil",
    "true",
    "0",
    "-1",
    "3",
    "9223372036854775807",
    "100000000000000000000",
    "2.5",
    "##NaN",
    "##Inf",
    "\"\"",
    "\"héllo\"",
    "\"3\"",
    ":a",
    "'sym",
    "[]",
    "[1 2 3]",
    "'(1 2)",
    "{}",
    "{:a 1 \"b\" 2}",
    "#{1 :a}",
    "inc",
    "+",
    "identity",
    "(fn [x] x)",
    "(fn [a b] b)",
    "#\"l+\"",
    "[[1 2] [3 4]]",
    "[nil]",
    "(range 40)",
    "ctx/a",
    "compare",
    "[{:a 2} {:a 1}]",
    "(reduced 1)",
    "(map inc)",
    "(comp (take 2) (partition-all 3))",
    "((dedupe) conj)",
    "(conj PersistentQueue/EMPTY 1 2)",
    "[:a]",
    "(zipmap (range 40) (range 40))",
];

fn any_call() -> impl Strategy<Value = String> {
    let names: Vec<&'static str> =
        ptc_lisp::vocabulary::builtins().map(|(_, builtin)| builtin.name).collect();
    (prop::sample::select(names), prop::collection::vec(prop::sample::select(ARGUMENTS), 0..5))
        .prop_map(|(name, args)| format!("({name} {})", args.join(" ")))
}

/// A change of a map. `Keep` keeps a reference, so that the next change makes a copy.
#[derive(Debug, Clone)]
enum Change {
    Put(i64, i64),
    Remove(i64),
    Keep,
}

fn step() -> impl Strategy<Value = Change> {
    prop_oneof![
        8 => (0_i64..1200, any::<i64>()).prop_map(|(key, value)| Change::Put(key, value)),
        3 => (0_i64..1200).prop_map(Change::Remove),
        1 => Just(Change::Keep),
    ]
}

/// Applies the changes in one program with `assoc` and `dissoc`, and to a list of pairs, and
/// compares the results.
fn check_map(steps: &[Change]) -> Result<(), TestCaseError> {
    let mut model: Vec<(i64, i64)> = Vec::new();
    let mut kept: Vec<Vec<(i64, i64)>> = Vec::new();
    let mut source = String::from(
        "(loop [steps ctx/steps m {} kept []] (if-let [[what k v] (first steps)] (recur (rest steps) (case what \"put\" (assoc m k v) \"remove\" (dissoc m k) m) (if (= what \"keep\") (conj kept m) kept)) [m kept]))",
    );
    let mut list = Vec::new();
    for step in steps {
        match step {
            Change::Put(key, value) => {
                match model.iter_mut().find(|(other, _)| other == key) {
                    Some(row) => row.1 = *value,
                    None => model.push((*key, *value)),
                }
                list.push(format!("[\"put\",{key},{value}]"));
            }
            Change::Remove(key) => {
                model.retain(|(other, _)| other != key);
                list.push(format!("[\"remove\",{key}]"));
            }
            Change::Keep => {
                kept.push(model.clone());
                list.push("[\"keep\"]".to_owned());
            }
        }
    }
    let show = |rows: &[(i64, i64)]| {
        let rows: Vec<String> = rows.iter().map(|(key, value)| format!("{key} {value}")).collect();
        format!("{{{}}}", rows.join(", "))
    };
    let kept: Vec<String> = kept.iter().map(|rows| show(rows)).collect();
    let limits = Limits { result_bytes: u32::MAX, memory: 1 << 30, ..Limits::default() };
    let mut world = World::new(&format!("{{\"steps\": [{}]}}", list.join(",")), limits);
    let expected = format!("=> [{} [{}]]", show(&model), kept.join(" "));
    prop_assert_eq!(world.run(&source).shown, expected);
    // Compares lookups too, for present and absent keys.
    source.insert_str(0, "(let [[m] ");
    source.push_str("] [(count m) (map (fn [k] (get m k :none)) (range 0 1300 7))])");
    let looked: Vec<String> = (0..1300)
        .step_by(7)
        .map(|key| {
            model
                .iter()
                .find(|(other, _)| *other == key)
                .map_or(":none".to_owned(), |(_, value)| value.to_string())
        })
        .collect();
    prop_assert_eq!(
        world.run(&source).shown,
        format!("=> [{} ({})]", model.len(), looked.join(" "))
    );
    Ok(())
}

/// Sizes around the points where a map changes its representation: 16, 64 and beyond.
#[test]
fn maps_of_every_size_share_without_mixing() {
    for size in [0, 1, 15, 16, 17, 63, 64, 65, 66, 999, 1000, 1001] {
        let source = format!(
            "(let [m (zipmap (range {size}) (range {size}))
                   more (assoc m :new 1)
                   less (dissoc m 0)
                   other (assoc m 0 :changed)
                   members (set (range {size}))]
               [(count m) (count more) (count less) (get m 0) (get other 0) (get m :new)
                (= m (zipmap (reverse (range {size})) (reverse (range {size}))))
                (= m other) (= (dissoc more :new) m)
                (= (keys m) (seq (range {size})))
                (count (conj members :x)) (count (disj members 0)) (count members)
                (= members (set (reverse (range {size}))))])"
        );
        let some = size > 0;
        let first = if some { "0" } else { "nil" };
        let expected = format!(
            "=> [{size} {} {} {first} :changed nil true false true true {} {} {size} true]",
            size + 1,
            size - i32::from(some),
            size + 1,
            size - i32::from(some),
        );
        assert_eq!(World::new("{}", Limits::default()).run(&source).shown, expected, "{size}");
    }
}

/// Generates texts that look like replies, with mistakes.
fn replies() -> impl Strategy<Value = String> {
    let parts = [
        "Thought: ",
        "Action: ",
        "Action Input: ",
        "Final Answer: ",
        "Observation: ",
        "\n",
        "**",
        "search",
        "search[",
        "```json\n",
        "```",
        "{",
        "}",
        "\"query\"",
        ":",
        ",",
        "1",
        "\"taskComplete\":true",
        "\"result\":{\"ids\":[1]}",
        "\"nextStep\":{\"type\":\"Actions\",\"actions\":[",
        "{\"name\":\"search\",\"params\":{\"query\":\"a\\u0000\\\"\"}}",
        "]",
        "[[",
        "é",
        "\"nextStep\":{\"subAgent\":{\"name\":\"sea\",\"message\":\"m\",\"terminateAfter\":true}}",
        "null",
    ];
    prop::collection::vec(prop::sample::select(parts.to_vec()), 0..24)
        .prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn replies_are_read(text in prop_oneof![replies(), any::<String>()]) {
        holds(laws::reads_replies(&text))?;
    }
}

#[test]
fn deep_and_long_replies_are_read() {
    let deep =
        |open: &str, close: &str| format!("{}1{}", open.repeat(10_000), close.repeat(10_000));
    for text in [deep("[", "]"), deep("{\"a\":", "}"), deep("(", ")"), "Action: ".repeat(100_000)] {
        laws::reads_replies(&text).unwrap();
        laws::reads_replies(&format!("Action: search\nAction Input: {text}")).unwrap();
    }
}
