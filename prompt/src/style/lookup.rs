//! Functions of programs, as tools for a model that writes no programs. Lookups find the tools that its prompt does not
//! describe, `ask` asks a person, and `expand` shows a shortened message whole again.

use std::sync::LazyLock;

use minijinja::context;
use ptc_lisp::{Effect, ToolDecl, Value, print};

use super::payload;
use super::plan::call_source;
use crate::catalogue::{Catalogue, ROOM, too_many};
use crate::error::Error;
use crate::text::one_line;
use crate::{PromptSpec, templates};

/// The functions of programs that look tools up, as tools. Each has one argument.
static LOOKUPS: LazyLock<[ToolDecl; 2]> = LazyLock::new(|| {
    [
        lookup(
            "tools/search",
            "(words :string) -> [{name :string, use :string, about :string}]",
            "Finds tools by words of their names and descriptions: at most 20, the best first.",
        ),
        lookup(
            "tools/describe",
            "(name :string) -> :string",
            "Gives the signature, the description and the effect of a tool.",
        ),
    ]
});

/// The function that asks a person, as a tool.
static ASK: LazyLock<ToolDecl> = LazyLock::new(|| {
    lookup(
        "ask",
        "(question :string, fields :string?) -> :any",
        "Asks a person. The answer is a text, or with `fields` such as `(day :datetime, seats :int)` an object of those.",
    )
});

/// The function that shows a shortened message whole again, as a tool.
static EXPAND: LazyLock<ToolDecl> = LazyLock::new(|| {
    lookup(
        "expand",
        "(turn :int) -> :string",
        "Shows again, whole, what you were told after a turn.",
    )
});

fn lookup(name: &str, signature: &str, description: &str) -> ToolDecl {
    let mut tool = ToolDecl::new(name, Effect::Read);
    tool.signature = signature.parse().ok();
    tool.description = Some(description.to_owned());
    tool
}

/// Returns the lookups, if there are too many tools to describe them.
pub(super) fn lookups(spec: &PromptSpec<'_>) -> &'static [ToolDecl] {
    if too_many(spec) { &*LOOKUPS } else { &[] }
}

/// Returns the name of the lookup that searches tools, if there are too many to describe them.
pub(super) fn search(spec: &PromptSpec<'_>) -> Option<&'static str> {
    lookups(spec).first().map(|it| it.name.as_str())
}

/// Returns the tool that asks a person, if the model is told of it, and the one that shows a message whole again, if
/// messages may be shortened.
pub(super) fn functions(spec: &PromptSpec<'_>) -> Vec<&'static ToolDecl> {
    let ask = spec.agent.can_ask.then(|| &*ASK);
    ask.into_iter().chain(spec.agent.can_expand.then(|| &*EXPAND)).collect()
}

/// Returns the tools that the model may call, then the lookups.
pub(super) fn callable<'a>(spec: &PromptSpec<'a>) -> Vec<&'a ToolDecl> {
    spec.tools.iter().filter(|tool| tool.callable).chain(lookups(spec)).collect()
}

/// Returns the source of a call of one of the [`callable`] tools, of one of the [`functions`], or of an operation on the
/// payload. The error is an observation about the arguments.
pub(super) fn source(tool: &ToolDecl, args: &Value) -> Result<String, String> {
    if let Some(source) = payload::source(tool, args) {
        return source;
    }
    if std::ptr::eq(LazyLock::force(&ASK), tool) {
        return Ok(question(args));
    }
    if std::ptr::eq(LazyLock::force(&EXPAND), tool) {
        return Ok(expansion(args.get("turn").unwrap_or(&Value::Nil)));
    }
    // A tool of the mission may have the name of a lookup.
    let is_lookup = LOOKUPS.iter().any(|it| std::ptr::eq(it, tool));
    let params = tool.signature.iter().flat_map(|it| &it.params);
    Ok(match params.map(|it| it.name.as_str()).next().filter(|_| is_lookup) {
        Some(param) => {
            let value = args.get(param).unwrap_or(&Value::Nil);
            format!("({} {})", tool.name, print::readable(value))
        }
        None => call_source(&tool.name, args),
    })
}

/// Returns the source that shows again what the model was told after a turn.
pub(super) fn expansion(turn: &Value) -> String {
    format!("(transcript/expand {})", print::readable(turn))
}

/// Returns the source that asks a person.
fn question(args: &Value) -> String {
    let question = args.get("question").unwrap_or(&Value::Nil);
    match args.get("fields") {
        Some(fields) if !matches!(fields, Value::Nil) => {
            let (question, fields) = (print::readable(question), print::readable(fields));
            format!("(ask {{:title {question} :fields {fields}}})")
        }
        _ => format!("(ask {})", print::readable(question)),
    }
}

/// Returns the error that a tool of this name does not exist. It names all tools, or else the tool
/// that searches them.
pub(super) fn unknown(name: &str, known: &[&str], search: Option<&str>) -> String {
    let name = one_line(name, 200);
    let remedy = match search {
        Some(search) => format!("`{search}` finds tools by words."),
        None if known.is_empty() => "There are no tools: answer without one.".to_owned(),
        None => format!("Available: {}", known.join(", ")),
    };
    format!("Error: Tool '{name}' not found. {remedy}")
}

/// Renders the catalogue of tools, which the model calls `kind`; nothing if they are described. `names` are those of
/// the lookups, and of the tool that calls others, if there is one.
pub(super) fn catalogue(
    tools: &[&ToolDecl],
    kind: &str,
    names: &[&str],
    spec: &PromptSpec<'_>,
) -> Result<Option<String>, Error> {
    if !too_many(spec) {
        return Ok(None);
    }
    let Catalogue { lines, more, example } = Catalogue::new(tools, ROOM);
    let (search, describe, call) =
        (names.first().copied(), names.get(1).copied(), names.get(2).copied());
    let data =
        context! { count => tools.len(), kind, search, describe, call, lines, more, example };
    templates::render("catalogue", data).map(Some)
}

/// Renders the catalogue of tools for a model that calls them by their own names, and returns the tools to describe.
pub(super) fn described<'a>(
    tools: Vec<&'a ToolDecl>,
    kind: &str,
    spec: &PromptSpec<'_>,
) -> Result<(Option<String>, Vec<&'a ToolDecl>), Error> {
    let lookups = lookups(spec);
    let names: Vec<&str> = lookups.iter().map(|it| it.name.as_str()).collect();
    let catalogue = catalogue(&tools, kind, &names, spec)?;
    let described = if catalogue.is_some() { lookups.iter().collect() } else { tools };
    Ok((catalogue, described))
}
