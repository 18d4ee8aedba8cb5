//! The completion of debugger commands in the line editor.

use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper};

use super::commands::COMMANDS;

/// The helper of the line editor.
pub(super) struct Line {
    tools: Vec<String>,
}

impl Line {
    pub(super) fn new(tools: Vec<String>) -> Line {
        Line { tools }
    }
}

impl Completer for Line {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(complete(&self.tools, line.get(..at).unwrap_or_default()))
    }
}

impl Validator for Line {}

impl Hinter for Line {
    type Hint = String;
}

impl Highlighter for Line {}

impl Helper for Line {}

/// Returns the start of the word being typed, in bytes, and its completions.
fn complete(tools: &[String], typed: &str) -> (usize, Vec<String>) {
    let start = typed.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let (before, word) = typed.split_at(start);
    let words: Vec<&str> = match before.split_whitespace().collect::<Vec<_>>().as_slice() {
        [] => COMMANDS.iter().map(|(name, ..)| *name).collect(),
        ["break" | "k"] => vec!["error", "tool"],
        ["break" | "k", "tool"] => tools.iter().map(String::as_str).collect(),
        ["delete" | "d"] => vec!["all"],
        _ => Vec::new(),
    };
    let found = words.into_iter().filter(|it| it.starts_with(word)).map(str::to_owned);
    (start, found.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(typed: &str, start: usize, expected: &[&str]) {
        let tools = ["rate", "send"].map(str::to_owned);
        let expected = expected.iter().map(ToString::to_string).collect();
        assert_eq!(complete(&tools, typed), (start, expected), "{typed}");
    }

    #[test]
    fn commands_are_completed() {
        check("br", 0, &["break", "breaks"]);
        check("print (co", 6, &[]);
        check("break ", 6, &["error", "tool"]);
        check("k t", 2, &["tool"]);
        check("break tool ", 11, &["rate", "send"]);
        check("k tool s", 7, &["send"]);
        check("d a", 2, &["all"]);
    }
}
