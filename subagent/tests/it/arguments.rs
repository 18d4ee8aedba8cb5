//! The arguments a tool receives: string keys, JSON numbers, and unchanged values.

use std::sync::{Arc, Mutex};

use ptc_subagent::provider::Scripted;
use ptc_subagent::tool::{FnTool, ToolDef};
use ptc_subagent::{Agent, Mission, SignatureMode};
use serde_json::{Value, json};

use crate::support::program;

/// Runs a program that calls `t`. Returns the arguments the tool received, or the end of the run.
async fn received(signature: Option<&str>, mode: SignatureMode, source: &str) -> String {
    let seen = Arc::new(Mutex::new(String::new()));
    let keep = Arc::clone(&seen);
    let tool = FnTool::new(move |args: Value, _| {
        *keep.lock().unwrap() = args.to_string();
        std::future::ready(Ok(Value::Null))
    });
    let mut tool = ToolDef::new("t", tool);
    if let Some(signature) = signature {
        tool = tool.with_signature(signature).unwrap();
    }
    let agent = Agent::new("p").with_max_turns(1).with_signature_mode(mode).with_tool(tool);
    let provider = Scripted::new([program(&format!("(return {source})"))]);
    let report = Mission::new(&agent, json!({})).run(&provider).await.unwrap();
    if let Some(error) = report.error {
        return format!("{}: {}", error.code, error.message);
    }
    seen.lock().unwrap().clone()
}

#[tokio::test]
async fn without_a_signature() {
    for (source, expected) in [
        ("(tool/t {:a 1 \"b\" 2 :c/d 3})", r#"{"a":1,"b":2,"c/d":3}"#),
        (
            "(tool/t {1 :int 1.5 :float true :bool nil :nil [1 :a] :vector})",
            r#"{"1":"int","1.5":"float","true":"bool","nil":"nil","[1 :a]":"vector"}"#,
        ),
        (
            "(tool/t {:m {1 :a \"1\" :b}})",
            "not-json: arguments of the tool `t`: m.1: a map with two keys of this name \
             has no JSON form",
        ),
        ("(tool/t {:k :word :n nil :e {} :s \"\"})", r#"{"k":"word","n":null,"e":{},"s":""}"#),
        (
            "(tool/t {:set #{3 1} :lazy (map inc [1 2]) :range (range 3) :list '(1 2)})",
            r#"{"set":[3,1],"lazy":[2,3],"range":[0,1,2],"list":[1,2]}"#,
        ),
        (
            "(tool/t {:seq (take 2 (iterate inc 1)) :own (lazy-seq [7])})",
            r#"{"seq":[1,2],"own":[7]}"#,
        ),
        (
            "(tool/t {:float 1.0 :small 1e-7 :large 1e21 :third (/ 1 4) :zero (- 0.0)})",
            r#"{"float":1.0,"small":1e-7,"large":1e+21,"third":0.25,"zero":0.0}"#,
        ),
        (
            "(tool/t {:max 9223372036854775807 :more 18446744073709551615 :min -9223372036854775808})",
            r#"{"max":9223372036854775807,"more":18446744073709551615,"min":-9223372036854775808}"#,
        ),
        (
            "(tool/t {:ids [1 18446744073709551616]})",
            "tool-arguments: tool `t`: the arguments have no JSON form: ids[1]: a whole number past 64 bits has no \
             JSON form",
        ),
        ("(tool/t {:ids [(str 18446744073709551616)]})", r#"{"ids":["18446744073709551616"]}"#),
        (
            "(tool/t {:a {:b [0.5 ##NaN]}})",
            "not-json: arguments of the tool `t`: a.b[1]: a not-a-number or infinite float has no JSON form",
        ),
        (
            "(tool/t {:a (/ -1.0 0)})",
            "not-json: arguments of the tool `t`: a: a not-a-number or infinite float has no JSON form",
        ),
        (
            "(tool/t {:f inc})",
            "not-json: arguments of the tool `t`: f: a function has no JSON form",
        ),
        ("(tool/t {:date (LocalDate/parse \"2024-02-29\")})", r#"{"date":"2024-02-29"}"#),
    ] {
        assert_eq!(received(None, SignatureMode::Coerce, source).await, expected, "{source}");
    }
}

#[tokio::test]
async fn with_a_signature() {
    let (coerce, strict) = (SignatureMode::Coerce, SignatureMode::Strict);
    let signature = "(n :int, x :float?, xs [:int]?, e :enum[low high]?)";
    let signature = format!("{signature} -> :any");
    for (mode, source, expected) in [
        (coerce, "(tool/t {:n 1.0 :xs [2.0 3]})", r#"{"n":1,"xs":[2,3]}"#),
        (coerce, "(tool/t {:n (* 2.0 1.5) :x 1 :e :low})", r#"{"n":3,"x":1,"e":"low"}"#),
        (coerce, "(tool/t {:n (- 0.0) :x (- 0.0)})", r#"{"n":0,"x":0.0}"#),
        (coerce, "(tool/t {:n \"42\" :more [1]})", r#"{"n":42,"more":[1]}"#),
        (
            coerce,
            "(tool/t {:n (/ 3 2)})",
            "tool-arguments: tool `t`: the arguments do not match: n: expected int, found float 1.5",
        ),
        (
            strict,
            "(tool/t {:n (* 2.0 1)})",
            "tool-arguments: tool `t`: the arguments do not match: n: expected int, found float 2.0",
        ),
    ] {
        assert_eq!(received(Some(&signature), mode, source).await, expected, "{source}");
    }
}

#[tokio::test]
async fn nil_is_a_value_or_absent() {
    let signature = Some("(id :int, note? :string, owner :int?, lines? [{n? :int}]) -> :any");
    for mode in [SignatureMode::Coerce, SignatureMode::Strict, SignatureMode::Off] {
        let source = "(tool/t {:id 1 :note nil :owner nil :lines [{:n nil} {:n 2}]})";
        let expected = r#"{"id":1,"owner":null,"lines":[{},{"n":2}]}"#;
        assert_eq!(received(signature, mode, source).await, expected, "{mode:?}");
    }
}
