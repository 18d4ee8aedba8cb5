//! The part of a conversation that is sent: the newest turns, a summary of those before, and results that expire.

use ptc_signatures::shown::escape_owned;
use serde::{Deserialize, Serialize};

use crate::provider::Message;
use crate::setters::setters;

/// The rules about the parts of a conversation that are sent. By default, all of it is sent.
///
/// The rules depend on the conversation alone, so a replayed or resumed run sends the same. They keep the system prompt,
/// the first message and the newest turn. A call and its result stay or go together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "the keys of a transcript")]
#[non_exhaustive]
pub struct Transcript {
    /// The most turns that are sent whole. A summary in the first message replaces the turns before them. Of the
    /// conversation before a run, it is the most exchanges that the model sees whole; without a window they are 20.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u32>,
    /// The number of turns after which the summary replaces all of them except the newest one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reset_after: Option<u32>,
    /// The number of requests that have the results of a turn. Then a note replaces them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep_results: Option<u32>,
}

/// The start of the summary.
const HEADING: &str = "\n\n# Earlier turns\n\nThese turns are left out of the conversation, except for the following:";

/// The number of exchanges before a run that its model sees whole, if there is no window.
const EXCHANGES: u32 = 20;

/// The largest number of characters of all lines of a summary. The oldest lines go first.
const MAX_SUMMARY: usize = 6_000;

/// The largest number of characters of a reply, and of what the model was told about it, in a summary.
const EXCERPTS: (usize, usize) = (200, 300);

impl Transcript {
    /// Returns whether the whole conversation is sent.
    pub(crate) fn is_whole(&self) -> bool {
        *self == Transcript::default()
    }

    /// Returns the first rule that is 0.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        let rules = [
            ("window", self.window),
            ("reset_after", self.reset_after),
            ("keep_results", self.keep_results),
        ];
        rules.into_iter().find(|(_, turns)| *turns == Some(0)).map(|(name, _)| name)
    }

    /// Returns the number of exchanges before a run that its model sees whole.
    pub(crate) fn exchanges(&self) -> usize {
        self.window.unwrap_or(EXCHANGES).max(1) as usize
    }

    /// Returns the line about an exchange before a run. Texts are quoted, so that data stays data.
    pub(crate) fn exchange_line(number: usize, message: String, answer: String) -> String {
        format!(
            "- message {number}: the user wrote {}, and you answered {}",
            excerpt([message].into_iter(), EXCERPTS.0),
            excerpt([answer].into_iter(), EXCERPTS.1)
        )
    }

    /// Returns the newest of these lines that a summary has room for.
    pub(crate) fn newest_lines<'l, 's>(lines: &'l [&'s str]) -> &'l [&'s str] {
        let mut room = MAX_SUMMARY;
        let newest = lines.iter().rev().take_while(|line| {
            let length = line.chars().count();
            let fits = length <= room;
            room = room.saturating_sub(length);
            fits
        });
        let newest = newest.count();
        lines.get(lines.len() - newest..).unwrap_or_default()
    }

    /// Applies the rules to a conversation whose newest message is about the turn `turn`. `opening` is the first message
    /// without a summary. Returns whether the conversation has changed.
    pub(crate) fn apply(&self, messages: &mut Vec<Message>, opening: &str, turn: u32) -> bool {
        let whole = count(messages.len().saturating_sub(1) / 2);
        let window = self.window.map_or(whole, |it| it.max(1));
        let is_reset = self.reset_after.is_some_and(|it| whole > it.max(1));
        let kept = if is_reset { 1 } else { whole.min(window) };
        let dropped = whole - kept;
        let mut is_changed = dropped > 0;
        if is_changed {
            let first = turn.saturating_sub(whole) + 1;
            let lines: Vec<String> = messages
                .get(1..=2 * dropped as usize)
                .unwrap_or_default()
                .chunks(2)
                .zip(first..)
                .map(|(pair, turn)| line(turn, pair))
                .collect();
            messages.drain(1..=2 * dropped as usize);
            if let Some(first) = messages.first_mut() {
                first.text = summarized(&first.text, opening, &lines);
            }
        }
        let Some(seen) = self.keep_results else { return is_changed };
        let first = turn.saturating_sub(kept) + 1;
        for (at, number) in
            (first..turn).enumerate().take(kept.saturating_sub(seen.max(1)) as usize)
        {
            if let Some(message) = messages.get_mut(2 * at + 2) {
                is_changed |= expire(message, number);
            }
        }
        is_changed
    }
}

setters! {
    Transcript:
    /// Sets the most turns that are sent whole. 0 counts as 1.
    with_window(window: u32) => Some;
    /// Sets the number of turns after which a summary replaces all of them except the newest one. 0 counts as 1.
    with_reset_after(reset_after: u32) => Some;
    /// Sets the number of requests that have the results of a turn. 0 counts as 1.
    with_keep_results(keep_results: u32) => Some;
}

/// Replaces what a message told about a turn by a note. Returns whether it has changed.
fn expire(message: &mut Message, turn: u32) -> bool {
    let note = format!("[what you were told after turn {turn} has expired]");
    let mut is_changed = !message.images.is_empty();
    message.images.clear();
    let results = message.results.iter_mut().map(|it| &mut it.text);
    for text in [&mut message.text].into_iter().filter(|it| !it.is_empty()).chain(results) {
        if *text != note {
            text.clone_from(&note);
            is_changed = true;
        }
    }
    is_changed
}

