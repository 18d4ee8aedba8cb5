//! Missions with known answers, and their cases.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::agent::Agent;
use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::files::{MAX_RECORDING, read_text};

/// A mission with its expected answers.
#[derive(Clone, Debug)]
pub struct TrialMission {
    /// The name, which is that of the folder.
    pub name: String,
    /// The agent file.
    pub file: PathBuf,
    /// Whether prompts are not to be tuned on the mission.
    pub held_out: bool,
    /// The comparison of a value with the expected one.
    pub comparison: Comparison,
    /// The inputs and their expected answers; at least one.
    pub cases: Vec<Case>,
}

/// The comparison of a value with the expected one.
#[derive(Clone, Debug, PartialEq)]
pub enum Comparison {
    /// The values are equal. Numbers compare by value.
    Exact,
    /// The values are equal, except that numbers may differ by this much.
    Tolerance(f64),
    /// A program without tools has the value true. It reads `ctx/value`, `ctx/expected` and `ctx/input`.
    Check(String),
}

/// An input and its expected answer.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The input of the mission.
    pub input: Data,
    /// The expected value.
    pub expected: Data,
    /// The expected successful calls of tools that write, in any order.
    #[serde(default)]
    pub calls: Vec<ToolUse>,
}

/// A tool and the arguments of a call.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolUse {
    /// The name of the tool.
    pub tool: String,
    /// The arguments. A null argument equals an absent one.
    pub args: Data,
}

/// The file of a mission that has its cases.
pub const CASES_FILE: &str = "cases.json";

impl TrialMission {
    /// Reads the mission of a folder with `agent.toml` and `cases.json`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unreadable`] or [`ErrorKind::Trial`] if `cases.json` is missing or malformed. The agent file is
    /// not read.
    pub fn read(folder: &Path) -> Result<TrialMission, Error> {
        let path = folder.join(CASES_FILE);
        let text = read_text(&path, MAX_RECORDING)
            .map_err(|why| Error::new(ErrorKind::Unreadable, why).in_file(&path))?;
        let wrong = |message: String| Error::new(ErrorKind::Trial, message).in_file(&path);
        let file: CasesFile =
            serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        let comparison = match (file.tolerance, file.check) {
            (None, None) => Comparison::Exact,
            (Some(tolerance), None) => Comparison::Tolerance(tolerance),
            (None, Some(check)) => Comparison::Check(check),
            _ => return Err(wrong("only one of `tolerance` and `check` is allowed".to_owned())),
        };
        if file.cases.is_empty() {
            return Err(wrong("`cases` is empty".to_owned()));
        }
        // A path such as `.` has no name of its own.
        let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
        let name = whole.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (cases, held_out) = (file.cases, file.held_out);
        Ok(TrialMission { name, file: folder.join("agent.toml"), held_out, comparison, cases })
    }

    /// Reads the mission of a folder, or those of the folders in it, sorted by name.
    ///
    /// # Errors
    ///
    /// The errors of [`TrialMission::read`], and [`ErrorKind::Unreadable`] if no folder has a mission.
    pub fn read_all(folder: &Path) -> Result<Vec<TrialMission>, Error> {
        if folder.join(CASES_FILE).is_file() {
            return Ok(vec![TrialMission::read(folder)?]);
        }
        let unreadable =
            |message: String| Error::new(ErrorKind::Unreadable, message).in_file(folder);
        let entries = std::fs::read_dir(folder).map_err(|error| unreadable(error.to_string()))?;
        let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        folders.retain(|path| path.join(CASES_FILE).is_file());
        folders.sort();
        if folders.is_empty() {
            let message = format!("no folder in it has a file `{CASES_FILE}`");
            return Err(unreadable(message));
        }
        folders.iter().map(|folder| TrialMission::read(folder)).collect()
    }

    /// Returns a hash of everything that the judgement of a case depends on besides the model: the agent, the case and
    /// the comparison.
    ///
    /// The files of tools are not part of it.
    pub fn fingerprint(&self, agent: &Agent, case: &Case) -> String {
        let prompt = serde_json::json!([agent.prompt, agent.definition()]);
        let text = format!("{prompt}{case:?}{:?}", self.comparison);
        blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
    }

    /// Reads the agent of the mission.
    ///
    /// # Errors
    ///
    /// The errors of [`Agent::read`].
    pub fn agent(&self) -> Result<Agent, Error> {
        Agent::read(&self.file)
    }
}

/// The contents of `cases.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CasesFile {
    #[serde(default)]
    held_out: bool,
    tolerance: Option<f64>,
    check: Option<String>,
    cases: Vec<Case>,
}
