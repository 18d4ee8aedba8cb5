//! The comparison of two records.

use std::collections::{BTreeMap, BTreeSet};

use ptc_lisp::{Map, Repair, Value as Exact};
use serde::Serialize;
use serde_json::{Value, json};

use crate::data::Data;
use crate::hidden::Hidden;
use crate::record::{CallRecord, Fail, RunError, RunId, RunRecord, TurnRecord, as_compared};
use crate::run::RecordedRun;
use crate::semantics::{SEMANTICS, limits_on_record};

/// A field in which two records differ. Times and ids of runs do not count.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Difference {
    /// The run.
    pub run: RunId,
    /// The turn; `None` if the difference is about the run.
    pub turn: Option<u32>,
    /// The call, if the difference is about one.
    pub call: Option<String>,
    /// The name of the field in the record: `prompt`, `program`, `result` …
    pub what: String,
    /// The recorded value; null if the record has none.
    pub recorded: Data,
    /// The replayed value; null if the replay has none.
    pub replayed: Data,
}

impl Hidden {
    /// Returns a difference of two records without hidden values. Its two sides may then be equal.
    #[must_use]
    pub fn difference(&self, difference: &Difference) -> Difference {
        let mut shown = difference.clone();
        let is_source =
            ["signature", "system", "reply", "program", "repair"].contains(&&*shown.what);
        for side in [&mut shown.recorded, &mut shown.replayed] {
            *side = if is_source { self.source_data(side) } else { self.data(side) };
        }
        shown
    }
}

/// Returns the differences of two records, in the order of the run. If the first record breaks off, the fields that it
/// lacks do not count.
pub fn differences(recorded: &RunRecord, replayed: &RunRecord) -> Vec<Difference> {
    let is_open = recorded.summary.ended_at.is_none();
    let mut found = Collector { run: recorded.summary.run.clone(), is_open, all: Vec::new() };
    let limits = limits_on_record(&recorded.setup.limits, &replayed.setup.limits);
    let new = start_fields(replayed, &limits);
    found.fields((None, None), &start_fields(recorded, &recorded.setup.limits), &new);
    let new: BTreeMap<u32, &TurnRecord> =
        replayed.turn_records.iter().map(|it| (it.turn, it)).collect();
    for turn in &recorded.turn_records {
        let new = new.get(&turn.turn).copied();
        found.turn(turn, new, recorded, replayed);
    }
    let last = recorded.turn_records.last().map_or(0, |it| it.turn);
    for turn in replayed.turn_records.iter().filter(|it| it.turn > last && !is_open) {
        found.add((Some(turn.turn), None), "turn", Data::default(), data(&turn.prompt));
    }
    if let (Some(old), Some(new)) = (&recorded.snapshot, &replayed.snapshot)
        && old.turn == new.turn
        && !old.is_same(&new.state)
    {
        found.add((Some(old.turn), None), "snapshot", data(&old.state), data(&new.state));
    }
    if !is_open {
        let (old, mut new) = (end_fields(recorded), end_fields(replayed));
        if recorded.setup.semantics != SEMANTICS
            && is_same_failure(recorded.fail.as_ref(), replayed.fail.as_ref())
        {
            new.iter_mut().filter(|it| it.0 == "fail").for_each(|it| it.1 = data(&recorded.fail));
        }
        found.fields((None, None), &old, &new);
    }
    found.all
}

/// Returns whether a difference is about an effect of the run or its end. These are calls with their ids, tools and
/// arguments, the outcomes of turns, and the end of the run. Everything else may change between versions of the
/// [semantics](crate::SEMANTICS).
pub(super) fn is_effect(it: &Difference) -> bool {
    let which: &[&str] = match (it.turn, &it.call) {
        (_, Some(_)) => &["call", "tool", "args"],
        (Some(_), None) => &["turn", "outcome"],
        (None, None) => &["status", "stop", "value", "fail"],
    };
    which.contains(&it.what.as_str())
}