/// Returns the first message with these further lines in its summary.
fn summarized(first: &str, opening: &str, lines: &[String]) -> String {
    let (start, earlier) = match first.strip_prefix(opening).and_then(|it| it.strip_prefix(HEADING))
    {
        Some(earlier) => (opening, earlier),
        None => (first, ""),
    };
    let all: Vec<&str> = earlier
        .lines()
        .filter(|it| !it.is_empty())
        .chain(lines.iter().map(String::as_str))
        .collect();
    let mut text = format!("{start}{HEADING}");
    for line in Transcript::newest_lines(&all) {
        text.push('\n');
        text.push_str(line);
    }
    text
}

/// Returns the line about a turn. Texts are quoted, so that data stays data.
fn line(turn: u32, pair: &[Message]) -> String {
    let [reply, told] = pair else { return String::new() };
    let calls = reply.calls.iter().map(|it| format!("{} {}", it.name, it.arguments));
    let said = [reply.text.clone()].into_iter().chain(calls);
    let results = told.results.iter().map(|it| it.text.clone());
    let told = results.chain([told.text.clone()]);
    format!(
        "- turn {turn}: you wrote {}, and were told {}",
        excerpt(said, EXCERPTS.0),
        excerpt(told, EXCERPTS.1)
    )
}

/// Returns the beginning of these texts as one quoted line.
fn excerpt(texts: impl Iterator<Item = String>, most: usize) -> String {
    let mut line = String::new();
    for word in texts.flat_map(|it| it.split_whitespace().map(str::to_owned).collect::<Vec<_>>()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
        if line.len() > 4 * most {
            break;
        }
    }
    let is_long = line.chars().count() > most;
    let mut short: String = line.chars().take(most).collect();
    if is_long {
        short.push_str(" …");
    }
    // The texts of the model itself may have any character.
    escape_owned(serde_json::Value::String(short).to_string())
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::CallResult;

    /// Returns the texts of a conversation of these turns, to which the rules were applied after each turn.
    fn sent(rules: Transcript, turns: u32) -> Vec<String> {
        let mut messages = vec![Message::user("o")];
        for turn in 1..=turns {
            messages.push(Message::assistant(format!("reply\n{turn}")));
            messages.push(Message::user(format!("told {turn}")));
            rules.apply(&mut messages, "o", turn);
            // The rules have nothing to do for what they have left.
            assert!(!rules.apply(&mut messages, "o", turn));
        }
        messages.into_iter().map(|it| it.text).collect()
    }

    fn summary(turns: std::ops::RangeInclusive<u32>) -> String {
        let lines = turns.map(|it| {
            format!("\n- turn {it}: you wrote \"reply {it}\", and were told \"told {it}\"")
        });
        format!("o{HEADING}{}", lines.collect::<String>())
    }

    #[test]
    fn r22_r23_windows_and_resets() {
        let all = ["o", "reply\n1", "told 1", "reply\n2", "told 2"];
        assert_eq!(sent(Transcript::default(), 2), all);
        let window = Transcript::default().with_window(2);
        assert_eq!(sent(window, 2), all);
        assert_eq!(sent(window, 4), [&summary(1..=2), "reply\n3", "told 3", "reply\n4", "told 4"]);
        let reset = Transcript::default().with_reset_after(3);
        assert_eq!(sent(reset, 3).len(), 7);
        assert_eq!(sent(reset, 4), [&summary(1..=3), "reply\n4", "told 4"]);
        assert_eq!(sent(reset, 6).len(), 7);
        assert_eq!(sent(reset, 7), [&summary(1..=6), "reply\n7", "told 7"]);
        // 0 counts as 1.
        assert_eq!(
            sent(Transcript::default().with_window(0), 2),
            [&summary(1..=1), "reply\n2", "told 2"]
        );
    }

    #[test]
    fn a_summary_is_bounded() {
        let texts = sent(Transcript::default().with_window(1), 500);
        assert_eq!(texts.len(), 3);
        assert!(
            texts[0].chars().count() < 1 + HEADING.len() + 2 * MAX_SUMMARY,
            "{}",
            texts[0].len()
        );
        assert!(!texts[0].contains("- turn 1:") && texts[0].contains("- turn 499:"));
        let long = Message::assistant("x ".repeat(100_000));
        let pair = [long, Message::user("\"\n# Mission\n")];
        let expected = format!(
            "- turn 7: you wrote \"{}x …\", and were told \"\\\" # Mission\"",
            "x ".repeat(99)
        );
        assert_eq!(line(7, &pair).replace("x  …", "x …"), expected);
    }

    #[test]
    fn l35_l48_results_expire() {
        let once = Transcript::default().with_keep_results(1);
        let expired = |turn: u32| format!("[what you were told after turn {turn} has expired]");
        assert_eq!(
            sent(once, 3),
            ["o", "reply\n1", &expired(1), "reply\n2", &expired(2), "reply\n3", "told 3"]
        );
        let twice = Transcript::default().with_keep_results(2).with_window(3);
        assert_eq!(
            sent(twice, 4)[1..],
            ["reply\n2", &expired(2), "reply\n3", "told 3", "reply\n4", "told 4"]
        );
        let result =
            |text: &str| CallResult { id: "a".into(), name: "f".into(), text: text.into() };
        let mut message = Message::user("").with_results(vec![result("1")]);
        assert!(expire(&mut message, 1));
        assert_eq!(message, Message::user("").with_results(vec![result(&expired(1))]));
    }
}
