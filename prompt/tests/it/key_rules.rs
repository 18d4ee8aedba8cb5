//! M14: rules that models add to the keys of JSON are checked and dropped, and nothing else changes.

use crate::common::{signature, value};
use ptc_lisp::Value;
use ptc_prompt::{
    AgentSpec, DecisionsStyle, JsonStyle, MissionMode, ModelCall, PayloadSpec, Plan, PlanEnd,
    PromptLimits, PromptSpec, ReactStyle, Reading, ReplyParts, ReplyProblem, Style, ToolsStyle,
    text_without_key_rules, without_key_rules,
};

const OUTPUT: &str = "-> {analysisComplete :bool, recommendations [{title :string, why :string?}], \
                      note :string?, extra :map?, :\"10:30\" :string?}";

/// Reads a reply of a style, with this return type, and with a payload of the same type.
fn read(style: &dyn Style, text: &str, calls: &[ModelCall]) -> Reading {
    let (ctx, state, typed) = (value("{}"), value("{}"), signature(OUTPUT));
    let payload = PayloadSpec {
        value: &state,
        signature: Some(&typed.output),
        writes: None,
        can_write: true,
    };
    let acts = style.rules().acts;
    let spec = PromptSpec {
        agent: AgentSpec::default(),
        mission: "Analyse.",
        mode: MissionMode::Agent,
        ctx: &ctx,
        signature: Some(&typed),
        payload: Some(payload).filter(|_| acts),
        tools: &[],
        limits: PromptLimits::default(),
        sections: None,
        instructions: &[],
    };
    style.read(&ReplyParts { text, calls, is_cut_off: false }, &spec)
}

/// Returns the answers of all styles to the same JSON: the value, or what the model is told.
fn answers(json: &str) -> Vec<Result<Value, String>> {
    let call =
        ModelCall { id: "1".to_owned(), name: "return".to_owned(), arguments: json.to_owned() };
    let react = format!("Thought: I know.\nFinal Answer: {json}");
    let decision = format!("{{\"taskComplete?\": true, \"result:object\": {json}}}");
    let readings = [
        read(&JsonStyle, json, &[]),
        read(&ToolsStyle, "", &[call]),
        read(&ReactStyle, &react, &[]),
        read(&DecisionsStyle::WHOLE, &decision, &[]),
    ];
    readings.map(end_of).into()
}

fn end_of(reading: Reading) -> Result<Value, String> {
    match reading {
        Reading::Plan(Plan { end: Some(PlanEnd::Return(value)), .. }) => Ok(value),
        Reading::Plan(Plan { calls, .. }) => {
            Err(calls.into_iter().find_map(|it| it.source.err()).unwrap_or_default())
        }
        Reading::Problem(ReplyProblem::Form { message, fix }) => Err(format!("{message}. {fix}")),
        other => Err(format!("{other:?}")),
    }
}

