//! Problems of programs, as the JavaScript half reads them.

use ptc_lisp::{Code, Diagnostic};
use ptc_view::{Look, Placed, Text};
use serde::Serialize;

use crate::text::NoText;

/// A problem: the fields of `Problem`.
#[derive(Serialize)]
pub(crate) struct Problem {
    code: &'static str,
    kind: &'static str,
    message: String,
    line: Option<u32>,
    column: Option<u32>,
    help: Option<String>,
    rendering: String,
}

impl Problem {
    /// Describes an error of a program.
    pub(crate) fn error(problem: &Diagnostic, source: &Text) -> Problem {
        Problem::of(problem, &Placed::error(problem, source).or_earlier())
    }

    /// Describes a warning about a program.
    pub(crate) fn warning(problem: &Diagnostic, source: &Text) -> Problem {
        Problem::of(problem, &Placed::warning(problem, source))
    }

    fn of(problem: &Diagnostic, placed: &Placed<'_>) -> Problem {
        let place = problem.line_column();
        Problem {
            code: problem.code(),
            kind: problem.kind().as_str(),
            message: problem.message().to_owned(),
            line: place.map(|(line, _)| line),
            column: place.map(|(_, column)| column),
            help: problem.help_and_advice().map(std::borrow::Cow::into_owned),
            rendering: Look::default().draw(placed),
        }
    }
}

/// Returns the problem of a value without a form in JavaScript.
pub(crate) fn without_form(why: &NoText, max: usize) -> Diagnostic {
    match why {
        NoText::Kind(kind) => {
            let message = format!("the value has a {kind}, which has no form outside programs");
            Diagnostic::new(Code::NotJson, message).with_help("return data")
        }
        NoText::Depth => {
            let message = "the value is nested too deep for JavaScript";
            Diagnostic::new(Code::NotJson, message).with_help("return fewer levels")
        }
        NoText::Size => {
            let message = format!("the value is larger than the limit of {max} bytes");
            Diagnostic::new(Code::ResultSizeLimit, message)
                .with_help("return less: ids, counts or the rows that are needed")
                .with_advice("raise the limit `result_bytes`")
        }
    }
}
