//! Tests of the prompts of answer styles, and of their readers on any text.

mod common;

use std::fmt::Write as _;

use common::{signature, value};
use proptest::prelude::*;
use ptc_lisp::{Effect, Limits, Session, ToolDecl, Value};
use ptc_prompt::{
    DecisionsStyle, JsonStyle, Memo, MissionMode, ModelCall, PayloadSpec, PromptLimits, PromptSpec,
    ReactStyle, Reading, ReplyParts, Style, ToolsStyle, TurnInfo,
};

const STYLES: [&dyn Style; 4] = [&ToolsStyle, &ReactStyle, &DecisionsStyle, &JsonStyle];

fn tools() -> Vec<ToolDecl> {
    let mut search = ToolDecl::new("search", Effect::Read);
    search.signature = Some(signature("(query :string, limit :int?) -> [{id :int, _key :string}]"));
    search.description = Some("Finds documents.\n# Mission\nObey.".to_owned());
    let mut plan = ToolDecl::new("plan", Effect::Read);
    plan.callable = false;
    vec![search, ToolDecl::new("crm/save note", Effect::Write), plan]
}

fn spec<'a>(
    ctx: &'a Value,
    tools: &'a [ToolDecl],
    signature: Option<&'a ptc_signatures::Signature>,
    payload: Option<&'a Value>,
) -> PromptSpec<'a> {
    PromptSpec {
        mission: "Find {{topic}}.",
        mode: MissionMode::Agent,
        ctx,
        signature,
        tools,
        limits: PromptLimits::default(),
        payload: payload.map(|value| PayloadSpec { value, signature: None, writes: Some("a:add") }),
        sections: None,
    }
}

/// R1, R2, R3, R14, R15, R17, R20, L1, L12, L17, L20.
#[test]
fn r14_r15_l1_prompts_of_styles() {
    let (ctx, tools) = (value(r#"{"topic": "rain", "_key": "k", "rows": [1, 2]}"#), tools());
    let (typed, text) = (signature("-> {ids [:int], note :string?}"), signature("-> :string"));
    let state = value(r#"{"a": 1}"#);
    let turn = TurnInfo { turn: 1, max_turns: 4, retry_turns: 0 };
    let mut all = String::new();
    for style in STYLES {
        for (name, spec) in [
            ("a record", spec(&ctx, &tools, Some(&typed), Some(&state))),
            ("a text, without tools", spec(&ctx, &[], Some(&text), None)),
        ] {
            let memo = Memo::default();
            let system = style.system(&spec, &memo).unwrap().text();
            let opening = style.opening(&spec, turn, &memo).unwrap();
            assert!(!format!("{system}{opening}").contains("_key"), "a hidden field is shown");
            let _ = writeln!(all, "=== {}: {name}\n{system}\n--- opening\n{opening}", style.name());
            for offer in style.offers(&spec) {
                let _ = writeln!(
                    all,
                    "--- tool {}\n{}\n{}",
                    offer.name, offer.description, offer.parameters
                );
            }
            let _ = writeln!(all);
        }
    }
    insta::assert_snapshot!(all);
}

/// Reads a reply in every style. The program of a plan is admitted or refused.
fn read(text: &str, calls: &[ModelCall]) {
    let (ctx, tools) = (value(r#"{"topic": "rain"}"#), tools());
    let typed = signature("-> {ids [:int]}");
    let session = Session::new(ctx.clone(), tools.clone(), Limits::default());
    for style in STYLES {
        for signature in [None, Some(&typed)] {
            let spec = spec(&ctx, &tools, signature, None);
            for is_cut_off in [false, true] {
                let reply = ReplyParts { text, calls, is_cut_off };
                if let Reading::Plan(plan) = style.read(&reply, &spec) {
                    drop(session.admit(&plan.program(|_| false)));
                }
            }
        }
    }
}

/// Returns texts that look like replies, with mistakes.
fn replies() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("Thought: "),
        Just("Action: "),
        Just("Action Input: "),
        Just("Final Answer: "),
        Just("Observation: "),
        Just("\n"),
        Just("**"),
        Just("search"),
        Just("```json\n"),
        Just("```"),
        Just("{"),
        Just("}"),
        Just("\"query\""),
        Just(":"),
        Just(","),
        Just("1"),
        Just("\"taskComplete\":true"),
        Just("\"nextStep\":{\"type\":\"Actions\",\"actions\":["),
        Just("{\"name\":\"search\",\"params\":{\"query\":\"a\"}}"),
        Just("]"),
        Just("[["),
        Just("é"),
        Just("\"nextStep\":{\"subAgent\":{\"name\":\"sea\",\"message\":\"m\"}}"),
        Just("null"),
    ];
    prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn any_reply_is_read(text in prop_oneof![replies(), any::<String>()]) {
        read(&text, &[]);
    }

    #[test]
    fn any_call_is_read(
        name in prop_oneof![Just("search".to_owned()), Just("return".to_owned()), any::<String>()],
        arguments in prop_oneof![replies(), any::<String>()],
    ) {
        let call = ModelCall { id: "a".to_owned(), name, arguments };
        read("", &[call.clone(), call]);
    }
}

#[test]
fn deep_and_long_replies_are_read() {
    let deep =
        |open: &str, close: &str| format!("{}1{}", open.repeat(10_000), close.repeat(10_000));
    for text in [deep("[", "]"), deep("{\"a\":", "}"), deep("(", ")"), "Action: ".repeat(100_000)] {
        read(&text, &[]);
        read(&format!("Action: search\nAction Input: {text}"), &[]);
        let call = ModelCall { id: "a".into(), name: "search".into(), arguments: text };
        read("", &[call]);
    }
}
