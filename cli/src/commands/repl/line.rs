//! The language support of the line editor: completion of names, and detection of unclosed programs.

use std::sync::LazyLock;

use ptc_lisp::{Code, Limits, Session, Value};
use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Helper};

/// The helper of the line editor.
pub(super) struct Line {
    /// The names that can be typed, sorted.
    names: Vec<String>,
}

impl Line {
    pub(super) fn new(names: Vec<String>) -> Line {
        Line { names }
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
        Ok(complete(&self.names, line, at))
    }
}

impl Validator for Line {
    fn validate(&self, context: &mut ValidationContext) -> rustyline::Result<ValidationResult> {
        if is_complete(context.input()) {
            Ok(ValidationResult::Valid(None))
        } else {
            Ok(ValidationResult::Incomplete)
        }
    }
}

impl Hinter for Line {
    type Hint = String;
}

impl Highlighter for Line {}

impl Helper for Line {}

/// Returns the start of the name at the cursor as a byte offset, and the names that complete it.
fn complete(names: &[String], line: &str, at: usize) -> (usize, Vec<String>) {
    let before = line.get(..at).unwrap_or_default();
    let ends_name = |c: char| c.is_whitespace() || "()[]{}\",;`'@^~#".contains(c);
    let start = before.rfind(ends_name).map_or(0, |it| {
        it + before.get(it..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8)
    });
    let (outside, typed) = before.split_at(start);
    let mut found: Vec<String> = if outside.ends_with("(call \"") {
        let tools = names.iter().filter_map(|it| it.strip_prefix("tool/"));
        tools.filter(|it| it.starts_with(typed)).map(str::to_owned).collect()
    } else if outside.matches('"').count() % 2 == 1 || typed.is_empty() {
        Vec::new()
    } else {
        names.iter().filter(|it| it.starts_with(typed)).cloned().collect()
    };
    // A command of the session is alone on its line.
    found.retain(|it| !it.starts_with(':') || outside.trim().is_empty());
    (start, found)
}

/// Returns whether a program has all its closing delimiters. A program with too many is complete, though an error.
pub(super) fn is_complete(source: &str) -> bool {
    static EMPTY: LazyLock<Session> =
        LazyLock::new(|| Session::new(Value::Nil, Vec::new(), Limits::default()));
    let Err(rejection) = EMPTY.admit(source) else { return true };
    let lacks = |code| matches!(code, Code::UnclosedDelimiter | Code::UnclosedString);
    rejection.diagnostics.iter().any(|it| !lacks(it.code_value()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, start: usize, expected: &[&str]) {
        let names = [":quit", "ctx/rows", "map", "mapv", "my-sum", "tool/rate", "tool/send"];
        let names: Vec<String> = names.map(str::to_owned).to_vec();
        let expected = expected.iter().map(ToString::to_string).collect();
        assert_eq!(complete(&names, line, line.len()), (start, expected), "{line}");
    }

    #[test]
    fn names_are_completed_where_they_are_typed() {
        check("(ma", 1, &["map", "mapv"]);
        check("(map inc (m", 10, &["map", "mapv", "my-sum"]);
        check("(count ctx/", 7, &["ctx/rows"]);
        check("(tool/", 1, &["tool/rate", "tool/send"]);
        check("(call \"", 7, &["rate", "send"]);
        check("(call \"s", 7, &["send"]);
        check("[é (ma", 5, &["map", "mapv"]);
        check(":q", 0, &[":quit"]);
        check("(f :q", 3, &[]);
        check("(str \"ma", 6, &[]);
        check("(", 1, &[]);
        check("", 0, &[]);
    }

    #[test]
    fn a_program_is_complete_when_it_is_closed() {
        for source in [
            "",
            "1",
            "(+ 1 2)",
            "(+ 1",
            ")",
            "(]",
            "\"a",
            "(str \"a)",
            "; (",
            "#\"a",
            "[1 2\n",
            "(a b))",
        ] {
            let lacks = ["(+ 1", "\"a", "(str \"a)", "#\"a", "[1 2\n"].contains(&source);
            assert_eq!(is_complete(source), !lacks, "{source}");
        }
    }
}
