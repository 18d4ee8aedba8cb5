//! The conversation of a run, whole, with the state of what is sent of it.

use std::collections::BTreeMap;

use super::change::{TranscriptChange, TranscriptDeed, tokens_of};
use super::summary;
use crate::provider::{CallResult, Message};

/// The conversation of a run. Nothing is ever removed from it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct History {
    /// The first message, without a summary.
    opening: Message,
    /// The lines of the summary in a first message that an earlier version recorded.
    recorded_lines: Vec<String>,
    pub(super) exchanges: Vec<Exchange>,
    /// The newest reply, whose outcome is not told yet.
    reply: Option<Message>,
    /// The turn in which the conversation was cut, since it was too long for the model.
    pub(super) recovered: Option<u32>,
}

/// A reply, and the message about its outcome.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Exchange {
    pub(super) turn: u32,
    pub(super) reply: Option<Message>,
    pub(super) told: Message,
    /// The tools that the program of the turn called.
    pub(super) tools: Vec<String>,
    /// The turn from which its age counts: its own, or that of its newest expansion.
    pub(super) since: u32,
    /// The line that replaces it, if it is left out.
    pub(super) left_out: Option<String>,
    /// The changes of its parts.
    pub(super) changed: BTreeMap<Place, TranscriptChange>,
    /// The message as it is sent with these changes; `None` without any. A long result is not copied again for each
    /// request.
    shown: Option<Message>,
}

/// The messages of a conversation that can be sent whole again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expansions {
    /// The turns whose message is not sent whole, with the reason if it cannot be.
    changed: BTreeMap<u32, Option<&'static str>>,
    /// The newest turn whose outcome was told.
    turns: u32,
}

/// A part of a message: one of its results, or its text with its images.
pub(super) type Place = Option<u32>;

impl History {
    /// Begins with the first message.
    pub(crate) fn new(opening: Message) -> History {
        let (recorded_lines, exchanges) = (Vec::new(), Vec::new());
        History { opening, recorded_lines, exchanges, reply: None, recovered: None }
    }

    /// Adds a reply.
    pub(crate) fn reply(&mut self, reply: Message) {
        self.reply = Some(reply);
    }

    /// Adds the message about the outcome of a turn, whose program called these tools.
    pub(crate) fn tell(&mut self, turn: u32, told: Message, tools: Vec<String>) {
        let (reply, since, left_out, shown) = (self.reply.take(), turn, None, None);
        let changed = BTreeMap::new();
        self.exchanges.push(Exchange { turn, reply, told, tools, since, left_out, changed, shown });
    }

    /// Applies a change of the request of a turn. A change of what is not there has no effect.
    pub(crate) fn apply(&mut self, change: &TranscriptChange, turn: u32) {
        let found = self.exchanges.iter_mut().find(|it| it.turn == change.turn);
        let Some(exchange) = found else { return };
        match change.did {
            TranscriptDeed::LeftOut => exchange.left_out = Some(change.note.clone()),
            TranscriptDeed::Expanded => {
                exchange.left_out = None;
                exchange.changed.retain(|_, it| it.lost);
                exchange.since = turn.saturating_sub(1);
                exchange.show();
            }
            did => {
                if did == TranscriptDeed::Cut {
                    self.recovered = Some(turn);
                }
                exchange.changed.insert(change.result, change.clone());
                exchange.show();
            }
        }
    }

    /// Goes on from the messages that a request of an earlier version had in a turn. They are all that is known.
    pub(crate) fn restart(&mut self, turn: u32, messages: Vec<Message>) {
        let mut messages = messages.into_iter();
        let Some(mut opening) = messages.next() else { return };
        let (text, lines) = summary::split(&opening.text);
        opening.text = text.to_string();
        let messages: Vec<Message> = messages.collect();
        let first = turn.saturating_sub(u32::try_from(messages.len() / 2).unwrap_or(u32::MAX));
        let mut history = History { recorded_lines: lines, ..History::new(opening) };
        for (pair, turn) in messages.chunks(2).zip(first..) {
            let [reply, told] = pair else { continue };
            let known = self.exchanges.iter().find(|it| it.turn == turn);
            let tools = known.map(|it| it.tools.clone()).unwrap_or_default();
            history.reply(reply.clone());
            history.tell(turn, told.clone(), tools);
        }
        *self = history;
    }

    /// Drops the parts that only the model before understands.
    pub(crate) fn forget_opaque(&mut self) {
        let replies = self.exchanges.iter_mut().filter_map(|it| it.reply.as_mut());
        replies.chain(&mut self.reply).for_each(|it| it.opaque.clear());
    }

    /// Returns the messages as they are sent.
    pub(crate) fn messages(&self) -> Vec<Message> {
        let mut messages = vec![self.first()];
        for exchange in self.exchanges.iter().filter(|it| it.left_out.is_none()) {
            messages.extend(exchange.reply.clone());
            messages.push(exchange.sent().clone());
        }
        messages.extend(self.reply.clone());
        messages
    }

    /// Returns the newest message to the model.
    pub(crate) fn newest(&self) -> &Message {
        self.exchanges.last().map_or(&self.opening, |it| &it.told)
    }

    /// Returns the turn in which the conversation was cut, since it was too long for the model.
    pub(crate) fn recovered(&self) -> Option<u32> {
        self.recovered
    }

    /// Returns the tools that the programs of these turns called, for the turns that have some.
    pub(crate) fn tools(&self) -> BTreeMap<u32, Vec<String>> {
        let called = self.exchanges.iter().filter(|it| !it.tools.is_empty());
        called.map(|it| (it.turn, it.tools.clone())).collect()
    }

