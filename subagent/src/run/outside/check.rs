//! The check of a resumed run against its record.
//!
//! A resumed run replays its record, and each of its events is compared with the recorded one. Where one differs, the
//! run must stop: its next steps outside would belong to another run.

use std::collections::BTreeMap;

use crate::data::Data;
use crate::record::{
    ErrorCode, Event, Purpose, RunCode, RunError, RunReport, RunStarted, TurnRecord,
};
use crate::run::recorded::RecordedRun;
use crate::semantics::{SEMANTICS, limits_on_record};

/// The codes of warnings that are recorded after the end of a turn.
const AFTER_TURN_END: [ErrorCode; 4] = [
    ErrorCode::Run(RunCode::Partial),
    ErrorCode::Run(RunCode::Fallback),
    ErrorCode::Run(RunCode::NotKept),
    ErrorCode::Run(RunCode::NoSnapshot),
];

/// The result of comparing an event with the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::run) enum Comparison {
    /// The record has the same event.
    OnRecord,
    /// The record does not have the event.
    New,
    /// The recorded event differs in the named field.
    Differs(&'static str),
}

/// Compares the events of a run with its record, in order, each once.
#[derive(Debug)]
pub(in crate::run) struct RecordCheck<'a> {
    recorded: &'a RecordedRun,
    /// Whether all fields must be equal. If other semantics recorded the run, only its effects outside must be.
    is_exact: bool,
    /// The number of events of a turn seen so far, by kind.
    seen: BTreeMap<(u32, Seen), usize>,
}

/// The kinds of events that have no id of their own, and are compared by their place.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Seen {
    Print,
    /// A warning about a call, or about the turn.
    Warning(Option<String>),
    PayloadChange,
}

