//! The output of debugger commands. Programs and tools may print anything, so all of their text is cleaned.

use std::fmt::Write as _;

use ptc_lisp::debug::{
    Break, CallMade, Debugger, Evaluated, Gave, Line, Name, Names, Place, Stop, Trace, What,
};
use ptc_lisp::{Diagnostic, Ended, Outcome};

use super::commands::COMMANDS;
use crate::report::clean;

/// The largest number of characters of a form in a line.
const MAX_FORM: usize = 60;

/// The largest number of characters of a value in a line.
const MAX_VALUE: usize = 80;

/// The largest indentation, in levels. Deeper forms are not indented further.
const MAX_INDENT: u32 = 20;

/// The number of source lines shown before and after the form.
const CONTEXT: usize = 5;

/// Formats the first steps of a program, one a line, and its end.
pub(super) fn trace(trace: &Trace) -> String {
    let mut out = String::new();
    for line in &trace.lines {
        out += &step(line);
    }
    if trace.more > 0 {
        let s = if trace.more == 1 { "" } else { "s" };
        push_line(&mut out, &format!("… {} more step{s}; --max prints more", trace.more));
    }
    push_line(&mut out, &ended(&trace.ended));
    out
}

/// Formats a stop: the printed lines, the finished forms, and the next form.
pub(super) fn stop(stop: &Stop, printed: &[String]) -> String {
    let mut out = String::new();
    for line in printed {
        push_line(&mut out, &format!("| {line}"));
    }
    for line in &stop.finished {
        push_line(&mut out, &format!("  {}  {}", form(line.place.as_ref()), gave(line)));
    }
    if stop.unsaid > 0 {
        push_line(&mut out, &format!("  … and {} more forms around them", stop.unsaid));
    }
    let number = stop.step;
    let inside = match stop.stack.first().and_then(|level| level.function.as_deref()) {
        Some(function) => format!("  in {function}"),
        None => String::new(),
    };
    let head =
        format!("{number}  {}{}{inside}", at(stop.place.as_ref()), form(stop.place.as_ref()));
    match &stop.what {
        What::Form => push_line(&mut out, &head),
        What::Call { tool, args } => {
            push_line(&mut out, &format!("{head}  calls {tool} {}", shortened(args, MAX_VALUE)));
        }
        What::Error(problem) => {
            push_line(&mut out, &head);
            push_line(&mut out, &format!("  {}", error(problem)));
        }
        What::End(end) => {
            push_line(&mut out, &format!("{number}  the program is over: {}", ended(end)));
        }
    }
    out
}

/// Formats the stack of running functions.
pub(super) fn stack(stop: &Stop) -> String {
    let mut out = String::new();
    for (number, level) in stop.stack.iter().enumerate() {
        let function = level.function.as_deref().unwrap_or("the program");
        let place = level.place.as_ref();
        push_line(&mut out, &format!("{number}  {function}  {}{}", at(place), form(place)));
    }
    if stop.more_levels > 0 {
        push_line(&mut out, &format!("… and {} more", stop.more_levels));
    }
    if out.is_empty() {
        out.push_str("nothing is running\n");
    }
    out
}

/// Formats the names in scope and their values.
pub(super) fn names(names: &Names) -> String {
    let mut out = String::new();
    let mut all = |names: &[Name]| {
        for Name { name, value } in names {
            push_line(&mut out, &format!("{name} = {value}"));
        }
    };
    all(&names.names);
    all(&names.defined);
    if out.is_empty() {
        out.push_str("there are no names here\n");
    }
    if !names.are_whole {
        out.push_str("the program is at a limit here: names that it no longer needs are nil\n");
    }
    out
}

/// Formats the result of an expression.
pub(super) fn evaluated(result: &Result<Evaluated, Vec<Diagnostic>>) -> String {
    let mut out = String::new();
    match result {
        Ok(Evaluated { value, prints }) => {
            for line in prints {
                push_line(&mut out, &format!("| {line}"));
            }
            push_line(&mut out, value);
        }
        Err(problems) => {
            for problem in problems {
                push_line(&mut out, &error(problem));
            }
        }
    }
    out
}

/// Formats tool calls and their results.
pub(super) fn calls(calls: &[CallMade]) -> String {
    let mut out = String::new();
    for CallMade { name, args, result, .. } in calls {
        let result = match result {
            Ok(value) => format!("=> {}", shortened(value, MAX_VALUE)),
            Err(message) => format!("failed: {message}"),
        };
        push_line(&mut out, &format!("{name} {}  {result}", shortened(args, MAX_VALUE)));
    }
    if out.is_empty() {
        out.push_str("no tool was called\n");
    }
    out
}

/// Formats printed lines.
pub(super) fn prints(lines: &[String]) -> String {
    let mut out = String::new();
    for line in lines {
        push_line(&mut out, line);
    }
    if out.is_empty() {
        out.push_str("nothing was printed\n");
    }
    out
}