/// The example of the seed gives its object, in every style whose model writes JSON.
#[test]
fn m14_rules_in_keys_are_dropped() {
    let plain = r#"{"analysisComplete": true, "recommendations": [{"title": "a", "why": "b?"}, {"title": "c"}, {"title": "d"}]}"#;
    let ruled = r#"{"analysisComplete?": true, "recommendations:[3+]": [{"title:!empty": "a", "why?": "b?"}, {"title*": "c"}, {"title": "d"}]}"#;
    for answer in answers(ruled) {
        assert_eq!(answer, Ok(value(plain)));
    }
    assert_eq!(without_key_rules(&value(ruled)), value(plain));
    let embedded = text_without_key_rules(ruled).unwrap();
    assert_eq!(value(&embedded), value(plain));
    for (key, name) in
        [("a:b", "a"), ("url*", "url"), ("a", "a"), ("http://x", "http://x"), ("?", "?")]
    {
        let one = |key: &str| value(&format!("{{\"{key}\": 1.50}}"));
        assert_eq!(without_key_rules(&one(key)), one(name), "{key}");
    }
    // One name twice: nothing is lost.
    let twice = value(r#"{"a": 1, "a?": 2, "b?": 3, "b*": 4}"#);
    assert_eq!(without_key_rules(&twice), value(r#"{"a": 1, "a?": 2, "b": 3, "b*": 4}"#));
}

/// A key that the type has, or whose name it lacks, is data.
#[test]
fn m14_data_keeps_its_keys() {
    for json in [
        r#"{"analysisComplete": true, "recommendations": [], "extra": {"done?": 1, "rows:[3+]": []}}"#,
        r#"{"analysisComplete": true, "recommendations": [], "10:30": "x", "other?": 1, "n:[3]": 2}"#,
        r#"{"analysisComplete": true, "recommendations": [], "note": "x", "note?": "y"}"#,
        r#"{"analysisComplete": true, "recommendations": [], "note": "{\"a?\": 1}"}"#,
    ] {
        for answer in answers(json) {
            assert_eq!(answer, Ok(value(json)));
        }
    }
}

/// A value that breaks the rule of its key is told precisely.
#[test]
fn m14_broken_rules_are_told() {
    let fix = "Give a value that keeps the rule, under the key without it.";
    let two = r#"[{"title": "a"}, {"title": "b"}]"#;
    for (field, rest, problem) in [
        (
            format!("\"recommendations:[3+]\": {two}"),
            "",
            "`recommendations` breaks the rule of its key `recommendations:[3+]`: expected at least 3 items, found 2 items",
        ),
        (
            r#""note:!empty": " ""#.to_owned(),
            ", \"recommendations\": []",
            "`note` breaks the rule of its key `note:!empty`: expected a value that is not empty, found blank string",
        ),
        (
            r#""note:enum:low,high": "mid""#.to_owned(),
            ", \"recommendations\": []",
            "`note` breaks the rule of its key `note:enum:low,high`: expected one of low, high, found another string",
        ),
        (
            r#""recommendations": [{"title:[=3]": "four"}]"#.to_owned(),
            "",
            "`title` breaks the rule of its key `title:[=3]`: expected exactly 3 characters, found 4 characters",
        ),
        (
            r#""note:number": "x""#.to_owned(),
            ", \"recommendations\": []",
            "`note` breaks the rule of its key `note:number`: expected number, found string",
        ),
    ] {
        let json = format!("{{\"analysisComplete?\": true, {field}{rest}}}");
        let [json_, tools, react, decisions] = <[_; 4]>::try_from(answers(&json)).unwrap();
        let told = format!("{problem}. {fix}");
        assert_eq!(json_, Err(told.clone()));
        assert_eq!(tools, Err(format!("Error: {told}")));
        assert_eq!(react, Err(told.clone()));
        assert_eq!(decisions, Err(told));
    }
}

/// Keys of a decision and of its change of the payload have rules, too; the payload's own data keeps its keys.
#[test]
fn m14_payload_changes() {
    let change = |json: &str| match read(&DecisionsStyle::WHOLE, json, &[]) {
        Reading::Plan(plan) => Ok(plan.change.unwrap_or_default()),
        problem => end_of(problem),
    };
    let decision = |change: &str| {
        format!(
            "{{\"taskComplete\": false, \"nextStep?\": {{\"type*\": \"Retry\"}}, \"payloadChangeRequest?\": {change}}}"
        )
    };
    assert_eq!(
        change(&decision(
            r#"{"updateElements?": {"recommendations:[1+]": [{"title:!empty": "a"}], "x?": 1}, "removeElements": {"note?": "__DELETE__"}, "analysisComplete?": true}"#
        )),
        Ok(value(
            r#"{"updateElements": {"recommendations": [{"title": "a"}], "x?": 1}, "removeElements": {"note": "__DELETE__"}, "analysisComplete": true}"#
        )),
    );
    assert_eq!(
        change(&decision(r#"{"newElements": {"recommendations:[2]": []}}"#)),
        Err("`recommendations` breaks the rule of its key `recommendations:[2]`: expected exactly 2 items, found 0 items. \
             Give a value that keeps the rule, under the key without it."
            .to_owned()),
    );
    assert_eq!(
        change(r#"{"taskComplete": true, "message:!empty": ""}"#),
        Err("`message` breaks the rule of its key `message:!empty`: expected a value that is not empty, found empty \
             string. Give a value that keeps the rule, under the key without it."
            .to_owned()),
    );
}
