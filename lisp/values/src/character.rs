//! Characters: strings of length one (D3) that came from a character literal or out of a string.
//!
//! A string from data may have length one too, and reading its digit as a code point would be wrong without a word. So
//! the characters of ASCII are static texts, which no other string is.

use std::sync::LazyLock;

use arcstr::ArcStr;

static ASCII: LazyLock<Vec<ArcStr>> = LazyLock::new(|| {
    let text = |byte: u8| {
        let text = ArcStr::from(char::from(byte).to_string());
        text.leak();
        text
    };
    (0..128).map(text).collect()
});

/// Returns the text of a character.
pub fn character(c: char) -> ArcStr {
    match ASCII.get(c as usize) {
        Some(text) => text.clone(),
        None => c.to_string().into(),
    }
}

/// Returns the only character of a text that is a character. Beyond ASCII, a text of length one counts as a character,
/// unless it is a digit.
pub fn as_character(text: &ArcStr) -> Option<char> {
    let mut chars = text.chars();
    let only = chars.next().filter(|_| chars.next().is_none())?;
    (ArcStr::is_static(text) || !only.is_ascii() && !only.is_numeric()).then_some(only)
}
