//! The feedback on a turn that failed: the problem, its place, the reason, and one fix.

use std::fmt::Write;

use minijinja::context;
use ptc_lisp::{Code, Diagnostic, Effect, Value};
use ptc_signatures::{MAX_MISMATCHES, Mismatch, MismatchKind, Path, Segment, Type};

use crate::calls::CallsMade;
use crate::example_value::of_type;
use crate::mended::with_value_in;
use crate::problem::{Problem, warnings};
use crate::sample::{is_plain_name, sample};
use crate::text::{DATA_TAG, indented, inside_data_tag, one_line};
use crate::{PromptLimits, Reference, TurnInfo, templates, turn};

/// Renders the message for the next turn.
///
/// Text of tools and data stays on its line or inside a mark that it cannot close.
pub fn feedback(problem: &Problem<'_>, turn: TurnInfo) -> String {
    feedback_again(problem, turn, 0)
}

/// Renders the same feedback for a program that was sent `times` before, with the same outcome each
/// time.
pub fn feedback_again(problem: &Problem<'_>, turn: TurnInfo, times: u32) -> String {
    render(problem, Some(turn), times)
}

/// Renders the feedback for a program that no other program of its run follows, such as that of a workflow.
pub fn feedback_of_one(problem: &Problem<'_>) -> String {
    render(problem, None, 0)
}

/// `turn` is the next turn.
fn render(problem: &Problem<'_>, turn: Option<TurnInfo>, times: u32) -> String {
    // A model that sums up writes no program, so nothing tells it how to mend one.
    let ends = turn.is_some_and(|turn| turn.ends);
    let turn = turn.filter(|turn| !turn.ends);
    let fixed = |text: String| if ends { String::new() } else { text };
    let none = CallsMade::default();
    let calls = match problem {
        Problem::Failed { calls, .. }
        | Problem::WrongReturn { calls, .. }
        | Problem::HeldReturn { calls, .. }
        | Problem::WrongPayload { calls, .. } => *calls,
        _ => &none,
    };
    let mended = mended(problem);
    let data = context! {
        intro => if times == 0 { intro(problem, ends) } else { again(times) },
        error => problem.code(),
        message => inside_data_tag(&one_line(&problem.message(), MESSAGE)),
        details => inside_data_tag(&details(problem, ends)),
        fix => inside_data_tag(&fixed(one_line(&fix(problem), MESSAGE))),
        mends_call => mended.is_some() && matches!(problem, Problem::Failed { .. }),
        mended => mended.map(|it| inside_data_tag(&indented(&it))),
        repeated => times > 0 && !ends,
        calls => inside_data_tag(&listed(calls)),
        warnings => inside_data_tag(&warnings(calls)),
        wrote => calls.wrote,
        rolled_back => turn.is_some() && rolled_back(problem),
        tag => DATA_TAG,
        turn => turn.map(turn::line),
    };
    templates::message("feedback", data)
}

/// Prefixes the message of a turn with the repair of its program's delimiters.
pub fn repaired(change: &str, message: &str) -> String {
    let change = inside_data_tag(&one_line(change, MESSAGE));
    format!(
        "The delimiters of the last program did not match, so it was mended before it ran: {change}.\n\n{message}"
    )
}

/// The maximum number of problems in one message. A model does not fix more than that at once.
const MAX_PROBLEMS: usize = 5;
/// The limits for a call in a message. The model only has to recognise the call.
const CALLS: PromptLimits = PromptLimits {
    list_sample: 3,
    string_truncate: 100,
    reference: Reference::None,
    max_tools: 0,
    max_chars: None,
};
/// The maximum length of a message or a fix, in characters.
const MESSAGE: usize = 1_000;

/// Returns whether the program's memory and definitions are certainly dropped. A value without a
/// JSON form may be found only after the program has ended well.
fn rolled_back(problem: &Problem<'_>) -> bool {
    matches!(problem, Problem::Failed { diagnostic, .. } if diagnostic.code_value() != Code::NotJson)
}

