//! Results of tools: parsing them as JSON with every digit, and checking their size.

use std::io::{self, ErrorKind, Write};

use ptc_lisp::json;
use serde_json::Value;

use crate::secrets::Secrets;

/// Returns whether a value fits into `max` bytes of JSON. It writes no text, and stops at the limit.
pub(super) fn fits(value: &Value, max: usize) -> bool {
    serde_json::to_writer(LimitedSink(max), value).is_ok()
}

/// Parses the text of a result and replaces secrets by their names. A whole number with more digits than a JSON value
/// keeps is an error, because parsing would change the number.
pub(super) fn read(text: &str, secrets: &Secrets) -> Result<Value, String> {
    let mut value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut runs = text.split(|c: char| !c.is_ascii_digit());
    if runs.any(|digits| digits.len() >= SHORTEST_BIG)
        && let Ok(exact) = json::parse(text)
    {
        let error = json::to_serde(&exact).err().map(|error| error.to_string());
        error.map_or(Ok(()), |error| Err(secrets.clean(&error).into_owned()))?;
    }
    // After parsing: escapes in the text may hide a secret.
    secrets.clean_value(&mut value);
    Ok(value)
}

/// The number of digits from which an integer may need more than 64 bits.
const SHORTEST_BIG: usize = 19;

/// A writer that keeps no text. It fails once the bytes exceed its limit.
struct LimitedSink(usize);

impl Write for LimitedSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(io::Error::from(ErrorKind::StorageFull))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
