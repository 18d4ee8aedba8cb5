//! Missions with known answers, and their cases.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::recorded;
use crate::agent::{Agent, RunSettings};
use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::files::{MAX_RECORDING, read_text};
use crate::tool::Constant;

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
    /// The agent on record, for a mission of recorded runs without an agent file.
    on_record: Option<Box<Agent>>,
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
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Case {
    /// The input of the mission.
    pub input: Data,
    /// The expected value.
    pub expected: Data,
    /// The expected successful calls of tools that write, in any order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ToolUse>,
    /// The export of the recorded run from which the tools answer, in the folder of the mission.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<PathBuf>,
    /// The tools of that run.
    #[serde(skip)]
    pub(super) tools: BTreeMap<String, Constant>,
}

/// A tool and the arguments of a call.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ToolUse {
    /// The name of the tool.
    pub tool: String,
    /// The arguments. A null argument equals an absent one.
    pub args: Data,
}

/// The file of a mission that has its cases.
pub const CASES_FILE: &str = "cases.json";

impl Case {
    /// Creates a case without expected calls.
    pub fn new(input: impl Into<Data>, expected: impl Into<Data>) -> Case {
        let (input, expected) = (input.into(), expected.into());
        Case { input, expected, calls: Vec::new(), record: None, tools: BTreeMap::new() }
    }

    /// Sets the expected calls.
    #[must_use]
    pub fn with_calls(mut self, calls: Vec<ToolUse>) -> Case {
        self.calls = calls;
        self
    }
}

impl TrialMission {
    /// Creates a mission of an agent file that compares exactly.
    pub fn new(name: impl Into<String>, file: PathBuf, cases: Vec<Case>) -> TrialMission {
        let (name, comparison) = (name.into(), Comparison::Exact);
        TrialMission { name, file, held_out: false, comparison, cases, on_record: None }
    }

    /// Reads the mission of a folder with `cases.json`. Its agent is that of `agent.toml`. Without this file it is that of
    /// the first recorded run: of the agent file that the run names, or the one on record.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unreadable`] or [`ErrorKind::Trial`] if `cases.json` is missing or malformed; the errors of a record that
    /// cannot be read. The agent file is not read.
    pub fn read(folder: &Path) -> Result<TrialMission, Error> {
        let path = folder.join(CASES_FILE);
        let mut file = TrialMission::file(&path)?;
        let wrong = |message: &str| Error::new(ErrorKind::Trial, message).in_file(&path);
        let comparison = match (file.tolerance, file.check) {
            (None, None) => Comparison::Exact,
            (Some(tolerance), None) => Comparison::Tolerance(tolerance),
            (None, Some(check)) => Comparison::Check(check),
            _ => return Err(wrong("only one of `tolerance` and `check` is allowed")),
        };
        if file.cases.is_empty() {
            return Err(wrong("`cases` is empty"));
        }
        let (mut agent_file, mut on_record) = (folder.join("agent.toml"), None);
        let mut has_agent = agent_file.is_file();
        for case in &mut file.cases {
            let Some(name) = &case.record else { continue };
            let record = recorded::read(&folder.join(name))?;
            case.tools = recorded::tools(&record);
            if has_agent {
                continue;
            }
            has_agent = true;
            match record.setup.file.as_ref().map(PathBuf::from).filter(|it| it.is_file()) {
                Some(own) => agent_file = own,
                None => on_record = Some(Box::new(recorded::agent(&record)?)),
            }
        }
        // A path such as `.` has no name of its own.
        let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
        let name = whole.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (cases, held_out) = (file.cases, file.held_out);
        Ok(TrialMission { name, file: agent_file, held_out, comparison, cases, on_record })
    }

    /// Reads a file of cases.
    pub(super) fn file(path: &Path) -> Result<CasesFile, Error> {
        let text = read_text(path, MAX_RECORDING)
            .map_err(|why| Error::new(ErrorKind::Unreadable, why).in_file(path))?;
        let wrong = |error: serde_json::Error| {
            Error::new(ErrorKind::Trial, error.to_string()).in_file(path)
        };
        serde_json::from_str(&text).map_err(wrong)
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

    /// Returns a hash of everything that the judgement of a case depends on besides the model: the agent, the settings of
    /// the run, the case and the comparison.
    ///
    /// The files of tools are not part of it.
    pub fn fingerprint(&self, agent: &Agent, settings: &RunSettings, case: &Case) -> String {
        let prompt = serde_json::json!([agent.prompt, agent.definition()]);
        let changes = settings.on_record().map(|it| it.to_string()).unwrap_or_default();
        let Case { input, expected, calls, tools, .. } = case;
        // This is what trials of earlier versions hashed of a case without a record.
        let case = format!("Case {{ input: {input:?}, expected: {expected:?}, calls: {calls:?} }}");
        let tools = if tools.is_empty() { String::new() } else { format!("{tools:?}") };
        let text = format!("{prompt}{changes}{case}{tools}{:?}", self.comparison);
        blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
    }

    /// Reads the agent of the mission.
    ///
    /// # Errors
    ///
    /// The errors of [`Agent::read`].
    pub fn agent(&self) -> Result<Agent, Error> {
        self.agent_on_record().map_or_else(|| Agent::read(&self.file), |it| Ok(it.clone()))
    }

    /// Returns the agent on record, for a mission of recorded runs without an agent file.
    pub fn agent_on_record(&self) -> Option<&Agent> {
        self.on_record.as_deref()
    }
}

/// The contents of `cases.json`.
#[derive(Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CasesFile {
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    held_out: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    tolerance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<String>,
    pub(super) cases: Vec<Case>,
}
