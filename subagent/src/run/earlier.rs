//! Conversations: chains of runs of one agent, one run for each message of a user.
//!
//! A run that follows another begins with the state that the programs of that run left, and its model sees the earlier
//! messages. Both are on record at its start, so it replays without the earlier runs.

use ptc_lisp::{Value, json};

use crate::agent::Agent;
use crate::data::Data;
use crate::record::{Earlier, RunRecord, Status};
use crate::transcript::{Transcript, exchange_line, newest_lines};

/// The most messages that a run keeps of those before it.
const MAX_MESSAGES: usize = 100;

/// The largest size of the messages that a run keeps, in bytes of JSON. The last exchange is always kept.
const MAX_BYTES: usize = 64 << 10;

impl Earlier {
    /// Returns the conversation up to the end of a run, without the state and the payload.
    pub(crate) fn up_to(record: &RunRecord, agent: &Agent) -> Earlier {
        let run = record.summary.run.clone();
        let before = record.after.as_ref();
        let mut messages: Vec<Value> = before.map(Earlier::list).unwrap_or_default();
        messages.push(message("user", content_of(agent, record.setup.input.value()), None));
        messages.push(answer_of(record));
        Earlier {
            first: before.map_or_else(|| run.clone(), |it| it.first.clone()),
            name: before.map_or_else(|| record.named.clone(), |it| it.name.clone()),
            run,
            exchanges: before.map_or(0, |it| it.exchanges).saturating_add(1),
            messages: Data::made(Value::vector(newest(messages))),
            state: None,
            lost: None,
            artifacts: Data::default(),
            payload: None,
        }
    }

    /// Returns the messages.
    pub(super) fn list(&self) -> Vec<Value> {
        self.messages.value().items().map(|items| items.cloned().collect()).unwrap_or_default()
    }

    /// Returns the messages of users as JSON.
    pub(super) fn of_users(&self) -> impl Iterator<Item = String> {
        let messages = self.list().into_iter();
        let asked = messages.filter(|it| it.get("role").and_then(Value::as_str) == Some("user"));
        asked.filter_map(|it| json::write(it.get("content")?).ok())
    }

    /// Returns whether the last run returned a value of its program.
    pub(super) fn has_value(&self) -> bool {
        let last = self.list().pop();
        last.is_some_and(|it| it.get("status").is_none() && it.get("content").is_some())
    }

    /// Returns the section of the first message to the model about the conversation so far. `names` are those that
    /// earlier programs left, and `note` is that of the answer style.
    pub(super) fn section(
        &self,
        names: &[String],
        note: &str,
        transcript: &Transcript,
        limits: &ptc_prompt::PromptLimits,
    ) -> String {
        let messages = self.list();
        let whole = 2 * transcript.exchanges();
        let (old, new) = messages.split_at(messages.len().saturating_sub(whole));
        let first =
            self.exchanges as usize + 1 - messages.len().div_ceil(2).min(self.exchanges as usize);
        let lines: Vec<String> = old
            .chunks(2)
            .zip(first..)
            .map(|(pair, number)| {
                let text =
                    |at: usize| pair.get(at).map(ptc_prompt::message_text).unwrap_or_default();
                exchange_line(number, text(0), text(1))
            })
            .collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let summary = newest_lines(&lines);
        ptc_prompt::earlier_messages(
            &ptc_prompt::EarlierMessages { summary, messages: new, names, note },
            limits,
        )
    }

    /// Returns the names that earlier programs left, as programs read them.
    pub(super) fn names(&self) -> Vec<String> {
        let rows = |field: &str| {
            let rows = self.state.as_ref().and_then(|it| it.get(field)?.as_array());
            rows.into_iter().flatten().filter_map(|row| Some((row.get(0)?.as_str()?, row.get(1)?)))
        };
        let defined = rows("names").filter(|(_, value)| !value.is_null());
        let kept = rows("memory").map(|(key, _)| key.trim_start_matches(':').trim_matches('"'));
        let defined = defined.map(|(name, _)| name.to_string());
        defined.chain(kept.map(|key| format!("memory/{key}"))).collect()
    }
}

/// Returns the message of a user: the input of the agent for messages, or else the whole input.
pub(super) fn content_of(agent: &Agent, input: &Value) -> Value {
    let message = agent.message_input().and_then(|name| input.get(name));
    message.unwrap_or(input).clone()
}

/// Returns a message of a conversation.
pub(super) fn message(role: &str, content: Value, status: Option<&str>) -> Value {
    let fields = [("role", Value::str(role)), ("content", content)];
    let status = status.map(|it| ("status", Value::str(it)));
    Value::map(fields.into_iter().chain(status).map(|(name, it)| (Value::str(name), it)))
}

/// Returns the answer of a run: its value, the message of its model if it has no value, or the reason that there is
/// none.
fn answer_of(record: &RunRecord) -> Value {
    let said = record.remarks.as_ref().and_then(|it| it.get("message")?.as_str());
    let (content, status) = match (record.summary.status, &record.fail) {
        (Status::Returned, _) => match (&record.value, said) {
            (value, Some(said)) if value.is_null() => (Value::str(said), None),
            (value, _) => (value.value().clone(), None),
        },
        (status, Some(fail)) => (Value::str(&fail.message), Some(status)),
        (status, None) => {
            let why = record.error.as_ref().map_or("", |it| &it.message);
            (Value::str(why), Some(status))
        }
    };
    message("assistant", content, status.as_ref().map(Status::as_str))
}

/// Returns the newest messages within the limits, in whole exchanges.
fn newest(messages: Vec<Value>) -> Vec<Value> {
    let (mut kept, mut size) = (0, 0);
    for pair in messages.rchunks(2) {
        let bytes = pair.iter().map(|it| Data::made(it.clone()).to_string().len()).sum::<usize>();
        size += bytes;
        if kept > 0 && (size > MAX_BYTES || kept + pair.len() > MAX_MESSAGES) {
            break;
        }
        kept += pair.len();
    }
    let left_out = messages.len() - kept;
    messages.into_iter().skip(left_out).collect()
}
