//! Diagnostics of the language as errors on record, and errors on record as diagnostics.

use ptc_lisp::{Diagnostic, Span};

use super::code::ErrorCode;
use super::report::RunError;

impl From<&Diagnostic> for RunError {
    fn from(diagnostic: &Diagnostic) -> RunError {
        let mut error = RunError::new(diagnostic.code_value(), diagnostic.message());
        error.help = diagnostic.help().map(str::to_string);
        error.advice = diagnostic.advice().map(str::to_string);
        error.locate(diagnostic);
        error
    }
}

impl RunError {
    /// Takes over the place of a diagnostic.
    pub(crate) fn locate(&mut self, diagnostic: &Diagnostic) {
        let place = diagnostic.line_column();
        (self.line, self.column) = (place.map(|it| it.0), place.map(|it| it.1));
        self.span = diagnostic.span().map(|it| (it.start, it.end));
        self.trace = diagnostic.trace().to_vec();
        self.program = diagnostic.shared_source().cloned();
    }

    /// Returns the diagnostic that the error was recorded from; `None` for an error of another origin. It has its line
    /// if the error has its [program](RunError::program).
    pub fn diagnostic(&self) -> Option<Diagnostic> {
        let ErrorCode::Language(code) = self.code else { return None };
        let mut diagnostic = Diagnostic::new(code, &self.message);
        diagnostic = self.help.iter().fold(diagnostic, Diagnostic::with_help);
        diagnostic = self.advice.iter().fold(diagnostic, Diagnostic::with_advice);
        match (self.span, &self.program) {
            (Some((start, end)), Some(program))
                if program.get(start as usize..end as usize).is_some() =>
            {
                diagnostic = diagnostic.at(Span { start, end }).in_source(program);
            }
            (Some((start, end)), None) => diagnostic = diagnostic.at(Span { start, end }),
            _ => {}
        }
        if self.trace.is_empty() {
            return Some(diagnostic);
        }
        Some(diagnostic.with_trace(self.trace.clone()))
    }
}

/// Returns errors without what equality leaves out, for a comparison of what is on record.
pub(crate) fn as_compared<'e>(errors: impl IntoIterator<Item = &'e RunError>) -> Vec<RunError> {
    let bare = |it: &RunError| {
        let (span, trace, program) = (None, Vec::new(), None);
        RunError { span, trace, program, is_earlier: false, denied: None, ..it.clone() }
    };
    errors.into_iter().map(bare).collect()
}

/// Two errors are equal if they say the same about the same place. The rest of the place and the labels of a denied call
/// follow from the program, and records of earlier versions do not have them.
impl PartialEq for RunError {
    fn eq(&self, other: &RunError) -> bool {
        fn parts(it: &RunError) -> impl PartialEq {
            let RunError { code, kind, message, line, column, file, help, advice, .. } = it;
            let RunError { budget, in_doubt, fail, .. } = it;
            ((code, kind, message, line, column, file), (help, advice, budget, in_doubt, fail))
        }
        parts(self) == parts(other)
    }
}

impl Eq for RunError {}
