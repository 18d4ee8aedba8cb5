//! The ways in which a turn can fail, as data.

use ptc_lisp::{Diagnostic, Value};
use ptc_signatures::{Mismatch, Type};

use crate::ExtractError;
use crate::calls::CallsMade;
use crate::text::one_line;

/// The reason that a turn did not advance the mission.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Problem<'a> {
    /// The reply has no program.
    NoProgram {
        /// The language of the code block that the reply has instead.
        language: Option<&'a str>,
    },
    /// The reply is empty, or its code block is.
    Empty,
    /// The reply has more than one program.
    SeveralPrograms {
        /// The number of programs.
        count: usize,
    },
    /// The reply stops in the middle.
    CutOff,
    /// The reply has no answer.
    NoAnswer,
    /// The reply has another form than the style asks for.
    Form {
        /// The problem, as a sentence without its full stop.
        message: &'a str,
        /// The remedy, as a sentence.
        fix: &'a str,
    },
    /// Admission refused the program; nothing ran.
    Rejected {
        /// The diagnostics, the most useful first.
        diagnostics: &'a [Diagnostic],
    },
    /// The program stopped with an error.
    Failed {
        /// The error.
        diagnostic: &'a Diagnostic,
        /// The tool calls before it, in order.
        calls: &'a CallsMade,
    },
    /// The program returned a value that does not match the mission's signature.
    WrongReturn {
        /// The return type.
        expected: &'a Type,
        /// The mismatches between the value and the type.
        mismatches: &'a [Mismatch],
        /// The returned value.
        received: &'a Value,
        /// The program; empty if the model wrote none.
        program: &'a str,
        /// The tool calls of the program, in order.
        calls: &'a CallsMade,
    },
    /// The program returned, and a field that it reads is nowhere in the data. Its value is held back once.
    HeldReturn {
        /// The reads of such fields.
        unseen: &'a [Diagnostic],
        /// The value that the program returned.
        value: &'a Value,
        /// The tool calls of the program, in order.
        calls: &'a CallsMade,
    },
    /// The program returned, and the payload does not match its signature.
    WrongPayload {
        /// The mismatches in words, with the number of the retry.
        text: &'a str,
        /// The tool calls of the program, in order.
        calls: &'a CallsMade,
    },
}

