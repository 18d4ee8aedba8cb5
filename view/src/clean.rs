//! Text that cannot control a terminal.

use std::fmt::Write as _;

/// Makes text of a model, a tool or a file safe for a terminal. Characters that move or hide text become escapes; line
/// ends and tabs stay.
pub fn clean(text: &str) -> String {
    escape_where(text, is_unsafe)
}

/// Writes the characters of a text that `is_unsafe` names as escapes.
pub fn escape_where(text: &str, is_unsafe: impl Fn(char) -> bool) -> String {
    if !text.contains(&is_unsafe) {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_unsafe(c) { push_escaped(&mut shown, c) } else { shown.push(c) }
    }
    shown
}

/// Adds a character as an escape of JSON and of the language, so that the output stays valid in both.
pub(crate) fn push_escaped(shown: &mut String, c: char) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        // Writing to a string cannot fail.
        let _ = write!(shown, "\\u{unit:04x}");
    }
}

/// Returns whether a character moves or hides text. U+200C, U+200D and the variation selectors of the basic plane are
/// safe: scripts and emoji need them.
pub fn is_unsafe(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        // The soft hyphen, the grapheme joiner, and blank letters.
        '\u{ad}' | '\u{34f}' | '\u{17b4}' | '\u{17b5}' | '\u{3164}' | '\u{ffa0}'
        // Controls of the writing direction.
        | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        // Separators of lines and paragraphs.
        | '\u{2028}' | '\u{2029}'
        // Zero-width spaces, invisible operators, shaping controls, the byte order mark, annotations.
        | '\u{200b}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}'
        | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
        // Controls of shorthand and music, tags.
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}' => true,
        _ => c.is_control(),
    }
}
