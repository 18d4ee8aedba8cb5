//! Regular expressions, written and searched as in Java, on an engine that runs in linear time: no
//! look-around and no back-references (D9).

use std::fmt::Write as _;
use std::sync::OnceLock;

use arcstr::ArcStr;
use regex::{Captures, Regex, RegexBuilder};

/// The most bytes a compiled expression may take.
const MAX_BYTES: usize = 1 << 20;

/// A compiled regular expression.
#[derive(Debug)]
pub struct Pattern {
    source: ArcStr,
    /// The source as the engine writes it.
    translated: String,
    regex: Regex,
    /// Whether it asks for the end of the text, which may also be before a last line end.
    asks_for_end: bool,
    /// What matches a whole text; made when it is first asked for.
    whole: OnceLock<Option<Regex>>,
}

fn build(translated: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(translated)
        .size_limit(MAX_BYTES)
        .dfa_size_limit(MAX_BYTES)
        .nest_limit(100)
        .crlf(true)
        .build()
}

impl Pattern {
    /// Compiles an expression.
    ///
    /// # Errors
    /// What the engine says about one that is none, or that needs look-around.
    pub(crate) fn new(source: &str) -> Result<Pattern, regex::Error> {
        let (translated, asks_for_end) = translate(source);
        Ok(Pattern {
            source: source.into(),
            regex: build(&translated)?,
            translated,
            asks_for_end,
            whole: OnceLock::new(),
        })
    }

    /// The text it was made of.
    pub(crate) fn source(&self) -> &ArcStr {
        &self.source
    }

    /// The first match that starts at a byte of a text or after it.
    pub(crate) fn find_at<'t>(&self, text: &'t str, at: usize) -> Option<Captures<'t>> {
        let found = self.regex.captures_at(text, at);
        let end = text.strip_suffix('\n').map(|text| text.strip_suffix('\r').unwrap_or(text));
        let Some(before) = end.filter(|before| self.asks_for_end && at <= before.len()) else {
            return found;
        };
        // The end may be meant before the last line end: the earlier match is the one, and of two
        // that start together the one that saw the whole text.
        let start = |found: &Captures<'_>| found.get(0).map(|all| all.start());
        match (found, self.regex.captures_at(before, at)) {
            (Some(found), Some(cut)) if start(&cut) < start(&found) => Some(cut),
            (found, cut) => found.or(cut),
        }
    }

    /// All matches one after another. As in Java, an empty one may follow a match directly.
    pub(crate) fn find_all<'p, 't: 'p>(
        &'p self,
        text: &'t str,
    ) -> impl Iterator<Item = Captures<'t>> + 'p {
        let mut next = Some(0);
        std::iter::from_fn(move || {
            let found = self.find_at(text, next?)?;
            next = after(text, &found);
            Some(found)
        })
    }

    /// The match of a whole text.
    pub(crate) fn full<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        let whole = || build(&format!(r"\A(?:{})\z", self.translated)).ok();
        self.whole.get_or_init(whole).as_ref()?.captures(text)
    }
}

/// Where the search goes on after a match; none when the text is over.
pub(crate) fn after(text: &str, found: &Captures<'_>) -> Option<usize> {
    let all = found.get(0)?;
    if !all.is_empty() {
        return Some(all.end());
    }
    // After an empty match one character is passed over.
    text.get(all.end()..)?.chars().next().map(|c| all.end() + c.len_utf8())
}

/// Classes that Java knows by names of its own, for ASCII only.
const POSIX: &[(&str, &str)] = &[
    ("ASCII", r"\x00-\x7F"),
    ("Alnum", "0-9A-Za-z"),
    ("Alpha", "A-Za-z"),
    ("Blank", r" \t"),
    ("Cntrl", r"\x00-\x1F\x7F"),
    ("Digit", "0-9"),
    ("Graph", "!-~"),
    ("Lower", "a-z"),
    ("Print", " -~"),
    ("Punct", r"!-/:-@\[-`{-~"),
    ("Space", r" \t\n\x0B\f\r"),
    ("Upper", "A-Z"),
    ("XDigit", "0-9A-Fa-f"),
    ("javaLowerCase", r"\p{Lowercase}"),
    ("javaUpperCase", r"\p{Uppercase}"),
];

