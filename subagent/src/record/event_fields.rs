//! Events as JSON fields and back. The log of a store, an export and `ptc run --events` use this form.
//!
//! The name of the event, the run, the turn and the call are stored beside the fields. Only [`write`] and [`read`]
//! define the fields of each kind of event. An absent field counts as null.

use std::time::Duration;

use ptc_lisp::Repair;
use serde::Serialize;
use serde_json::Value;

use super::earlier::{After, Earlier};
use super::event::{Event, RunStarted};
use super::fields::{BadField, Fields};
use super::id::RunId;
use super::report::{RunError, RunReport};
use crate::data::Data;
use crate::payload::PayloadChange;
use crate::provider::Reply;

impl Event {
    /// Returns the fields besides the name, the run, the turn and the call: their names and their JSON.
    pub(crate) fn fields(&self) -> Vec<(&str, String)> {
        match self {
            Event::Other { fields, .. } => {
                fields.iter().map(|(name, json)| (name, json.to_string())).collect()
            }
            event => write(event),
        }
    }

    /// Returns the event as an object. It has the name as `event`, the run, the turn, the call, and the fields of the
    /// event. Measured times are in microseconds.
    pub fn to_json(&self, run: &RunId) -> Data {
        let mut data = Data::from(serde_json::json!({"event": self.name(), "run": run}));
        if let Some(turn) = self.turn() {
            data = data.with("turn", serde_json::json!(turn));
        }
        // A warning keeps the key `call` even if it does not belong to one.
        if self.call().is_some() || matches!(self, Event::Warned { .. }) {
            data = data.with("call", serde_json::json!(self.call()));
        }
        if let Event::RunEnded(report) = self {
            return data.with("report", report.to_json());
        }
        for (name, json) in self.fields() {
            data = data.with(name, Data::recorded(&json).unwrap_or_default());
        }
        data
    }
}

/// Reads an event of a run. A kind that this version does not know becomes [`Event::Other`].
pub(crate) fn read(
    run: &RunId,
    kind: &str,
    turn: Option<u32>,
    call: Option<String>,
    fields: Fields,
) -> Result<Event, BadField> {
    let required_turn = || turn.ok_or_else(|| BadField::new("turn", None));
    let required_call = |call: Option<String>| call.ok_or_else(|| BadField::new("call", None));
    Ok(match kind {
        "run-started" => Event::RunStarted(Box::new(RunStarted {
            run: run.clone(),
            parent: fields.get("parent")?,
            agent: fields.get("agent")?,
            model: fields.get("model")?,
            signature: fields.get("signature")?,
            input: fields.data("input")?,
            system: fields.get("system")?,
            limits: fields.get("limits")?,
            max_turns: fields.get("max_turns")?,
            seed: fields.get("seed")?,
            semantics: fields.or_default("semantics")?,
            definition: fields.get("definition")?,
            file: fields.get("file")?,
            origin: fields.get("origin")?,
            payload: fields.optional_data("payload")?,
            payload_from: fields.get("payload_from")?,
            after: read_after(&fields)?,
        })),
        "run-resumed" => Event::RunResumed,
        "program-changed" => {
            Event::ProgramChanged { turn: required_turn()?, program: fields.get("program")? }
        }
        "turn-started" => Event::TurnStarted {
            turn: required_turn()?,
            prompt: fields.get("prompt")?,
            results: fields.or_default("results")?,
            images: fields.or_default("images")?,
        },
        "model-asked" => Event::ModelAsked {
            turn: required_turn()?,
            purpose: fields.get("purpose")?,
            number: fields.get("number")?,
            messages: fields.get("messages")?,
        },
        "model-replied" => Event::ModelReplied {
            turn: required_turn()?,
            purpose: fields.or_default("purpose")?,
            number: fields.or_default("number")?,
            reply: Reply {
                text: fields.get("text")?,
                calls: fields.or_default("calls")?,
                opaque: fields.or_default("opaque")?,
                usage: fields.get("usage")?,
                finish: fields.or_default("finish")?,
            },
        },
        "program-admitted" => Event::Admitted {
            turn: required_turn()?,
            program: fields.get("program")?,
            repair: match fields.get::<Option<Value>>("repair")? {
                Some(json) => {
                    let repair = Repair::from_json(&json);
                    Some(repair.ok_or_else(|| BadField::new("repair", fields.json("repair")))?)
                }
                None => None,
            },
            report: fields.get("report")?,
            budget: fields.get("budget")?,
            warnings: fields.or_default("warnings")?,
            notes: fields.or_default("notes")?,
            refused: fields.or_default("refused")?,
        },
        "program-rejected" => Event::Rejected {
            turn: required_turn()?,
            program: fields.get("program")?,
            errors: fields.or_default("errors")?,
            notes: fields.or_default("notes")?,
            refused: fields.or_default("refused")?,
        },
        "call-started" => Event::CallStarted {
            turn: required_turn()?,
            call: required_call(call)?,
            tool: fields.get("tool")?,
            args: fields.data("args")?,
            step: fields.get("step")?,
        },
        "call-finished" => Event::CallFinished {
            turn: required_turn()?,
            call: required_call(call)?,
            tool: fields.get("tool")?,
            result: match fields.get::<Option<RunError>>("error")? {
                Some(error) => Err(error),
                None => Ok(fields.get("result")?),
            },
            blobs: fields.or_default("blobs")?,
            run: fields.get("sub_run")?,
            cached: fields.or_default("cached")?,
            ended: fields.get("ended")?,
            elapsed: Duration::from_micros(fields.or_default("elapsed")?),
        },
        "warned" => Event::Warned { turn: required_turn()?, call, warning: fields.get("warning")? },
        "printed" => Event::Printed { turn: required_turn()?, line: fields.get("line")? },
        "turn-ended" => Event::TurnEnded {
            turn: required_turn()?,
            outcome: fields.get("outcome")?,
            value: fields.get("value")?,
            error: fields.get("error")?,
            fuel: fields.or_default("fuel")?,
            tool_calls: fields.or_default("tool_calls")?,
            bounds: fields.or_default("bounds")?,
        },
        "snapshot" => Event::Snapshot { turn: required_turn()?, state: fields.get("state")? },
        "run-ended" => Event::RunEnded(Box::new(RunReport {
            run: run.clone(),
            status: fields.get("status")?,
            value: fields.get("value")?,
            fail: fields.get("fail")?,
            stop: fields.get("stop")?,
            turns: fields.get("turns")?,
            tool_calls: fields.get("tool_calls")?,
            fuel: fields.get("fuel")?,
            seed: fields.or_default("seed")?,
            usage: fields.get("usage")?,
            below: fields.get("sub_agents")?,
            error: fields.get("error")?,
            feedback: None,
            partial: fields.or_default("partial")?,
            chat: fields.or_default("chat")?,
            remarks: fields.or_default("remarks")?,
            warnings: fields.or_default("warnings")?,
            payload: fields.optional_data("payload")?,
            exits_loop: fields.or_default("exits_loop")?,
            due: fields.get("due")?,
            questions: fields.or_default("questions")?,
        })),
        "payload-changed" => Event::PayloadChanged {
            turn: required_turn()?,
            change: PayloadChange {
                call,
                patch: fields.get("patch")?,
                hash: fields.get("hash")?,
                suspicious: fields.or_default("suspicious")?,
            },
        },
        "payload-checked" => {
            Event::PayloadChecked { turn: required_turn()?, check: fields.get("check")? }
        }
        _ => Event::Other { kind: kind.to_string(), turn, call, fields },
    })
}

