//! The file of results: JSON lines that a second start reads to find the remaining inputs.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};

use ptc_subagent::Data;
use serde_json::Value;

use crate::report::{self, Fault, Result};

/// The longest line of results, in bytes. No result of a run is as long.
const MAX_LINE: u64 = 256 << 20;

/// The results of earlier starts by line of the inputs, and the file that further results are appended to.
#[derive(Debug)]
pub(super) struct ResultsFile {
    path: PathBuf,
    file: File,
    results: BTreeMap<usize, Data>,
}

impl ResultsFile {
    /// Opens a file of results, or creates it, and removes a last line that was cut off. A device or a pipe is only
    /// written to, because it holds no earlier results.
    pub(super) fn open(path: &Path) -> Result<ResultsFile> {
        let fault = |error: &io::Error| unusable(path, &error.to_string());
        let metadata = path.metadata();
        let is_file = metadata.as_ref().map_or(true, std::fs::Metadata::is_file);
        if metadata.is_ok_and(|it| it.is_dir()) {
            return Err(unusable(path, "it is a folder").with_help("name a file with `--out`"));
        }
        let mut options = OpenOptions::new();
        let file = options.read(is_file).append(true).create(true).open(path);
        let file = file.map_err(|error| fault(&error))?;
        let mut results_file =
            ResultsFile { path: path.to_path_buf(), file, results: BTreeMap::new() };
        if !is_file {
            return Ok(results_file);
        }
        match results_file.file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(unusable(path, "another process is writing to it"));
            }
            // Not every file system supports locks.
            Err(TryLockError::Error(_)) => {}
        }
        results_file.read()?;
        Ok(results_file)
    }

    /// Reads the existing results line by line, and keeps only the fields that a second start needs.
    fn read(&mut self) -> Result<()> {
        let fault = |error: &io::Error| unusable(&self.path, &error.to_string());
        let no_result = |number: usize| {
            let why = format!("line {number} of it is not a result of `ptc run --inputs`");
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
                // `ptc` ends every line, so a line of it without an end is a write that was cut off.
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
            let input_line = result.as_ref().and_then(|it| it.get("line")?.as_u64());
            let (Some(Value::Object(mut result)), Some(input_line)) = (result, input_line) else {
                return Err(no_result(number));
            };
            result.retain(|key, _| matches!(key.as_str(), "status" | "stop" | "input_hash"));
            self.results.insert(input_line as usize, Data::from(Value::Object(result)));
        }
        self.file.set_len(whole).map_err(|it| fault(&it))?;
        let path = self.path.display().to_string();
        report::say(&report::clean(&format!("{path}: removed the incomplete last line\n")));
        Ok(())
    }

    /// Returns the result of a line, unless its run must be repeated because the provider, the input or a cancellation
    /// stopped it. Fails if the result belongs to another input.
    pub(super) fn answer(&self, number: usize, fingerprint: &str) -> Result<Option<&Data>> {
        let Some(result) = self.results.get(&number) else { return Ok(None) };
        if !is_answer(result) {
            return Ok(None);
        }
        if result.get("input_hash").as_ref().and_then(Data::as_str) != Some(fingerprint) {
            let why = format!("it has a result for another input of line {number}");
            return Err(unusable(&self.path, &why).with_help(
                "the inputs, or `--set`, have changed since; give another file with `--out`",
            ));
        }
        Ok(Some(result))
    }

    /// Appends a result.
    pub(super) fn append(&mut self, result: &Data) -> Result<()> {
        // One write, so that only a crash can cut the line off.
        let written = self.file.write_all(format!("{result}\n").as_bytes());
        written.map_err(|error| unusable(&self.path, &error.to_string()))
    }
}

fn is_answer(result: &Data) -> bool {
    let stop = result.get("stop");
    !matches!(stop.as_ref().and_then(Data::as_str), Some("provider" | "input" | "cancelled"))
}

#[cold]
fn unusable(path: &Path, why: &str) -> Fault {
    Fault::new("unusable-results", format!("cannot use {} for results: {why}", path.display()))
}

/// Returns a hash of a text that is the same on every machine and in every version: 64 bits of FNV-1a, as 16 hex
/// digits. It detects a changed input; it does not resist an attack.
pub(super) fn fingerprint(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
