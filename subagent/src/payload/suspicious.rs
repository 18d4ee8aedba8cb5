//! Changes of a payload that look like mistakes of a model.

use ptc_lisp::{Map, Value, json};
use serde::{Deserialize, Serialize};

use super::path::{Path, Trail};
use super::tree;
use super::walk::{Found, compare};
use crate::Data;
use crate::words::words;

/// A change that looks like a mistake. It is allowed; the record and the next prompt may mention it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Suspicion {
    /// The path of the value.
    pub path: Path,
    /// The kind.
    pub kind: SuspicionKind,
    /// The severity.
    pub severity: Severity,
    /// A description, such as `Content reduced by 75.0% (from 200 to 50 characters)`.
    pub message: String,
}

words! {
    /// The kinds of suspicious changes.
    pub enum SuspicionKind {
        /// A text of at least 100 characters lost more than 70 %.
        ContentTruncation = "content_truncation",
        /// A map lost more than half of its keys, or a value of more than 50 characters of JSON was removed.
        KeyRemoval = "key_removal",
        /// A map or a list became a string, a number or a bool.
        TypeChange = "type_change",
        /// A text of at least 100 characters now ends with `...` or says that it is cut, or a list lost more than half
        /// of its items.
        PatternAnomaly = "pattern_anomaly",
        /// A text of more than 50 characters became a placeholder, such as `TBD`.
        PlaceholderReplacement = "placeholder_replacement",
        /// A payload of more than five keys lost more than 30 % of them.
        PartialStateReturn = "partial_state_return",
    }
}

words! {
    /// The severity of a suspicious change.
    pub enum Severity {
        /// It may be intended.
        Medium = "medium",
        /// It is probably a mistake.
        High = "high",
        /// It loses almost everything.
        Critical = "critical",
    }
}

/// Returns the suspicious changes between a payload and a later one, sorted by path.
///
/// ```
/// use ptc_subagent::Data;
/// use ptc_subagent::payload::suspicions;
/// use serde_json::json;
///
/// let before = Data::from(json!({"report": "a".repeat(200)}));
/// let after = Data::from(json!({"report": "a".repeat(50)}));
/// let found = suspicions(&before, &after);
/// assert_eq!(found[0].kind.as_str(), "content_truncation");
/// assert_eq!(found[0].message, "Content reduced by 75.0% (from 200 to 50 characters)");
/// ```
pub fn suspicions(before: &Data, after: &Data) -> Vec<Suspicion> {
    let mut all = Vec::new();
    compare(Path::root(), before.value(), after.value(), &mut |trail, place, found| {
        let mut report = |kind, severity, message| {
            all.push(Suspicion { path: trail.path(place), kind, severity, message });
        };
        match found {
            Found::Removed(from) => removed(from, &mut report),
            Found::Modified(from, to) => modified(from, to, &mut report),
            Found::Maps(from, to) => {
                keys(from, to, &mut report);
                if place == Trail::START {
                    partial(from, to, &mut report);
                }
            }
            Found::Lists(from, to) => shrunk(from.len(), to.len(), &mut report),
            Found::Added(_) | Found::Unseen(..) => {}
        }
    });
    all.sort_by(|one, other| one.path.cmp(&other.path));
    all
}

type Report<'r> = dyn FnMut(SuspicionKind, Severity, String) + 'r;

/// Returns whether `part` is more than `percent` of `all`.
fn exceeds(part: usize, all: usize, percent: usize) -> bool {
    part.saturating_mul(100) > all.saturating_mul(percent)
}

fn removed(from: &Value, report: &mut Report<'_>) {
    let size = json::write(from).map_or(0, |text| text.chars().count());
    if size > 50 {
        let severity = if size > 500 { Severity::High } else { Severity::Medium };
        let message = format!("Removed a value of {size} characters");
        report(SuspicionKind::KeyRemoval, severity, message);
    }
}

fn modified(from: &Value, to: &Value, report: &mut Report<'_>) {
    match (from, to) {
        (Value::Str(from), Value::Str(to)) => texts(from, to, report),
        (Value::Map(_) | Value::Vector(_), Value::Nil) => removed(from, report),
        (Value::Map(_) | Value::Vector(_), to)
            if !matches!(to, Value::Map(_) | Value::Vector(_)) =>
        {
            let message = format!("Type changed from {} to {}", tree::kind(from), tree::kind(to));
            report(SuspicionKind::TypeChange, Severity::High, message);
        }
        _ => {}
    }
}

