//! Tests of checking data against types.

use crate::support::Lisp;
use ptc_signatures::{MAX_MISMATCHES, Mismatch, Record, Signature, SignatureMode, Type};
use serde_json::{Value, json};

fn lines(mismatches: &[Mismatch]) -> Vec<String> {
    let line = |it: &Mismatch| match &it.help {
        Some(help) => format!("{it} ({help})"),
        None => it.to_string(),
    };
    mismatches.iter().map(line).collect()
}

fn ty(text: &str) -> Type {
    text.parse().expect(text)
}

/// Checks JSON, and asserts the mismatches, each with its help in parentheses.
fn check(text: &str, value: &Value, expected: &[&str]) {
    assert_eq!(lines(&ptc_signatures::check(&ty(text), value)), expected, "{text} {value}");
}

fn check_strict(text: &str, value: &Value, expected: &[&str]) {
    assert_eq!(lines(&ptc_signatures::check_strict(&ty(text), value)), expected, "{text} {value}");
}

fn check_lisp(text: &str, value: &Lisp, expected: &[&str]) {
    assert_eq!(lines(&ptc_signatures::check(&ty(text), value)), expected, "{text} {value:?}");
}

#[test]
fn scalars() {
    for (text, accepted) in [
        (":any", json!([null, 1, "a", {"b": []}])),
        (":string", json!(["", "a"])),
        (":string[2..3]", json!(["ab", "äöü", "😀😀"])),
        (":int", json!([0, -1, i64::MIN, u64::MAX])),
        (":int[1..100]", json!([1, 100])),
        (":int[1..]", json!([u64::MAX])),
        (":float", json!([0, 1.5, -3, 1e300, u64::MAX])),
        (":float[0..1]", json!([0, 0.5, 1])),
        (":bool", json!([true, false])),
        (":keyword", json!(["low"])),
        (":enum[low \"in progress\"]", json!(["low", "in progress"])),
        (
            ":datetime",
            json!([
                "2026-01-31",
                "2024-02-29",
                "2026-01-31T12:30",
                "2026-01-31T12:30:05Z",
                "2026-12-31t23:59:60z",
                "2026-01-31 12:30:05.123456789+01:00",
                "2026-01-31T12:30:05,5-0830",
                "2026-01-31T12:30+01",
            ]),
        ),
        (":map", json!([{}, {"a": 1}])),
        ("{}", json!([{}, {"a": 1}])),
        (":int?", json!([null, 1])),
        (":int|:string?", json!([null, 1, "a"])),
    ] {
        for value in accepted.as_array().expect("a list") {
            check(text, value, &[]);
        }
    }
}

#[test]
fn wrong_scalars_report_the_found_value() {
    const DATE: &str = "(a datetime is written as `2026-01-31T12:00:00Z`, a date as `2026-01-31`)";
    let long = "abcdefghij".repeat(5);
    for (text, value, line) in [
        (":string", json!(7), "expected string, found int 7"),
        (":string", json!(null), "expected string, found nil"),
        (":string[1..]", json!(""), "expected string of at least 1 character, found string \"\""),
        (
            ":string[..2]",
            json!("a\"\n"),
            "expected string of at most 2 characters, found string \"a\\\"\\n\"",
        ),
        (
            ":string[2..2]",
            json!(long),
            "expected string of 2 characters, found string of 50 characters \"abcdefghijabcdefghijabcdefghijabcdefghij\"…",
        ),
        (":int", json!(1.0), "expected int, found float 1.0"),
        (":int", json!("42"), "expected int, found string \"42\""),
        (":int[1..100]", json!(101), "expected int from 1 to 100, found int 101"),
        (
            ":int[..5]",
            json!(u64::MAX),
            "expected int of at most 5, found big int 18446744073709551615",
        ),
        (":float[0..1]", json!(1.5), "expected float from 0 to 1, found float 1.5"),
        (":float[0.5..]", json!(0), "expected float of at least 0.5, found int 0"),
        (":bool", json!("true"), "expected bool, found string \"true\""),
        (":bool?", json!(0), "expected bool or nil, found int 0"),
        (":keyword", json!(true), "expected keyword, found bool true"),
        (
            ":enum[low mid \"x y\"]",
            json!("hgih"),
            "expected one of low, mid, \"x y\", found string \"hgih\"",
        ),
        (
            ":enum[low mid high]",
            json!("Hihg"),
            "expected one of low, mid, high, found string \"Hihg\"",
        ),
        (
            ":enum[low mid high]",
            json!("HIGH"),
            "expected one of low, mid, high, found string \"HIGH\" (did you mean `high`?)",
        ),
        (":datetime", json!(5), "expected datetime, found int 5"),
        (":map", json!([]), "expected map, found empty list"),
        ("{a :int}", json!([1]), "expected map, found list of 1 item"),
        ("[:int]", json!({}), "expected list, found empty map"),
        ("[:int]", json!({"a b": 1, "c": 2}), "expected list, found map with \"a b\", c"),
        ("[:int][3..]", json!([1, 2]), "expected list of at least 3 items, found list of 2 items"),
        (
            ":string|:int[1..9]|{a :int}",
            json!(true),
            "expected string or int from 1 to 9 or map, found bool true",
        ),
        ("{a :int}|{b :int}?", json!(true), "expected map or nil, found bool true"),
    ] {
        check(text, &value, &[line]);
    }
    for value in [
        "yesterday",
        "2026-02-29",
        "2026-13-01",
        "2026-1-1",
        "2026-01-31T24:00",
        "2026-01-31T12:60",
        "2026-01-31Z",
        "2026-01-31T12:30 ",
        "2026-01-31T12:30:05.",
        "20260131",
        "",
    ] {
        let line = format!("expected datetime, found string \"{value}\" {DATE}");
        check(":datetime", &json!(value), &[&line]);
    }
}

