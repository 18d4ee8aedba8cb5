//! What a tool answered: read as JSON without losing a digit, and how large it is.

use std::io::{self, ErrorKind, Write};

use ptc_lisp::json;
use serde_json::Value;

use crate::secrets::Secrets;

/// Whether a value takes no more than so many bytes as JSON. The text is not made, and what is
/// behind the limit is not looked at.
pub(super) fn fits(value: &Value, max: usize) -> bool {
    serde_json::to_writer(Room(max), value).is_ok()
}

/// Reads the text of a result, or says why it is none; secrets are replaced by their names. A whole number of more
/// digits than JSON values keep is refused: it would be another number.
pub(super) fn read(text: &str, secrets: &Secrets) -> Result<Value, String> {
    let mut value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut runs = text.split(|c: char| !c.is_ascii_digit());
    if runs.any(|digits| digits.len() >= SHORTEST_BIG)
        && let Ok(exact) = json::parse(text)
    {
        let error = json::to_serde(&exact).err().map(|error| error.to_string());
        error.map_or(Ok(()), |error| Err(secrets.clean(&error).into_owned()))?;
    }
    // Once it is read: in the text a secret may have escapes that hide it.
    secrets.clean_value(&mut value);
    Ok(value)
}

/// How many digits an integer has that may need more than 64 bits.
const SHORTEST_BIG: usize = 19;

/// Takes text and keeps nothing of it.
struct Room(usize);

impl Write for Room {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(io::Error::from(ErrorKind::StorageFull))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
