//! What commands show. Programs and tools may print anything, so that all text of theirs is cleaned.

use std::fmt::Write as _;

use ptc_lisp::{
    Break, CallMade, Debugger, Diagnostic, Ended, Evaluated, Gave, Line, Name, Names, Outcome,
    Place, Stop, Trace, What,
};

use super::front::COMMANDS;
use crate::report::clean;

/// Characters of a form in a line.
const FORM: usize = 60;

/// Characters of a value in a line.
const VALUE: usize = 80;

/// Deeper forms stand no further to the right.
const MAX_INDENT: u32 = 20;

/// Lines of the source before and behind the form.
const AROUND: usize = 5;

/// The first steps of a program, a line each, and how it ended.
pub(super) fn trace(trace: &Trace) -> String {
    let mut out = String::new();
    for line in &trace.lines {
        out += &step(line);
    }
    if trace.more > 0 {
        let s = if trace.more == 1 { "" } else { "s" };
        add(&mut out, &format!("… {} more step{s}; --max prints more", trace.more));
    }
    add(&mut out, &ended(&trace.ended));
    out
}

/// Where a program stands: forms that are over, lines that were printed, what is next.
pub(super) fn stop(stop: &Stop, printed: &[String]) -> String {
    let mut out = String::new();
    for line in printed {
        add(&mut out, &format!("| {line}"));
    }
    for line in &stop.finished {
        add(&mut out, &format!("  {}  {}", form(line.place.as_ref()), gave(line)));
    }
    if stop.unsaid > 0 {
        add(&mut out, &format!("  … and {} more forms around them", stop.unsaid));
    }
    let number = stop.step;
    let inside = match stop.stack.first().and_then(|level| level.function.as_deref()) {
        Some(function) => format!("  in {function}"),
        None => String::new(),
    };
    let head =
        format!("{number}  {}{}{inside}", at(stop.place.as_ref()), form(stop.place.as_ref()));
    match &stop.what {
        What::Form => add(&mut out, &head),
        What::Call { tool, args } => {
            add(&mut out, &format!("{head}  calls {tool} {}", shortened(args, VALUE)));
        }
        What::Error(problem) => {
            add(&mut out, &head);
            add(&mut out, &format!("  {}", error(problem)));
        }
        What::End(end) => add(&mut out, &format!("{number}  the program is over: {}", ended(end))),
    }
    out
}

/// The functions that are running.
pub(super) fn stack(stop: &Stop) -> String {
    let mut out = String::new();
    for (number, level) in stop.stack.iter().enumerate() {
        let function = level.function.as_deref().unwrap_or("the program");
        let place = level.place.as_ref();
        add(&mut out, &format!("{number}  {function}  {}{}", at(place), form(place)));
    }
    if stop.more_levels > 0 {
        add(&mut out, &format!("… and {} more", stop.more_levels));
    }
    if out.is_empty() {
        out.push_str("nothing is running\n");
    }
    out
}

/// The names in scope.
pub(super) fn names(names: &Names) -> String {
    let mut out = String::new();
    let mut all = |names: &[Name]| {
        for Name { name, value } in names {
            add(&mut out, &format!("{name} = {value}"));
        }
    };
    all(&names.names);
    all(&names.defined);
    if out.is_empty() {
        out.push_str("there are no names here\n");
    }
    if !names.are_whole {
        out.push_str("the program is at a limit here: names that it has done with are nil\n");
    }
    out
}

/// What an expression came to.
pub(super) fn evaluated(result: &Result<Evaluated, Vec<Diagnostic>>) -> String {
    let mut out = String::new();
    match result {
        Ok(Evaluated { value, prints }) => {
            for line in prints {
                add(&mut out, &format!("| {line}"));
            }
            add(&mut out, value);
        }
        Err(problems) => {
            for problem in problems {
                add(&mut out, &error(problem));
            }
        }
    }
    out
}

/// Tool calls.
pub(super) fn calls(calls: &[CallMade]) -> String {
    let mut out = String::new();
    for CallMade { name, args, result, .. } in calls {
        let result = match result {
            Ok(value) => format!("=> {}", shortened(value, VALUE)),
            Err(message) => format!("failed: {message}"),
        };
        add(&mut out, &format!("{name} {}  {result}", shortened(args, VALUE)));
    }
    if out.is_empty() {
        out.push_str("no tool was called\n");
    }
    out
}

/// Printed lines.
pub(super) fn prints(lines: &[String]) -> String {
    let mut out = String::new();
    for line in lines {
        add(&mut out, line);
    }
    if out.is_empty() {
        out.push_str("nothing was printed\n");
    }
    out
}

/// What was used.
pub(super) fn used(stop: &Stop) -> String {
    format!("fuel {}, tool calls {}\n", stop.fuel, stop.tool_calls)
}

/// The breaks, with the numbers by which they are deleted.
pub(super) fn breaks(debugger: &Debugger<'_>) -> String {
    let mut out = String::new();
    for (number, place) in (1..).zip(debugger.breaks()) {
        add(&mut out, &format!("{number}  {}", break_of(place)));
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

/// The lines of the source around a form; the first ones where there is none.
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
        if number + AROUND < line || number > line + AROUND {
            continue;
        }
        let mark = if place.is_some() && number == line { '>' } else { ' ' };
        add(&mut out, &format!("{mark} {number:>3}  {text}"));
        if let Some(place) = place
            && number == line
        {
            let first = place.text.lines().next().unwrap_or_default();
            let (before, carets) = (place.column as usize - 1, first.chars().count());
            add(&mut out, &format!("       {}{}", " ".repeat(before), "^".repeat(carets)));
        }
    }
    out
}

/// All commands.
pub(super) fn help() -> String {
    let mut out = String::new();
    for (name, letter, rest, about) in COMMANDS {
        let usage = format!("{name} {rest}");
        // A string takes everything that is written to it.
        let _ = writeln!(out, "{letter}  {usage:<16}{about}");
    }
    out.push_str("An empty line does the last command again.\n");
    out
}

/// One line of a trace.
fn step(line: &Line) -> String {
    let place = line.place.as_ref();
    // What is no form itself stands below the form that it happens in.
    let form = match line.gave {
        Gave::Calls(..) | Gave::Raised(_) => String::new(),
        _ => format!("{}  ", form(place)),
    };
    let indent = "  ".repeat(line.depth.min(MAX_INDENT) as usize);
    let mut out = String::new();
    add(&mut out, &format!("{:>5}  {:<8}{indent}{form}{}", line.step, at(place), gave(line)));
    out
}

fn gave(line: &Line) -> String {
    match &line.gave {
        Gave::Value(value) => format!("=> {}", shortened(value, VALUE)),
        Gave::Again => "goes round".to_owned(),
        Gave::Failed => "failed".to_owned(),
        Gave::Open => String::new(),
        Gave::Calls(tool, args) => format!("calls {tool} {}", shortened(args, VALUE)),
        Gave::Raised(problem) => format!("raises {}", error(problem)),
    }
}

fn ended(ended: &Ended) -> String {
    match &ended.outcome {
        Outcome::Value(value) => format!("=> {}", value_of(value)),
        Outcome::Return(value) => format!("returned {}", value_of(value)),
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
    shortened(place.map_or("", |place| place.text.as_str()), FORM)
}

/// A text in one line, without what is too long for it.
fn shortened(text: &str, max: usize) -> String {
    let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = words.char_indices().nth(max) {
        words.truncate(end);
        words.push('…');
    }
    words
}

/// Adds a line.
fn add(out: &mut String, line: &str) {
    out.push_str(clean(line).trim_end());
    out.push('\n');
}
