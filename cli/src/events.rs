//! `--events FILE`: what happens in a run, as JSON lines.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use ptc_subagent::{Event, RunId};

use crate::report::{Fault, Result};

/// A file that events go to, a line each, with when they happened.
pub(crate) struct EventLog {
    path: PathBuf,
    file: File,
    /// Why the first line that could not be written could not be; nothing is written behind it.
    failed: Option<std::io::Error>,
}

impl EventLog {
    /// Begins a file, in place of whatever it held.
    pub(crate) fn create(path: &Path) -> Result<EventLog> {
        let file = File::create(path).map_err(|error| fault(path, &error))?;
        Ok(EventLog { path: path.to_path_buf(), file, failed: None })
    }

    /// Writes an event down.
    pub(crate) fn write(&mut self, run: &RunId, event: &Event) {
        if self.failed.is_some() {
            return;
        }
        let mut json = event.to_json(run);
        json["at"] = Timestamp::now().as_millisecond().into();
        // A line at once: whoever follows the file sees whole lines only.
        self.failed = self.file.write_all(format!("{json}\n").as_bytes()).err();
    }

    /// Says whether everything was written.
    pub(crate) fn finish(self) -> Result<()> {
        self.failed.map_or(Ok(()), |error| Err(fault(&self.path, &error)))
    }
}

fn fault(path: &Path, error: &std::io::Error) -> Fault {
    Fault::new("output", format!("cannot write events to {}: {error}", path.display()))
}
