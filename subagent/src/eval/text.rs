//! Values of programs as text.

use ptc_lisp::print::{Preview, preview};
use ptc_lisp::{Value, json};

/// Returns a value as JSON text of at most `max_bytes`.
///
/// # Errors
///
/// The reason that the value has no such text, as the end of a sentence about it.
pub fn plain(value: &Value, max_bytes: usize) -> Result<String, String> {
    // A value that shares its parts can be short in memory and too long for any text, so its length comes first.
    if !readable(value, max_bytes).1 {
        return Err(format!("is longer than {max_bytes} characters"));
    }
    json::write(value).map_err(|error| format!("has no JSON form: {error}"))
}

/// Returns a value as text that a program can contain, and whether that is the whole value.
pub fn readable(value: &Value, max_bytes: usize) -> (String, bool) {
    let bounds = Preview {
        // Readable text is longer than JSON by colons and hashes.
        max_chars: max_bytes.saturating_mul(2).max(64 << 10),
        max_items: usize::MAX,
        max_depth: usize::MAX,
        hide_private: false,
    };
    let (text, cut) = preview(value, &bounds);
    (text, !cut)
}
