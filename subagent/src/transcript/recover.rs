//! Recovery from a conversation that is too long for the model.

use ptc_lisp::print;
use ptc_lisp::{Value, json};

use super::change::{TranscriptChange, TranscriptDeed, tokens_of};
use super::history::{Exchange, History, Place};

/// The changes of a recovery, with a sentence about them.
pub(crate) type Recovery = (Vec<TranscriptChange>, String);

/// A cut, with the number of characters that it removes.
type Cut = (TranscriptChange, usize);

/// The numbers of characters that stay at the beginning and at the end of earlier messages.
const EARLIER: (usize, usize) = (400, 200);

/// The smallest number of characters that is worth a cut.
const LEAST: usize = 200;

/// The numbers of items, of fields, of characters of a text in an object, and of items of a list in an object that stay.
const ITEMS: usize = 10;
const FIELDS: usize = 20;
const FIELD_TEXT: usize = 200;
const FIELD_ITEMS: usize = 5;

/// The number of characters that stay of a text, and the largest number of those of a part of data.
const TEXT: usize = 1_000;
const MAX_PART: usize = 6_000;

/// The number of characters at the end of the newest text that stay. They have the mark that closes its data, and the
/// request for the next reply.
const TAIL: usize = 1_000;

impl History {
    /// Returns the changes that shorten the conversation after a refusal, if `step` of the recovery can still save
    /// something. The first step cuts earlier messages, and the second one trims the newest message. The first message
    /// and the replies stay. A run recovers in one turn only.
    pub(crate) fn recovery(&self, step: usize, turn: u32) -> Option<Recovery> {
        if self.recovered.is_some_and(|it| it != turn) {
            return None;
        }
        let (newest, earlier) = self.exchanges.split_last()?;
        let (changes, verb) = match step {
            0 => {
                let sent = earlier.iter().filter(|it| it.left_out.is_none());
                let changes: Vec<_> = sent.flat_map(|it| changed(it, &earlier_cut)).collect();
                (changes, "cut out of the middle")
            }
            1 => (changed(newest, &newest_cut), "left out"),
            _ => return None,
        };
        let mut turns: Vec<u32> = changes.iter().map(|it| it.0.turn).collect();
        turns.dedup();
        let of = match (step, turns.len()) {
            (1, _) => "the newest message".to_string(),
            (_, 1) => "1 earlier message".to_string(),
            (_, many) => format!("{many} earlier messages"),
        };
        let characters = changes.iter().map(|it| it.1).sum::<usize>();
        let images = changes.iter().map(|it| it.2).sum::<usize>();
        let cut = format!("{characters} characters were {verb} of {of}");
        let lost = match (characters, images) {
            (0, 0) => return None,
            (_, 0) => cut,
            (0, 1) => format!("1 image of {of} was left out"),
            (0, _) => format!("{images} images of {of} were left out"),
            (_, 1) => format!("{cut}, and 1 image was left out"),
            _ => format!("{cut}, and {images} images were left out"),
        };
        let note = format!("the conversation was too long for the model, so {lost}");
        Some((changes.into_iter().map(|it| it.0).collect(), note))
    }
}

/// Returns the changes of the parts of a message, each with the numbers of removed characters and images.
fn changed(
    exchange: &Exchange,
    cut: &dyn Fn(&str, Place) -> Option<Cut>,
) -> Vec<(TranscriptChange, usize, usize)> {
    let sent = exchange.sent();
    let changes = exchange.places().filter_map(|place| {
        let (whole, _) = exchange.text(place);
        let (now, images) = match place.and_then(|at| sent.results.get(at as usize)) {
            Some(result) => (result.text.as_str(), 0),
            None => (sent.text.as_str(), sent.images.len()),
        };
        let (mut change, removed) = match cut(now, place).and_then(|_| cut(whole, place)) {
            Some(found) => found,
            // Without its images, the text stays whole.
            None if images > 0 => {
                let new = TranscriptChange::new(TranscriptDeed::Cut, exchange.turn);
                (TranscriptChange { head: u32::MAX, ..new }, 0)
            }
            None => return None,
        };
        (change.turn, change.result, change.lost) = (exchange.turn, place, true);
        let after = change.of_text(whole).len();
        let (_, size) = exchange.text(place);
        let before = if exchange.changed.contains_key(&place) { now.len() } else { size };
        change.tokens_saved = tokens_of(before.checked_sub(after)?);
        Some((change, removed, images))
    });
    changes.collect()
}

/// Cuts the middle out of an earlier message.
fn earlier_cut(text: &str, _: Place) -> Option<Cut> {
    let length = text.chars().count();
    let cut = length.checked_sub(EARLIER.0 + EARLIER.1).filter(|it| *it > LEAST)?;
    let note = format!("\n[... {cut} characters left out ...]\n");
    let new = TranscriptChange::new(TranscriptDeed::Cut, 0);
    Some((TranscriptChange { head: small(EARLIER.0), note, tail: small(EARLIER.1), ..new }, cut))
}

/// Trims the newest message by its format, and tells the model what to do about it.
fn newest_cut(text: &str, place: Place) -> Option<Cut> {
    let length = text.chars().count();
    let new = TranscriptChange::new(TranscriptDeed::Cut, 0);
    if place.is_none() {
        let removed = length.checked_sub(TEXT + TAIL).filter(|it| *it > LEAST)?;
        let note =
            format!("\n... (truncated due to context length)\n\n{}", guidance(removed, None));
        let (head, tail) = (small(TEXT), small(TAIL));
        return Some((TranscriptChange { head, note, tail, ..new }, removed));
    }
    let part = trimmed(text)?;
    let removed = length.checked_sub(part.chars().count()).filter(|it| *it > LEAST)?;
    Some((TranscriptChange { note: guidance(removed, Some(&part)), ..new }, removed))
}