/// Returns the differences of two trees of runs.
pub(super) fn tree_differences(recorded: &RecordedRun, replayed: &RecordedRun) -> Vec<Difference> {
    let mut all = differences(&recorded.record, &replayed.record);
    for child in &replayed.children {
        let Some(parent) = &child.record.summary.parent else { continue };
        if let Some(old) = recorded.child(parent.turn, &parent.call) {
            all.extend(tree_differences(old, child));
        }
    }
    all
}

struct Collector {
    run: RunId,
    /// Whether the first record breaks off.
    is_open: bool,
    all: Vec<Difference>,
}

type Fields = Vec<(&'static str, Data)>;
type Location<'a> = (Option<u32>, Option<&'a str>);

impl Collector {
    fn turn(
        &mut self,
        old: &TurnRecord,
        new: Option<&TurnRecord>,
        recorded: &RunRecord,
        replayed: &RunRecord,
    ) {
        let at = Some(old.turn);
        let Some(new) = new else {
            self.add((at, None), "turn", data(&old.prompt), Data::default());
            return;
        };
        self.fields((at, None), &reply_fields(old), &reply_fields(new));
        let calls: BTreeMap<&str, &CallRecord> =
            new.calls.iter().map(|it| (it.call.as_str(), it)).collect();
        for call in &old.calls {
            let place = (at, Some(call.call.as_str()));
            match calls.get(call.call.as_str()) {
                Some(new) => self.fields(place, &call_fields(call), &call_fields(new)),
                None => self.add(place, "call", call_summary(call), Data::default()),
            }
        }
        let known: BTreeSet<&str> = old.calls.iter().map(|it| it.call.as_str()).collect();
        for call in new.calls.iter().filter(|it| !known.contains(it.call.as_str())) {
            if !self.is_open {
                self.add((at, Some(&call.call)), "call", Data::default(), call_summary(call));
            }
        }
        let warned = |record: &RunRecord| {
            let mut all: Vec<Value> = record
                .warnings
                .iter()
                .filter(|it| it.turn == old.turn)
                .map(|it| json!([it.call, it.code, it.message]))
                .collect();
            // Concurrent calls end in any order.
            all.sort_by_key(ToString::to_string);
            Data::from(Value::from(all))
        };
        let (old_warned, new_warned) = (warned(recorded), warned(replayed));
        self.field((at, None), "warnings", &old_warned, &new_warned);
        self.fields((at, None), &outcome_fields(old), &outcome_fields(new));
    }

    fn fields(&mut self, place: Location<'_>, old: &Fields, new: &Fields) {
        for ((what, old), (_, new)) in old.iter().zip(new) {
            self.field(place, what, old, new);
        }
    }

    fn field(&mut self, place: Location<'_>, what: &str, old: &Data, new: &Data) {
        let old_value = old.value();
        let is_empty = old_value.items().is_some_and(|mut items| items.next().is_none());
        let says_nothing = old_value.is_nil() || is_empty;
        if old != new && !(self.is_open && says_nothing) {
            self.add(place, what, old.clone(), new.clone());
        }
    }

    fn add(&mut self, (turn, call): Location<'_>, what: &str, recorded: Data, replayed: Data) {
        let (run, call) = (self.run.clone(), call.map(str::to_string));
        let what = what.to_string();
        self.all.push(Difference { run, turn, call, what, recorded, replayed });
    }
}

fn start_fields(record: &RunRecord, limits: &Value) -> Fields {
    vec![
        ("payload", data(&record.payload.as_ref().map(|it| &it.start))),
        ("after", data(&record.after)),
        ("agent", data(&record.summary.agent)),
        ("settings", data(&record.setup.settings)),
        ("signature", data(&record.setup.signature)),
        ("input", record.setup.input.clone()),
        ("system", data(&record.setup.system)),
        ("limits", data(limits)),
        ("max_turns", data(&record.setup.max_turns)),
    ]
}

