//! The description of a tool that runs programs: for models that this crate does not prompt.

use minijinja::context;
use ptc_lisp::{ToolDecl, Value};

use crate::catalogue::{Catalogue, TIGHT};
use crate::kinds::Kinds;
use crate::{AgentSpec, MissionMode, PromptLimits, PromptSpec, examples, reference, templates};

/// Returns the description of a tool that takes a program as text. The program may call `tools`; another tool, `search`,
/// finds them. The text teaches the language, and has at most about 900 tokens for any number of tools.
pub fn program_tool(tools: &[ToolDecl]) -> String {
    let callable: Vec<&ToolDecl> = tools.iter().filter(|tool| tool.callable).collect();
    let Catalogue { lines, more, example } = Catalogue::new(&callable, TIGHT);
    let spec = PromptSpec {
        agent: AgentSpec::default(),
        mission: "",
        mode: MissionMode::Agent,
        ctx: &Value::Nil,
        payload: None,
        signature: None,
        tools,
        limits: PromptLimits::default(),
        sections: None,
    };
    let kinds = Kinds { rows: true, optional: true, ..Kinds::default() };
    let chosen = examples::choose(&spec, kinds);
    let data = context! {
        count => callable.len(),
        lines,
        more,
        example,
        notes => reference::lines(&chosen),
        reference => reference::functions(),
    };
    templates::message("program_tool", data)
}