/// Formats the fuel and the number of tool calls used so far.
pub(super) fn used(stop: &Stop) -> String {
    format!("fuel {}, tool calls {}\n", stop.fuel, stop.tool_calls)
}

/// Formats the breaks, with the numbers by which they are deleted.
pub(super) fn breaks(debugger: &Debugger<'_>) -> String {
    let mut out = String::new();
    for (number, place) in (1..).zip(debugger.breaks()) {
        push_line(&mut out, &format!("{number}  {}", break_of(place)));
    }
    if out.is_empty() {
        out.push_str("there are no breaks\n");
    }
    out
}

pub(super) fn break_of(place: &Break) -> String {
    match place {
        Break::Form { line, column } => format!("{line}:{column}"),
        Break::Tool(tool) => format!("tool {tool}"),
        Break::Error => "error".to_owned(),
    }
}

/// Formats the lines of the source around a form, or the first lines if there is no form.
pub(super) fn source(source: &str, stop: &Stop) -> String {
    let place = stop.place.as_ref();
    let text = match place {
        Some(place) if !place.is_here => {
            return format!("{}\nthis is a part of an earlier program\n", clean(&place.text));
        }
        _ => source,
    };
    let line = place.map_or(1, |place| place.line as usize);
    let mut out = String::new();
    for (number, text) in (1..).zip(text.lines()) {
        if number + CONTEXT < line || number > line + CONTEXT {
            continue;
        }
        let mark = if place.is_some() && number == line { '>' } else { ' ' };
        push_line(&mut out, &format!("{mark} {number:>3}  {text}"));
        if let Some(place) = place
            && number == line
        {
            let first = place.text.lines().next().unwrap_or_default();
            let (before, carets) = (place.column as usize - 1, first.chars().count());
            push_line(&mut out, &format!("       {}{}", " ".repeat(before), "^".repeat(carets)));
        }
    }
    out
}

/// Returns the list of all commands.
pub(super) fn help() -> String {
    let mut out = String::new();
    for (name, letter, rest, about) in COMMANDS {
        let usage = format!("{name} {rest}");
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{letter}  {usage:<16}{about}");
    }
    out.push_str("An empty line repeats the last command.\n");
    out
}

/// Formats one line of a trace.
fn step(line: &Line) -> String {
    let place = line.place.as_ref();
    // A call or an error is not a form: its line is below that of the form in which it happens.
    let form = match line.gave {
        Gave::Calls(..) | Gave::Raised(_) => String::new(),
        _ => format!("{}  ", form(place)),
    };
    let indent = "  ".repeat(line.depth.min(MAX_INDENT) as usize);
    let mut out = String::new();
    push_line(&mut out, &format!("{:>5}  {:<8}{indent}{form}{}", line.step, at(place), gave(line)));
    out
}

fn gave(line: &Line) -> String {
    match &line.gave {
        Gave::Value(value) => format!("=> {}", shortened(value, MAX_VALUE)),
        Gave::Again => "repeats".to_owned(),
        Gave::Failed => "failed".to_owned(),
        Gave::Open => String::new(),
        Gave::Calls(tool, args) => format!("calls {tool} {}", shortened(args, MAX_VALUE)),
        Gave::Raised(problem) => format!("raises {}", error(problem)),
    }
}

fn ended(ended: &Ended) -> String {
    match &ended.outcome {
        Outcome::Value(value) => format!("=> {}", value_of(value)),
        Outcome::Return(value) => format!("returned {}", value_of(value)),
        Outcome::Continue(value) => format!("continues with {}", value_of(value)),
        Outcome::Fail(failure) => format!("failed: {}: {}", failure.reason, failure.message),
        Outcome::Error(problem) => error(problem),
    }
}

fn value_of(value: &ptc_lisp::Value) -> String {
    let bounds = ptc_lisp::print::Preview { hide_private: false, ..Default::default() };
    ptc_lisp::print::preview(value, &bounds).0
}

fn error(problem: &Diagnostic) -> String {
    format!("{}: {}", problem.code(), problem.message())
}

fn at(place: Option<&Place>) -> String {
    match place {
        Some(Place { line, column, is_here: true, .. }) => format!("{line}:{column}  "),
        Some(_) => "earlier  ".to_owned(),
        None => String::new(),
    }
}

fn form(place: Option<&Place>) -> String {
    shortened(place.map_or("", |place| place.text.as_str()), MAX_FORM)
}

/// Returns a text on one line, cut to `max` characters.
fn shortened(text: &str, max: usize) -> String {
    let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = words.char_indices().nth(max) {
        words.truncate(end);
        words.push('…');
    }
    words
}

/// Adds a cleaned line.
fn push_line(out: &mut String, line: &str) {
    out.push_str(clean(line).trim_end());
    out.push('\n');
}
