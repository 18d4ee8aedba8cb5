//! Reads the sources, JSON and limits that the command line names.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read};
use std::path::Path;

use ptc_lisp::{Limits, Map, Value, json};
use ptc_subagent::eval::changed_limits;
use ptc_subagent::tool::HostContext;
use ptc_subagent::{Agent, Data};

use crate::draw::Text;
use crate::report::{Fault, Result};
use crate::set;

/// The longest input, in bytes. It is above every limit, and bounds a pipe that never ends.
const MAX_INPUT: u64 = 256 << 20;

/// The name of a source from `-e`.
const INLINE: &str = "-e";

/// Reads the program: from `-e`, a file, or standard input.
pub(crate) fn source(file: Option<&Path>, inline: Option<&str>) -> Result<(Text, String)> {
    let named = |name: &str, text: String| Ok((Text::new(name, &text), text));
    match (inline, file) {
        (Some(text), _) => named(INLINE, text.to_owned()),
        (None, Some(path)) if path != Path::new("-") => {
            let text = read_file(path, "the program").map_err(|fault| {
                if path.to_string_lossy().starts_with('(') {
                    fault.with_help("a program on the command line goes after `-e`")
                } else {
                    fault
                }
            })?;
            named(&path.display().to_string(), text)
        }
        (None, None) if io::stdin().is_terminal() => {
            Err(Fault::new("usage", "no program was given")
                .with_help("give a file, `-e SOURCE`, or a program on standard input"))
        }
        (None, _) => named("stdin", read(io::stdin().lock(), "the program on standard input")?),
    }
}

/// Reads a file of text.
pub(crate) fn read_file(path: &Path, what: &str) -> Result<String> {
    let what = format!("{what} {}", path.display());
    let file = File::open(path).map_err(|error| {
        let fault = unreadable(&what, &error.to_string());
        match path.to_str().and_then(|it| it.strip_prefix('@')) {
            Some(bare) => fault.with_help(format!("write `{bare}`, without the `@`")),
            None => fault,
        }
    })?;
    read(file, &what)
}

fn read(from: impl Read, what: &str) -> Result<String> {
    let mut bytes = Vec::new();
    from.take(MAX_INPUT + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| unreadable(what, &error.to_string()))?;
    if bytes.len() as u64 > MAX_INPUT {
        return Err(unreadable(what, "it is longer than 256 MiB"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        unreadable(what, &format!("it is not UTF-8 (at byte {at})"))
    })
}

#[cold]
fn unreadable(what: &str, why: &str) -> Fault {
    Fault::new("unreadable-file", format!("cannot read {what}: {why}"))
}

/// Reads an option that is JSON, or `@` and a file of JSON.
pub(crate) fn json_option(option: &str, text: &str) -> Result<Value> {
    if let Some(path) = text.strip_prefix('@') {
        return json_file(option, Path::new(path));
    }
    parse_json(option, text).map_err(|fault| {
        if !is_path(text) {
            return fault;
        }
        let message = format!("`{option} {text}` is not JSON, but looks like the name of a file");
        Fault::new("malformed-json", message)
            .with_help(format!("write `{option} @{text}` for the JSON in that file"))
    })
}

/// Returns whether a text that is not JSON looks like the path of a file.
fn is_path(text: &str) -> bool {
    let is_name = !text.is_empty() && text.len() < 4096 && !text.contains(['{', '[', '"', '\n']);
    let path = Path::new(text);
    is_name && (path.extension().is_some() || path.components().count() > 1 || path.exists())
}

/// Reads JSON from standard input.
pub(crate) fn json_stdin(option: &str) -> Result<Value> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        return Err(Fault::new(
            "usage",
            format!("{option} reads standard input, which is a terminal"),
        )
        .with_help("pipe JSON in, or give a file as `@FILE`"));
    }
    parse_json("stdin", &read(stdin.lock(), "JSON from standard input")?)
}

/// Reads the text of a file, or of standard input if the path is `-`.
pub(crate) fn named(path: &str, what: &str) -> Result<String> {
    match path {
        "-" => read(io::stdin().lock(), &format!("{what} on standard input")),
        _ => read_file(Path::new(path), what),
    }
}

/// Reads a file of JSON.
pub(crate) fn json_file(option: &str, path: &Path) -> Result<Value> {
    let text = read_file(path, &format!("the file of {option}"))?;
    parse_json(&path.display().to_string(), &text)
}

/// Reads the host context from the file of `--context`. Errors show nothing of the file.
pub(crate) fn host_context(path: Option<&Path>) -> Result<Option<HostContext>> {
    let Some(path) = path else { return Ok(None) };
    let text = read_file(path, "the file of --context")?;
    let data = json::parse(&text).map_err(|error| {
        let (line, column) = (error.line, error.column);
        let message =
            format!("{} is not valid JSON, from line {line}, column {column}", path.display());
        Fault::new("malformed-json", message)
    })?;
    let context = Data::of(&data).and_then(HostContext::new);
    Ok(Some(context.map_err(|error| error.in_file(path))?))
}

fn parse_json(name: &str, text: &str) -> Result<Value> {
    json::parse(text).map_err(|error| {
        Fault::new("malformed-json", format!("{name} is not valid JSON: {error}")).at(
            name,
            text,
            error.line as usize,
            error.column as usize,
        )
    })
}

/// Returns an object of named data, such as `ctx` or `memory`. Null becomes an empty object.
///
/// # Errors
///
/// The message, if the value is not an object.
pub(crate) fn object(name: &str, value: Value) -> std::result::Result<Value, String> {
    match value {
        Value::Nil => Ok(Value::map([])),
        Value::Map(_) => Ok(value),
        other => Err(format!("`{name}` must be an object, and is {}", json_type(&other))),
    }
}

/// Returns the JSON type of a value, with its article.
pub(crate) fn json_type(value: &Value) -> &'static str {
    match value {
        Value::Nil => "null",
        Value::Bool(_) => "a boolean",
        Value::Str(_) => "a string",
        Value::Vector(_) => "a list",
        Value::Map(_) => "an object",
        _ => "a number",
    }
}

/// Returns limits with the changes in `changes`, an object of names and values; null changes nothing.
pub(crate) fn limits(base: &Limits, changes: &Value) -> std::result::Result<Limits, String> {
    let changes = object("limits", changes.clone())?;
    changed_limits(base, changes.as_map().into_iter().flat_map(Map::iter))
}

/// Returns the names of all limits.
pub(crate) fn limit_names() -> Vec<&'static str> {
    Limits::ALL.iter().map(|limit| limit.name).collect()
}

/// Returns the input of a mission: the given one, else the agent's own, else an empty one. The
/// settings of `--set` are applied to it.
pub(crate) fn mission_input(
    agent: &Agent,
    option: Option<&str>,
    settings: &[String],
) -> Result<Data> {
    let input = given_input(agent, option)
        .and_then(|input| set::apply(input, settings, agent.signature.as_ref()));
    input.map_err(Fault::of_input)
}

fn given_input(agent: &Agent, option: Option<&str>) -> Result<Data> {
    let value = match option {
        None => return Ok(agent.default_input()?.unwrap_or(serde_json::json!({}).into())),
        Some(text) => json_input("--input", text)?,
    };
    Ok(Data::of(&value).map_err(|error| error.within("--input"))?)
}

/// Reads an option that is JSON, `@` and a file of JSON, or `-` for standard input.
pub(crate) fn json_input(option: &str, text: &str) -> Result<ptc_lisp::Value> {
    if text == "-" { json_stdin(option) } else { json_option(option, text) }
}
