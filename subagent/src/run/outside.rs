//! The outside of a run: where everything comes from that its agent and its input do not determine.
//!
//! A run asks here for its budget, replies, admissions, outcomes of calls, reasons to stop and answers of persons. So the
//! turn loop, programs and calls do not know whether an answer is on record or is made now. `reply.rs` asks for
//! replies, `workflow.rs` for the programs of workflows, and `program.rs` for all that a program needs.

mod check;
mod estimate;
mod program;
pub(super) mod reply;
mod summaries;
mod workflow;

use std::sync::Arc;

use super::continuation::Continuation;
use super::in_doubt::Decisions;
use super::recorded::{RecordedReply, RecordedRun, end_of_record};
use super::waits::Waits;
use crate::error::Error;
use crate::record::{OpenQuestion, Origin, Parent, RunId, RunRecord};
use crate::semantics::SEMANTICS;
pub(super) use check::{Comparison, RecordCheck};
pub(super) use program::{CallSource, Making, ProgramOutside};

/// The source of a mission's answers.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// All answers come from outside.
    Live,
    /// All answers come from the record. The run ends where the record ends.
    Recorded(Arc<RecordedRun>),
    /// Answers come from the record, then from outside. New events are added to the record.
    Resumed(Arc<RecordedRun>, Decisions),
    /// Answers come from the record, then from outside, in a new run.
    Branch(Arc<RecordedRun>),
    /// All answers come from the record, in a new run, which ends where the record ends.
    Copy(Arc<RecordedRun>),
}

/// The outside of one run.
#[derive(Clone, Copy)]
pub(super) enum Outside<'a> {
    /// All answers come from outside.
    Live,
    /// All answers come from the record. The run ends where the record ends.
    Recorded(&'a RecordedRun),
    /// Answers come from the record, then from outside.
    RecordedThenLive(&'a RecordedRun, Continues<'a>),
}

/// The run that goes on behind a record.
#[derive(Clone, Copy)]
pub(super) enum Continues<'a> {
    /// The recorded run itself, with these decisions.
    Itself(&'a Decisions),
    /// A new run.
    Branch,
    /// A new run that asks for nothing outside: another one goes on with it.
    Copy,
}

impl Source {
    /// Returns the outside of a run with this source.
    pub(super) fn outside(&self) -> Outside<'_> {
        match self {
            Source::Live => Outside::Live,
            Source::Recorded(run) => Outside::Recorded(run),
            Source::Resumed(run, decisions) => {
                Outside::RecordedThenLive(run, Continues::Itself(decisions))
            }
            Source::Branch(run) => Outside::RecordedThenLive(run, Continues::Branch),
            Source::Copy(run) => Outside::RecordedThenLive(run, Continues::Copy),
        }
    }
}

impl<'a> Outside<'a> {
    /// Returns whether nothing outside the record is asked.
    pub(super) fn is_closed(self) -> bool {
        matches!(self, Outside::Recorded(_) | Outside::RecordedThenLive(_, Continues::Copy))
    }