/// An expression of Java as the engine writes it, and whether it asks for the end of the text.
fn translate(source: &str) -> (String, bool) {
    let mut out = String::with_capacity(source.len());
    let mut asks_for_end = false;
    let mut classes = 0;
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' => {
                let Some(escaped) = rest.chars().next() else {
                    out.push('\\');
                    break;
                };
                rest = &rest[escaped.len_utf8()..];
                match escaped {
                    'Q' => {
                        let (quoted, after) = rest.split_once(r"\E").unwrap_or((rest, ""));
                        out.push_str(&regex::escape(quoted));
                        rest = after;
                    }
                    'E' => {}
                    'd' => out.push_str("[0-9]"),
                    'D' => out.push_str("[^0-9]"),
                    'w' => out.push_str("[0-9A-Za-z_]"),
                    'W' => out.push_str("[^0-9A-Za-z_]"),
                    's' => out.push_str(r"[ \t\n\x0B\f\r]"),
                    'S' => out.push_str(r"[^ \t\n\x0B\f\r]"),
                    'h' => out.push_str(
                        r"[ \t\x{A0}\x{1680}\x{180E}\x{2000}-\x{200A}\x{202F}\x{205F}\x{3000}]",
                    ),
                    'v' => out.push_str(r"[\n\x0B\f\r\x{85}\x{2028}\x{2029}]"),
                    'R' => out.push_str(r"(?:\r\n|[\n\x0B\f\r\x{85}\x{2028}\x{2029}])"),
                    'e' => out.push_str(r"\x1B"),
                    'Z' if classes == 0 => {
                        asks_for_end = true;
                        out.push_str(r"\z");
                    }
                    '0' => rest = octal(&mut out, rest),
                    'p' | 'P' => rest = property(&mut out, rest, escaped == 'P'),
                    _ => {
                        out.push('\\');
                        out.push(escaped);
                    }
                }
            }
            '[' => {
                classes += 1;
                out.push('[');
                if let Some(after) = rest.strip_prefix('^') {
                    out.push('^');
                    rest = after;
                }
                // A bracket right at the start of a class is a member of it.
                if let Some(after) = rest.strip_prefix(']') {
                    out.push_str(r"\]");
                    rest = after;
                }
            }
            ']' if classes > 0 => {
                classes -= 1;
                out.push(']');
            }
            // The engine subtracts with two of these, Java takes them for members.
            '-' | '~' if classes > 0 && rest.starts_with(c) => {
                out.push('\\');
                out.push(c);
            }
            '$' if classes == 0 => {
                asks_for_end = true;
                out.push('$');
            }
            _ => out.push(c),
        }
    }
    (out, asks_for_end)
}

/// `\0101`: a character by its octal number.
fn octal<'t>(out: &mut String, rest: &'t str) -> &'t str {
    let most = if rest.starts_with(['0', '1', '2', '3']) { 3 } else { 2 };
    let count = rest.bytes().take(most).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
    let (digits, rest) = rest.split_at(count);
    let _ = match u32::from_str_radix(digits, 8) {
        Ok(number) => write!(out, r"\x{{{number:X}}}"),
        // Without digits it is no escape, which the engine says.
        Err(_) => write!(out, r"\0"),
    };
    rest
}

/// `\p{Alpha}`: a class by its name.
fn property<'t>(out: &mut String, rest: &'t str, negated: bool) -> &'t str {
    let sign = if negated { 'P' } else { 'p' };
    let Some((name, after)) = rest.strip_prefix('{').and_then(|name| name.split_once('}')) else {
        out.push('\\');
        out.push(sign);
        return rest;
    };
    if let Some((_, members)) = POSIX.iter().find(|(known, _)| *known == name) {
        let _ = write!(out, "[{}{members}]", if negated { "^" } else { "" });
    } else {
        let _ = write!(out, r"\{sign}{{{}}}", name.strip_prefix("Is").unwrap_or(name));
    }
    after
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_java_writes_otherwise_is_translated() {
        let of = |source| translate(source).0;
        assert_eq!(of(r"\Qa.b\E+"), r"a\.b+");
        assert_eq!(of(r"[\Q]^\E]"), r"[\]\^]");
        assert_eq!(of(r"[^\W\d]"), "[^[^0-9A-Za-z_][0-9]]");
        assert_eq!(of(r"\p{Punct}\P{IsAlphabetic}\pL"), r"[!-/:-@\[-`{-~]\P{Alphabetic}\pL");
        assert_eq!(of(r"\0101\R"), r"\x{41}(?:\r\n|[\n\x0B\f\r\x{85}\x{2028}\x{2029}])");
        assert_eq!(of(r"[]a$--z]\$"), r"[\]a$\--z]\$");
        assert!(translate("a$").1 && translate(r"a\Z").1);
        assert!(!translate(r"[$]\$").1);
    }

    #[test]
    fn searches_as_java_does() {
        let all = |source: &str, text: &str| -> Vec<String> {
            let pattern = Pattern::new(source).unwrap();
            let found = pattern.find_all(text);
            found.map(|found| found.get(0).unwrap().as_str().to_owned()).collect()
        };
        assert_eq!(all("a*", "aab"), ["aa", "", ""]);
        assert_eq!(all("a$", "ba\n"), ["a"]);
        assert_eq!(all("a$", "ba\r\n"), ["a"]);
        assert_eq!(all("$", "a\n"), ["", ""]);
        assert_eq!(all(r"\s*$", "a \n"), [" \n", ""]);
        assert_eq!(all(r"a\z", "a\n"), [""; 0]);
        assert_eq!(all("(?m)a$", "a\nba\n"), ["a", "a"]);
        assert_eq!(all(".", "a\rb\nc"), ["a", "b", "c"]);
        let pattern = Pattern::new("a|ab").unwrap();
        assert_eq!(pattern.full("ab").unwrap().get(0).unwrap().as_str(), "ab");
        assert!(Pattern::new("a$").unwrap().full("a\n").is_none());
    }
}
