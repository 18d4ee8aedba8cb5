//! The summary of turns that are left out. It is made without a model.

use ptc_signatures::shown::escape_owned;

use crate::provider::Message;

/// The start of the summary.
pub(super) const HEADING: &str = "\n\n# Earlier turns\n\nThese turns are left out of the conversation, except for the following:";

/// The largest number of characters of all lines of a summary. The oldest lines go first.
const MAX_SUMMARY: usize = 6_000;

/// The largest number of characters of a reply, and of what the model was told about it, in a summary.
const EXCERPTS: (usize, usize) = (200, 300);

/// Returns the first message with a summary of these lines.
pub(super) fn with_lines(opening: &str, lines: &[&str]) -> String {
    let mut text = format!("{opening}{HEADING}");
    for line in newest_lines(lines) {
        text.push('\n');
        text.push_str(line);
    }
    text
}

/// Splits a first message of a record into that without its summary, and the lines of the summary.
pub(super) fn split(text: &str) -> (&str, Vec<String>) {
    match text.rsplit_once(HEADING) {
        Some((opening, lines)) => {
            (opening, lines.lines().filter(|it| !it.is_empty()).map(str::to_string).collect())
        }
        None => (text, Vec::new()),
    }
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

/// Returns the line about an exchange before a run. Texts are quoted, so that data stays data.
pub(crate) fn exchange_line(number: usize, message: String, answer: String) -> String {
    format!(
        "- message {number}: the user wrote {}, and you answered {}",
        excerpt([message].into_iter(), EXCERPTS.0),
        excerpt([answer].into_iter(), EXCERPTS.1)
    )
}

/// Returns the line about a turn. Texts are quoted, so that data stays data.
pub(super) fn line(turn: u32, reply: &Message, told: &Message) -> String {
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
    'all: for text in texts {
        for word in text.split_whitespace() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
            if line.len() > 4 * most {
                break 'all;
            }
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
