//! The file of results: JSON lines that a second start reads to know what is left.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::report::{self, Fault, Result};

/// The longest line of results. No result of a run is as long.
const MAX_LINE: u64 = 256 << 20;

/// Results by line of the inputs, and the file that more of them go to.
#[derive(Debug)]
pub(super) struct Ledger {
    path: PathBuf,
    file: File,
    results: BTreeMap<usize, Value>,
}

impl Ledger {
    /// Opens a file of results, or makes one. A last line that was cut off is taken away. A device or a pipe is only
    /// written to: what it holds is nobody's results.
    pub(super) fn open(path: &Path) -> Result<Ledger> {
        let fault = |error: &io::Error| unusable(path, &error.to_string());
        let there = path.metadata();
        let is_file = there.as_ref().map_or(true, std::fs::Metadata::is_file);
        if there.is_ok_and(|it| it.is_dir()) {
            return Err(unusable(path, "it is a folder").with_help("name a file with `--out`"));
        }
        let mut options = OpenOptions::new();
        let file = options.read(is_file).append(true).create(true).open(path);
        let file = file.map_err(|error| fault(&error))?;
        let mut ledger = Ledger { path: path.to_path_buf(), file, results: BTreeMap::new() };
        if !is_file {
            return Ok(ledger);
        }
        match ledger.file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(unusable(path, "another process is writing to it"));
            }
            // Not every file system has locks.
            Err(TryLockError::Error(_)) => {}
        }
        ledger.read()?;
        Ok(ledger)
    }

    /// Reads the results that are there, line by line: of each only what a second start has to know.
    fn read(&mut self) -> Result<()> {
        let fault = |error: &io::Error| unusable(&self.path, &error.to_string());
        let no_result = |number: usize| {
            let why = format!("line {number} of it is no result of `ptc run --inputs`");
            unusable(&self.path, &why)
        };
        let mut from = BufReader::new(&self.file);
        let (mut line, mut whole) = (Vec::new(), 0);
        for number in 1.. {
            line.clear();
            from.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).map_err(|it| fault(&it))?;
            if line.is_empty() {
                return Ok(());
            }
            if line.last() != Some(&b'\n') {
                // Nothing that `ptc` writes ends without a line end, but a write that was cut off.
                let is_ours = number > 1 || line.starts_with(b"{\"line\":");
                if !is_ours || line.len() as u64 == MAX_LINE {
                    return Err(no_result(number));
                }
                break;
            }
            whole += line.len() as u64;
            if line.len() == 1 {
                continue;
            }
            let result: Option<Value> = serde_json::from_slice(&line).ok();
            let place = result.as_ref().and_then(|it| it.get("line")?.as_u64());
            let (Some(Value::Object(mut result)), Some(place)) = (result, place) else {
                return Err(no_result(number));
            };
            result.retain(|key, _| matches!(key.as_str(), "status" | "stop" | "input_hash"));
            self.results.insert(place as usize, Value::Object(result));
        }
        self.file.set_len(whole).map_err(|it| fault(&it))?;
        let path = self.path.display().to_string();
        report::say(&report::clean(&format!(
            "{path}: took away the last line, which was cut off\n"
        )));
        Ok(())
    }

    /// The result that a line has already; a run that the model's server stopped is to be made again.
    pub(super) fn answer(&self, number: usize, fingerprint: &str) -> Result<Option<&Value>> {
        let Some(result) = self.results.get(&number) else { return Ok(None) };
        if !is_answer(result) {
            return Ok(None);
        }
        if result.get("input_hash").and_then(Value::as_str) != Some(fingerprint) {
            let why = format!("it has a result for another input of line {number}");
            return Err(unusable(&self.path, &why).with_help(
                "the inputs, or `--set`, have changed since; give another file with `--out`",
            ));
        }
        Ok(Some(result))
    }

    /// Writes a result down.
    pub(super) fn append(&mut self, result: &Value) -> Result<()> {
        // In one piece, so that only a crash can cut it off.
        let written = self.file.write_all(format!("{result}\n").as_bytes());
        written.map_err(|error| unusable(&self.path, &error.to_string()))
    }
}

fn is_answer(result: &Value) -> bool {
    let stop = result.get("stop").and_then(Value::as_str);
    !matches!(stop, Some("provider" | "input" | "cancelled"))
}

#[cold]
fn unusable(path: &Path, why: &str) -> Fault {
    Fault::new("unusable-results", format!("cannot use {} for results: {why}", path.display()))
}

/// A short name of a text, the same on every machine and in every version: 64 bits of FNV-1a. It is there to
/// notice an input that was changed, not to withstand somebody who wants it not to be noticed.
pub(super) fn fingerprint(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