#[test]
fn paths_name_the_place() {
    let value = json!({"results": [
        {"customer": {"id": "abc"}, "tags": ["a", 1]},
        {"tags": null},
        5,
    ]});
    check(
        "{results [{customer {id :int}, tags [:string]?}]}",
        &value,
        &[
            "results[0].customer.id: expected int, found string \"abc\"",
            "results[0].tags[1]: expected string, found int 1",
            "results[1].customer: expected map, found nothing",
            "results[2]: expected map, found int 5",
        ],
    );
    check("[[:int]]", &json!([[1], [2, null]]), &["[1][1]: expected int, found nil"]);
}

#[test]
fn fields_are_required_unless_optional() {
    check(
        "{a :int, b :int?, c :any, d :any?}",
        &json!({"a": null, "c": null, "x": 1}),
        &["a: expected int, found nil"],
    );
    check(
        "{a :int[1..] b :int? c :any}",
        &json!({}),
        &["a: expected int of at least 1, found nothing", "c: expected anything, found nothing"],
    );
    check(
        "{customer_id :int}",
        &json!({"customerId": 1}),
        &["customer_id: expected int, found nothing (the map has `customerId`)"],
    );
    check(
        "{total :int, totals :int}",
        &json!({"totals": 1}),
        &["total: expected int, found nothing"],
    );
}

#[test]
fn strict_checks_report_extra_fields() {
    check_strict("{a :int, b [{}]}", &json!({"a": 1, "b": [{"any": 1}]}), &[]);
    check_strict(
        "{name :string, age :int?}",
        &json!({"name": "a", "agee": 3, "x y": []}),
        &[
            "agee: expected no such field, found int 3 (did you mean `age`?)",
            "[\"x y\"]: expected no such field, found empty list",
        ],
    );
    check_strict("{a :int}|{a :int, b :int}", &json!({"a": 1, "b": 2}), &[]);
    check_strict(
        "[{a :int}]",
        &json!([{"a": 1, "b": 2}]),
        &["[0].b: expected no such field, found int 2"],
    );
}

#[test]
fn unions_go_into_the_member_that_comes_closest() {
    let shape = "{type :enum[circle], r :float}|{type :enum[rect], w :float, h :float}|:string";
    check(shape, &json!({"type": "rect", "w": 1, "h": 2}), &[]);
    check(shape, &json!("point"), &[]);
    check(shape, &json!({"type": "rect", "w": 1}), &["h: expected float, found nothing"]);
    check(shape, &json!({"type": "circle", "r": "1"}), &["r: expected float, found string \"1\""]);
    check(shape, &json!(1), &["expected map or string, found int 1"]);
    check("[[:int]|:int]", &json!([1, [2], ["a"]]), &["[2][0]: expected int, found string \"a\""]);
}