/// Returns the fields of an event, in reading order.
fn write(event: &Event) -> Vec<(&str, String)> {
    match event {
        Event::RunStarted(it) => with_start(
            it,
            vec![
                ("run", json(&it.run)),
                ("parent", json(&it.parent)),
                ("agent", json(&it.agent)),
                ("model", json(&it.model)),
                ("signature", json(&it.signature)),
                ("input", it.input.to_string()),
                ("system", json(&it.system)),
                ("limits", json(&it.limits)),
                ("max_turns", json(&it.max_turns)),
                ("seed", json(&it.seed)),
                ("semantics", json(&it.semantics)),
                ("definition", json(&it.definition)),
                ("file", json(&it.file.as_ref().map(|it| it.to_string_lossy()))),
                ("origin", json(&it.origin)),
            ],
        ),
        Event::RunResumed | Event::Other { .. } => Vec::new(),
        Event::ProgramChanged { program, .. } => vec![("program", json(program))],
        Event::TurnStarted { prompt, results, images, .. } => {
            let fields = with_rows(results, "results", vec![("prompt", json(prompt))]);
            with_rows(images, "images", fields)
        }
        Event::ModelAsked { purpose, number, messages, .. } => {
            vec![("purpose", json(purpose)), ("number", json(number)), ("messages", json(messages))]
        }
        Event::ReplyText { text, .. } => vec![("text", json(text))],
        Event::ModelReplied { purpose, number, reply, .. } => {
            let fields = vec![
                ("purpose", json(purpose)),
                ("number", json(number)),
                ("text", json(&reply.text)),
                ("usage", json(&reply.usage)),
                ("finish", json(&reply.finish)),
            ];
            let fields = with_rows(&reply.calls, "calls", fields);
            with_rows(&reply.opaque, "opaque", fields)
        }
        Event::Admitted { program, repair, report, budget, warnings, notes, refused, .. } => {
            let fields = vec![
                ("program", json(program)),
                ("repair", json(&repair.as_ref().map(Repair::to_json))),
                ("report", json(report)),
                ("budget", json(budget)),
                ("warnings", json(warnings)),
                ("notes", json(notes)),
            ];
            with_rows(refused, "refused", fields)
        }
        Event::Rejected { program, errors, notes, refused, .. } => with_rows(
            refused,
            "refused",
            vec![("program", json(program)), ("errors", json(errors)), ("notes", json(notes))],
        ),
        Event::CallStarted { tool, args, step, .. } => {
            let mut fields = vec![("tool", json(tool)), ("args", args.to_string())];
            fields.extend(step.as_ref().map(|step| ("step", json(step))));
            fields
        }
        Event::CallProgress { tool, progress, .. } => vec![
            ("tool", json(tool)),
            ("done", json(&progress.done)),
            ("total", json(&progress.total)),
            ("message", json(&progress.message)),
        ],
        Event::CallFinished { tool, result, blobs, run, cached, ended, elapsed, .. } => with_rows(
            blobs,
            "blobs",
            vec![
                ("tool", json(tool)),
                ("result", json(&result.as_ref().ok())),
                ("error", json(&result.as_ref().err())),
                ("sub_run", json(run)),
                ("cached", json(cached)),
                ("ended", json(ended)),
                ("elapsed", json(&(elapsed.as_micros() as u64))),
            ],
        ),
        Event::Warned { warning, .. } => vec![("warning", json(warning))],
        Event::Printed { line, .. } => vec![("line", json(line))],
        Event::PayloadChanged { change, .. } => {
            let mut fields = vec![("patch", json(&change.patch)), ("hash", json(&change.hash))];
            if !change.suspicious.is_empty() {
                fields.push(("suspicious", json(&change.suspicious)));
            }
            fields
        }
        Event::PayloadChecked { check, .. } => vec![("check", json(check))],
        Event::TurnEnded { outcome, value, error, fuel, tool_calls, bounds, .. } => vec![
            ("outcome", json(outcome)),
            ("value", json(value)),
            ("error", json(error)),
            ("fuel", json(fuel)),
            ("tool_calls", json(tool_calls)),
            ("bounds", json(bounds)),
        ],
        Event::Snapshot { state, .. } => vec![("state", json(state))],
        Event::RunEnded(report) => with_ending(
            report,
            vec![
                ("status", json(&report.status)),
                ("value", json(&report.value)),
                ("fail", json(&report.fail)),
                ("stop", json(&report.stop)),
                ("turns", json(&report.turns)),
                ("tool_calls", json(&report.tool_calls)),
                ("fuel", json(&report.fuel)),
                ("seed", json(&report.seed)),
                ("usage", json(&report.usage)),
                ("sub_agents", json(&report.below)),
                ("error", json(&report.error)),
                ("warnings", json(&report.warnings)),
            ]
            .into_iter()
            .chain(report.partial.then(|| ("partial", json(&true))))
            .chain(report.chat.then(|| ("chat", json(&true))))
            .chain(report.remarks.as_ref().map(|it| ("remarks", json(it))))
            .collect(),
        ),
    }
}

