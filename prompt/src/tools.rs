//! The section of the system prompt that describes the tools.

use std::borrow::Cow;

use minijinja::{Value as Data, context};
use ptc_lisp::{Effect, ToolDecl};

use crate::catalogue::{Catalogue, ROOM, TIGHT};
use crate::text::{code, one_line, paragraphs};
use crate::{MissionMode, PromptSpec};

/// The inputs of the section.
#[derive(Debug, PartialEq)]
pub(crate) struct Toolset<'a> {
    agent: bool,
    signature: bool,
    tools: Cow<'a, [ToolDecl]>,
    max_tools: usize,
    is_tight: bool,
}

impl<'a> Toolset<'a> {
    pub(crate) fn new(spec: &PromptSpec<'a>, is_tight: bool) -> Toolset<'a> {
        let (agent, signature) = (spec.mode == MissionMode::Agent, spec.signature.is_some());
        let (tools, max_tools) = (Cow::Borrowed(spec.tools), spec.limits.max_tools);
        Toolset { agent, signature, tools, max_tools, is_tight }
    }

    pub(crate) fn into_owned(self) -> Toolset<'static> {
        Toolset { tools: Cow::Owned(self.tools.into_owned()), ..self }
    }
}

/// Returns the data of the section's template.
pub(crate) fn data(all: &Toolset<'_>) -> Data {
    let Toolset { agent, signature, tools, max_tools, is_tight } = all;
    let part = |callable: bool| -> Data {
        let tools: Vec<&ToolDecl> = tools.iter().filter(|tool| tool.callable == callable).collect();
        if tools.len() > *max_tools || *is_tight && !tools.is_empty() {
            let room = if *is_tight { TIGHT } else { ROOM };
            let Catalogue { lines, more, example } = Catalogue::new(&tools, room);
            return context! { count => tools.len(), lines, more, example };
        }
        let entries: Vec<Data> = tools.iter().map(|tool| entry(tool)).collect();
        context! { count => tools.len(), entries }
    };
    context! {
        agent,
        signature,
        callable => part(true),
        planning => part(false),
    }
}

fn entry(tool: &ToolDecl) -> Data {
    let writes = tool.callable && tool.effect == Effect::Write;
    let line = one_line(&tool.line(), usize::MAX);
    // Hardly any program reads that a call which writes went well: an error says that it did not.
    let all = [" -> :any", " -> :bool"].iter().find_map(|it| line.strip_suffix(it));
    let line = all.filter(|_| writes).unwrap_or(&line);
    let description = tool.description.as_deref().map(paragraphs).unwrap_or_default();
    // The lines after the first belong to the item of the list.
    let lines: Vec<&str> = description.lines().filter(|line| !line.is_empty()).collect();
    context! {
        line => code(line),
        description => lines.join("\n  "),
        writes,
    }
}