    /// Returns the record of the run.
    pub(super) fn record(self) -> Option<&'a RecordedRun> {
        match self {
            Outside::Live => None,
            Outside::Recorded(run) | Outside::RecordedThenLive(run, _) => Some(run),
        }
    }

    /// Returns whether the run is not on record.
    pub(super) fn is_new(self) -> bool {
        self.record().is_none()
    }

    /// Returns whether the run has ended on record.
    pub(super) fn is_over(self) -> bool {
        self.record().is_some_and(RecordedRun::is_over)
    }

    /// Returns the record with what the run begins with: its input, its payload and its sources.
    pub(super) fn beginning(self) -> Option<&'a RunRecord> {
        self.record().map(|it| &it.record)
    }

    /// Returns the record of the run, if the run is the recorded one.
    fn itself(self) -> Option<&'a RecordedRun> {
        self.record().filter(|_| self.origin().is_none())
    }

    /// Returns the record of the run, if the run resumes it.
    pub(super) fn resumed(self) -> Option<&'a RecordedRun> {
        self.itself().filter(|_| !self.is_closed())
    }

    /// Returns the id of the run: the recorded one, unless the run is new.
    pub(super) fn id(self) -> RunId {
        self.itself().map_or_else(RunId::generate, RecordedRun::id)
    }

    /// Returns the name of the provider on record; `None` if a provider is asked.
    pub(super) fn model(self) -> Option<&'a str> {
        let Outside::Recorded(run) = self else { return None };
        Some(run.record.summary.model.as_str())
    }

    /// Returns the version of the semantics; for the recorded run, that on record.
    pub(super) fn semantics(self) -> u32 {
        self.itself().map_or(SEMANTICS, |it| it.record.setup.semantics)
    }

    /// Returns the recorded version of an artifact that the run made; `None` for a run that makes it now.
    pub(super) fn version_of(self, name: &str) -> Option<u32> {
        let mut made = self.itself()?.record.artifacts.iter().filter(|it| it.by.is_none());
        made.find(|it| it.name == name).map(|it| it.version)
    }

    /// Returns the recorded seed of the run's random numbers.
    pub(super) fn seed(self) -> Option<u64> {
        self.record().map(RecordedRun::seed)
    }

    /// Returns the run that this one branches off from.
    pub(super) fn origin(self) -> Option<Origin> {
        let Outside::RecordedThenLive(run, Continues::Branch | Continues::Copy) = self else {
            return None;
        };
        let turns = run.record.turn_records.last().map_or(0, |it| it.turn);
        Some(Origin { run: run.id(), turns })
    }

    /// Returns the check of the run's events against its record, if it resumes.
    pub(super) fn check(self) -> Option<RecordCheck<'a>> {
        self.resumed().map(RecordCheck::new)
    }

    /// Returns the outside of the run that answers a call.
    pub(super) fn of_call(self, call: &Parent) -> Outside<'a> {
        let child = |run: &'a RecordedRun| run.child(call.turn, &call.call);
        match self {
            Outside::Live => Outside::Live,
            // A replay starts the recorded runs alone.
            Outside::Recorded(run) => child(run).map_or(self, Outside::Recorded),
            Outside::RecordedThenLive(run, continues) => match child(run) {
                Some(child) => Outside::RecordedThenLive(child, continues),
                None if self.is_closed() => self,
                None => Outside::Live,
            },
        }
    }

    /// Returns the newest snapshot that the run can go on from, with its turn and its record.
    pub(super) fn snapshot(self) -> Option<(&'a RecordedRun, u32, Continuation)> {
        let run = self.resumed()?;
        let (turn, found) = run.snapshot()?;
        Some((run, turn, found))
    }

    /// Returns when a waiting run goes on by itself, and its open questions.
    pub(super) fn left_open(self, waits: &Waits) -> (Option<u64>, Vec<OpenQuestion>) {
        match self {
            Outside::Recorded(run) => (run.record.due, run.record.questions.clone()),
            _ => (waits.due(), waits.questions()),
        }
    }

    /// Returns the outside of the program of a turn.
    pub(super) fn program(self, turn: u32) -> ProgramOutside<'a> {
        let decisions = match self {
            Outside::RecordedThenLive(_, Continues::Itself(decisions)) => Some(decisions),
            _ => None,
        };
        ProgramOutside::new(self.record(), turn, self.is_closed(), decisions)
    }

    /// Returns the recorded outcome of asking the model in a turn; `None` if the model is asked now.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Replay`](crate::ErrorKind::Replay) if nothing outside the record is asked, and the record does not have it.
    pub(super) fn reply(self, turn: u32) -> Result<Option<RecordedReply>, Error> {
        let recorded = self.record().and_then(|run| run.recorded_reply(turn));
        match recorded {
            None if self.is_closed() => Err(end_of_record(&format!("turn {turn}"))),
            recorded => Ok(recorded),
        }
    }
}
