//! The section of the system prompt that describes the tools.

use std::borrow::Cow;

use minijinja::{Value as Data, context};
use ptc_lisp::{Effect, ToolDecl};

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
            let (lines, more) = catalogue(&tools, room);
            return context! { count => tools.len(), lines, more };
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

/// The maximum length of a catalogue, in characters, which keeps it below 1,500 tokens.
const ROOM: usize = 3_200;
/// The maximum length of a catalogue in a tight prompt, in characters.
const TIGHT: usize = 400;
/// The lengths to which a catalogue cuts descriptions, in characters. The first one that leaves
/// room for all tools is used.
const SUMMARIES: [usize; 2] = [100, 40];

/// Returns the lines of a catalogue, and the number of tools that do not fit. A catalogue has each
/// tool with its summary, or else only the names, or else only the first names.
fn catalogue(tools: &[&ToolDecl], room: usize) -> (Vec<String>, usize) {
    let length =
        |lines: &[String]| lines.iter().map(|line| line.chars().count() + 1).sum::<usize>();
    for most in SUMMARIES {
        let line = |tool: &&ToolDecl| match one_line(tool.summary(), most) {
            about if about.is_empty() => format!("- {}", name(tool)),
            about => format!("- {}: {about}", name(tool)),
        };
        let lines: Vec<String> = tools.iter().map(line).collect();
        if length(&lines) <= room {
            return (lines, 0);
        }
    }
    let (mut names, mut taken) = (String::new(), 0);
    for (at, tool) in tools.iter().enumerate() {
        let name = name(tool);
        taken += name.chars().count() + 2;
        if taken > room {
            return (vec![names], tools.len() - at);
        }
        if at > 0 {
            names.push_str(", ");
        }
        names.push_str(&name);
    }
    (vec![names], 0)
}

fn name(tool: &ToolDecl) -> String {
    one_line(&tool.name, 200)
}

fn entry(tool: &ToolDecl) -> Data {
    let description = tool.description.as_deref().map(paragraphs).unwrap_or_default();
    // The lines after the first belong to the item of the list.
    let lines: Vec<&str> = description.lines().filter(|line| !line.is_empty()).collect();
    context! {
        line => code(&one_line(&tool.line(), usize::MAX)),
        description => lines.join("\n  "),
        writes => tool.callable && tool.effect == Effect::Write,
    }
}
