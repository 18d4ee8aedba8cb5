//! `--events FILE`: what happens in a run, as JSON lines.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use ptc_subagent::{Event, RunId};
use serde_json::Value;

use crate::output::{self, Opened};
use crate::queue::Queue;
use crate::report::{Fault, Result};

/// The most bytes of events that wait for a slow reader.
const MAX_WAITING: usize = 64 << 20;

/// A file that events go to, a line each, with when they happened. A thread writes it, so that a run does not wait
/// for a pipe.
pub(crate) struct EventLog {
    path: PathBuf,
    /// The file, until a run begins.
    file: Option<Opened>,
    lines: Arc<Queue<String>>,
    /// Why the first line that could not be written could not be; nothing is written behind it.
    failed: Arc<OnceLock<String>>,
}

impl EventLog {
    /// Opens a file, and leaves in it what it holds.
    pub(crate) fn open(path: &Path) -> Result<EventLog> {
        let file = output::open(path).map_err(|error| fault(path, &error.to_string()))?;
        let (lines, failed) = (Arc::new(Queue::new(MAX_WAITING)), Arc::default());
        Ok(EventLog { path: path.to_path_buf(), file: Some(file), lines, failed })
    }

    /// Begins the file, in place of whatever it held.
    pub(crate) fn start(&mut self) -> Result<()> {
        let Some(file) = self.file.take() else { return Ok(()) };
        let fault = |error: &io::Error| fault(&self.path, &error.to_string());
        let mut file = file.emptied().map_err(|error| fault(&error))?;
        let (lines, failed) = (Arc::clone(&self.lines), Arc::clone(&self.failed));
        let thread = std::thread::Builder::new().name("events".to_owned());
        let writes = move || {
            let mut is_broken = false;
            while let Some(line) = lines.next(None) {
                // A line at once: a reader of the file sees whole lines only.
                if !is_broken && let Err(error) = file.write_all(line.as_bytes()) {
                    is_broken = true;
                    // The first reason stays.
                    drop(failed.set(error.to_string()));
                }
            }
        };
        thread.spawn(writes).map(drop).map_err(|error| fault(&error))
    }

    /// Has an event written; returns at once.
    pub(crate) fn write(&mut self, run: &RunId, event: &Event) {
        if self.failed.get().is_some() {
            return;
        }
        let at = Timestamp::now().as_millisecond();
        let json = event.to_json(run).with("at", Value::from(at));
        let line = format!("{json}\n");
        let bytes = line.len();
        if self.lines.push(line, bytes).is_err() {
            drop(self.failed.set("64 MiB of them wait for its reader".to_owned()));
        }
    }

    /// Waits until everything is written, unless nobody reads it.
    pub(crate) fn finish(&self) {
        if self.file.is_none() && !self.lines.drained() {
            drop(self.failed.set("nobody reads what waits to be written".to_owned()));
        }
    }

    /// Says whether everything was written.
    pub(crate) fn outcome(&self) -> Result<()> {
        self.failed.get().map_or(Ok(()), |why| Err(fault(&self.path, why)))
    }
}

fn fault(path: &Path, why: &str) -> Fault {
    Fault::new("output", format!("cannot write events to {}: {why}", path.display()))
}