/// Returns the fields that are known before the program runs.
fn reply_fields(turn: &TurnRecord) -> Fields {
    vec![
        ("prompt", data(&turn.prompt)),
        ("results", data(&turn.results)),
        ("reply", data(&turn.reply)),
        ("model_calls", data(&turn.model_calls)),
        ("finish", data(&turn.finish)),
        ("usage", data(&turn.usage)),
        ("program", data(&turn.program)),
        ("repair", data(&turn.repair.as_ref().map(Repair::to_json))),
        ("report", data(&turn.report)),
        ("warnings", data(&turn.warnings.as_ref().map(as_compared))),
        ("rejection", data(&turn.rejection.as_ref().map(as_compared))),
        ("notes", data(&turn.notes)),
        ("refused", data(&turn.refused)),
        ("budget", data(&turn.budget)),
    ]
}

/// Returns the fields of the program's outcome. Prints, fuel and value of a turn that did not end are not on record.
fn outcome_fields(turn: &TurnRecord) -> Fields {
    let has_ended = turn.outcome.is_some();
    let mut fields = vec![
        ("outcome", data(&turn.outcome)),
        ("value", data(&turn.value)),
        ("error", error(turn.error.as_ref())),
        ("bounds", data(&turn.bounds)),
        ("payload_changes", data(&turn.payload_changes)),
        ("payload_check", data(&turn.payload_check)),
    ];
    if has_ended {
        fields.push(("prints", data(&turn.prints)));
        fields.push(("fuel", data(&turn.fuel)));
    }
    fields
}

fn call_fields(call: &CallRecord) -> Fields {
    vec![
        ("tool", data(&call.tool)),
        ("args", call.args.clone()),
        ("result", data(&call.result)),
        ("error", error(call.error.as_deref())),
        ("cached", data(&call.cached)),
    ]
}

fn end_fields(record: &RunRecord) -> Fields {
    let summary = &record.summary;
    let made: Vec<_> = record.artifacts.iter().filter(|it| it.by.is_none()).collect();
    vec![
        ("status", data(&summary.status)),
        ("stop", data(&summary.stop)),
        ("value", data(&record.value)),
        ("fail", data(&record.fail)),
        ("error", error(record.error.as_ref())),
        ("partial", data(&record.partial)),
        ("chat", data(&record.chat)),
        ("remarks", data(&record.remarks)),
        ("turns", data(&summary.turns)),
        ("tool_calls", data(&summary.tool_calls)),
        ("fuel", data(&summary.fuel)),
        ("usage", data(&summary.usage)),
        ("payload", data(&record.payload.as_ref().map(|it| &it.end))),
        ("artifacts", data(&made)),
    ]
}

fn error(error: Option<&RunError>) -> Data {
    data(&as_compared(error).first())
}

/// Returns a value as serde writes it. Every type of a record can be written as JSON.
fn data(value: &impl Serialize) -> Data {
    Data::written(value).unwrap_or_default()
}

/// Returns whether two failures are equal. The first one is from an earlier version, whose `details` have everything that
/// the program gave, or only the value under `:details`.
fn is_same_failure(old: Option<&Fail>, new: Option<&Fail>) -> bool {
    let (Some(old), Some(new)) = (old, new) else { return false };
    let (old_details, details) = (old.details.value(), new.details.value());
    let is_part = |key: &str, value: &Exact| {
        ["reason", "message"].contains(&key) || details.get(key) == Some(value)
    };
    let rows = |of: &Exact| {
        let rows = of.as_map().into_iter().flat_map(Map::iter);
        let rows = rows.map(|(key, it)| (key.name().unwrap_or_default().to_string(), it.clone()));
        rows.collect::<Vec<_>>()
    };
    let all_are_parts = |of: &Exact| match of {
        Exact::Nil => true,
        _ if of == details || details.get("details") == Some(of) => true,
        Exact::Map(_) => rows(of).iter().all(|(key, value)| is_part(key, value)),
        _ => false,
    };
    let is_in_details = old_details.as_map().is_some()
        && rows(old_details).iter().all(|(key, value)| match key.as_str() {
            "details" => all_are_parts(value),
            key => is_part(key, value),
        });
    let is_same = is_in_details || all_are_parts(old_details);
    (&old.reason, &old.message) == (&new.reason, &new.message) && is_same
}

fn call_summary(call: &CallRecord) -> Data {
    let summary = Data::from(json!({"tool": call.tool})).with("args", call.args.clone());
    summary.with("result", data(&call.result)).with("error", error(call.error.as_deref()))
}
