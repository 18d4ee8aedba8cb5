//! The messages that requests of a run sent, computed from its record.

use std::collections::BTreeMap;

use super::event::{FallbackModel, Purpose};
use super::run::{RequestRecord, RunRecord, TurnRecord};
use crate::provider::{Message, Reply};
use crate::transcript::History;

impl RunRecord {
    /// Returns the messages that a request of a turn sent; `None` if the record has no such turn or request, or if it asked
    /// for a summary of a result.
    ///
    /// The record has each message once, whole, and with each request the changes of what is sent of the conversation.
    pub fn sent(&self, turn: u32, number: u32) -> Option<Vec<Message>> {
        let row = self.turn_records.iter().find(|it| it.turn == turn)?;
        let request = row.requests.iter().find(|it| it.number == number);
        match request.map(|it| it.purpose) {
            Some(Purpose::Transcript) => return None,
            Some(_) => {}
            // Earlier versions recorded no requests.
            None if row.requests.is_empty() && number == 1 => {}
            None => return None,
        }
        let before = turn.saturating_sub(1);
        let mut history = self.history(before, &BTreeMap::new());
        tell(&mut history, before, row, &BTreeMap::new());
        let mut history = history?;
        let mut model = self.fallback(before);
        for request in row.requests.iter().take_while(|it| it.number <= number) {
            repeat(&mut history, turn, request, &mut model);
        }
        Some(history.messages())
    }

    /// Returns the conversation up to the reply of a turn; `None` if there is none. `called` has the tools that programs of
    /// turns called, where that matters.
    pub(crate) fn history(
        &self,
        turn: u32,
        called: &BTreeMap<u32, Vec<String>>,
    ) -> Option<History> {
        let (mut history, mut before, mut model) = (None, 0, None);
        for row in self.turn_records.iter().take_while(|it| it.turn <= turn) {
            tell(&mut history, before, row, called);
            if let Some(history) = &mut history {
                for request in &row.requests {
                    repeat(history, row.turn, request, &mut model);
                }
                let reply = row.reply_with(row.reply.clone().unwrap_or_default());
                history.reply(Message::of_reply(&reply));
            }
            before = row.turn;
        }
        history
    }
}

impl RunRecord {
    /// Returns the fallback that the last request of a turn asked.
    fn fallback(&self, turn: u32) -> Option<&FallbackModel> {
        let row = self.turn_records.iter().find(|it| it.turn == turn)?;
        row.requests.last()?.fallback.as_ref()
    }
}

impl RequestRecord {
    /// Replaces the texts of messages that only the request has.
    pub(crate) fn each_text(&mut self, text: impl Fn(&str) -> String) {
        for message in self.messages.iter_mut().flatten() {
            message.text = text(&message.text);
            message.results.iter_mut().for_each(|it| it.text = text(&it.text));
            message.calls.iter_mut().for_each(|it| it.arguments = text(&it.arguments));
        }
        for change in &mut self.changes {
            change.note = text(&change.note);
        }
        self.summary = self.summary.as_ref().map(|it| text(it));
    }

    /// Returns the reply with the summary that the request asked for.
    pub(crate) fn summary_reply(&self) -> Option<Reply> {
        Some(Reply { usage: self.usage, ..Reply::new(self.summary.clone()?) })
    }
}

/// Adds the message of a turn, which tells about the turn `before`.
fn tell(
    history: &mut Option<History>,
    before: u32,
    row: &TurnRecord,
    called: &BTreeMap<u32, Vec<String>>,
) {
    let message = Message::user(&row.prompt).with_results(row.results.clone());
    let message = message.with_images(row.images.clone());
    match history {
        Some(history) => {
            history.tell(before, message, called.get(&before).cloned().unwrap_or_default());
        }
        None => *history = Some(History::new(message)),
    }
}

/// Repeats what a request changed. `model` is the fallback that was asked before.
fn repeat<'r>(
    history: &mut History,
    turn: u32,
    request: &'r RequestRecord,
    model: &mut Option<&'r FallbackModel>,
) {
    if request.purpose == Purpose::Transcript {
        return;
    }
    if *model != request.fallback.as_ref() {
        history.forget_opaque();
        *model = request.fallback.as_ref();
    }
    if let Some(messages) = &request.messages {
        history.restart(turn, messages.clone());
    }
    for change in &request.changes {
        history.apply(change, turn);
    }
}