fn texts(from: &str, to: &str, report: &mut Report<'_>) {
    let (old, new) = (from.chars().count(), to.chars().count());
    let lost = old.saturating_sub(new);
    if old >= 100 && exceeds(lost, old, 70) {
        let severity = if exceeds(lost, old, 90) { Severity::Critical } else { Severity::High };
        // Rounded half up, in whole numbers.
        let tenths = (lost * 2000 + old) / (old * 2);
        let share = format!("{}.{}", tenths / 10, tenths % 10);
        let message = format!("Content reduced by {share}% (from {old} to {new} characters)");
        report(SuspicionKind::ContentTruncation, severity, message);
    }
    if old >= 100
        && let Some(sign) = cut_sign(to)
        && cut_sign(from) != Some(sign)
    {
        let message = format!("The text now has the sign of a cut `{sign}`");
        report(SuspicionKind::PatternAnomaly, Severity::Medium, message);
    }
    if old > 50 && is_placeholder(to) && !is_placeholder(from) {
        let message = format!("A text of {old} characters became the placeholder {}", shown(to));
        report(SuspicionKind::PlaceholderReplacement, Severity::Medium, message);
    }
}

/// Returns the sign by which a text says that it is cut.
fn cut_sign(text: &str) -> Option<&'static str> {
    let text = text.trim_end().to_lowercase();
    let ends = ["...", "…", "etc."].into_iter().find(|sign| text.ends_with(sign));
    let has =
        || ["[truncated]", "[shortened]", "and more"].into_iter().find(|sign| text.contains(sign));
    ends.or_else(has)
}

fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    let within =
        |open: char, close: char| text.len() > 1 && text.starts_with(open) && text.ends_with(close);
    let starts =
        |word: &str| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    starts("TODO:") || text.eq_ignore_ascii_case("TBD") || within('[', ']') || within('<', '>')
}

/// Shows a placeholder, cut to 40 characters.
fn shown(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("`{}…`", text.get(..end).unwrap_or_default()),
        None => format!("`{text}`"),
    }
}

/// Returns the keys that are gone, and whether a value under them was not empty.
fn gone<'m>(from: &'m Map, to: &Map) -> (Vec<&'m str>, bool) {
    let gone: Vec<(&Value, &Value)> = from.iter().filter(|(key, _)| !to.contains(key)).collect();
    let is_full = |value: &Value| match value {
        Value::Nil => false,
        Value::Str(text) => !text.is_empty(),
        Value::Map(_) | Value::Vector(_) => tree::has_parts(value),
        _ => true,
    };
    let some_full = gone.iter().any(|(_, value)| is_full(value));
    (gone.into_iter().map(|(key, _)| key.name().unwrap_or_default()).collect(), some_full)
}

/// Joins the names of the first keys.
fn names(keys: &[&str]) -> String {
    let mut names = keys.iter().take(10).copied().collect::<Vec<_>>().join(", ");
    if keys.len() > 10 {
        names.push_str(", …");
    }
    names
}

fn keys(from: &Map, to: &Map, report: &mut Report<'_>) {
    let (gone, some_full) = gone(from, to);
    if some_full && exceeds(gone.len(), from.len(), 50) {
        let critical = exceeds(gone.len(), from.len(), 80);
        let severity = if critical { Severity::Critical } else { Severity::High };
        let message = format!("Removed {} of {} keys: {}", gone.len(), from.len(), names(&gone));
        report(SuspicionKind::KeyRemoval, severity, message);
    }
}

fn partial(from: &Map, to: &Map, report: &mut Report<'_>) {
    let (gone, _) = gone(from, to);
    if from.len() > 5 && exceeds(gone.len(), from.len(), 30) {
        let message = format!(
            "The payload lost {} of {} keys, as if only a part was returned: {}",
            gone.len(),
            from.len(),
            names(&gone)
        );
        report(SuspicionKind::PartialStateReturn, Severity::High, message);
    }
}

fn shrunk(from: usize, to: usize, report: &mut Report<'_>) {
    let lost = from.saturating_sub(to);
    if exceeds(lost, from, 50) {
        let severity = if exceeds(lost, from, 80) { Severity::High } else { Severity::Medium };
        let message = format!("The list shrank from {from} to {to} items");
        report(SuspicionKind::PatternAnomaly, severity, message);
    }
}