fn again(times: u32) -> String {
    let sent =
        if times == 1 { "again".to_owned() } else { format!("for the {}th time", times + 1) };
    let sent = if times == 2 { "for the 3rd time".to_owned() } else { sent };
    format!("The same program was sent {sent}, and it ended in the same way:")
}

const UNKNOWN_FIX: &str = "change what led to this and send the whole program again.";
const FAILED_READ_FIX: &str =
    "change the arguments, or give the call a default if the mission can do without its result";
/// The maximum length of a call that is shown with a default, in characters.
const LONGEST_CALL: usize = 300;

fn intro(problem: &Problem<'_>, ends: bool) -> String {
    let (what, is_open) = match problem {
        Problem::NoProgram { .. } | Problem::Empty | Problem::NoAnswer | Problem::Form { .. } => {
            ("There was nothing to run in the last reply", ", and the mission is still open")
        }
        Problem::SeveralPrograms { .. } => ("Nothing of the last reply was run", ""),
        Problem::CutOff => ("The last reply broke off, and nothing of it was run", ""),
        Problem::Rejected { .. } => {
            ("The last program was refused before it ran; no tool was called", "")
        }
        Problem::Failed { .. } => ("The last program stopped with an error", ""),
        Problem::WrongReturn { .. } => (
            "The last program returned a value of the wrong form",
            ", so the mission is still open",
        ),
        Problem::HeldReturn { .. } => (
            "The last program returned, and its value is held back, since a field that it reads is nowhere in the data",
            "",
        ),
        Problem::WrongPayload { .. } => (
            "The last program returned, but the payload is not complete",
            ", so the mission is still open",
        ),
    };
    format!("{what}{}:", if ends { "" } else { is_open })
}

fn fix(problem: &Problem<'_>) -> String {
    let fixed = match problem {
        Problem::NoProgram { .. } | Problem::Empty | Problem::NoAnswer => {
            "answer with one ```clojure block that holds the whole program, and nothing else."
        }
        Problem::Form { fix, .. } => fix,
        Problem::SeveralPrograms { .. } => {
            "put everything into one block (`do` runs steps in order), or send only the next step."
        }
        Problem::CutOff => {
            "write a shorter program; `memory/put` keeps a result for the steps that come later."
        }
        // Each of several problems has its own fix beside it.
        Problem::Rejected { diagnostics } => match diagnostics {
            [one] => {
                one.help().unwrap_or("change the marked place and send the whole program again.")
            }
            _ => "mend all of these and send the whole program again.",
        },
        Problem::Failed { diagnostic, .. } => match diagnostic.help() {
            Some(help) => help,
            None if failed_read(problem).is_some() => FAILED_READ_FIX,
            None => UNKNOWN_FIX,
        },
        Problem::HeldReturn { .. } => {
            "if the name is wrong, send the program again with the right one. If the value is right as it is, end the \
             mission with it: `(return *1)`."
        }
        Problem::WrongPayload { .. } => {
            "the payload keeps its changes; change the named parts and return again."
        }
        Problem::WrongReturn { expected, mismatches, received, .. } => {
            return smallest_change(expected, mismatches, received);
        }
    };
    fixed.to_owned()
}

/// Returns the marked call, if it failed and its tool only reads. A program that goes on after a failed write could hide it.
fn failed_read<'a>(problem: &Problem<'a>) -> Option<&'a str> {
    let Problem::Failed { diagnostic, calls } = problem else { return None };
    let code = diagnostic.code_value();
    if diagnostic.help().is_some() || !matches!(code, Code::ToolFailed | Code::ToolTimeout) {
        return None;
    }
    let failed = calls.first.iter().find(|it| Some(&it.name) == calls.failed.as_ref())?;
    let marked = diagnostic.span()?;
    let marked = diagnostic.source()?.get(marked.start as usize..marked.end as usize)?;
    let is_call = marked.trim_start_matches('#').starts_with('(') && failed.effect == Effect::Read;
    (is_call && marked.chars().count() <= LONGEST_CALL).then_some(marked)
}

