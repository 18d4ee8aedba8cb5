//! Errors of calls without hidden values, which the program gave to the tool or got from an earlier one.

use std::cell::OnceCell;

use ptc_lisp::{HiddenTexts, Session, Value};

use crate::record::{RunError, ToolError};

/// The hidden values that a program may have.
pub(super) struct Cover<'s> {
    session: &'s Session,
    /// Those that it began with, once a text may quote one: finding them visits all of its data.
    own: OnceCell<HiddenTexts>,
    /// Those of the results of its calls.
    found: HiddenTexts,
}

impl<'s> Cover<'s> {
    pub(super) fn new(session: &'s Session) -> Cover<'s> {
        Cover { session, own: OnceCell::new(), found: HiddenTexts::default() }
    }

    /// Finds the hidden values of a result.
    pub(super) fn see(&mut self, result: &Value) {
        self.found.find(result);
    }

    /// Returns an error whose texts quote no hidden value.
    pub(super) fn error(&self, error: ToolError) -> ToolError {
        error.covered(&self.hidden())
    }

    /// Returns warnings that quote no hidden value.
    pub(super) fn warnings(&self, mut warnings: Vec<RunError>) -> Vec<RunError> {
        if !warnings.is_empty() {
            let hidden = self.hidden();
            for it in &mut warnings {
                it.each_text(|text| hidden.cover(text).into_owned());
            }
        }
        warnings
    }

    fn hidden(&self) -> HiddenTexts {
        let mut hidden = self.own.get_or_init(|| self.session.hidden()).clone();
        hidden.add_all(&self.found);
        hidden
    }
}
