//! Lines as text, in parts that a message of the server may have.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::log::Line;

/// The largest size of a part, in bytes. The server takes messages of up to 32 MiB.
pub(crate) const PART: usize = 4 << 20;

/// The reason that a record cannot be read.
pub(crate) const BROKEN: &str = "a record is not text";

/// A part of a log: lines, or a piece of a long one.
#[derive(Serialize, Deserialize)]
pub(crate) struct Page {
    pub(crate) text: String,
    /// The number of the next part.
    pub(crate) next: Option<u64>,
}

/// Returns lines as parts of a text. Each ends between two characters.
pub(crate) fn parts(lines: &[Line]) -> Vec<String> {
    let mut text = String::new();
    for line in lines {
        text.push_str(line.get());
        text.push('\n');
    }
    let (mut all, mut rest) = (Vec::new(), text.as_str());
    while !rest.is_empty() {
        let (part, behind) = rest.split_at(rest.floor_char_boundary(PART));
        all.push(part.to_owned());
        rest = behind;
    }
    all
}

/// Returns the lines of a text.
///
/// # Errors
///
/// The reason that a line is not JSON.
pub(crate) fn lines(text: &[u8]) -> Result<Vec<Line>, String> {
    let text = std::str::from_utf8(text).map_err(|_| BROKEN.to_owned())?;
    let line = |it: &str| {
        RawValue::from_string(it.to_owned()).map_err(|error| format!("a line is not JSON: {error}"))
    };
    text.lines().map(line).collect()
}
