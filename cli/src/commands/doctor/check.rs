//! One line of `ptc doctor`: what was checked, and the outcome.

use crate::report;

/// The outcome of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum State {
    Ok,
    /// A run may work.
    Warn,
    /// A run cannot work.
    Fail,
}

impl State {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            State::Ok => "ok",
            State::Warn => "warn",
            State::Fail => "fail",
        }
    }

    pub(super) fn colour(self) -> &'static str {
        match self {
            State::Ok => "\u{1b}[32m",
            State::Warn => "\u{1b}[33m",
            State::Fail => "\u{1b}[31m",
        }
    }
}

/// One check.
pub(super) struct Check {
    pub(super) what: String,
    pub(super) state: State,
    pub(super) message: String,
    pub(super) help: Option<String>,
}

impl Check {
    pub(super) fn new(what: &str, state: State, message: impl Into<String>) -> Check {
        Check {
            what: report::clean(what),
            state,
            message: report::clean(&message.into()),
            help: None,
        }
    }

    pub(super) fn with_help(mut self, help: impl Into<String>) -> Check {
        self.help = Some(report::clean(&help.into()));
        self
    }

    pub(super) fn of_error(what: &str, error: &ptc_subagent::Error) -> Check {
        let check = Check::new(what, State::Fail, error.to_string());
        match error.help() {
            Some(help) => check.with_help(help),
            None => check,
        }
    }
}
