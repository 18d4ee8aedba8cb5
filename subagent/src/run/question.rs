//! Asking whether a program may run.

use ptc_lisp::Report;

use super::id::RunId;
use crate::provider::BoxFuture;

/// A program that somebody is asked about before it runs.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Question<'a> {
    /// The run that wants it; it may be one of a sub-agent.
    pub run: &'a RunId,
    /// The agent of that run.
    pub agent: &'a str,
    /// The program.
    pub program: &'a str,
    /// What it can touch.
    pub report: &'a Report,
}

/// Says whether a program may run.
pub(super) trait Approve: Sync {
    fn ask<'a>(&'a self, question: Question<'a>) -> BoxFuture<'a, bool>;
}