impl<'a> RecordCheck<'a> {
    pub(in crate::run) fn new(recorded: &'a RecordedRun) -> RecordCheck<'a> {
        let is_exact = recorded.record.setup.semantics == SEMANTICS;
        RecordCheck { recorded, is_exact, seen: BTreeMap::new() }
    }

    /// Compares an event with the record.
    pub(in crate::run) fn check(&mut self, event: &Event) -> Comparison {
        let turn = |at: &u32| self.recorded.turn(*at);
        match event {
            Event::RunStarted(started) => self.started(started),
            // Each part of a run has observers of its own.
            Event::Warned { warning, .. } if warning.code == RunCode::ObserverFailed.into() => {
                Comparison::New
            }
            Event::RunResumed
            | Event::RunQueued(_)
            | Event::WebhookSent(_)
            | Event::Acted(_)
            | Event::Other { .. }
            | Event::ReplyText { .. }
            | Event::CallProgress { .. } => Comparison::New,
            Event::ArtifactMade(made) => {
                let all = &self.recorded.record.artifacts;
                on_record_if(all.iter().any(|it| it.by.is_none() && it.name == made.name))
            }
            Event::TurnStarted { turn: at, prompt, results, images } => match turn(at) {
                Some(row) => self.exact(&[
                    ("prompt", row.prompt == *prompt),
                    ("results", row.results == *results),
                    ("images", row.images == *images),
                ]),
                None => Comparison::New,
            },
            Event::ModelAsked { turn: at, number, .. } => on_record_if(
                turn(at).is_some_and(|it| it.requests.iter().any(|it| it.number == *number)),
            ),
            Event::ModelReplied { turn: at, purpose: Purpose::Transcript, number, .. } => {
                let row =
                    turn(at).and_then(|it| it.requests.iter().find(|it| it.number == *number));
                on_record_if(row.is_some_and(|it| it.summary.is_some()))
            }
            Event::ModelReplied { turn: at, .. } => {
                on_record_if(turn(at).is_some_and(|it| it.reply.is_some()))
            }
            Event::Admitted { turn: at, .. } | Event::Rejected { turn: at, .. } => {
                turn(at).map_or(Comparison::New, |row| self.decided(row, event))
            }
            Event::CallStarted { turn: at, call, tool, args, .. } => {
                self.call_started(*at, call, tool, args)
            }
            Event::CallFinished { turn: at, call, result, run, .. } => {
                let row = self.recorded.call(*at, call).filter(|it| it.ended.is_some());
                match row {
                    None => Comparison::New,
                    // All other results come from the record itself.
                    Some(row) if run.is_some() => self.exact(&[
                        ("result", row.result.as_ref() == result.as_ref().ok()),
                        ("error", row.error.as_deref() == result.as_ref().err()),
                    ]),
                    Some(_) => Comparison::OnRecord,
                }
            }
            Event::Printed { turn: at, line } => {
                let seen = self.count_seen((*at, Seen::Print));
                match self.recorded.turn(*at).and_then(|it| it.prints.get(seen)) {
                    Some(known) => self.exact(&[("prints", known == line)]),
                    None => Comparison::New,
                }
            }
            Event::Warned { turn: at, call, warning } => self.warned(*at, call.as_ref(), warning),
            Event::PayloadChanged { turn: at, change } => {
                let seen = self.count_seen((*at, Seen::PayloadChange));
                match self.recorded.turn(*at).and_then(|it| it.payload_changes.get(seen)) {
                    Some(known) => self.exact(&[("payload", known == change)]),
                    None => Comparison::New,
                }
            }
            Event::PayloadChecked { turn: at, check } => {
                let record = &self.recorded.record;
                let known = match at {
                    0 => record.payload.as_ref().and_then(|it| it.check.as_ref()),
                    _ => turn(at).and_then(|it| it.payload_check.as_ref()),
                };
                match known {
                    Some(known) => self.exact(&[("payload_check", known == check)]),
                    None => Comparison::New,
                }
            }
            Event::ProgramChanged { turn: at, program } => {
                let known = self.recorded.record.programs.iter();
                on_record_if(known.clone().any(|it| it.turn == *at && it.program == *program))
            }
            Event::TurnEnded { turn: at, .. } => match turn(at) {
                Some(row) => self.turn_ended(row, event),
                None => Comparison::New,
            },
            Event::Snapshot { turn: at, state } => match &self.recorded.record.snapshot {
                Some(newest) if newest.turn == *at => {
                    self.exact(&[("snapshot", newest.is_same(state))])
                }
                newest => on_record_if(newest.as_ref().is_some_and(|it| it.turn > *at)),
            },
            Event::RunEnded(report) => self.run_ended(report),
        }
    }

    fn started(&self, it: &RunStarted) -> Comparison {
        let record = &self.recorded.record;
        self.exact(&[
            ("agent", record.summary.agent == it.agent),
            ("signature", record.setup.signature == it.setup.signature),
            ("system", record.setup.system == it.setup.system),
            (
                "limits",
                record.setup.limits == limits_on_record(&record.setup.limits, &it.setup.limits),
            ),
            ("max_turns", record.setup.max_turns == it.setup.max_turns),
            ("after", record.after == it.after),
            ("payload", record.payload.as_ref().map(|it| &it.start) == it.payload.as_ref()),
        ])
    }

    /// Compares the decision of admission about the program of a turn.
    fn decided(&self, row: &TurnRecord, event: &Event) -> Comparison {
        let same_notes = |notes| row.notes.as_ref().is_none_or(|it| it == notes);
        match event {
            Event::Admitted { program, repair, report, warnings, notes, refused, .. } => {
                if row.report.is_none() {
                    return differs_if(
                        row.rejection.is_some() || row.outcome.is_some(),
                        "rejection",
                    );
                }
                self.exact(&[
                    ("program", row.program.as_ref() == Some(program)),
                    ("repair", row.repair == *repair),
                    ("report", row.report.as_ref() == Some(report)),
                    ("warnings", row.warnings.as_ref().is_none_or(|it| it == warnings)),
                    ("notes", same_notes(notes)),
                    ("refused", row.refused == *refused),
                ])
            }
            Event::Rejected { program, errors, notes, refused, .. } => {
                if row.rejection.is_none() {
                    return differs_if(row.report.is_some() || row.outcome.is_some(), "report");
                }
                self.exact(&[
                    ("program", row.program == *program),
                    ("rejection", row.rejection.as_ref() == Some(errors)),
                    ("notes", same_notes(notes)),
                    ("refused", row.refused == *refused),
                ])
            }
            _ => Comparison::New,
        }
    }

    fn call_started(&self, turn: u32, call: &str, tool: &str, args: &Data) -> Comparison {
        match self.recorded.call(turn, call) {
            Some(row) if row.tool != *tool => Comparison::Differs("tool"),
            Some(row) if row.args != *args => Comparison::Differs("args"),
            Some(_) => Comparison::OnRecord,
            None => {
                let has_ended = self.recorded.turn(turn).is_some_and(|it| it.outcome.is_some());
                differs_if(has_ended, "call")
            }
        }
    }

    fn warned(&mut self, turn: u32, call: Option<&String>, warning: &RunError) -> Comparison {
        let seen = self.count_seen((turn, Seen::Warning(call.cloned())));
        let known: Vec<_> = self.recorded.warnings_of(turn, call.map(String::as_str)).collect();
        if seen >= known.len() {
            let is_after_end = AFTER_TURN_END.contains(&warning.code);
            let has_ended = self.recorded.turn(turn).is_some_and(|it| it.outcome.is_some());
            return differs_if(self.is_exact && has_ended && !is_after_end, "warnings");
        }
        let is_there =
            known.iter().any(|it| it.code == warning.code && it.message == warning.message);
        self.exact(&[("warnings", is_there)])
    }

    fn turn_ended(&self, row: &TurnRecord, event: &Event) -> Comparison {
        let Event::TurnEnded { outcome, value, error, fuel, tool_calls, bounds, .. } = event else {
            return Comparison::New;
        };
        let (made, known) = (*tool_calls as usize, row.tool_calls());
        let Some(recorded) = row.outcome else {
            // A cancellation may arrive before the run has replayed its whole record.
            return differs_if(made < known && !outcome.passes(), "call");
        };
        if recorded != *outcome {
            return Comparison::Differs("outcome");
        }
        if made != known {
            return Comparison::Differs("call");
        }
        let seen = |kind| self.seen.get(&(row.turn, kind)).copied().unwrap_or_default();
        let (printed, changed) = (seen(Seen::Print), seen(Seen::PayloadChange));
        self.exact(&[
            ("value", row.value.is_none() || row.value == *value),
            ("error", row.error.is_none() || row.error == *error),
            ("bounds", row.bounds == *bounds),
            ("fuel", row.fuel == *fuel),
            ("prints", row.prints.len() == printed),
            ("payload", row.payload_changes.len() == changed),
        ])
    }

    fn run_ended(&self, report: &RunReport) -> Comparison {
        let record = &self.recorded.record;
        if !self.recorded.is_over() {
            return Comparison::New;
        }
        let effects = [
            ("status", record.summary.status == report.status),
            ("stop", record.summary.stop == report.stop),
            ("value", record.value == report.value),
            ("fail", !self.is_exact || record.fail == report.fail),
        ];
        first_difference(&effects)
    }

    /// Compares fields if the check is exact; otherwise accepts any difference.
    fn exact(&self, fields: &[(&'static str, bool)]) -> Comparison {
        if self.is_exact { first_difference(fields) } else { Comparison::OnRecord }
    }

    /// Counts one more event of a kind and returns the number before it.
    fn count_seen(&mut self, of: (u32, Seen)) -> usize {
        let seen = self.seen.entry(of).or_default();
        *seen += 1;
        *seen - 1
    }
}

fn first_difference(fields: &[(&'static str, bool)]) -> Comparison {
    let first = fields.iter().find(|(_, is_same)| !is_same);
    first.map_or(Comparison::OnRecord, |(what, _)| Comparison::Differs(what))
}

fn on_record_if(is_known: bool) -> Comparison {
    if is_known { Comparison::OnRecord } else { Comparison::New }
}

fn differs_if(is_other: bool, field: &'static str) -> Comparison {
    if is_other { Comparison::Differs(field) } else { Comparison::New }
}
