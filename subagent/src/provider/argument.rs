//! The text `program` in the arguments of a call, while they come: `{"program": "(return 1)"}`.

use serde_json::Value;

/// What was read of the arguments.
#[derive(Debug, Default)]
pub(super) struct Argument {
    state: State,
    /// What is not decoded yet: the beginning, or an escape that is not complete. Of arguments that begin in
    /// another way, all of them.
    raw: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Before the text.
    #[default]
    Before,
    /// In it.
    Inside,
    /// Behind it.
    Behind,
    /// They do not begin with the program; they are read when they are complete.
    Other,
}

impl Argument {
    /// Takes the next piece; returns what it says of the program.
    pub(super) fn feed(&mut self, json: &str) -> String {
        let mut program = String::new();
        for it in json.chars() {
            match self.state {
                State::Before => self.begin(it),
                State::Inside => self.inside(it, &mut program),
                State::Behind => {}
                State::Other => self.raw.push(it),
            }
        }
        program
    }

    /// Takes the end of the arguments; returns the program of those that begin in another way, or all that was
    /// said where there is none.
    pub(super) fn end(&mut self) -> String {
        let raw = std::mem::take(&mut self.raw);
        if matches!(self.state, State::Inside | State::Behind) {
            return String::new();
        }
        let value = serde_json::from_str::<Value>(&raw).unwrap_or_default();
        value.get("program").and_then(Value::as_str).map_or(raw, str::to_string)
    }

    fn begin(&mut self, it: char) {
        const BEGIN: &str = "{\"program\":\"";
        self.raw.push(it);
        let dense: String = self.raw.split_ascii_whitespace().collect();
        if dense == BEGIN {
            self.raw.clear();
            self.state = State::Inside;
        } else if !BEGIN.starts_with(&dense) {
            self.state = State::Other;
        } else if it.is_ascii_whitespace() {
            // So that endless space is not gone through again and again.
            self.raw = dense;
        }
    }

    fn inside(&mut self, it: char, program: &mut String) {
        if self.raw.is_empty() {
            match it {
                '"' => self.state = State::Behind,
                '\\' => self.raw.push(it),
                _ => program.push(it),
            }
            return;
        }
        self.raw.push(it);
        match unescape(&self.raw) {
            Escape::Half => {}
            Escape::Whole(text) => {
                program.push_str(&text);
                self.raw.clear();
            }
            Escape::Wrong => {
                program.push_str(&self.raw);
                self.raw.clear();
            }
        }
    }
}

enum Escape {
    Half,
    Whole(String),
    Wrong,
}

/// Reads an escape, which is two units long for characters outside of the first plane.
fn unescape(raw: &str) -> Escape {
    if let Ok(text) = serde_json::from_str(&format!("\"{raw}\"")) {
        return Escape::Whole(text);
    }
    let unit = |text: &str| {
        let digits = text.strip_prefix("\\u").unwrap_or_default();
        digits.chars().all(|it| it.is_ascii_hexdigit()) && (text == "\\" || text.starts_with("\\u"))
    };
    match raw.split_at_checked(6) {
        None if unit(raw) => Escape::Half,
        Some((high, "")) if unit(high) && is_high(high) => Escape::Half,
        Some((high, low)) if is_high(high) && low.len() < 6 && unit(low) => Escape::Half,
        _ => Escape::Wrong,
    }
}

/// Says whether an escape is the first half of a character.
fn is_high(unit: &str) -> bool {
    let code = unit.strip_prefix("\\u").and_then(|it| u16::from_str_radix(it, 16).ok());
    code.is_some_and(|it| (0xd800..0xdc00).contains(&it))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares what is decoded on the way and at the end, however the text is split in two.
    fn check(json: &str, program: &str, rest: &str) {
        for at in (0..=json.len()).filter(|it| json.is_char_boundary(*it)) {
            let (one, two) = json.split_at(at);
            let mut argument = Argument::default();
            let decoded = argument.feed(one) + &argument.feed(two);
            assert_eq!(
                (decoded.as_str(), argument.end().as_str()),
                (program, rest),
                "{json} at {at}"
            );
        }
    }

    #[test]
    fn programs() {
        check(r#"{"program":"(return 1)"}"#, "(return 1)", "");
        check(
            "{ \"program\" :\n \"a\\n\\\"b\\\"\\\\ \\u00e9\\ud83d\\ude00ü\"}",
            "a\n\"b\"\\ é😀ü",
            "",
        );
        check(r#"{"program":"(+ 1"#, "(+ 1", "");
        check(r#"{"program":"a\ud83dx\qb\u00zz"}"#, "a\\ud83dx\\qb\\u00zz", "");
        check(r#"{"why": 1, "program": "(f)"}"#, "", "(f)");
        check(r#"{"code": "(f)"}"#, "", r#"{"code": "(f)"}"#);
        check("(return 1)", "", "(return 1)");
        check("{\"prog", "", "{\"prog");
    }
}