/// Returns what stays of a result: the beginning of its data, or of its text.
fn trimmed(text: &str) -> Option<String> {
    let part = of_json(text).or_else(|| of_rows(text)).or_else(|| {
        let rest = text.char_indices().nth(TEXT).map(|(at, _)| at)?;
        Some(format!("{}\n... (truncated due to context length)", text.get(..rest)?))
    })?;
    match part.char_indices().nth(MAX_PART) {
        Some((at, _)) => {
            let start = part.get(..at).unwrap_or_default();
            Some(format!("{start}\n... (truncated due to context length)"))
        }
        None => Some(part),
    }
}

/// Returns the beginning of a JSON list or of a JSON object.
fn of_json(text: &str) -> Option<String> {
    let value = json::parse(text).ok()?;
    if let Some(map) = value.as_map() {
        let short = |value: &Value| match value {
            Value::Str(text) => match text.char_indices().nth(FIELD_TEXT) {
                Some((at, _)) => Value::str(format!("{}...", text.get(..at).unwrap_or_default())),
                None => value.clone(),
            },
            _ => match value.items() {
                Some(items) => Value::vector(items.take(FIELD_ITEMS).cloned().collect()),
                None => value.clone(),
            },
        };
        let kept = map.iter().take(FIELDS).map(|(key, value)| (key.clone(), short(value)));
        let kept = pretty(&Value::map(kept));
        return Some(match map.len().saturating_sub(FIELDS) {
            0 => kept,
            more => format!("{kept}\n... ({more} more fields truncated due to context length)"),
        });
    }
    let items: Vec<Value> = value.items()?.cloned().collect();
    let more = items.len().checked_sub(ITEMS).filter(|it| *it > 0)?;
    let kept = pretty(&Value::vector(items.into_iter().take(ITEMS).collect()));
    Some(format!("{kept}\n... ({more} more items truncated due to context length)"))
}

/// Returns the header and the first rows of comma-separated values.
fn of_rows(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let more = lines.len().checked_sub(ITEMS + 1).filter(|it| *it > 0)?;
    let kept = lines.get(..=ITEMS).filter(|it| it.first().is_some_and(|it| it.contains(',')))?;
    Some(format!("{}\n... ({more} more rows truncated due to context length)", kept.join("\n")))
}

fn pretty(value: &Value) -> String {
    let json = json::to_serde(value).ok().and_then(|it| serde_json::to_string_pretty(&it).ok());
    json.unwrap_or_else(|| print::readable(value))
}

/// Tells the model that a result is incomplete, with what is left of it.
fn guidance(removed: usize, part: Option<&str>) -> String {
    let part = part.map(|it| format!("---\n{it}\n---\n\n")).unwrap_or_default();
    let removed = with_separators(removed);
    format!(
        "⚠️ CONTEXT OVERFLOW RECOVERY ⚠️\n\nThe previous step returned a result that exceeded the context window \
         ({removed} characters truncated).\n\n{part}The result is INCOMPLETE: do not treat it as all of the data.\n\n\
         Recommended actions:\n1. Ask again with more specific filters.\n2. Read the data in batches or pages.\n3. Ask \
         for a clearer scope.\n4. Say in the answer that the data is incomplete.\n\nChoose one of them and go on.\n"
    )
}

/// Returns a number with a comma after each group of three digits.
fn with_separators(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn small(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// M110: trimming by format.
    #[test]
    fn m110_results_are_trimmed_by_their_format() {
        let items: Vec<usize> = (1..=497).collect();
        let list = serde_json::to_string(&items).unwrap();
        let ten: Vec<String> = (1..=10).map(|it| format!("  {it}")).collect();
        let expected = format!(
            "[\n{}\n]\n... (487 more items truncated due to context length)",
            ten.join(",\n")
        );
        assert_eq!(trimmed(&list), Some(expected));
        let rows: Vec<String> = (0..30).map(|it| format!("{it},a")).collect();
        let expected = format!(
            "{}\n... (19 more rows truncated due to context length)",
            rows[..11].join("\n")
        );
        assert_eq!(trimmed(&rows.join("\n")), Some(expected));
        let text = "ü".repeat(1_200);
        let expected = format!("{}\n... (truncated due to context length)", "ü".repeat(1_000));
        assert_eq!(trimmed(&text), Some(expected));
        let object = format!("{{\"a\":\"{}\",\"b\":[1,2,3,4,5,6]}}", "x".repeat(300));
        let expected = format!(
            "{{\n  \"a\": \"{}...\",\n  \"b\": [\n    1,\n    2,\n    3,\n    4,\n    5\n  ]\n}}",
            "x".repeat(200)
        );
        assert_eq!(trimmed(&object), Some(expected));
        assert_eq!(trimmed("short"), None);
    }

    /// M111: the guidance has a title, the number of characters, the partial result, a warning, and four actions.
    #[test]
    fn m111_the_guidance_says_what_to_do() {
        let text = guidance(147_532, Some("[1]"));
        for part in [
            "⚠️ CONTEXT OVERFLOW RECOVERY ⚠️",
            "The previous step returned a result that exceeded the context window (147,532 characters truncated).",
            "---\n[1]\n---",
            "INCOMPLETE",
            "\n1. ",
            "\n4. ",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
