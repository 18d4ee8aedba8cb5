//! Contracts and validation templates.

use ptc_subagent::payload::{
    Contract, DEFAULT_RETRIES, EndCheck, PayloadCheck, StartCheck, Template, Verdict,
};
use serde_json::{Value, json};

use super::data;

fn template(value: Value) -> Template {
    Template::read(&data(value)).unwrap()
}

fn contract() -> Contract {
    Contract::from_template(&data(json!({"name": "string:!empty", "items": "array:[1+]"}))).unwrap()
}

#[test]
fn m65_a_payload_is_checked_at_the_start() {
    let bad = data(json!({"name": ""}));
    let problems = vec![
        "name: expected string of at least 1 character, found string \"\"".to_owned(),
        "items: expected list of at least 1 item, found nothing".to_owned(),
    ];
    let check =
        |verdict| PayloadCheck { verdict, problems: problems.clone(), retry: None, at_end: false };
    assert_eq!(contract().at_start(&bad), check(Verdict::Fail));
    assert_eq!(contract().with_start(StartCheck::Warn).at_start(&bad), check(Verdict::Warn));
    assert_eq!(
        contract().at_start(&bad).to_string(),
        "Starting payload validation failed:\n\
         1. name: expected string of at least 1 character, found string \"\"\n\
         2. items: expected list of at least 1 item, found nothing"
    );
    let good = contract().at_start(&data(json!({"name": "Ada", "items": [1], "more": true})));
    assert_eq!(
        (good.verdict, good.to_string().as_str()),
        (Verdict::Pass, "Starting payload validation passed")
    );
}

#[test]
fn m66_a_payload_is_checked_at_the_end() {
    let bad = data(json!({"name": "Ada", "items": []}));
    let head = "Final payload validation failed:\n1. items: expected list of at least 1 item, found empty list";
    assert_eq!(DEFAULT_RETRIES, 3);
    for (retries, verdict, tail) in [
        (0, Verdict::Retry, "\nRetry attempt 1 of 3"),
        (1, Verdict::Retry, "\nRetry attempt 2 of 3"),
        (2, Verdict::Retry, "\nRetry attempt 3 of 3"),
        (3, Verdict::Fail, "\nMax validation retries (3) exceeded."),
    ] {
        let check = contract().at_end(&bad, retries);
        assert_eq!(check.verdict, verdict);
        assert_eq!(check.to_string(), format!("{head}{tail}"));
    }
    for (end, verdict) in [(EndCheck::Fail, Verdict::Fail), (EndCheck::Warn, Verdict::Warn)] {
        let check = contract().with_end(end, 3).at_end(&bad, 0);
        assert_eq!((check.verdict, check.to_string()), (verdict, head.to_owned()));
    }
    let none = contract().with_end(EndCheck::Retry, 0).at_end(&bad, 0);
    assert_eq!(none.verdict, Verdict::Fail);
    let good = contract().at_end(&data(json!({"name": "Ada", "items": [1]})), 3);
    assert_eq!((good.verdict, good.problems.len(), good.retry), (Verdict::Pass, 0, None));
}

#[test]
fn m67_the_rules_of_the_seeds() {
    let start = template(json!({
        "customerId": "string:!empty",
        "orderItems": "array:[1+]",
        "shippingAddress": {"street": "string:!empty", "city": "string:!empty", "zipCode": "string:[5]"},
        "priority": "string?:enum:normal,high,urgent",
    }));
    assert_eq!(
        start.signature.to_string(),
        "{customerId :string[1..], orderItems [:any][1..], shippingAddress {street :string[1..], city :string[1..], \
         zipCode :string[5..5]}, priority :enum[normal high urgent]?}"
    );
    let end = template(json!({
        "analysis": {"summary": "string:!empty", "score": "number:[0-100]", "recommendations": "array:[3+]"},
        "metadata": {"processedAt": "string", "version": "string?"},
    }));
    assert_eq!(
        end.signature.to_string(),
        "{analysis {summary :string[1..], score :float[0..100], recommendations [:any][3..]}, metadata \
         {processedAt :string, version :string?}}"
    );
    assert_eq!((start.left_out, end.left_out), (vec![], vec![]));
    let check = Contract::new(end.signature).at_start(&data(json!({
        "analysis": {"summary": "s", "score": 101, "recommendations": ["a"]}, "metadata": {"processedAt": 5, "version": null},
    })));
    assert_eq!(
        check.problems,
        [
            "analysis.score: expected float from 0 to 100, found int 101",
            "analysis.recommendations: expected list of at least 3 items, found list of 1 item",
            "metadata.processedAt: expected string, found int 5",
        ]
    );
}

