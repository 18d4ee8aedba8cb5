//! `--events FILE`: the events of a run, as JSON lines.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use ptc_subagent::{Event, RunId};
use serde_json::Value;

use crate::output::{self, OpenFile};
use crate::queue::Queue;
use crate::report::{Fault, Result};

/// The capacity of the queue of events, in bytes.
const MAX_QUEUED: usize = 64 << 20;

/// A file of events, one a line, with their times. A thread writes it, so that a run does not wait for a pipe.
pub(crate) struct EventLog {
    path: PathBuf,
    /// The open file, until the run starts.
    file: Option<OpenFile>,
    lines: Arc<Queue<String>>,
    /// The first write error; nothing is written after it.
    failure: Arc<OnceLock<String>>,
}

impl EventLog {
    /// Opens a file and keeps its content.
    pub(crate) fn open(path: &Path) -> Result<EventLog> {
        let file = output::open(path).map_err(|error| fault(path, &error.to_string()))?;
        let (lines, failure) = (Arc::new(Queue::new(MAX_QUEUED)), Arc::default());
        Ok(EventLog { path: path.to_path_buf(), file: Some(file), lines, failure })
    }

    /// Removes the content of the file and starts the thread that writes it.
    pub(crate) fn start(&mut self) -> Result<()> {
        let Some(file) = self.file.take() else { return Ok(()) };
        let fault = |error: &io::Error| fault(&self.path, &error.to_string());
        let mut file = file.truncate().map_err(|error| fault(&error))?;
        let (lines, failure) = (Arc::clone(&self.lines), Arc::clone(&self.failure));
        let thread = std::thread::Builder::new().name("events".to_owned());
        let writes = move || {
            let mut is_broken = false;
            while let Some(line) = lines.next(None) {
                // One write for each line, so that a reader of the file sees only whole lines.
                if !is_broken && let Err(error) = file.write_all(line.as_bytes()) {
                    is_broken = true;
                    // Only the first error is kept.
                    drop(failure.set(error.to_string()));
                }
            }
        };
        thread.spawn(writes).map(drop).map_err(|error| fault(&error))
    }

    /// Queues an event and returns at once.
    pub(crate) fn write(&mut self, run: &RunId, event: &Event) {
        if self.failure.get().is_some() {
            return;
        }
        let at = Timestamp::now().as_millisecond();
        let json = event.to_json(run).with("at", Value::from(at));
        let line = format!("{json}\n");
        let bytes = line.len();
        if self.lines.push(line, bytes).is_err() {
            drop(self.failure.set("64 MiB of events wait for the reader".to_owned()));
        }
    }

    /// Waits until everything is written, unless the reader is stuck.
    pub(crate) fn finish(&self) {
        if self.file.is_none() && !self.lines.wait_until_drained() {
            drop(self.failure.set("the reader does not read".to_owned()));
        }
    }

    /// Fails with the first write error, if there was one.
    pub(crate) fn outcome(&self) -> Result<()> {
        self.failure.get().map_or(Ok(()), |why| Err(fault(&self.path, why)))
    }
}

fn fault(path: &Path, why: &str) -> Fault {
    Fault::new("output", format!("cannot write events to {}: {why}", path.display()))
}
