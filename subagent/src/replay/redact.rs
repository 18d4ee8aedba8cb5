//! A run without what is secret in it, which still replays.
//!
//! What is hidden is taken out of everything that came from outside: the input, replies, arguments and results of
//! calls. Then the run is replayed, and its new record is the one that is kept: whatever followed from the secrets
//! follows from what stands in their places.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Nobody, Replay};
use crate::error::{Error, ErrorKind};
use crate::run::{Mission, Mode, Past};
use crate::store::Store;

/// A run without what is secret in it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Redacted {
    /// A store in memory that has the run, and nothing else.
    pub store: Store,
    /// How many different values were taken out.
    pub hidden: usize,
}

/// Shorter texts are only taken out where they stand; a text like `DE` may stand anywhere and mean nothing.
const LEAST: usize = 6;

/// The values that are secret, with what stands in their places.
#[derive(Debug, Default)]
struct Secrets {
    texts: BTreeMap<String, String>,
    numbers: usize,
}

impl Replay {
    /// Makes a record of the run in which values of hidden fields, whose names start with `_`, and of fields that are
    /// called like secrets (`password`, `api_key`, `token` …) have others in their places: texts of the same length,
    /// numbers 0. A text of six characters or more is taken out wherever it stands.
    ///
    /// It fails if the run goes another way without them, so that it asks for something that is not on record.
    pub async fn redacted(&self) -> Result<Redacted, Error> {
        let mut secrets = Secrets::default();
        collect(&self.past, &mut secrets);
        let mut past = self.past.clone();
        replace(&mut past, &secrets);
        let definition = past.record.definition.as_ref();
        let agent = definition.map(crate::Agent::from_definition).transpose()?;
        let mut agent = agent.unwrap_or_else(|| self.agent.clone());
        agent.file = self.recorded.record.file.as_ref().map(Into::into);
        let store = Store::in_memory()?;
        let mission = Mission::over(&agent, past, Mode::Replay).record_in(&store);
        match mission.run(&Nobody).await {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::Replay && !self.recorded.is_over() => {}
            Err(error) if error.kind() == ErrorKind::Replay => {
                let message =
                    format!("the run goes another way without its secrets: {}", error.message());
                return Err(Error::new(ErrorKind::Replay, message));
            }
            Err(error) => return Err(error),
        }
        store.flush().await?;
        store.set_times(&self.recorded)?;
        Ok(Redacted { store, hidden: secrets.texts.len() + secrets.numbers })
    }
}

fn collect(past: &Past, secrets: &mut Secrets) {
    secrets.find(&past.record.input, false);
    for call in past.record.turn_records.iter().flat_map(|turn| &turn.calls) {
        secrets.find(&call.args, false);
        call.result.iter().for_each(|result| secrets.find(result, false));
    }
    past.children.iter().for_each(|child| collect(child, secrets));
}

fn replace(past: &mut Past, secrets: &Secrets) {
    let record = &mut past.record;
    record.input = secrets.without(&record.input, false);
    record.definition = record.definition.as_ref().map(|it| secrets.without(it, false));
    for turn in &mut record.turn_records {
        turn.reply = turn.reply.as_ref().map(|it| secrets.cleared(it));
        for call in &mut turn.calls {
            call.args = secrets.without(&call.args, false);
            call.result = call.result.as_ref().map(|it| secrets.without(it, false));
            call.error = call.error.as_ref().map(|it| secrets.without(it, false));
        }
    }
    for warning in &mut record.warnings {
        warning.message = secrets.cleared(&warning.message);
    }
    past.children.iter_mut().for_each(|child| replace(child, secrets));
}

impl Secrets {
    /// Finds what is secret in a value; all of it is, if it stands in a hidden field.
    fn find(&mut self, value: &Value, is_secret: bool) {
        match value {
            Value::Object(map) => {
                for (name, value) in map {
                    self.find(value, is_secret || hides(name));
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.find(item, is_secret)),
            Value::String(text) if is_secret && !text.is_empty() => {
                let next = self.texts.len() + 1;
                self.texts.entry(text.clone()).or_insert_with(|| stand_in(text, next));
            }
            Value::Number(_) if is_secret => self.numbers += 1,
            _ => {}
        }
    }

    /// The value with others in the places of what is secret.
    fn without(&self, value: &Value, is_secret: bool) -> Value {
        match value {
            Value::Object(map) => {
                let rows = map.iter().map(|(name, value)| {
                    (self.cleared(name), self.without(value, is_secret || hides(name)))
                });
                Value::Object(rows.collect())
            }
            Value::Array(items) => items.iter().map(|item| self.without(item, is_secret)).collect(),
            Value::String(text) if is_secret => {
                self.texts.get(text).cloned().unwrap_or_default().into()
            }
            Value::String(text) => self.cleared(text).into(),
            Value::Number(number) if is_secret => {
                if number.is_f64() {
                    0.0.into()
                } else {
                    0.into()
                }
            }
            other => other.clone(),
        }
    }

    /// The text without secrets that are long enough to be known again.
    fn cleared(&self, text: &str) -> String {
        let long = self.texts.iter().filter(|(secret, _)| secret.chars().count() >= LEAST);
        let mut text = text.to_string();
        for (secret, other) in long {
            if text.contains(secret.as_str()) {
                text = text.replace(secret.as_str(), other);
            }
        }
        text
    }
}

/// Whether what is in a field is secret, by its name. A bare `key` is one of a table.
fn hides(name: &str) -> bool {
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

/// A text of the same length that says that it is none.
fn stand_in(text: &str, number: usize) -> String {
    let name = format!("hidden-{number}-");
    name.chars().chain("xxxxxxxx".chars().cycle()).take(text.chars().count()).collect()
}
