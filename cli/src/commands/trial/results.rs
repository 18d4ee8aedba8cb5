//! The file of results of `ptc try`: JSON lines, from which a second start knows what is left.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::figures::plural;
use crate::report::{Fault, Result, clean};

/// One attempt: a run of a case of a mission with a model.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Row {
    #[serde(flatten)]
    pub(super) subject: Subject,
    pub(super) mission: String,
    /// The number of the case, from 1.
    pub(super) case: usize,
    /// The number of the repetition, from 1.
    pub(super) repeat: u32,
    pub(super) held_out: bool,
    pub(super) right: bool,
    pub(super) status: String,
    pub(super) stop: Option<String>,
    pub(super) run: String,
    pub(super) turns: u32,
    pub(super) tool_calls: u64,
    /// The number of requests to models; 0 in results of earlier versions.
    #[serde(default)]
    pub(super) requests: u64,
    /// The input tokens of the first request.
    pub(super) prompt_tokens: u64,
    pub(super) input_tokens: u64,
    pub(super) output_tokens: u64,
    /// The cost in dollars, if it is known.
    pub(super) cost: Option<f64>,
    pub(super) seconds: f64,
    /// The codes of the turns that ended badly, in order.
    pub(super) problems: Vec<String>,
    /// A hash of the agent, the case and the comparison. A row of another hash is out of date.
    pub(super) fingerprint: String,
}

/// A model with a style and settings.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(super) struct Subject {
    pub(super) model: String,
    /// The name of the style and the settings; empty for the agents as they are.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) variant: String,
}

impl Subject {
    pub(super) fn new(model: &str, variant: &str) -> Subject {
        Subject { model: model.to_owned(), variant: variant.to_owned() }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.variant.as_str() {
            "" => f.write_str(&self.model),
            variant => write!(f, "{} · {variant}", self.model),
        }
    }
}

/// The subject, the mission, the case and the repetition of an attempt.
pub(super) type Key = (Subject, String, usize, u32);

impl Row {
    pub(super) fn key(&self) -> Key {
        (self.subject.clone(), self.mission.clone(), self.case, self.repeat)
    }

    /// Returns whether the model has answered. Other attempts are made again.
    fn is_answer(&self) -> bool {
        !matches!(self.stop.as_deref(), Some("provider" | "cancelled" | "input"))
    }

    /// Returns the line that tells of the attempt while others run.
    pub(super) fn line(&self) -> String {
        let Row { subject, mission, case, run, turns, .. } = self;
        let word = if self.right { "right" } else { "WRONG" };
        let turns = plural(u64::from(*turns), "turn");
        let problems = match &self.problems[..] {
            [] => String::new(),
            all => format!(" · {}", all.join(", ")),
        };
        clean(&format!("{word}  {mission} {case} · {subject} · {turns}{problems} · {run}\n"))
    }
}

/// The results of earlier starts, and the file that further ones are appended to.
#[derive(Debug, Default)]
pub(super) struct Results {
    rows: BTreeMap<Key, Row>,
    file: Option<(PathBuf, File)>,
}

impl Results {
    /// Opens a file of results, or creates it. Without a path, nothing is kept.
    pub(super) fn open(path: Option<&Path>) -> Result<Results> {
        let Some(path) = path else { return Ok(Results::default()) };
        let fault = |error: std::io::Error| unusable(path, &error.to_string());
        let file = OpenOptions::new().read(true).append(true).create(true).open(path);
        let file = file.map_err(fault)?;
        let text = std::fs::read_to_string(path).map_err(fault)?;
        let mut results = Results::parse(path, &text)?;
        // A crash may have cut off the last line.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64).map_err(fault)?;
        results.file = Some((path.to_path_buf(), file));
        Ok(results)
    }

    /// Reads a file of results. A last line that was cut off is left out; of several rows of an attempt the last
    /// counts.
    pub(super) fn read(path: &Path) -> Result<Results> {
        let text = std::fs::read_to_string(path);
        Results::parse(path, &text.map_err(|error| unusable(path, &error.to_string()))?)
    }

    fn parse(path: &Path, text: &str) -> Result<Results> {
        let mut results = Results::default();
        let count = text.lines().count();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty()) {
            match serde_json::from_str::<Row>(line) {
                Ok(row) => drop(results.rows.insert(row.key(), row)),
                Err(_) if at + 1 == count && !text.ends_with('\n') => {}
                Err(error) => {
                    return Err(unusable(path, &format!("line {}: {error}", at + 1)));
                }
            }
        }
        Ok(results)
    }

    /// Returns the row of an attempt, if the model has answered and nothing has changed since.
    pub(super) fn answer(&self, key: &Key, fingerprint: &str) -> Option<&Row> {
        self.rows.get(key).filter(|row| row.is_answer() && row.fingerprint == fingerprint)
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.values()
    }

    /// Appends a row to the file, if there is one.
    pub(super) fn append(&mut self, row: &Row) -> Result<()> {
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        let line =
            serde_json::to_string(row).map_err(|error| unusable(path, &error.to_string()))?;
        // One write, so that only a crash can cut the line off.
        let written = file.write_all(format!("{line}\n").as_bytes());
        written.map_err(|error| unusable(path, &error.to_string()))
    }
}

#[cold]
fn unusable(path: &Path, why: &str) -> Fault {
    Fault::new("unusable-results", format!("cannot use {} for results: {why}", path.display()))
}
