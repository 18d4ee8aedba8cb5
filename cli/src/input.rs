//! Reading what the command line names: sources, JSON, limits.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read};
use std::path::Path;
use std::time::Duration;

use ptc_lisp::{Limits, Value, json};

use crate::draw::Text;
use crate::report::{Fault, Result};

/// More than any limit lets through; a pipe may bring more than there is memory.
const MAX_INPUT: u64 = 256 << 20;

/// The name of a source that was given with `-e`.
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
        let message = format!("`{option} {text}` is no JSON, but looks like the name of a file");
        Fault::new("malformed-json", message)
            .with_help(format!("write `{option} @{text}` for the JSON in that file"))
    })
}

/// Whether a text that is no JSON is meant as the path of a file.
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
            format!("{option} is to come from standard input, a terminal"),
        )
        .with_help("pipe JSON in, or give a file as `@FILE`"));
    }
    parse_json("stdin", &read(stdin.lock(), "JSON from standard input")?)
}

/// Reads the text of a file, or of standard input if it is called `-`.
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

fn parse_json(name: &str, text: &str) -> Result<Value> {
    json::parse(text).map_err(|error| {
        Fault::new("malformed-json", format!("{name} is no JSON: {error}")).at(
            name,
            text,
            error.line as usize,
            error.column as usize,
        )
    })
}

/// Takes an object of named data, such as `ctx` or `memory`; null is an empty one.
pub(crate) fn object(name: &str, value: Value) -> std::result::Result<Value, String> {
    match value {
        Value::Nil => Ok(Value::map([])),
        Value::Map(_) => Ok(value),
        other => Err(format!("`{name}` must be an object, and is {}", json_type(&other))),
    }
}

/// What a value is in the words of JSON.
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

/// What one program may use, with the time that the language itself does not measure.
#[derive(Debug, Clone)]
pub(crate) struct AllLimits {
    /// What the machine counts.
    pub(crate) program: Limits,
    /// The most time of computing.
    pub(crate) time: Duration,
}

impl Default for AllLimits {
    fn default() -> AllLimits {
        AllLimits { program: Limits::default(), time: Duration::from_secs(10) }
    }
}

impl AllLimits {
    /// Changes the limits that a value names; the others stay.
    pub(crate) fn changed(&self, value: &Value) -> std::result::Result<AllLimits, String> {
        let mut all = self.clone();
        if value.is_nil() {
            return Ok(all);
        }
        let map = value
            .as_map()
            .ok_or_else(|| format!("`limits` must be an object, and is {}", json_type(value)))?;
        let program = &mut all.program;
        for (key, value) in map.iter() {
            match key.name().unwrap_or_default() {
                "fuel" => program.fuel = count(key, value)?,
                "memory" => program.memory = count(key, value)?,
                "call_depth" => program.call_depth = count(key, value)?,
                "value_depth" => program.value_depth = count(key, value)?,
                "source_bytes" => program.source_bytes = count(key, value)?,
                "source_nesting" => program.source_nesting = count(key, value)?,
                "tool_calls" => program.tool_calls = count(key, value)?,
                "calls_in_flight" => program.calls_in_flight = count(key, value)?,
                "print_bytes" => program.print_bytes = count(key, value)?,
                "result_bytes" => program.result_bytes = count(key, value)?,
                "memory_bytes" => program.memory_bytes = count(key, value)?,
                "program_time" => all.time = seconds(value)?,
                other => {
                    return Err(format!(
                        "there is no limit `{other}`; the limits are fuel, memory, call_depth, \
                         value_depth, source_bytes, source_nesting, tool_calls, calls_in_flight, \
                         print_bytes, result_bytes, memory_bytes, program_time"
                    ));
                }
            }
        }
        if program.calls_in_flight == 0 {
            return Err("the limit `calls_in_flight` is 0: no call could ever start".to_owned());
        }
        Ok(all)
    }
}

fn count<T: TryFrom<i64>>(key: &Value, value: &Value) -> std::result::Result<T, String> {
    value.as_int().and_then(|it| T::try_from(it).ok()).ok_or_else(|| {
        format!(
            "the limit `{}` must be a whole number that is not negative",
            key.name().unwrap_or_default()
        )
    })
}

fn seconds(value: &Value) -> std::result::Result<Duration, String> {
    let seconds = match value {
        Value::Int(int) => *int as f64,
        Value::Float(float) => *float,
        _ => f64::NAN,
    };
    Duration::try_from_secs_f64(seconds).ok().filter(|it| !it.is_zero()).ok_or_else(|| {
        "the limit `program_time` must be a number of seconds greater than 0".to_owned()
    })
}
