//! The beginning of a run: its checked input, and what an earlier run of its conversation left.

use std::collections::BTreeMap;

use ptc_lisp::Value;

use super::Programs;
use crate::agent::Agent;
use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::record::{Earlier, RunCode, RunError};
use crate::run::continuation;
use crate::run::input::checked_input;

impl<'a> Programs<'a> {
    /// Prepares the programs of a run. Also returns warnings about the input, and about what is lost of the state of the
    /// earlier run.
    ///
    /// `payload` replaces the payload that the agent defines for the start of a run. `after` is the earlier run of the
    /// conversation. The caller says which agent calls this one, whether the run can end a loop of agents, and whether the
    /// budget allows sub-agents. `semantics` is the version of the run.
    ///
    /// # Errors
    ///
    /// The agent or the input is invalid, or the state on record cannot be read.
    pub(in crate::run) fn of_run(
        agent: &'a Agent,
        input: Data,
        payload: Option<Data>,
        after: Option<&Earlier>,
        (caller, in_loop, may_nest): (Option<&'a str>, bool, bool),
        semantics: u32,
    ) -> Result<(Box<Programs<'a>>, Vec<RunError>), Error> {
        let (input, mut warnings) = checked_input(agent, input, payload.is_some(), semantics)?;
        let programs = Programs::new(agent, input, payload, caller, in_loop, may_nest);
        let mut programs = Box::new(programs);
        programs.session.set_steps(agent.steps.clone());
        if let Some(after) = after {
            warnings.extend(programs.begin_after(after)?);
        }
        programs.note_quarantine();
        Ok((programs, warnings))
    }

    /// Sets the seed of random functions.
    pub(in crate::run) fn set_seed(&mut self, seed: u64) {
        self.session.set_seed(seed);
    }

    /// Keeps the names that programs define, so that a debugger can show them.
    pub(in crate::run) fn remember_names(&mut self) {
        self.remembers_names = true;
        self.session.remember_names();
    }

    /// Begins with the messages and the state of an earlier run of the conversation. Returns warnings about what is lost
    /// of the state.
    ///
    /// # Errors
    ///
    /// The state on record cannot be read.
    fn begin_after(&mut self, earlier: &Earlier) -> Result<Vec<RunError>, Error> {
        let run = &earlier.run;
        let mut lost: Vec<String> = earlier.lost.iter().cloned().collect();
        if let Some(state) = &earlier.state {
            let dropped = continuation::restore(&mut self.session, state).map_err(|error| {
                Error::new(ErrorKind::Replay, format!("the state after run {run}: {error}"))
            })?;
            lost.extend(dropped.iter().map(ToString::to_string));
        }
        for (name, value) in earlier.artifacts.fields() {
            self.session.set_artifact(&name, value.into_value());
        }
        self.artifacts_before = self.kept_artifacts();
        let names = if self.rules.writes_programs { earlier.names() } else { Vec::new() };
        self.conversation.splice(0..0, earlier.list());
        self.session.set_conversation(self.conversation.clone());
        self.note_earlier(earlier);
        let (note, agent) = (self.style.conversation_note(), self.agent);
        let (earlier, names) = self.shown_earlier(earlier, names);
        self.earlier = earlier.section(&names, note, &agent.transcript, &agent.prompt_limits);
        Ok(lost.into_iter().map(|it| RunError::new(RunCode::NotKept, it)).collect())
    }

    /// Returns the artifacts that the programs of the run have put or changed, in the order of their names.
    pub(in crate::run) fn artifacts(&self) -> Vec<(String, Data)> {
        let kept = self.kept_artifacts();
        let is_new =
            |(name, value): &(String, Value)| self.artifacts_before.get(name) != Some(value);
        // Memory is kept only if it has a JSON form.
        let data = |(name, value)| Some((name, Data::of(&value).ok()?));
        kept.into_iter().filter(is_new).filter_map(data).collect()
    }

    fn kept_artifacts(&self) -> BTreeMap<String, Value> {
        let all = self.session.artifacts();
        all.map(|(name, value)| (name.to_owned(), value.clone())).collect()
    }
}