#[test]
fn nested_unions_stay_cheap() {
    // If the work doubled with every level, this test would not end.
    let text = (0..60).fold(":int".to_owned(), |ty, _| format!("{{a {ty}}}|:bool"));
    let value = (0..60).fold(json!("x"), |value, _| json!({"a": value}));
    let path = ["a"; 60].join(".");
    check(&text, &value, &[&format!("{path}: expected int, found string \"x\"")]);
}

#[test]
fn reports_are_bounded() {
    let value = Value::from(vec!["x"; 100_000]);
    let found = ptc_signatures::check(&ty("[:int]"), &value);
    assert_eq!(found.len(), MAX_MISMATCHES);
    assert_eq!(found[99].to_string(), "[99]: expected int, found string \"x\"");
    let keys = (0..1000).map(|i| (format!("key-{i}"), json!(1))).collect();
    check(
        ":int",
        &Value::Object(keys),
        &["expected int, found map with key-0, key-1, key-2, key-3, key-4, key-5, …"],
    );
}

#[test]
fn inputs_are_checked_as_a_record() {
    let signature: Signature = "(limit :int, q :string?) -> :any".parse().expect("a signature");
    let cases = [
        (json!({"limit": 1, "x": 1}), vec![], vec!["x: expected no such field, found int 1"]),
        (
            json!({"q": 1}),
            vec!["limit: expected int, found nothing", "q: expected string or nil, found int 1"],
            vec![],
        ),
        (json!([1]), vec!["expected map, found list of 1 item"], vec![]),
    ];
    for (input, expected, more) in cases {
        assert_eq!(lines(&signature.check_input(&input)), expected);
        let strict = [expected, more].concat();
        assert_eq!(lines(&signature.check_input_strict(&input)), strict);
    }
    let none: Signature = ":any".parse().expect("a signature");
    assert_eq!(none.params_type(), Type::Record(Record::default()));
    let strict = none.check_input_strict(&json!({"a": 1}));
    assert_eq!(lines(&strict), ["a: expected no such field, found int 1"]);
}

#[test]
fn data_with_keywords() {
    let keyword = || Lisp::Keyword("low");
    check_lisp(":keyword", &keyword(), &[]);
    check_lisp(":enum[low high]", &keyword(), &[]);
    // A keyword and a string with the same text are equal.
    check_lisp(":string", &keyword(), &[]);
    check_lisp(":string[2..3]", &keyword(), &[]);
    check_lisp(":keyword", &Lisp::Str("a"), &[]);
    check_lisp(":enum[low high]", &Lisp::Str("low"), &[]);
    check_lisp(":datetime", &Lisp::Datetime, &[]);
    check_lisp(":int", &Lisp::Big(1e30), &[]);
    check_lisp("[:int]", &Lisp::Range(3), &[]);
    check_lisp(":any", &Lisp::Function, &[]);
    for (text, value, line) in [
        (":int", keyword(), "expected int, found keyword :low"),
        (
            ":int",
            Lisp::Str("4"),
            "expected int, found string \"4\" (`(parse-long s)` turns a string into an int)",
        ),
        (
            ":float?",
            Lisp::Str("4"),
            "expected float or nil, found string \"4\" (`(parse-double s)` turns a string into a float)",
        ),
        (
            ":int",
            Lisp::Float(2.0),
            "expected int, found float 2.0 (`(long x)` drops the fraction of a float)",
        ),
        (
            ":int|:bool",
            Lisp::Float(f64::NAN),
            "expected int or bool, found float NaN (`(long x)` drops the fraction of a float)",
        ),
        (":float[0..]", Lisp::Float(f64::NAN), "expected float of at least 0, found float NaN"),
        (":enum[high]", keyword(), "expected one of high, found keyword :low"),
        (":string", Lisp::Datetime, "expected string, found datetime 2026-01-31"),
        (":int[0..]", Lisp::Big(-1e30), "expected int of at least 0, found big int"),
        (":map", Lisp::Function, "expected map, found function"),
        (
            "[:string]",
            Lisp::Range(1),
            "[0]: expected string, found int 0 (`(str x)` turns a value into a string)",
        ),
        (
            ":int",
            Lisp::Range(3),
            "expected int, found list of 3 items (`(first xs)` takes one item of a list, `(count xs)` their number)",
        ),
        ("[:int]", Lisp::Int(1), "expected list, found int 1 (`[x]` makes a list of the one item)"),
        (
            "[:int]",
            Lisp::Map(vec![(Lisp::Str("a"), Lisp::Int(1))]),
            "expected list, found map with a (`(vals m)` gives the values of a map as a list)",
        ),
        (
            "[:string]",
            Lisp::Map(vec![(Lisp::Str("a"), Lisp::Int(1))]),
            "expected list, found map with a (`(keys m)` gives the keys of a map as a list)",
        ),
        (
            "[{a :string}]",
            Lisp::Map(vec![(Lisp::Str("a"), Lisp::Int(1))]),
            "expected list, found map with a (`[m]` makes a list of the one map)",
        ),
        (
            ":float",
            Lisp::Map(vec![(Lisp::Keyword("a"), Lisp::Int(1))]),
            "expected float, found map with a (`(:a m)` takes the value out of a map)",
        ),
        (
            ":int",
            Lisp::Map(vec![(Lisp::Str("a b"), Lisp::Int(1))]),
            "expected int, found map with \"a b\"",
        ),
    ] {
        check_lisp(text, &value, &[line]);
    }
    let map = Lisp::Map(vec![(Lisp::Keyword("id"), Lisp::Int(1)), (Lisp::Int(2), Lisp::Nil)]);
    check_lisp(
        "{id :string}",
        &map,
        &["id: expected string, found int 1 (`(str x)` turns a value into a string)"],
    );
    check_lisp(
        ":int",
        &map,
        &["expected int, found map with id, \"2\" (`(:id m)` takes one value out of a map)"],
    );
}

