//! The answers of a run's model: the checked input, and the programs that replies are read as.

use ptc_lisp::snapshot::{Dropped, SnapshotError};
use ptc_lisp::{Session, Value};
use ptc_prompt::{Grammar, GrammarOptions, SystemPrompt};
use ptc_signatures::SignatureMode;

use super::continuation::ProgramsKept;
use super::journal::Journal;
use super::mission::RunContext;
use super::payload::RunPayload;
use super::program::Programs;
use super::recorded::{RecordedProgram, RecordedRun};
use super::turns::Decision;
use crate::agent::Agent;
use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::provider::{Images, Reply, ToolOffer};
use crate::record::{Earlier, RunError, Stop, list, unknown_keys, warnings};

/// The answers of a run's model. They decide what the run does after a reply.
pub(super) struct AnswerStyle<'a> {
    programs: Box<Programs<'a>>,
    /// Values of the input that were coerced or let through, keys that the signature does not name, and what is lost of
    /// the state of the earlier run.
    warnings: Vec<RunError>,
}

impl<'a> AnswerStyle<'a> {
    /// Checks the agent and the input, and prepares the prompt.
    ///
    /// `payload` replaces the payload that the agent defines for the start of a run. `after` is the earlier run of the
    /// conversation. `caller` is the agent that
    /// called this one. `in_loop` gives programs the tool `exit_loop`. `may_nest` is whether the budget
    /// allows sub-agents.
    pub(super) fn new(
        agent: &'a Agent,
        input: Data,
        payload: Option<Data>,
        after: Option<&Earlier>,
        caller: Option<&'a str>,
        in_loop: bool,
        may_nest: bool,
    ) -> Result<AnswerStyle<'a>, Error> {
        agent.check()?;
        let wrong = |message: String| Err(Error::new(ErrorKind::Input, message));
        if payload.is_some() && agent.payload.is_none() {
            let message = format!("agent `{}` has no payload, and was given one", agent.name);
            return wrong(message);
        }
        let mut input = input.into_value();
        if input.as_map().is_none() {
            return wrong(format!("the input must be a JSON object, and is {}", json_type(&input)));
        }
        let mut warned = Vec::new();
        if let Some(signature) = &agent.signature {
            let enforced = signature.enforce_input(input, agent.signature_mode);
            if !enforced.mismatches.is_empty() {
                let message = format!("the input does not match: {}", list(&enforced.mismatches));
                return Err(Error::new(ErrorKind::Input, message)
                    .with_help(format!("the signature is {signature}")));
            }
            warned = warnings("input", &enforced.warnings);
            input = enforced.value;
            if agent.signature_mode != SignatureMode::Off {
                warned.extend(unknown_keys(signature, &input));
            }
        }
        let mut programs =
            Box::new(Programs::new(agent, input, payload, caller, in_loop, may_nest));
        if let Some(after) = after {
            warned.extend(programs.begin_after(after)?);
        }
        Ok(AnswerStyle { programs, warnings: warned })
    }

    /// Takes the feedback for the program of a workflow, if it was refused or ended in an error.
    pub(super) fn take_feedback(&mut self) -> Option<String> {
        self.programs.take_feedback()
    }

    /// Returns the payload; `None` if the agent has none.
    pub(super) fn payload(&self) -> Option<&RunPayload<'a>> {
        self.programs.payload()
    }

    /// Sets the seed of the random numbers that programs draw.
    pub(super) fn set_seed(&mut self, seed: u64) {
        self.programs.set_seed(seed);
    }

    /// Keeps the names that programs define, so that a debugger can show them.
    pub(super) fn remember_names(&mut self) {
        self.programs.remember_names();
    }

    /// Takes a snapshot. Programs of later turns get only values that have a text form.
    pub(super) fn take_snapshot(&mut self) -> Result<(ProgramsKept, Vec<Dropped>), SnapshotError> {
        self.programs.take_snapshot()
    }

    /// Restores the state that programs left up to a turn. `past` supplies the remembered results of their calls.
    pub(super) fn continue_from(
        &mut self,
        turn: u32,
        kept: ProgramsKept,
        past: &RecordedRun,
    ) -> Result<(), SnapshotError> {
        self.programs.go_on(turn, kept, past)
    }

    /// Returns the images that messages may show.
    pub(super) fn images(&self) -> Images {
        self.programs.images()
    }

    /// Returns the session as the recorded program found it.
    pub(super) fn into_session(self, program: Option<RecordedProgram<'_>>) -> Session {
        self.programs.into_session(program)
    }

    /// Returns the warnings about coerced or accepted input values, and about keys that the signature does not name.
    pub(super) fn warnings(&self) -> &[RunError] {
        &self.warnings
    }

    /// Returns the system prompt.
    pub(super) fn system(&self) -> Result<SystemPrompt, Error> {
        self.programs.system()
    }

    /// Returns the first message to the model.
    pub(super) fn opening(&self) -> Result<String, Error> {
        self.programs.opening()
    }

    /// Returns the grammar of acceptable replies; `None` if the model writes no programs.
    pub(super) fn grammar(&self, options: &GrammarOptions) -> Option<Grammar> {
        self.programs.grammar(options)
    }

    /// Returns the tools that the model can call natively.
    pub(super) fn offers(&self) -> Vec<ToolOffer> {
        self.programs.offers()
    }

    /// Returns the texts at which the model stops.
    pub(super) fn stop(&self) -> Vec<String> {
        self.programs.stop()
    }

    /// Returns the message that asks for a partial answer.
    pub(super) fn summary_request(&self) -> String {
        self.programs.summary_request()
    }

    /// Reads the reply to the request for a partial answer.
    pub(super) fn read_summary(
        &self,
        reply: &Reply,
        turn: u32,
        stopped: (Stop, RunError),
        journal: &mut Journal<'_>,
    ) -> Decision {
        self.programs.read_summary(reply, turn, stopped, journal)
    }

    /// Decides what a reply asks for. This runs the program of the reply, if it has one.
    pub(super) async fn decide(
        &mut self,
        reply: &Reply,
        turn: u32,
        journal: &mut Journal<'_>,
        context: &RunContext<'_>,
    ) -> Result<Decision, Error> {
        self.programs.decide(reply, turn, journal, context).await
    }
}

/// Returns the JSON name of a value's type.
fn json_type(value: &Value) -> &'static str {
    match value {
        Value::Nil => "null",
        Value::Bool(_) => "a boolean",
        Value::Str(_) => "a string",
        Value::Vector(_) => "a list",
        Value::Map(_) => "an object",
        _ => "a number",
    }
}
