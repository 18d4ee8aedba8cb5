//! Files of text that a user names: their kind and their size are checked before they are read.

use std::fs::{File, Metadata};
use std::io::Read as _;
use std::path::Path;

/// The maximum size of a recording, in bytes. It may have whole conversations.
pub(crate) const MAX_RECORDING: u64 = 256 << 20;
/// The maximum size of any other file of text, in bytes.
pub(crate) const MAX_FILE: u64 = 4 << 20;

/// Reads a file of text with at most `max` bytes. A pipe counts as a file. The error is the reason, for a message.
pub(crate) fn read_text(path: &Path, max: u64) -> Result<String, String> {
    let found = std::fs::metadata(path).map_err(|error| error.to_string())?;
    // A device may have no end, or wait for a person.
    if is_device(&found) {
        return Err("it is a device, not a file".to_string());
    }
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    file.take(max + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > max {
        let most =
            if max < 1 << 20 { format!("{max} bytes") } else { format!("{} MiB", max >> 20) };
        return Err(format!("it is longer than {most}"));
    }
    String::from_utf8(bytes)
        .map_err(|error| format!("it is not UTF-8, at byte {}", error.utf8_error().valid_up_to()))
}

#[cfg(unix)]
fn is_device(found: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    let kind = found.file_type();
    kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: &Metadata) -> bool {
    false
}