/// A keyword of a program is a string in JSON.
#[test]
fn values_that_fit_only_as_json_are_coerced() {
    let ty = ty("{name :string, n :int}");
    let data =
        |n| Lisp::Map(vec![(Lisp::Keyword("name"), Lisp::Keyword("low")), (Lisp::Keyword("n"), n)]);
    let json = json!({"name": "low", "n": "4"});
    let enforced = ty.enforce_data(&data(Lisp::Str("4")), json, SignatureMode::Coerce);
    let warnings: Vec<String> = enforced.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(enforced.value, json!({"name": "low", "n": 4}));
    assert_eq!(warnings, ["n: coerced string \"4\" to int 4"]);
    let half = json!({"name": "low", "n": 0.5});
    let enforced = ty.enforce_data(&data(Lisp::Float(0.5)), half.clone(), SignatureMode::Coerce);
    assert_eq!((enforced.value, enforced.warnings), (half, vec![]));
    assert_eq!(
        lines(&enforced.mismatches),
        ["n: expected int, found float 0.5 (`(long x)` drops the fraction of a float)"],
    );
    let json = json!({"name": "low", "n": 4});
    let enforced = ty.enforce_data(&data(Lisp::Int(4)), json, SignatureMode::Strict);
    assert_eq!((enforced.warnings, enforced.mismatches), (vec![], vec![]));
}

#[test]
fn nil_is_a_value_or_absent() {
    let signature = "(id :int, note? :string, owner :string?, items? [{n? :int, m :int?}], more? \
                     {a? :bool}|[{b? :int}], kind? {a? :int}|{b? :int, c :int}) -> :any";
    let signature: Signature = signature.parse().unwrap();
    for (given, sent) in [
        (json!({"id": 1, "note": null, "owner": null}), json!({"id": 1, "owner": null})),
        (json!({"id": 1, "note": "", "other": null}), json!({"id": 1, "note": "", "other": null})),
        (
            json!({"id": 1, "items": [{"n": null, "m": null}, {"n": 2}]}),
            json!({"id": 1, "items": [{"m": null}, {"n": 2}]}),
        ),
        (json!({"id": 1, "items": null, "more": null}), json!({"id": 1})),
        (json!({"id": 1, "more": {"a": null}}), json!({"id": 1, "more": {}})),
        (json!({"id": 1, "more": [{"b": null}]}), json!({"id": 1, "more": [{}]})),
        (json!({"id": 1, "more": 5}), json!({"id": 1, "more": 5})),
        // The second record is meant, although the first one accepts any field.
        (json!({"id": 1, "kind": {"b": null, "c": 1}}), json!({"id": 1, "kind": {"c": 1}})),
    ] {
        assert_eq!(signature.leave_out_absent(given.clone()), sent, "{given}");
    }
    check("{a? :int}", &json!({}), &[]);
    check("{a? :int}", &json!({"a": null}), &[]);
    check("{a? :int}", &json!({"a": "x"}), &["a: expected int or nil, found string \"x\""]);
}
