//! The question whether a program may run.

use ptc_lisp::Report;

use super::id::RunId;
use crate::provider::BoxFuture;

/// A program that needs approval before it runs.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Question<'a> {
    /// The run that made the program; it may be the run of a sub-agent.
    pub run: &'a RunId,
    /// The agent of that run.
    pub agent: &'a str,
    /// The program.
    pub program: &'a str,
    /// The report of admission: the tools and data that the program can touch.
    pub report: &'a Report,
}

/// Asks for approval of a program.
pub(super) trait Approve: Sync {
    fn ask<'a>(&'a self, question: Question<'a>) -> BoxFuture<'a, bool>;
}