/// Returns the model's own `return` with the change that mends its value, or its own call with a default, where one form does.
fn mended(problem: &Problem<'_>) -> Option<String> {
    match problem {
        Problem::Rejected { diagnostics: [one] } => {
            let marked = one.span()?;
            let marked = one.source()?.get(marked.start as usize..marked.end as usize)?;
            with_value_in(marked, one.form()?)
        }
        Problem::WrongReturn { mismatches, received, program, .. } => {
            let form = match mismatches {
                [whole] if whole.path.is_root() => whole.form.clone()?,
                _ => format!("(mapv {} %)", function_for_items(mismatches, received)?),
            };
            with_value_in(program, &form)
        }
        Problem::Failed { .. } => {
            let call = failed_read(problem)?;
            // The call in `#(…)` has the place of the whole function.
            let (mark, call) = call.strip_prefix('#').map_or(("", call), |call| ("#", call));
            Some(format!("{mark}(if-error {call} nil)"))
        }
        _ => None,
    }
}

/// Returns the function that mends each item of a returned list, if the same one mends all of them.
fn function_for_items<'a>(mismatches: &'a [Mismatch], received: &Value) -> Option<&'a str> {
    let form = mismatches.first()?.form.as_deref()?;
    let is_alike = |it: &Mismatch| {
        matches!(it.path.0.as_slice(), [Segment::Index(_)]) && it.form.as_deref() == Some(form)
    };
    // A check stops after so many mismatches.
    let count = received.items()?.take(MAX_MISMATCHES).count();
    let is_all = mismatches.len() == count && mismatches.iter().all(is_alike);
    form.strip_prefix('(')?.strip_suffix(" %)").filter(|_| is_all)
}

/// Returns the change of the returned value that mends the first mismatch.
fn smallest_change(expected: &Type, mismatches: &[Mismatch], received: &Value) -> String {
    let whole = || match of_type(expected) {
        Some(value) => format!("return a value of the form `{value}`."),
        None => "return a value of the return format.".to_owned(),
    };
    let Some(first) = mismatches.first().map(Mismatch::redacted) else { return whole() };
    if let Some(function) = function_for_items(mismatches, received) {
        return format!("`(mapv {function} xs)` changes each item");
    }
    let Mismatch { kind, path, help, .. } = first;
    let part = type_at(expected, &path).and_then(of_type);
    match (help, path.0.last()) {
        (Some(help), None) => help,
        (Some(help), Some(_)) => format!("at `{path}`: {help}"),
        (None, None) => whole(),
        (None, Some(Segment::Field(name))) => match (kind, part) {
            (MismatchKind::Missing, Some(value)) if is_plain_name(name) => {
                format!("add the missing field at `{path}`: `(assoc m :{name} {value})`.")
            }
            (MismatchKind::Missing, _) => format!("add the missing field at `{path}`."),
            (MismatchKind::Extra, _) => format!("leave out the field at `{path}`."),
            (_, Some(value)) => format!("put a value such as `{value}` at `{path}`."),
            (_, None) => whole(),
        },
        (None, Some(Segment::Index(_))) => match part {
            Some(value) => format!("put a value such as `{value}` at `{path}`."),
            None => whole(),
        },
    }
}

/// Returns the type that the part of a value at a path must have; none inside a union.
fn type_at<'a>(ty: &'a Type, path: &Path) -> Option<&'a Type> {
    path.0.iter().try_fold(ty, |mut ty, segment| {
        while let Type::Optional(inner) = ty {
            ty = inner;
        }
        match (ty, segment) {
            (Type::List(item, _), Segment::Index(_)) => Some(&**item),
            (Type::Record(fields), Segment::Field(name)) => {
                fields.iter().find(|field| field.name == *name).map(|field| &field.ty)
            }
            _ => None,
        }
    })
}

