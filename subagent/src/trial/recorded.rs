//! Records of runs from which the tools of a case answer.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use crate::agent::Agent;
use crate::error::{Error, ErrorKind};
use crate::record::{CallRecord, RunRecord};
use crate::run::recorded_outcome;
use crate::store::Store;
use crate::tool::Constant;

/// The answer to calls that the record does not have.
const UNKNOWN: &str = "the recorded run made no call with these arguments";

/// Reads the run of an export. Its agent file is named from the folder of the export.
///
/// # Errors
///
/// [`ErrorKind::Unreadable`] if the file cannot be read, and [`ErrorKind::Replay`] if it is malformed or has no run.
pub(super) fn read(path: &Path) -> Result<RunRecord, Error> {
    let file = File::open(path)
        .map_err(|why| Error::new(ErrorKind::Unreadable, why.to_string()).in_file(path))?;
    let store = Store::in_memory()?;
    let runs = store.import(path.parent(), BufReader::new(file)).map_err(|it| it.in_file(path))?;
    for run in runs {
        let record = store.show(run.as_str())?;
        if record.summary.parent.is_none() {
            return Ok(record);
        }
    }
    Err(Error::new(ErrorKind::Replay, "the file has no run").in_file(path))
}

/// Returns the agent on record.
///
/// # Errors
///
/// [`ErrorKind::Replay`] if an earlier version recorded the run without it.
pub(super) fn agent(record: &RunRecord) -> Result<Agent, Error> {
    let Some(definition) = &record.setup.definition else {
        let message = format!("the record of run {} does not have its agent", record.summary.run);
        return Err(Error::new(ErrorKind::Replay, message));
    };
    Agent::from_definition(definition)
}

/// Returns the tools of a record: tables with the outcomes of its calls. The first of equal calls counts.
pub(super) fn tools(record: &RunRecord) -> BTreeMap<String, Constant> {
    let mut tools: BTreeMap<String, Constant> = BTreeMap::new();
    for call in calls(record) {
        let table = tools.remove(&call.tool).unwrap_or_else(|| Constant::fails(UNKNOWN));
        let args = call.args.value().clone();
        let table = match recorded_outcome(call) {
            Ok(result) => table.with_case(args, result.value().clone()),
            Err(error) => table.with_failure(args, error.to_string()),
        };
        tools.insert(call.tool.clone(), table);
    }
    tools
}

/// Returns an agent whose tools answer from a record. Nobody has to allow their calls.
pub(super) fn with_tools(agent: &Agent, tools: &BTreeMap<String, Constant>) -> Agent {
    let mut agent = agent.clone();
    for tool in agent.tools.iter_mut().filter(|it| it.is_callable()) {
        let table = tools.get(&tool.name).cloned().unwrap_or_else(|| Constant::fails(UNKNOWN));
        *tool = tool.answered_by(table);
    }
    agent
}

/// Returns the calls of a record that have ended.
pub(super) fn calls(record: &RunRecord) -> impl Iterator<Item = &CallRecord> {
    let calls = record.turn_records.iter().flat_map(|turn| &turn.calls);
    calls.filter(|call| call.ended.is_some())
}