/// Adds a list unless it is empty.
fn with_rows<'f, T: Serialize>(
    rows: &[T],
    name: &'f str,
    mut fields: Vec<(&'f str, String)>,
) -> Vec<(&'f str, String)> {
    fields.extend((!rows.is_empty()).then(|| (name, json(rows))));
    fields
}

/// Adds the fields that the start of few runs has.
fn with_start<'f>(it: &RunStarted, fields: Vec<(&'f str, String)>) -> Vec<(&'f str, String)> {
    let mut fields = with_payload(it.payload.as_ref(), it.payload_from.as_ref(), fields);
    if let Some(after) = &it.after {
        fields.push(("after", json(&After::of(after))));
        fields.push(("messages", after.messages.to_string()));
        fields.push(("state", json(&after.state)));
    }
    fields
}

/// Reads the earlier run of a conversation.
fn read_after(fields: &Fields) -> Result<Option<Earlier>, BadField> {
    let Some(after) = fields.get::<Option<After>>("after")? else { return Ok(None) };
    Ok(Some(after.with(fields.data("messages")?, fields.get("state")?)))
}

/// Adds the fields that the end of few runs has.
fn with_ending<'f>(
    report: &RunReport,
    mut fields: Vec<(&'f str, String)>,
) -> Vec<(&'f str, String)> {
    if report.exits_loop {
        fields.push(("exits_loop", json(&true)));
    }
    fields.extend(report.due.map(|due| ("due", json(&due))));
    let fields = with_rows(&report.questions, "questions", fields);
    with_payload(report.payload.as_ref(), None, fields)
}

/// Adds the fields of a payload. Events of runs without one do not have them.
fn with_payload<'f>(
    payload: Option<&Data>,
    from: Option<&RunId>,
    mut fields: Vec<(&'f str, String)>,
) -> Vec<(&'f str, String)> {
    fields.extend(payload.map(|payload| ("payload", payload.to_string())));
    fields.extend(from.map(|from| ("payload_from", json(from))));
    fields
}

/// Returns the JSON of our own types. Their keys are all strings, so serialization cannot fail.
fn json<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
