//! The file of results: JSON lines that a second start reads to know what is left.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::report::{self, Fault, Result};

/// Results by line of the inputs, and the file that more of them go to.
#[derive(Debug)]
pub(super) struct Ledger {
    path: PathBuf,
    file: File,
    results: BTreeMap<usize, Value>,
}

impl Ledger {
    /// Opens a file of results, or makes one. A last line that was cut off is taken away.
    pub(super) fn open(path: &Path) -> Result<Ledger> {
        let fault = |error: &io::Error| unusable(path, &error.to_string());
        let mut options = OpenOptions::new();
        let file = options.read(true).append(true).create(true).open(path);
        let mut file = file.map_err(|error| fault(&error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(unusable(path, "another process is writing to it"));
            }
            // Not every file system has locks.
            Err(TryLockError::Error(_)) => {}
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|error| fault(&error))?;
        let whole = bytes.iter().rposition(|&it| it == b'\n').map_or(0, |it| it + 1);
        let mut results = BTreeMap::new();
        let kept = bytes.get(..whole).unwrap_or_default();
        for (at, line) in kept.split(|&it| it == b'\n').enumerate() {
            if line.is_empty() {
                continue;
            }
            let result: Option<Value> = serde_json::from_slice(line).ok();
            let number = result.as_ref().and_then(|it| it.get("line")?.as_u64());
            let (Some(result), Some(number)) = (result, number) else {
                let why = format!("line {} of it is no result of `ptc run --inputs`", at + 1);
                return Err(unusable(path, &why));
            };
            results.insert(number as usize, result);
        }
        if whole < bytes.len() {
            // Nothing that `ptc` writes ends without a line end, but a write that was cut off.
            if whole == 0 && !bytes.starts_with(b"{\"line\":") {
                return Err(unusable(path, "line 1 of it is no result of `ptc run --inputs`"));
            }
            file.set_len(whole as u64).map_err(|error| fault(&error))?;
            file.seek(io::SeekFrom::End(0)).map_err(|error| fault(&error))?;
            let path = path.display();
            report::say(&format!("{path}: took away the last line, which was cut off\n"));
        }
        Ok(Ledger { path: path.to_path_buf(), file, results })
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
