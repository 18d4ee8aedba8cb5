//! The missions of `examples/missions`, with their solutions.
//!
//! A mission is a folder. `docs/models.md` describes its files.

use std::path::Path;

use ptc_subagent::trial::TrialMission;

/// A mission with its solution.
#[derive(Debug, Clone)]
pub(crate) struct Mission {
    /// The agent, the inputs and the expected answers.
    pub(crate) trial: TrialMission,
    /// The programs of a solution, one for each turn. They solve every case.
    pub(crate) solution: Vec<String>,
}

/// The line of `solution.clj` between the programs of two turns.
const NEXT_TURN: &str = "; next turn\n";

/// Returns the missions of a folder, sorted by name.
///
/// An error if a folder in it lacks a file of a mission, or a file is malformed.
pub(crate) fn missions(folder: &Path) -> Result<Vec<Mission>, String> {
    let trials = TrialMission::read_all(folder).map_err(|error| error.to_string())?;
    let with_solution = |trial: TrialMission| {
        let path = trial.file.with_file_name("solution.clj");
        let text = std::fs::read_to_string(&path);
        let text = text.map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Mission { trial, solution: text.split(NEXT_TURN).map(str::to_owned).collect() })
    };
    trials.into_iter().map(with_solution).collect()
}
