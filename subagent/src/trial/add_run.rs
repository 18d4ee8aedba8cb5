//! Adds recorded runs to missions as cases.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use ptc_lisp::Effect;

use super::mission::{CASES_FILE, Case, CasesFile, ToolUse, TrialMission};
use super::recorded::{agent, calls};
use crate::agent::Agent;
use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::record::{CallRecord, Status};
use crate::store::Store;

impl TrialMission {
    /// Adds a recorded run as a case of the mission in a folder. Returns the number of its cases.
    ///
    /// The run is exported into the folder, and `cases.json` is created if it is not there. The tools of the case answer
    /// from the record. The mission has the agent file of the run, or the agent on record if there is none. The expected
    /// calls are those of the run that succeeded and wrote. If the folder has the run already, its case is replaced. Blocks
    /// the calling thread.
    ///
    /// # Errors
    ///
    /// The errors of [`Store::show`]. [`ErrorKind::Trial`] if the run returned no value and `expected` is `None`, or if it is
    /// that of a sub-agent. [`ErrorKind::Trial`] also if `cases.json` is malformed, and [`ErrorKind::Unreadable`] if the
    /// folder cannot be written.
    pub fn add_run(
        folder: &Path,
        store: &Store,
        run: &str,
        expected: Option<Data>,
    ) -> Result<usize, Error> {
        let record = store.show(run)?;
        let id = &record.summary.run;
        let wrong = |message: String| Error::new(ErrorKind::Trial, message);
        if record.summary.parent.is_some() {
            return Err(wrong(format!("run {id} is that of a sub-agent")));
        }
        let has_returned = record.summary.status == Status::Returned;
        let expected = expected.or_else(|| has_returned.then(|| record.value.clone()));
        let expected = expected.ok_or_else(|| {
            wrong(format!("run {id} has not returned a value, so the expected one is needed"))
        })?;
        let agent = agent(&record)?;
        let unwritable = |path: &Path, why: &dyn std::fmt::Display| {
            let message = format!("cannot write {}: {why}", path.display());
            Error::new(ErrorKind::Unreadable, message)
        };
        fs::create_dir_all(folder).map_err(|why| unwritable(folder, &why))?;
        let folder = folder.canonicalize().map_err(|why| unwritable(folder, &why))?;
        let name = PathBuf::from(format!("{id}.jsonl"));
        let path = folder.join(&name);
        let file = File::create(&path).map_err(|why| unwritable(&path, &why))?;
        store.export(&[id.as_str()], Some(&folder), file)?;
        let calls = calls(&record).filter(|call| writes(&agent, call) && call.result.is_some());
        let calls = calls.map(|it| ToolUse { tool: it.tool.clone(), args: it.args.clone() });
        let case = Case::new(record.setup.input.clone(), expected).with_calls(calls.collect());
        let case = Case { record: Some(name), ..case };
        let path = folder.join(CASES_FILE);
        let mut file =
            if path.is_file() { TrialMission::file(&path)? } else { CasesFile::default() };
        match file.cases.iter_mut().find(|it| it.record == case.record) {
            Some(old) => *old = case,
            None => file.cases.push(case),
        }
        // Cannot fail: all keys are strings.
        let mut text = serde_json::to_string_pretty(&file).unwrap_or_default();
        text.push('\n');
        fs::write(&path, text).map_err(|why| unwritable(&path, &why))?;
        Ok(file.cases.len())
    }
}

fn writes(agent: &Agent, call: &CallRecord) -> bool {
    let tool = agent.tools.iter().find(|it| it.name == call.tool);
    tool.is_some_and(|it| it.effect() == Effect::Write)
}
