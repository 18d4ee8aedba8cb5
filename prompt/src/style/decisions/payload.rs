//! The payload as a model reads it: whole if it is small, and otherwise a sample with the changes of the turn.

use ptc_lisp::{Map, Value};

use super::super::json::{plain, without_hidden};
use crate::PromptLimits;

/// The number of times that a whole payload may be longer than a string of a prompt.
const WHOLE: usize = 8;
/// The most keys of a map, and the most levels, in a sample.
const KEYS: usize = 24;
const LEVELS: usize = 8;
/// The most values in a sample.
const VALUES: usize = 400;
/// The most changes that are listed.
const CHANGES: usize = 20;

/// Returns the payload at the start of a mission.
pub(super) fn at_start(payload: &Value, limits: &PromptLimits) -> String {
    let (shown, is_cut) = shown(&without_hidden(payload), limits);
    let cut = if is_cut { "a sample of the " } else { "" };
    headed(&format!("{cut}payload at the start"), &shown)
}

/// Returns the payload after a turn, and what the turn has changed if the payload is too long to be whole.
pub(super) fn after_turn(before: Option<&Value>, payload: &Value, limits: &PromptLimits) -> String {
    let payload = without_hidden(payload);
    let (shown, is_cut) = shown(&payload, limits);
    if !is_cut {
        return headed("payload now, in place of all earlier ones", &shown);
    }
    let text = headed("a sample of the payload now, in place of all earlier ones", &shown);
    let mut changes = Changes { lines: Vec::new(), more: 0, limits };
    if let Some(before) = before {
        changes.compare("payload", &without_hidden(before), &payload, 0);
    }
    match changes.lines.as_slice() {
        [] => text,
        lines => {
            let more = match changes.more {
                0 => String::new(),
                more => format!("\n- and {more} more"),
            };
            format!("{text}\n\nChanged by this turn:\n{}{more}", lines.join("\n"))
        }
    }
}

fn headed(title: &str, text: &str) -> String {
    let mut chars = title.chars();
    let first = chars.next().map(|it| it.to_ascii_uppercase()).unwrap_or_default();
    format!("{first}{}:\n{text}", chars.as_str())
}

/// Returns a value as JSON, and whether it is cut.
fn shown(value: &Value, limits: &PromptLimits) -> (String, bool) {
    let whole = plain(value);
    if whole.chars().count() <= limits.string_truncate.saturating_mul(WHOLE) {
        return (whole, false);
    }
    let mut left = VALUES;
    (plain(&sample(value, limits, LEVELS, &mut left)), true)
}

/// Returns a value whose long parts are replaced by their beginnings. `left` is the number of values that it may have.
fn sample(value: &Value, limits: &PromptLimits, levels: usize, left: &mut usize) -> Value {
    *left = left.saturating_sub(1);
    match value {
        Value::Str(text) => short(text, limits),
        Value::Map(_) | Value::Vector(_) if levels == 0 || *left == 0 => Value::str("…"),
        Value::Map(map) => {
            let rows = map.iter().take(KEYS);
            let mut rows: Vec<(Value, Value)> =
                rows.map(|(key, it)| (key.clone(), sample(it, limits, levels - 1, left))).collect();
            if map.len() > rows.len() {
                let more = Value::str(format!("and {} more keys", map.len() - rows.len()));
                rows.push((Value::str("…"), more));
            }
            Value::map(rows)
        }
        Value::Vector(items) => {
            let first = items.iter().take(limits.list_sample.max(1));
            let mut first: Vec<Value> =
                first.map(|it| sample(it, limits, levels - 1, left)).collect();
            if items.len() > first.len() {
                first.push(Value::str(format!("… and {} more items", items.len() - first.len())));
            }
            Value::vector(first)
        }
        other => other.clone(),
    }
}

fn short(text: &str, limits: &PromptLimits) -> Value {
    let most = limits.string_truncate.max(1);
    match text.char_indices().nth(most) {
        None => Value::str(text),
        Some((end, _)) => {
            let start = text.get(..end).unwrap_or_default();
            Value::str(format!("{start}… ({} characters)", text.chars().count()))
        }
    }
}

/// The changes of a payload, one a line.
struct Changes<'l> {
    lines: Vec<String>,
    /// The number of changes without a line.
    more: usize,
    limits: &'l PromptLimits,
}