impl Problem<'_> {
    /// Returns the stable code of the problem: that of the diagnostic, where there is one.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoProgram { .. } => "no-program",
            Self::Empty => "empty-reply",
            Self::SeveralPrograms { .. } => "several-programs",
            Self::CutOff => "cut-off",
            Self::NoAnswer => "no-answer",
            Self::Form { .. } => "wrong-form",
            Self::Rejected { diagnostics } => {
                diagnostics.first().map_or("rejected", Diagnostic::code)
            }
            Self::Failed { diagnostic, .. } => diagnostic.code(),
            Self::WrongReturn { .. } => "wrong-return",
            Self::HeldReturn { unseen, .. } => {
                unseen.first().map_or("unknown-field", Diagnostic::code)
            }
            Self::WrongPayload { .. } => "wrong-payload",
        }
    }

    /// Returns the problem as a sentence.
    pub fn message(&self) -> String {
        match self {
            Self::NoProgram { language: None } => "the reply has no ```clojure block".to_owned(),
            Self::NoProgram { language: Some(language) } => {
                format!(
                    "the reply's code block is marked `{language}`; a program stands in a ```clojure block"
                )
            }
            Self::Empty => {
                "there is no program in the reply, or nothing in its code block".to_owned()
            }
            Self::SeveralPrograms { count } => {
                format!("the reply has {count} programs, and a turn runs exactly one")
            }
            Self::CutOff => "the reply stops before its end".to_owned(),
            Self::NoAnswer => "the reply has no JSON".to_owned(),
            Self::Form { message, .. } => (*message).to_owned(),
            Self::Rejected { diagnostics } => diagnostics
                .first()
                .map_or("the program was refused", Diagnostic::message)
                .to_owned(),
            Self::Failed { diagnostic, .. } => diagnostic.message().to_owned(),
            Self::HeldReturn { unseen, .. } => {
                let first =
                    unseen.first().map_or("a field is nowhere in the data", Diagnostic::message);
                match unseen.len() {
                    0 | 1 => first.to_owned(),
                    several => format!("{first} (and {} more)", several - 1),
                }
            }
            Self::WrongPayload { text, .. } => (*text).to_owned(),
            Self::WrongReturn { mismatches, .. } => match mismatches {
                [] => "the value does not match the return format".to_owned(),
                [one] => one.redacted().to_string(),
                [first, rest @ ..] => format!("{} (and {} more)", first.redacted(), rest.len()),
            },
        }
    }

    /// Returns the value of `ctx/fail` in the next program: `:reason`, `:message`, `:details` and,
    /// for a tool's error, the tool's name as `:op`.
    pub fn to_value(&self) -> Value {
        let mut entries = vec![
            (Value::keyword("reason"), Value::keyword(self.code())),
            (Value::keyword("message"), Value::str(self.message())),
        ];
        if let Self::Failed { calls, .. } = self
            && let Some(tool) = &calls.failed
        {
            entries.push((Value::keyword("op"), Value::str(tool)));
        }
        entries.extend(self.details().map(|details| (Value::keyword("details"), details)));
        Value::map(entries)
    }

    fn details(&self) -> Option<Value> {
        let one = |name, items| Some(Value::map([(Value::keyword(name), Value::vector(items))]));
        match self {
            Self::Rejected { diagnostics } => {
                one("problems", diagnostics.iter().map(diagnostic).collect())
            }
            Self::HeldReturn { unseen, .. } => {
                one("problems", unseen.iter().map(diagnostic).collect())
            }
            Self::Failed { diagnostic: d, .. } => one("problems", vec![diagnostic(d)]),
            Self::WrongReturn { mismatches, .. } => {
                one("mismatches", mismatches.iter().map(mismatch).collect())
            }
            _ => None,
        }
    }
}

impl<'a> From<&'a ExtractError> for Problem<'a> {
    fn from(error: &'a ExtractError) -> Self {
        match error {
            ExtractError::NoProgram => Self::NoProgram { language: None },
            ExtractError::OtherLanguage { language } => {
                Self::NoProgram { language: Some(language) }
            }
            ExtractError::SeveralPrograms { count } => Self::SeveralPrograms { count: *count },
            ExtractError::CutOff => Self::CutOff,
            ExtractError::Empty => Self::Empty,
        }
    }
}

/// Lists the warnings of calls, one a line.
pub(crate) fn warnings(calls: &CallsMade) -> String {
    let lines = calls.warnings.iter().map(|warning| format!("- {}", one_line(warning, 500)));
    let mut lines: Vec<String> = lines.collect();
    if calls.more_warnings > 0 {
        lines.push(format!("- and {} more", calls.more_warnings));
    }
    lines.join("\n")
}

fn diagnostic(diagnostic: &Diagnostic) -> Value {
    let mut entries = vec![
        (Value::keyword("code"), Value::str(diagnostic.code())),
        (Value::keyword("message"), Value::str(diagnostic.message())),
    ];
    if let Some((line, column)) = diagnostic.line_column() {
        entries.push((Value::keyword("line"), Value::Int(line.into())));
        entries.push((Value::keyword("column"), Value::Int(column.into())));
    }
    entries.extend(diagnostic.help().map(|help| (Value::keyword("help"), Value::str(help))));
    Value::map(entries)
}

fn mismatch(mismatch: &Mismatch) -> Value {
    let mismatch = mismatch.redacted();
    let text = |name: &'static str, text: String| (Value::keyword(name), Value::str(text));
    let mut entries = vec![
        text("path", mismatch.path.to_string()),
        text("expected", mismatch.expected.clone()),
        text("found", mismatch.found.clone()),
    ];
    entries.extend(mismatch.help.map(|help| text("help", help)));
    Value::map(entries)
}