/// Each rule, the signature of `{"a": rule}`, and the rules that are left out. The module has the same table.
#[test]
fn m67_every_rule_and_its_signature() {
    for (rule, signature, left_out) in [
        (json!({"a": "string"}), "{a :string}", None),
        (json!({"a": "string:!empty"}), "{a :string[1..]}", None),
        (json!({"a": "string:[5]"}), "{a :string[5..5]}", None),
        (json!({"a": "string:[=5]"}), "{a :string[5..5]}", None),
        (json!({"a": "string:[2-5]"}), "{a :string[2..5]}", None),
        (json!({"a": "string:[2+]:!empty"}), "{a :string[2..]}", None),
        (json!({"a": "string:[0-5]:!empty"}), "{a :string[1..5]}", None),
        (json!({"a": "number"}), "{a :float}", None),
        (json!({"a": "number:[0-100]"}), "{a :float[0..100]}", None),
        (json!({"a": "number:[-1.5--0.5]"}), "{a :float[-1.5..-0.5]}", None),
        (json!({"a": "number:[-5+]"}), "{a :float[-5..]}", None),
        (json!({"a": "boolean"}), "{a :bool}", None),
        (json!({"a": "array"}), "{a [:any]}", None),
        (json!({"a": "array:[3+]"}), "{a [:any][3..]}", None),
        (json!({"a": "array:[1-3]"}), "{a [:any][1..3]}", None),
        (json!({"a": "array:!empty"}), "{a [:any][1..]}", None),
        (json!({"a": "object"}), "{a :map}", None),
        (json!({"a": "object?"}), "{a :map?}", None),
        (json!({"a": "object:!empty"}), "{a :map}", Some("a: `!empty` of object")),
        (json!({"a": "any"}), "{a :any}", None),
        (json!({"a": "any:!empty"}), "{a :any}", Some("a: `!empty` of any")),
        (json!({"a": "string?"}), "{a :string?}", None),
        (json!({"a": "string:[2]?"}), "{a :string[2..2]?}", None),
        (json!({"a": "string?:enum:low, high"}), "{a :enum[low high]?}", None),
        (json!({"a": "string:enum:a b:c,d"}), "{a :enum[\"a b:c\" d]}", None),
        (json!({"a": "number:enum:1,2"}), "{a :float}", Some("a: `enum:` of number")),
        (json!({"a": "boolean:[1+]"}), "{a :bool}", Some("a: `[…]` of boolean")),
        (json!({"a": {"b": "string"}}), "{a {b :string}}", None),
        (json!({"a?": {"b": "string"}}), "{a {b :string}?}", None),
        (json!({"a": {}}), "{a :any}", None),
        (json!({"a:object": {}}), "{a :map}", None),
        // Examples.
        (json!({"a": "John Doe"}), "{a :any}", None),
        (json!({"a": "http://x.org"}), "{a :any}", None),
        (json!({"a": 25}), "{a :any}", None),
        (json!({"a": []}), "{a :any}", None),
        (json!({"a": null}), "{a :any}", None),
        // Rules in keys.
        (json!({"a?": "string"}), "{a :string?}", None),
        (json!({"a?": "John Doe"}), "{a :any?}", None),
        (json!({"a*": {"b": 1}}), "{a :any?}", None),
        (json!({"a:[3+]": []}), "{a [:any][3..]}", None),
        (json!({"a?:[3+]": []}), "{a [:any][3..]?}", None),
        (json!({"a:number:[1-2]": "x"}), "{a :float[1..2]}", None),
        (json!({"a:!empty": "John"}), "{a :string[1..]}", None),
        (json!({"a:!empty": {"b": "string"}}), "{a {b :string}}", Some("a: `!empty` of object")),
        (json!({"http://x.org": "string"}), "{:\"http://x.org\" :string}", None),
    ] {
        let read = template(rule.clone());
        assert_eq!(read.signature.to_string(), signature, "{rule}");
        assert_eq!(read.left_out, left_out.into_iter().collect::<Vec<_>>(), "{rule}");
        // The signature is one that a file can have.
        assert_eq!(signature.parse::<ptc_signatures::Type>().unwrap(), read.signature, "{rule}");
    }
}

#[test]
fn m68_the_outcome_of_a_check_is_recorded() {
    let check = contract().at_end(&data(json!({"name": "Ada", "items": []})), 1);
    assert_eq!(
        serde_json::to_value(&check).unwrap(),
        json!({
            "verdict": "retry", "problems": ["items: expected list of at least 1 item, found empty list"],
            "retry": [2, 3], "at_end": true,
        })
    );
    let words: Vec<&str> = Verdict::ALL.iter().map(Verdict::as_str).collect();
    assert_eq!(words, ["pass", "warn", "retry", "fail"]);
}

#[test]
fn m69_a_malformed_template_is_an_error() {
    for (value, message) in [
        (json!([1]), "the template: expected a map of rules, found list"),
        (json!("string"), "the template: expected a map of rules, found string"),
        (
            json!({"a": {"b": "string:[x]"}}),
            "the template at a.b: expected `[N]`, `[N+]`, `[N-M]` or `[=N]`, found `[x]`",
        ),
        (
            json!({"a": "array:[5-3]"}),
            "the template at a: expected `[N]`, `[N+]`, `[N-M]` or `[=N]`, found `[5-3]`",
        ),
        (
            json!({"a": "string:enum:"}),
            "the template at a: expected values behind `enum:`, found none",
        ),
        (
            json!({"a": "string", "a?": "string"}),
            "the template at a: expected one rule for a key, found two",
        ),
    ] {
        assert_eq!(Template::read(&data(value)).unwrap_err().to_string(), message);
    }
}

#[test]
fn values_of_hidden_fields_are_not_told() {
    let contract = Contract::new("{_token :int}".parse().unwrap());
    let check = contract.at_start(&data(json!({"_token": "secret"})));
    assert_eq!(check.problems, ["_token: expected int, found [Hidden]"]);
}