impl Changes<'_> {
    fn compare(&mut self, path: &str, before: &Value, after: &Value, depth: usize) {
        if before == after {
            return;
        }
        match (before, after) {
            (Value::Map(old), Value::Map(new)) if depth < LEVELS => {
                self.maps(path, old, new, depth);
            }
            (Value::Vector(old), Value::Vector(new)) if depth < LEVELS => {
                for (at, (old, new)) in old.iter().zip(new.iter()).enumerate() {
                    self.compare(&format!("{path}[{at}]"), old, new, depth + 1);
                }
                for (at, item) in new.iter().enumerate().skip(old.len()) {
                    self.set(&format!("{path}[{at}]"), item);
                }
                if new.len() < old.len() {
                    self.add(format!("- {path} has {} items", new.len()));
                }
            }
            _ => self.set(path, after),
        }
    }

    fn maps(&mut self, path: &str, old: &Map, new: &Map, depth: usize) {
        for (key, value) in new.iter() {
            let inner = format!("{path}.{}", key.name().unwrap_or_default());
            match old.get(key) {
                Some(before) => self.compare(&inner, before, value, depth + 1),
                None => self.set(&inner, value),
            }
        }
        for (key, _) in old.iter().filter(|(key, _)| new.get(key).is_none()) {
            self.add(format!("- {path}.{} is removed", key.name().unwrap_or_default()));
        }
    }

    fn set(&mut self, path: &str, value: &Value) {
        let limits = self.limits;
        let value = move || plain(&Value::vector(vec![sample(value, limits, LEVELS, &mut 40)]));
        self.add_with(|| {
            let value = value();
            let value = value.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
            format!("- {path} = {}", value.unwrap_or_default())
        });
    }

    fn add(&mut self, line: String) {
        self.add_with(|| line);
    }

    fn add_with(&mut self, line: impl FnOnce() -> String) {
        if self.lines.len() < CHANGES {
            self.lines.push(line());
        } else {
            self.more += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use ptc_lisp::json;

    use super::*;

    fn payload(change: &str) -> Value {
        let rows: Vec<String> =
            (0..500).map(|n| format!("{{\"id\": {n}, \"ok\": true}}")).collect();
        let text = format!("{{\"rows\": [{}], {change}}}", rows.join(", "));
        json::parse(&text).unwrap()
    }

    #[test]
    fn a_large_payload_is_a_sample_with_its_changes() {
        let limits = PromptLimits::default();
        let before = payload("\"state\": {\"n\": 1, \"old\": 0, \"_key\": \"x\"}, \"log\": [1, 2]");
        let after = payload("\"state\": {\"n\": 2, \"_key\": \"y\"}, \"log\": [1, 3, \"four\"]");
        let rows = "\"rows\":[{\"id\":0,\"ok\":true},{\"id\":1,\"ok\":true},{\"id\":2,\"ok\":true},\"… and 497 more items\"]";
        assert_eq!(
            after_turn(Some(&before), &after, &limits),
            format!(
                "A sample of the payload now, in place of all earlier ones:\n{{{rows},\"state\":{{\"n\":2}},\
                 \"log\":[1,3,\"four\"]}}\n\nChanged by this turn:\n- payload.state.n = 2\n- payload.state.old is \
                 removed\n- payload.log[1] = 3\n- payload.log[2] = \"four\""
            )
        );
        assert_eq!(
            at_start(&before, &limits),
            format!(
                "A sample of the payload at the start:\n{{{rows},\"state\":{{\"n\":1,\"old\":0}},\"log\":[1,2]}}"
            )
        );
    }

    #[test]
    fn samples_and_changes_are_bounded() {
        let limits = PromptLimits::default();
        let list = |item: &str, count: usize| format!("[{}]", vec![item; count].join(","));
        let wide: Vec<String> =
            (0..100).map(|n| format!("\"k{n}\":{}", list("[[1,2,3],\"x\"]", 60))).collect();
        let wide = |more: &str| json::parse(&format!("{{{}{more}}}", wide.join(","))).unwrap();
        let text = after_turn(Some(&json::parse("{}").unwrap()), &wide(""), &limits);
        assert!(text.len() < 12_000, "{}", text.len());
        assert!(text.contains("\"…\":\"and 76 more keys\""), "{text}");
        assert!(text.ends_with("\n- and 80 more"), "{text}");
        let long = json::parse(&format!("{{\"text\": \"{}\"}}", "ä".repeat(9_000))).unwrap();
        let text = at_start(&long, &limits);
        assert!(text.ends_with("ä… (9000 characters)\"}"), "{text}");
    }
}
