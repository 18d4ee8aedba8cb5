//! `ptc eval --batch`: JSON lines in, JSON lines out.
//!
//! Every request has exactly one response. Responses are in the order of the requests, and written as soon as they are
//! known. An invalid line does not end the batch.

use std::io::{self, BufRead};
use std::panic::{AssertUnwindSafe, catch_unwind};

use ptc_lisp::{Limits, Value, json};
use ptc_subagent::eval::{EvalTools, Sandbox};
use ptc_subagent::{MAX_SEED, fresh_seed};

use crate::input;
use crate::program::{self, Request, map};
use crate::report::{self, Fault, Result};
use crate::tools_file;

/// The longest line, in bytes. A request carries its data, and memory must hold several copies of a line.
const MAX_LINE: usize = 64 << 20;

/// Runs `ptc eval --batch`.
pub(crate) fn command() -> Result<u8> {
    let mut stdin = io::stdin().lock();
    let mut line = Vec::new();
    for number in 1.. {
        let whole = match next_line(&mut stdin, &mut line) {
            Ok(Some(whole)) => whole,
            Ok(None) => break,
            Err(error) => {
                let message = format!("cannot read standard input: {error}");
                return Err(Fault::new("unreadable-file", message));
            }
        };
        if line.iter().all(u8::is_ascii_whitespace) && whole {
            continue;
        }
        let response = if whole { respond(number, &line) } else { too_long(number) };
        report::print(&program::line(&response)?)?;
        if report::has_no_reader() {
            break;
        }
    }
    Ok(report::DONE)
}

/// Reads a line without its line end. Returns whether the line fits within [`MAX_LINE`], or `None` at the end of the
/// input.
fn next_line(from: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
    line.clear();
    let (mut any, mut whole) = (false, true);
    loop {
        let bytes = match from.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if bytes.is_empty() {
            return Ok(any.then_some(whole));
        }
        any = true;
        let end = bytes.iter().position(|&it| it == b'\n');
        let part = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
        if whole && line.len() + part.len() <= MAX_LINE {
            line.extend_from_slice(part);
        } else {
            whole = false;
            line.clear();
        }
        let read = end.map_or(bytes.len(), |it| it + 1);
        from.consume(read);
        if end.is_some() {
            return Ok(Some(whole));
        }
    }
}

/// Answers one line.
fn respond(number: u32, line: &[u8]) -> Value {
    let text = match std::str::from_utf8(line) {
        Ok(text) => text,
        Err(error) => {
            let why = format!("the request is not UTF-8 (at byte {})", error.valid_up_to());
            return refused(Value::Nil, problem("malformed-request", "parse", &why, number, None));
        }
    };
    // Some systems start a text with a byte order mark.
    let request = match json::parse(text.trim_start_matches('\u{feff}')) {
        Ok(request) => request,
        Err(error) => {
            let why = format!("the request is not valid JSON: {}", error.message);
            let place = Some(error.column);
            return refused(Value::Nil, problem("malformed-request", "parse", &why, number, place));
        }
    };
    let id = request.get("id").cloned().unwrap_or_default();
    let request = match request_of(&request) {
        Ok(request) => request,
        Err(why) => return refused(id, problem("bad-request", "other", &why, number, None)),
    };
    // After a bug of ours, later requests still get their responses.
    let fields =
        catch_unwind(AssertUnwindSafe(|| program::evaluate(&request).map(|it| it.fields())));
    match fields {
        Ok(Err(fault)) => {
            refused(id, problem("internal", "other", &fault.to_string(), number, None))
        }
        Ok(Ok(mut fields)) => {
            fields.insert(0, ("id", id));
            map(fields)
        }
        Err(_) => refused(id, problem("internal", "other", "a bug in ptc", number, None)),
    }
}

fn request_of(value: &Value) -> std::result::Result<Request, String> {
    let what = "the request";
    tools_file::check_keys(
        what,
        value,
        &["id", "source", "ctx", "memory", "tools", "limits", "seed"],
    )?;
    let field = |name: &str| value.get(name).cloned().unwrap_or_default();
    let source = tools_file::text(what, value, "source")?
        .ok_or_else(|| format!("{what} has no `source`"))?
        .to_owned();
    Ok(Request {
        source,
        memory: input::object("memory", field("memory"))?,
        sandbox: Sandbox {
            ctx: input::object("ctx", field("ctx"))?,
            tools: EvalTools::constants(tools_file::tools(&field("tools"))?),
            limits: input::limits(&Limits::default(), &field("limits"))?,
            seed: seed(&field("seed"))?,
            ..Sandbox::default()
        },
        repair: false,
        workflow: None,
    })
}

/// Returns the seed of a request, or a fresh one.
fn seed(value: &Value) -> std::result::Result<u64, String> {
    if value.is_nil() {
        return Ok(fresh_seed());
    }
    let seed = value.as_int().and_then(|it| u64::try_from(it).ok());
    seed.filter(|it| *it <= MAX_SEED)
        .ok_or_else(|| format!("`seed` must be an integer from 0 to {MAX_SEED}"))
}

fn too_long(number: u32) -> Value {
    let why = format!("the request is longer than {MAX_LINE} bytes");
    refused(Value::Nil, problem("request-too-long", "limit", &why, number, None))
}

/// Returns the response to an invalid request, with all fields. Nothing ran.
fn refused(id: Value, error: Value) -> Value {
    map(vec![
        ("id", id),
        ("status", "error".into()),
        ("value", Value::Nil),
        ("edn", Value::Nil),
        ("prints", Value::vector(Vec::new())),
        ("tool_calls", Value::vector(Vec::new())),
        ("memory", Value::map([])),
        ("fuel", 0.into()),
        ("error", error),
    ])
}

/// Returns the error of a request. `line` is the line of the input.
fn problem(code: &str, kind: &str, message: &str, line: u32, column: Option<u32>) -> Value {
    map(vec![
        ("code", code.into()),
        ("kind", kind.into()),
        ("message", message.into()),
        ("line", i64::from(line).into()),
        ("column", column.map(i64::from).map(Value::from).unwrap_or_default()),
        ("help", Value::Nil),
    ])
}