/// Renders the details under the message: places in the program or in the value.
fn details(problem: &Problem<'_>, ends: bool) -> String {
    match problem {
        Problem::Rejected { diagnostics: [one] } => place(one),
        Problem::Rejected { diagnostics: [] } => String::new(),
        Problem::Rejected { diagnostics } => several(diagnostics, ends),
        Problem::Failed { diagnostic, .. } => place(diagnostic),
        Problem::HeldReturn { unseen, value, .. } => {
            let places = match unseen {
                [one] => place(one),
                _ => several(unseen, ends),
            };
            format!("{places}\n\nReturned: {}", shown(value, &PromptLimits::default()))
        }
        Problem::WrongReturn { expected, mismatches, received, .. } => {
            wrong_return(expected, mismatches, received)
        }
        _ => String::new(),
    }
}

fn place(diagnostic: &Diagnostic) -> String {
    let mut text = diagnostic.excerpt().map(|excerpt| indented(&excerpt)).unwrap_or_default();
    if let [inner, outer @ ..] = diagnostic.trace() {
        let _ = write!(text, "\n\nIn `{inner}`");
        for name in outer {
            let _ = write!(text, ", called by `{name}`");
        }
        text.push('.');
    }
    text
}

fn several(diagnostics: &[Diagnostic], ends: bool) -> String {
    let mut text = format!("There are {} problems:\n", diagnostics.len());
    for (i, diagnostic) in diagnostics.iter().take(MAX_PROBLEMS).enumerate() {
        let message = one_line(diagnostic.message(), MESSAGE);
        let _ = write!(text, "\n{}. {}: {message}", i + 1, diagnostic.code());
        if let Some(excerpt) = diagnostic.excerpt() {
            let _ = write!(text, "\n\n{}\n", indented(&excerpt));
        }
        if let Some(help) = diagnostic.help().filter(|_| !ends) {
            let _ = write!(text, "\n   Fix: {}", one_line(help, MESSAGE));
        }
    }
    if diagnostics.len() > MAX_PROBLEMS {
        let _ = write!(text, "\n\n{} more are not shown.", diagnostics.len() - MAX_PROBLEMS);
    }
    text
}

fn wrong_return(expected: &Type, mismatches: &[Mismatch], received: &Value) -> String {
    let mut text = format!(
        "Return format: {expected}\nReceived: {}\n",
        shown(received, &PromptLimits::default())
    );
    for mismatch in mismatches.iter().take(MAX_PROBLEMS) {
        let _ = write!(text, "\n- {}", one_line(&mismatch.redacted().to_string(), MESSAGE));
    }
    if mismatches.len() > MAX_PROBLEMS {
        let _ = write!(text, "\n- and {} more", mismatches.len() - MAX_PROBLEMS);
    }
    text
}

fn listed(calls: &CallsMade) -> String {
    let mut text = String::new();
    for call in &calls.first {
        let outcome = match &call.outcome {
            Ok(value) => shown(value, &CALLS),
            Err(message) => format!("error: {}", one_line(message, MESSAGE)),
        };
        let effect = if call.effect == Effect::Write { " (writes)" } else { "" };
        let name = Value::str(one_line(&call.name, 200));
        let _ = writeln!(text, "(call {name} {}){effect} => {outcome}", shown(&call.args, &CALLS));
    }
    if calls.more > 0 {
        let _ = writeln!(text, "and {} more", calls.more);
    }
    text.trim_end().to_owned()
}

fn shown(value: &Value, limits: &PromptLimits) -> String {
    let sample = sample(value, limits);
    if sample.cut {
        format!("{} {}", sample.text, sample.size).trim_end().to_owned()
    } else {
        sample.text
    }
}
