//! An incremental decoder of the text `program` in the arguments of a call: `{"program": "(return 1)"}`.

use serde_json::Value;

/// The state of the decoder.
#[derive(Debug, Default)]
pub(super) struct Argument {
    state: State,
    /// The text that is not decoded yet: the beginning, or an incomplete escape. In the state `Other` it is the whole
    /// text.
    raw: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Before the program.
    #[default]
    Before,
    /// Inside the program.
    Inside,
    /// After the program.
    After,
    /// The arguments do not begin with the program, so they are parsed as a whole.
    Other,
}

impl Argument {
    /// Reads the next piece of the arguments, and returns the piece of the program in it.
    pub(super) fn feed(&mut self, json: &str) -> String {
        let mut program = String::new();
        for it in json.chars() {
            match self.state {
                State::Before => self.read_start(it),
                State::Inside => self.read_program(it, &mut program),
                State::After => {}
                State::Other => self.raw.push(it),
            }
        }
        program
    }

    /// Ends the arguments. Returns an empty text if `feed` has returned the program. Otherwise returns the program,
    /// or the whole text if there is no program.
    pub(super) fn end(&mut self) -> String {
        let raw = std::mem::take(&mut self.raw);
        if matches!(self.state, State::Inside | State::After) {
            return String::new();
        }
        let value = serde_json::from_str::<Value>(&raw).unwrap_or_default();
        value.get("program").and_then(Value::as_str).map_or(raw, str::to_string)
    }

    fn read_start(&mut self, it: char) {
        const BEGIN: &str = "{\"program\":\"";
        self.raw.push(it);
        let dense: String = self.raw.split_ascii_whitespace().collect();
        if dense == BEGIN {
            self.raw.clear();
            self.state = State::Inside;
        } else if !BEGIN.starts_with(&dense) {
            self.state = State::Other;
        } else if it.is_ascii_whitespace() {
            // Without white space, so that endless white space does not take quadratic time.
            self.raw = dense;
        }
    }

    fn read_program(&mut self, it: char, program: &mut String) {
        if self.raw.is_empty() {
            match it {
                '"' => self.state = State::After,
                '\\' => self.raw.push(it),
                _ => program.push(it),
            }
            return;
        }
        self.raw.push(it);
        match unescape(&self.raw) {
            Escape::Incomplete => {}
            Escape::Complete(text) => {
                program.push_str(&text);
                self.raw.clear();
            }
            Escape::Invalid => {
                program.push_str(&self.raw);
                self.raw.clear();
            }
        }
    }
}

enum Escape {
    Incomplete,
    Complete(String),
    Invalid,
}

/// Decodes an escape. Characters outside the Basic Multilingual Plane have two `\u` units.
fn unescape(raw: &str) -> Escape {
    if let Ok(text) = serde_json::from_str(&format!("\"{raw}\"")) {
        return Escape::Complete(text);
    }
    let unit = |text: &str| {
        let digits = text.strip_prefix("\\u").unwrap_or_default();
        digits.chars().all(|it| it.is_ascii_hexdigit()) && (text == "\\" || text.starts_with("\\u"))
    };
    match raw.split_at_checked(6) {
        None if unit(raw) => Escape::Incomplete,
        Some((high, "")) if unit(high) && is_high(high) => Escape::Incomplete,
        Some((high, low)) if is_high(high) && low.len() < 6 && unit(low) => Escape::Incomplete,
        _ => Escape::Invalid,
    }
}

/// Returns whether an escape is a high surrogate.
fn is_high(unit: &str) -> bool {
    let code = unit.strip_prefix("\\u").and_then(|it| u16::from_str_radix(it, 16).ok());
    code.is_some_and(|it| (0xd800..0xdc00).contains(&it))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the program that `feed` decodes and the rest that `end` returns, for every split of the text in two.
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
