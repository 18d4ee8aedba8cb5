//! Tests of every mode of enforcing a type on data.

use ptc_signatures::{Enforced, Signature, SignatureMode, Type, Warning};
use serde_json::{Value, json};

/// Asserts the data, the warnings and the reasons to refuse it.
fn check(enforced: &Enforced, value: &Value, warnings: &[&str], mismatches: &[&str]) {
    let warned: Vec<String> = enforced.warnings.iter().map(ToString::to_string).collect();
    let refused: Vec<String> = enforced.mismatches.iter().map(ToString::to_string).collect();
    assert_eq!(
        (&enforced.value, warned, refused),
        (
            value,
            warnings.iter().map(ToString::to_string).collect(),
            mismatches.iter().map(ToString::to_string).collect(),
        )
    );
}

#[test]
fn modes() {
    use SignatureMode::{Coerce, Off, Strict, Warn};
    let ty: Type = "{n :int, s :string?}".parse().expect("a type");
    let signature: Signature = "(n :int, s :string?) -> :any".parse().expect("a signature");
    let (fits, text, more) = (json!({"n": 1}), json!({"n": "1"}), json!({"n": 1, "m": 2}));
    let (wrong, both) = (json!({"n": true}), json!({"n": "1", "s": 2}));
    let coerced = [r#"n: coerced string "1" to int 1"#];
    let expected = [r#"n: expected int, found string "1""#];
    let truth = ["n: expected int, found bool true"];
    let extra = ["m: expected no such field, found int 2"];
    let second = ["s: expected string or nil, found int 2"];
    let two = [expected[0], second[0]];
    for (mode, from, to, warnings, mismatches) in [
        (Coerce, &fits, &fits, &[][..], &[][..]),
        (Coerce, &text, &json!({"n": 1}), &coerced, &[]),
        (Coerce, &more, &more, &[], &[]),
        (Coerce, &wrong, &wrong, &[], &truth),
        // Refused unchanged, for the only remaining reason.
        (Coerce, &both, &both, &[], &second),
        (Strict, &fits, &fits, &[], &[]),
        (Strict, &text, &text, &[], &expected),
        (Strict, &more, &more, &[], &extra),
        (Warn, &fits, &fits, &[], &[]),
        (Warn, &both, &both, &two, &[]),
        (Warn, &more, &more, &[], &[]),
        (Off, &both, &both, &[], &[]),
    ] {
        check(&ty.enforce(from.clone(), mode), to, warnings, mismatches);
        check(&signature.enforce_input(from.clone(), mode), to, warnings, mismatches);
    }
    let whole: Signature = "(n :int, m :int?) -> :any".parse().expect("a signature");
    let left = ["n: expected int, found float 1.5"];
    for (mode, from, to, warnings, mismatches) in [
        (
            Coerce,
            json!({"n": 1.0}),
            json!({"n": 1}),
            &["n: coerced float 1.0 to int 1"][..],
            &[][..],
        ),
        (Coerce, json!({"n": -0.0}), json!({"n": 0}), &["n: coerced float -0.0 to int 0"], &[]),
        (Coerce, json!({"n": 1.5, "m": 1.0}), json!({"n": 1.5, "m": 1.0}), &[], &left),
        (Strict, json!({"n": 1.0}), json!({"n": 1.0}), &[], &["n: expected int, found float 1.0"]),
    ] {
        check(&whole.enforce_input(from, mode), &to, warnings, mismatches);
    }
    let none: Signature = ":any".parse().expect("a signature");
    check(
        &none.enforce_input(fits.clone(), Strict),
        &fits,
        &[],
        &["n: expected no such field, found int 1"],
    );
    check(
        &none.enforce_input(json!([]), Coerce),
        &json!([]),
        &[],
        &["expected map, found empty list"],
    );
}

#[test]
fn hidden_fields_are_left_out_of_reports() {
    let ty: Type = "{_key {n :int}, _e :enum[abc], _gone :int, n :int}".parse().expect("a type");
    let value = json!({"_key": {"n": "12"}, "_e": "abd", "n": "x"});
    let found: Vec<String> = ptc_signatures::check(&ty, &value)
        .iter()
        .map(|it| format!("{} {:?}", it.redacted(), it.redacted().help))
        .collect();
    assert_eq!(
        found,
        [
            "_key.n: expected int, found [Hidden] None",
            "_e: expected one of abc, found [Hidden] None",
            "_gone: expected int, found nothing None",
            "n: expected int, found string \"x\" None",
        ]
    );
    let ty: Type = "{_key {n :int}}".parse().expect("a type");
    let enforced = ty.enforce(json!({"_key": {"n": "12"}}), SignatureMode::Coerce);
    let warnings: Vec<String> =
        enforced.warnings.iter().map(|it| it.redacted().to_string()).collect();
    assert_eq!(warnings, ["_key.n: coerced [Hidden] to [Hidden]"]);
    assert_eq!(enforced.warnings.iter().map(Warning::code).collect::<Vec<_>>(), ["coerced"]);
}

#[test]
fn modes_parse_and_print_as_words() {
    for mode in SignatureMode::ALL {
        assert_eq!(mode.to_string().parse(), Ok(mode));
    }
    assert_eq!(SignatureMode::default(), SignatureMode::Coerce);
    let error = "lenient".parse::<SignatureMode>().expect_err("no mode");
    assert_eq!(
        error.to_string(),
        "unknown mode `lenient`: expected `coerce`, `strict`, `warn` or `off`",
    );
}

/// JSON writes 2.0 as 2 too. Where the types of an input say `:float`, a program gets floats; nothing else changes.
#[test]
fn an_input_has_floats_where_its_types_say_so() {
    let signature = "(a :float, b :float?, c [{d :float, e :int}], f :float|:int, g :any, h :float|:string?, i :float[0..5])
        -> :any";
    let signature: Signature = signature.parse().expect("a signature");
    let given =
        r#"{"a": 2, "b": null, "c": [{"d": 1, "e": 1}], "f": 3, "g": 4, "h": 5, "i": 5, "k": 6}"#;
    let check = |given: &str, mode: SignatureMode, expected: &str| {
        let given: Value = serde_json::from_str(given).expect("is JSON");
        let enforced = signature.enforce_mission(given, mode);
        assert_eq!((enforced.value.to_string().as_str(), enforced.mismatches), (expected, vec![]));
        assert_eq!(enforced.warnings, [], "{expected}");
    };
    let floats = r#"{"a":2.0,"b":null,"c":[{"d":1.0,"e":1}],"f":3.0,"g":4,"h":5.0,"i":5.0,"k":6}"#;
    check(given, SignatureMode::Coerce, floats);
    let same = r#"{"a":2,"b":null,"c":[{"d":1,"e":1}],"f":3,"g":4,"h":5,"i":5}"#;
    check(same, SignatureMode::Strict, same);
    check(same, SignatureMode::Off, same);
    // No float is this number.
    let large = r#"{"a":9007199254740993,"b":-9007199254740992,"c":[],"f":0,"g":0,"h":"x","i":0}"#;
    let some =
        r#"{"a":9007199254740993,"b":-9007199254740992.0,"c":[],"f":0.0,"g":0,"h":"x","i":0.0}"#;
    check(large, SignatureMode::Coerce, some);
}
