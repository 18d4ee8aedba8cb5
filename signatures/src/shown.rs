//! Texts of others, as a model or a person is shown them.
//!
//! A text may have characters that move, hide or reorder the text around them. They are shown as escapes. Programs,
//! tools and records keep the exact text.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde_json::Value;

/// The characters that are shown as escapes: ranges with both ends, in order.
///
/// U+200C, U+200D and the variation selectors of the basic plane are not among them: scripts and emoji need them.
pub const UNSAFE: &[(char, char)] = &[
    // Control characters, except the tab and the line feed.
    ('\0', '\u{8}'),
    ('\u{b}', '\u{1f}'),
    ('\u{7f}', '\u{9f}'),
    // The soft hyphen, and the grapheme joiner.
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    // A control of the writing direction.
    ('\u{61c}', '\u{61c}'),
    // Blank vowels, and a separator without width.
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180e}', '\u{180e}'),
    // The zero-width space, and controls of the writing direction.
    ('\u{200b}', '\u{200b}'),
    ('\u{200e}', '\u{200f}'),
    // Separators of lines and paragraphs, and controls of the writing direction.
    ('\u{2028}', '\u{202e}'),
    // Invisible operators, and controls of direction and shaping.
    ('\u{2060}', '\u{206f}'),
    // A blank letter, the byte order mark, another blank letter, and annotations.
    ('\u{3164}', '\u{3164}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    // Controls of shorthand and music.
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    // Tags, which spell a text that nobody sees.
    ('\u{e0000}', '\u{e0fff}'),
];

/// Returns whether a character is shown as an escape.
pub fn is_unsafe(c: char) -> bool {
    if (' '..='~').contains(&c) {
        return false;
    }
    let at = UNSAFE.partition_point(|(_, last)| *last < c);
    UNSAFE.get(at).is_some_and(|(first, _)| *first <= c)
}

/// Returns a text with escapes for the characters that are not shown. The line end `\r\n` stays.
///
/// ```
/// use ptc_signatures::shown::escape;
///
/// assert_eq!(escape("pay \u{202e}002\u{202c} now\r\n"), "pay \\u202e002\\u202c now\r\n");
/// assert_eq!(escape("\u{e0041}"), "\\udb40\\udc41");
/// ```
pub fn escape(text: &str) -> Cow<'_, str> {
    escape_except(text, |_| false)
}

/// Returns the same as [`escape`], and copies no text without such characters.
pub fn escape_owned(text: String) -> String {
    if let Cow::Owned(escaped) = escape(&text) {
        return escaped;
    }
    text
}

/// Returns a text with escapes, except for the characters of `stays`.
pub fn escape_except(text: &str, stays: impl Fn(char) -> bool) -> Cow<'_, str> {
    let is_escaped = |c: char| is_unsafe(c) && !stays(c);
    if !text.contains(is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let ends_line = c == '\r' && chars.peek() == Some(&'\n');
        if is_escaped(c) && !ends_line { push_escape(&mut shown, c) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// Returns JSON with escapes in its texts and its keys.
pub fn escaped_json(json: Value) -> Value {
    match json {
        Value::String(text) => Value::String(escape_owned(text)),
        Value::Array(items) => items.into_iter().map(escaped_json).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter();
            fields.map(|(key, value)| (escape_owned(key), escaped_json(value))).collect()
        }
        other => other,
    }
}

/// Adds a character as an escape of JSON and of the language. So a literal of both stays the same value.
pub fn push_escape(shown: &mut String, c: char) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        // Writing to a string cannot fail.
        let _ = write!(shown, "\\u{unit:04x}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        assert!(UNSAFE.iter().all(|(first, last)| first <= last));
        assert!(UNSAFE.is_sorted_by(|one, other| one.1 < other.0));
        for (first, last) in UNSAFE {
            assert!(is_unsafe(*first) && is_unsafe(*last), "{first:?}");
        }
    }

    #[test]
    fn escapes() {
        let check = |text: &str, expected: &str| assert_eq!(escape(text), expected, "{text:?}");
        check(
            "a\tb\nc\r\nd é漢👩\u{200d}🚀\u{fe0f} \u{200c}",
            "a\tb\nc\r\nd é漢👩\u{200d}🚀\u{fe0f} \u{200c}",
        );
        check("\r\r\n\r", "\\u000d\r\n\\u000d");
        check("\0\u{1b}\u{7f}\u{85}\u{9b}", "\\u0000\\u001b\\u007f\\u0085\\u009b");
        check("\u{200b}\u{2066}\u{feff}\u{e007f}", "\\u200b\\u2066\\ufeff\\udb40\\udc7f");
        let shown = escape("\u{202e}").into_owned();
        check(&shown, &shown);
        assert_eq!(escape_except("\u{1b}\u{7}", |c| c == '\u{1b}'), "\u{1b}\\u0007");
    }
}