    /// Returns the change that sends a message whole again; `None` if it is whole.
    pub(crate) fn expansion(&self, turn: u32) -> Option<TranscriptChange> {
        let exchange = self.exchanges.iter().find(|it| it.turn == turn)?;
        let mut whole = exchange.clone();
        whole.changed.retain(|_, it| it.lost);
        whole.left_out = None;
        whole.show();
        if whole == *exchange {
            return None;
        }
        let before = match &exchange.left_out {
            Some(line) => line.len(),
            None => exchange.sent_len(),
        };
        let tokens_saved = tokens_of(before) - tokens_of(whole.sent_len());
        let new = TranscriptChange::new(TranscriptDeed::Expanded, turn);
        Some(TranscriptChange { tokens_saved, ..new })
    }

    /// Returns the messages that can be sent whole again.
    pub(crate) fn expansions(&self) -> Expansions {
        let changed = self.exchanges.iter();
        let changed = changed.filter(|it| it.left_out.is_some() || !it.changed.is_empty());
        Expansions {
            changed: changed.map(|it| (it.turn, it.why_lost())).collect(),
            turns: self.exchanges.last().map_or(0, |it| it.turn),
        }
    }

    /// Returns the number of bytes that are sent. Images count as long texts.
    pub(super) fn sent_len(&self) -> usize {
        let exchanges = self.exchanges.iter().filter(|it| it.left_out.is_none());
        let reply = self.reply.as_ref().map_or(0, Message::len);
        self.first().len() + reply + exchanges.map(Exchange::sent_len).sum::<usize>()
    }

    /// Returns whether the first message has a summary.
    pub(super) fn has_summary(&self) -> bool {
        let mut exchanges = self.exchanges.iter();
        !self.recorded_lines.is_empty() || exchanges.any(|it| it.left_out.is_some())
    }

    /// Returns the first message, with the summary of the turns that are left out.
    fn first(&self) -> Message {
        let left_out = self.exchanges.iter().filter_map(|it| it.left_out.as_deref());
        let lines: Vec<&str> =
            self.recorded_lines.iter().map(String::as_str).chain(left_out).collect();
        let mut first = self.opening.clone();
        if !lines.is_empty() {
            first.text = summary::with_lines(&first.text, &lines);
        }
        first
    }
}

impl Expansions {
    /// Checks that the message about a turn can be sent whole again. The error is the end of a sentence.
    pub(crate) fn check(&self, turn: u32) -> Result<(), String> {
        match (self.changed.get(&turn), self.turns) {
            (Some(None), _) => Ok(()),
            (Some(Some(why)), _) => {
                Err(format!("cannot show turn {turn} again: {why}. Do not ask again"))
            }
            (None, _) if (1..=self.turns).contains(&turn) => {
                Err(format!("cannot show turn {turn} again: it is whole in the conversation"))
            }
            (None, 0) => Err(format!("cannot show turn {turn} again: this is the first turn")),
            (None, last) => {
                Err(format!("cannot show turn {turn} again: the turns so far are 1 to {last}"))
            }
        }
    }
}

impl Exchange {
    /// Returns the message as it is sent.
    pub(super) fn sent(&self) -> &Message {
        self.shown.as_ref().unwrap_or(&self.told)
    }

    /// Makes the message as it is sent with the changes of its parts.
    fn show(&mut self) {
        if self.changed.is_empty() {
            self.shown = None;
            return;
        }
        let text = |place: Place, text: &str| {
            self.changed.get(&place).map_or_else(|| text.to_string(), |it| it.of_text(text))
        };
        let results = self.told.results.iter().zip(0..).map(|(it, at)| CallResult {
            id: it.id.clone(),
            name: it.name.clone(),
            text: text(Some(at), &it.text),
        });
        let results = results.collect();
        let images = if self.changed.contains_key(&None) { &[][..] } else { &self.told.images };
        self.shown = Some(Message {
            role: self.told.role,
            text: text(None, &self.told.text),
            calls: self.told.calls.clone(),
            results,
            images: images.to_vec(),
            opaque: self.told.opaque.clone(),
        });
    }

    /// Returns the reason that nothing of it can be sent whole again; `None` if something can.
    fn why_lost(&self) -> Option<&'static str> {
        let mut changes = self.changed.values();
        if self.left_out.is_some() || changes.clone().any(|it| !it.lost) {
            return None;
        }
        Some(if changes.any(|it| it.did == TranscriptDeed::Cut) {
            "it was too long for the model"
        } else {
            "its rule does not keep the original (`keep_original = false`)"
        })
    }

    /// Returns the number of bytes of both messages as they are sent.
    pub(super) fn sent_len(&self) -> usize {
        self.reply.as_ref().map_or(0, Message::len) + self.sent().len()
    }

    /// Returns the places of the parts that have a content: the results, then the text with the images.
    pub(super) fn places(&self) -> impl Iterator<Item = Place> {
        let results =
            (0..self.told.results.len()).filter_map(|it| u32::try_from(it).ok().map(Some));
        let has_text = !self.told.text.is_empty() || !self.told.images.is_empty();
        results.chain(has_text.then_some(None))
    }

    /// Returns the text at a place, and its number of bytes with its images.
    pub(super) fn text(&self, place: Place) -> (&str, usize) {
        match place.map(|at| self.told.results.get(at as usize)) {
            Some(result) => result.map_or(("", 0), |CallResult { text, .. }| (text, text.len())),
            None => {
                let results = self.told.results.iter().map(|it| it.text.len()).sum::<usize>();
                (&self.told.text, self.told.len() - results)
            }
        }
    }

    /// Returns the tools whose results a part has.
    pub(super) fn tools_of(&self, place: Place) -> &[String] {
        let name = place.and_then(|at| self.told.results.get(at as usize)).map(|it| &it.name);
        name.map_or(self.tools.as_slice(), std::slice::from_ref)
    }
}
