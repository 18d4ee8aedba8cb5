//! Tests of coercion.

use ptc_signatures::Signature;
use ptc_signatures::coerce::{Options, coerce};
use serde_json::{Value, json};

/// Coerces a value, and asserts the result, the reports and the remaining mismatches.
fn check(ty: &str, from: Value, options: Options, to: &Value, done: &[&str], left: &[&str]) {
    let label = format!("{ty} {from}");
    let (value, coercions, mismatches) = coerce(&ty.parse().expect(ty), from, options);
    // Compared as text, since 42 and 42.0 have to differ here.
    assert_eq!(value.to_string(), to.to_string(), "{label}");
    let coercions: Vec<_> = coercions.iter().map(ToString::to_string).collect();
    assert_eq!(coercions, done, "{label}");
    let mismatches: Vec<_> = mismatches.iter().map(ToString::to_string).collect();
    assert_eq!(mismatches, left, "{label}");
}

#[test]
fn changes_are_reported() {
    for (ty, from, to, done) in [
        (":int", json!("42"), json!(42), "coerced string \"42\" to int 42"),
        (":int?", json!("-5"), json!(-5), "coerced string \"-5\" to int -5"),
        (":float", json!("3.25"), json!(3.25), "coerced string \"3.25\" to float 3.25"),
        (":float", json!("42"), json!(42.0), "coerced string \"42\" to float 42.0"),
        (":float", json!("-1e3"), json!(-1000.0), "coerced string \"-1e3\" to float -1000.0"),
        (":bool", json!("true"), json!(true), "coerced string \"true\" to bool true"),
        (":bool", json!("false"), json!(false), "coerced string \"false\" to bool false"),
        (":keyword", json!(":low"), json!("low"), "coerced string \":low\" to keyword :low"),
        (":enum[low high]", json!(":low"), json!("low"), "coerced string \":low\" to keyword :low"),
        (":bool|:int", json!("7"), json!(7), "coerced string \"7\" to int 7"),
        (
            "[{limit :int}]",
            json!([{"limit": 1}, {"limit": "10", "x": "1"}]),
            json!([{"limit": 1}, {"limit": 10, "x": "1"}]),
            "[1].limit: coerced string \"10\" to int 10",
        ),
        (
            "{a {b :int}|{c :bool}}",
            json!({"a": {"c": "true"}}),
            json!({"a": {"c": true}}),
            "a.c: coerced string \"true\" to bool true",
        ),
    ] {
        check(ty, from, Options::default(), &to, &[done], &[]);
    }
}

#[test]
fn fitting_values_stay_unchanged() {
    for (ty, from, to) in [
        (":float", json!(42), json!(42)),
        ("[:float?]", json!([1, null, 2.5]), json!([1, null, 2.5])),
        (":float", json!(i64::MAX), json!(i64::MAX)),
        (":int|:float", json!(1), json!(1)),
        (":string", json!("42"), json!("42")),
        (":string|:int", json!("42"), json!("42")),
        (":any", json!("42"), json!("42")),
        (":enum[\":low\"]", json!(":low"), json!(":low")),
        (":keyword", json!(": x"), json!(": x")),
        ("{}", json!({"a": "1"}), json!({"a": "1"})),
    ] {
        check(ty, from, Options::default(), &to, &[], &[]);
    }
}

#[test]
fn whole_floats_become_integers_only_if_asked() {
    let whole_floats = Options { whole_floats: true };
    check(":int", json!(42.0), whole_floats, &json!(42), &["coerced float 42.0 to int 42"], &[]);
    for value in [json!(42.5), json!(1e300)] {
        let left = format!("expected int, found float {:?}", value.as_f64().expect("a float"));
        check(":int", value.clone(), whole_floats, &value, &[], &[&left]);
    }
    let left = ["expected int, found float 42.0"];
    check(":int", json!(42.0), Options::default(), &json!(42.0), &[], &left);
}

#[test]
fn misfits_stay_unchanged() {
    for (ty, value, left) in [
        (":int", json!("hello"), "expected int, found string \"hello\""),
        (":int", json!(""), "expected int, found string \"\""),
        (":int", json!("+5"), "expected int, found string \"+5\""),
        (":int", json!("1.0"), "expected int, found string \"1.0\""),
        (
            ":int",
            json!("99999999999999999999"),
            "expected int, found string \"99999999999999999999\"",
        ),
        (":int", json!(true), "expected int, found bool true"),
        (":float", json!("inf"), "expected float, found string \"inf\""),
        (":float", json!("1e999"), "expected float, found string \"1e999\""),
        (":bool", json!("True"), "expected bool, found string \"True\""),
        (":bool", json!(1), "expected bool, found int 1"),
        (":string", json!(42), "expected string, found int 42"),
        (":int|:bool", json!("x"), "expected int or bool, found string \"x\""),
        ("{a :int}", json!(["1"]), "expected map, found list of 1 item"),
    ] {
        check(ty, value.clone(), Options::default(), &value, &[], &[left]);
    }
    let left = ["expected int from 1 to 10, found int 42"];
    let done = ["coerced string \"42\" to int 42"];
    check(":int[1..10]", json!("42"), Options::default(), &json!(42), &done, &left);
}

#[test]
fn inputs_are_coerced_as_a_record() {
    let signature: Signature = "(limit :int, q :string) -> :any".parse().expect("a signature");
    let (input, done, left) = signature.coerce_input(json!({"limit": "10"}), Options::default());
    assert_eq!(input, json!({"limit": 10}));
    assert_eq!(done[0].to_string(), "limit: coerced string \"10\" to int 10");
    assert_eq!(left[0].to_string(), "q: expected string, found nothing");
}
