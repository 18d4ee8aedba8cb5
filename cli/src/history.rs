//! Histories of typed lines.

use std::path::PathBuf;

use crate::records::state_folder;

/// The largest number of lines in the history.
pub(crate) const MAX_HISTORY: usize = 1000;

/// Returns the file of a history, and creates its folder. Returns `None` if there is no place for it.
pub(crate) fn history_file(name: &str) -> Option<PathBuf> {
    let folder = state_folder()?;
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder.join(name))
}
