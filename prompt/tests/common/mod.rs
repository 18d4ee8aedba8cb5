//! Helpers of the tests of this crate.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::allow_attributes,
    reason = "each test uses a part of it"
)]

use ptc_lisp::{Effect, ToolDecl, Value, json};
use ptc_prompt::{AgentSpec, MissionMode, PromptLimits, PromptSpec, system};
use ptc_signatures::Signature;

pub fn value(json: &str) -> Value {
    json::parse(json).expect("a test's JSON reads")
}

pub fn signature(text: &str) -> Signature {
    text.parse().expect("a test's signature reads")
}

pub fn tool(name: &str, signature: &str, description: &str, effect: Effect) -> ToolDecl {
    ToolDecl {
        signature: (!signature.is_empty())
            .then(|| signature.parse().expect("a test's signature reads")),
        description: (!description.is_empty()).then(|| description.to_owned()),
        ..ToolDecl::new(name, effect)
    }
}

pub fn planned(name: &str, signature: &str, description: &str) -> ToolDecl {
    ToolDecl { callable: false, ..tool(name, signature, description, Effect::Write) }
}

/// Returns a section of a prompt with data but without tools.
pub fn section(
    number: usize,
    mode: MissionMode,
    ctx: &str,
    types: &str,
    tools: &[ToolDecl],
    limits: PromptLimits,
) -> String {
    let ctx = value(ctx);
    let types = (!types.is_empty()).then(|| signature(types));
    let spec = PromptSpec {
        agent: AgentSpec::default(),
        mission: "Do it.",
        mode,
        ctx: &ctx,
        signature: types.as_ref(),
        tools,
        limits,
        payload: None,
        sections: None,
    };
    system(&spec)
        .expect("a test's prompt renders")
        .section(number)
        .map(|s| s.text.to_string())
        .unwrap_or_default()
}
