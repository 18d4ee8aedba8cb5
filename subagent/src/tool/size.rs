//! How large a result is.

use std::io::{Error, ErrorKind, Result, Write};

use serde_json::Value;

/// Whether a value takes no more than so many bytes as JSON. The text is not made, and what is
/// behind the limit is not looked at.
pub(super) fn fits(value: &Value, max: usize) -> bool {
    serde_json::to_writer(Room(max), value).is_ok()
}

/// Takes text and keeps nothing of it.
struct Room(usize);

impl Write for Room {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(Error::from(ErrorKind::StorageFull))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}
