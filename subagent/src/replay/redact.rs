//! Redaction of a run. The redacted run still replays.
//!
//! Secrets are replaced in everything that came from outside: the input, replies, and the arguments and results of
//! calls. Then the run is replayed, and the record of that replay is kept. So values computed from secrets become
//! values computed from their placeholders.

use std::sync::Arc;

use serde_json::Value;

use super::replay_run::Replay;
use crate::agent::RunSettings;
use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::hidden::{Cover, Instead, Secrets};
use crate::provider::NoProvider;
use crate::record::TurnOutcome;
use crate::run::{Mission, RecordedRun, Source};
use crate::store::{Folds, Store};

/// A run without its secrets.
#[derive(Debug)]
#[non_exhaustive]
pub struct Redacted {
    /// A store in memory that has only this run.
    pub store: Store,
    /// The number of different values that were replaced.
    pub hidden: usize,
}

impl Replay {
    /// Makes a redacted record of the run. It replaces the values of hidden fields, whose names start with `_`, and of
    /// fields named like secrets (`password`, `api_key`, `token` …). Texts become placeholders of the same length, and
    /// numbers become 0. A text of six characters or more is replaced everywhere.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Replay`] if the run diverges without these values and asks for something that is not on record.
    pub async fn redacted(&self) -> Result<Redacted, Error> {
        let mut secrets = Secrets::new(is_secret_field);
        collect(&self.past, &mut secrets);
        let hidden = secrets.count();
        let cover = secrets.cover(Instead::Text(placeholder))?;
        let mut past = RecordedRun::clone(&self.past);
        replace(&mut past, &cover);
        let definition = past.record.setup.definition.as_ref();
        let agent = definition.map(crate::Agent::from_definition).transpose()?;
        let mut agent = agent.unwrap_or_else(|| self.agent.clone());
        agent.file = self.recorded.record.setup.file.as_ref().map(Into::into);
        let folds = Folds::default();
        let settings = RunSettings::of_record(&past.record)?;
        let mission = Mission::of_recorded(&agent, settings, Arc::new(past), Source::Recorded);
        let mission = mission.fold_into(&folds);
        match mission.run(&NoProvider).await {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::Replay && !self.recorded.is_over() => {}
            Err(error) if error.kind() == ErrorKind::Replay => {
                let message = format!("the run diverges without its secrets: {}", error.message());
                return Err(Error::new(ErrorKind::Replay, message));
            }
            Err(error) => return Err(error),
        }
        let run = &self.recorded.record.summary.run;
        let mut past = folds.into_tree(run).map(RecordedRun::from).ok_or_else(|| {
            Error::new(ErrorKind::Replay, format!("the replay of run {run} did not start"))
        })?;
        set_times(&mut past, &self.recorded);
        let store = Store::in_memory()?;
        store.put(past.into_tree().into_records())?;
        Ok(Redacted { store, hidden })
    }
}

/// Copies the times of a run and of those below it from another record of the run.
fn set_times(past: &mut RecordedRun, recorded: &RecordedRun) {
    let (record, other) = (&mut past.record, &recorded.record);
    record.summary.started_at = other.summary.started_at;
    record.summary.ended_at = record.summary.ended_at.and(other.summary.ended_at);
    for turn in &mut record.turn_records {
        let Some(other) = recorded.turn(turn.turn) else { continue };
        turn.started_at = other.started_at;
        turn.ended_at = turn.ended_at.and(other.ended_at);
        for call in &mut turn.calls {
            let Some(other) = recorded.call(turn.turn, &call.call) else { continue };
            call.started_at = other.started_at;
            call.ended_at = call.ended_at.and(other.ended_at);
        }
    }
    for child in &mut past.children {
        let parent = child.record.summary.parent.clone();
        if let Some(other) = parent.and_then(|it| recorded.child(it.turn, &it.call)) {
            set_times(child, other);
        }
    }
}

fn collect(past: &RecordedRun, secrets: &mut Secrets) {
    secrets.find_data(&past.record.setup.input);
    past.record.payload.iter().for_each(|payload| secrets.find_data(&payload.start));
    if let Some(after) = &past.record.after {
        secrets.find_data(&after.messages);
        after.state.iter().for_each(|state| secrets.find_in_texts(state));
    }
    for call in past.record.turn_records.iter().flat_map(|turn| &turn.calls) {
        secrets.find_data(&call.args);
        call.result.iter().for_each(|result| secrets.find_data(result));
        let fail = call.error.as_ref().and_then(|error| error.fail.as_ref());
        if let Some(fail) = fail {
            secrets.find_data(&fail.details);
        }
    }
    past.children.iter().for_each(|child| collect(child, secrets));
}

fn replace(past: &mut RecordedRun, cover: &Cover) {
    let without = |value: &Value| cover.value(value, &|it| cover.text(it));
    let data = |data: &Data| cover.data(data, &|it| cover.text(it));
    let record = &mut past.record;
    record.setup.input = data(&record.setup.input);
    if let Some(payload) = &mut record.payload {
        payload.start = data(&payload.start);
    }
    if let Some(after) = &mut record.after {
        after.messages = data(&after.messages);
        after.state = after.state.as_ref().map(without);
    }
    record.setup.definition = record.setup.definition.as_ref().map(without);
    record.setup.settings = record.setup.settings.as_ref().map(without);
    for it in &mut record.programs {
        it.program = cover.text(&it.program);
    }
    for turn in &mut record.turn_records {
        // A replay repeats an abandoned turn as it is on record.
        if turn.outcome == Some(TurnOutcome::Abandoned) {
            turn.program = turn.program.as_ref().map(|it| cover.text(it));
            turn.report = turn.report.as_ref().map(without);
            turn.prints = turn.prints.iter().map(|it| cover.text(it)).collect();
            turn.payload_changes.clear();
            turn.calls.iter_mut().for_each(|call| call.run = None);
        }
        turn.reply = turn.reply.as_ref().map(|it| cover.text(it));
        for call in &mut turn.model_calls {
            call.arguments = cover.text(&call.arguments);
        }
        for request in &mut turn.requests {
            request.each_text(|it| cover.text(it));
        }
        for refused in &mut turn.refused {
            refused.message = cover.text(&refused.message);
        }
        // Nobody can read their contents.
        turn.opaque.clear();
        for call in &mut turn.calls {
            call.args = data(&call.args);
            call.result = call.result.as_ref().map(data);
            call.forget_unnamed_blobs();
            if let Some(error) = &mut call.error {
                error.each_text(|it| cover.text(it));
                if let Some(fail) = &mut error.fail {
                    fail.reason = cover.text(&fail.reason);
                    fail.message = cover.text(&fail.message);
                    fail.details = data(&fail.details);
                }
            }
        }
    }
    for warning in &mut record.warnings {
        warning.message = cover.text(&warning.message);
    }
    past.children.iter_mut().for_each(|child| replace(child, cover));
}

/// Returns whether a field's name marks its value as secret. A bare `key` is the key of a table, so it is not secret.
fn is_secret_field(name: &str) -> bool {
    let words: Vec<String> = name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let one = |word: &String| {
        ["apikey", "authorization", "password", "passwd", "secret", "token"]
            .contains(&word.as_str())
    };
    let is_key = words.len() > 1 && words.last().is_some_and(|word| word == "key");
    name.starts_with('_') || is_key || words.iter().any(one)
}

/// Returns a placeholder of the same length, which says that it hides a text.
fn placeholder(text: &str, number: usize) -> String {
    let name = format!("hidden-{number}-");
    name.chars().chain("xxxxxxxx".chars().cycle()).take(text.chars().count()).collect()
}
