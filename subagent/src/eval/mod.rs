//! Programs outside of a run: no model, no turns, no record.
//!
//! A [`Sandbox`] holds what a program may see and use. [`Sandbox::evaluate`] checks a program, runs it, makes its calls
//! and checks its answer. `ptc eval`, `ptc check`, `ptc repl` and `ptc debug` are built on it.
//!
//! ```
//! use ptc_lisp::Value;
//! use ptc_subagent::eval::{ConstantTool, EvalStatus, EvalTools, Sandbox};
//! use ptc_subagent::tool::Constant;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let rate = ConstantTool::new("rate", Constant::returns(0.5));
//! let sandbox = Sandbox {
//!     ctx: ptc_lisp::json::parse(r#"{"amount": 12}"#)?,
//!     tools: EvalTools::constants(vec![rate]),
//!     ..Sandbox::default()
//! };
//! let mut session = sandbox.session();
//! let source = "(* ctx/amount (tool/rate {:currency \"USD\"}))";
//! let evaluation = sandbox.evaluate(&mut session, source, false, std::future::pending()).await;
//! assert_eq!(evaluation.status, EvalStatus::Value);
//! assert_eq!(evaluation.value, Some(Value::from(6.0)));
//! assert_eq!(evaluation.calls.len(), 1);
//! # Ok(())
//! # }
//! ```

mod calls;
mod limits;
mod text;
mod tools;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

pub use calls::EvalCall;
use calls::EvalCalls;
pub use limits::changed_limits;
use ptc_lisp::labels::Sources;
use ptc_lisp::{
    Admitted, Budget, CallId, Code, Diagnostic, Effect, Failure, Kind, Limits, Map, Outcome,
    Payload, Repair, Session, ToolCall, ToolFailure, Value, json,
};
use ptc_signatures::{Enforced, Signature, SignatureMode};
pub use text::{plain, readable};
use tools::plain_arguments;
pub use tools::{ConstantTool, EvalTools};

use crate::agent::Agent;
use crate::data::Data;
use crate::driver::{Halt, drive, out_of_time};
use crate::error::Error;
use crate::label_rules;
use crate::policy::Policy;
use crate::record::DeniedCall;
use crate::run::{Mission, check_form, labels_of};

/// Everything that a program outside of a run may see and use.
#[derive(Clone, Debug, Default)]
pub struct Sandbox {
    /// The data under `ctx/`: a map, or nil for none.
    pub ctx: Value,
    /// Whether programs are checked for every input of the signature, instead of for the values of `ctx`.
    pub assumes_input: bool,
    /// The tools that programs may call.
    pub tools: EvalTools,
    /// The limits of one program.
    pub limits: Limits,
    /// The signature of an answer, and the way to enforce it; `None` accepts every answer.
    pub output: Option<(Signature, SignatureMode)>,
    /// The rules for programs. Rules that ask a person let the program run: its author runs it.
    pub policy: Policy,
    /// The labels of what programs read; none if the policy has no rules for labels.
    pub labels: Sources,
    /// Whether a plain value is an answer too, as it is for a workflow, and for an agent with one turn and no tools.
    pub is_single_turn: bool,
    /// The payload at the start; `None` if programs have none.
    pub payload: Option<Payload>,
    /// The seed of random functions.
    pub seed: u64,
}

/// Returns the labels that reach calls of an admitted program, one a line, such as `mail.to ← ctx/mails (untrusted)`.
pub fn flow_lines(admitted: &Admitted) -> Vec<String> {
    admitted.flows().map(|flows| label_rules::lines(flows)).unwrap_or_default()
}

impl Sandbox {
    /// Makes a sandbox with the input, tools, signature, policy, payload and limits of an agent. Tools that reach outside are
    /// called only if `live` is set.
    ///
    /// The input is coerced to the signature. If it does not match, it stays unchanged. Also returns the warnings about
    /// the input. Without an input, programs are checked for every input of the signature.
    pub fn of_agent(agent: &Agent, ctx: Option<Value>, live: bool) -> (Sandbox, Vec<String>) {
        let has_inputs = agent.signature.as_ref().is_none_or(|it| !it.params.is_empty());
        let assumes_input = ctx.is_none() && has_inputs;
        let (ctx, warnings) = match ctx {
            Some(ctx) => as_input(agent, ctx),
            None => (with_all_inputs(agent, &Value::Nil), Vec::new()),
        };
        let output = agent.signature.as_ref().map(|it| (it.clone(), agent.signature_mode));
        let sandbox = Sandbox {
            ctx,
            assumes_input,
            tools: EvalTools::of_agent(agent, live),
            limits: agent.limits.clone(),
            output,
            policy: agent.policy.clone(),
            labels: labels_of(agent),
            is_single_turn: agent.is_single_turn(),
            payload: agent.payload.as_ref().map(|def| def.for_session(def.start().clone())),
            seed: agent.seed.unwrap_or_default(),
        };
        (sandbox, warnings)
    }

    /// Returns a session whose programs are refused if their answer is certain not to match.
    pub fn session(&self) -> Session {
        let mut session = self.open_session();
        if let Some((signature, mode)) = &self.output {
            session.expect(signature.output.clone(), *mode);
        }
        session
    }

    /// Returns a session whose programs may answer with anything.
    pub fn open_session(&self) -> Session {
        let declarations = self.tools.declarations();
        let mut session = Session::new(self.ctx.clone(), declarations, self.limits.clone());
        session.set_seed(self.seed);
        session.set_form_check(check_form);
        session.set_labels(self.labels.clone());
        if let Some(payload) = &self.payload {
            session.set_payload(payload.clone());
        }
        if let Some((signature, _)) = &self.output {
            session.declare(&signature.params);
        }
        if self.assumes_input {
            session.assume_input();
        }
        session
    }

    /// Checks a program, and repairs its delimiters first if `repairs` is set.
    ///
    /// # Errors
    ///
    /// The reasons that admission or the policy refuses the program.
    pub fn admit(
        &self,
        session: &Session,
        source: &str,
        repairs: bool,
    ) -> Result<(Admitted, Option<Repair>), Vec<Diagnostic>> {
        let admitted = if repairs {
            session.admit_repaired(source)
        } else {
            session.admit(source).map(|admitted| (admitted, None))
        };
        let (admitted, repair) = admitted.map_err(|rejection| rejection.diagnostics)?;
        let mut refusals = self.policy.refusals(admitted.report());
        if let Some(flows) = admitted.flows() {
            let effect_of = |name: &str| {
                let tool = session.tools().iter().find(|it| it.name == name);
                tool.map_or(Effect::Write, |it| it.effect)
            };
            let denied = self.policy.denied_calls(flows, effect_of);
            refusals.extend(denied.iter().map(DeniedCall::diagnostic));
        }
        if refusals.is_empty() { Ok((admitted, repair)) } else { Err(refusals) }
    }

    /// Checks and runs a program in a session, which keeps what the program leaves. Stops it when `cancel` is ready.
    ///
    /// Needs a tokio runtime; one with time if it waits, and with IO too if tools of an
    /// agent are called.
    pub async fn evaluate(
        &self,
        session: &mut Session,
        source: &str,
        repairs: bool,
        cancel: impl Future<Output = ()>,
    ) -> Evaluation {
        let mut evaluation = Evaluation::rejected();
        let admitted = match self.admit(session, source, repairs) {
            Ok((admitted, repair)) => {
                evaluation.repair = repair;
                admitted
            }
            Err(problems) => {
                evaluation.errors = problems;
                return evaluation;
            }
        };
        evaluation.warnings = admitted.warnings().to_vec();
        let mut machine = session.start(&admitted);
        let mut budget = Budget::new(&self.limits);
        let mut calls = EvalCalls::new(&self.tools, &self.limits);
        let most = self.limits.program_time;
        let halt = tokio::select! {
            biased;
            halt = drive(&mut machine, &mut budget, most, &mut calls) => halt,
            () = cancel => Ok(Halt::Cancelled),
        };
        evaluation.calls = calls.into_calls();
        let mut ended = machine.finish();
        evaluation.is_cancelled =
            matches!(halt, Ok(Halt::Cancelled | Halt::RunTime | Halt::Waiting | Halt::InDoubt(_)));
        if let Some(error) = error_of(halt, most) {
            ended.outcome = Outcome::Error(error);
        }
        let kept = session.commit(&ended);
        (evaluation.fuel, evaluation.prints) = (ended.fuel, ended.prints);
        let is_answer = match ended.outcome {
            Outcome::Return(_) => true,
            Outcome::Value(_) => self.is_single_turn,
            _ => false,
        };
        let outcome = kept.map_or_else(Outcome::Error, |()| ended.outcome);
        if !evaluation.take(outcome) {
            return evaluation;
        }
        evaluation.defines.clone_from(&admitted.report().defines);
        if let Some(value) = evaluation.value.as_ref().filter(|_| is_answer) {
            match self.check_answer(value) {
                Ok(notes) => evaluation.notes = notes,
                Err(problem) => {
                    evaluation.status = EvalStatus::Error;
                    evaluation.errors = vec![problem];
                }
            }
        }
        evaluation
    }

    /// Makes a call outside of [`Sandbox::evaluate`], as a debugger does. Equal calls have equal keys.
    ///
    /// # Errors
    ///
    /// The failure of the call, or the reason that it was not made.
    pub async fn call(&self, call: &ToolCall, key: String) -> Result<Value, ToolFailure> {
        let args = plain_arguments(&call.args, self.limits.result_bytes as usize)?;
        self.tools.answer(&call.name, &args, key).await
    }

    /// Checks an answer against the output of the signature. Returns the warnings that a mission would have. The machine has
    /// checked the size of the answer.
    ///
    /// # Errors
    ///
    /// The reason that a mission would refuse the answer: `not-json` or `wrong-return`.
    fn check_answer(&self, value: &Value) -> Result<Vec<String>, Diagnostic> {
        let Some((signature, mode)) = &self.output else { return Ok(Vec::new()) };
        let json = json::plain(value).map_err(|error| {
            let message = format!("the returned value has no JSON form: {error}");
            Diagnostic::new(Code::NotJson, message)
        })?;
        let Enforced { warnings, mismatches, .. } =
            signature.output.enforce_data(value, json, *mode);
        let Some(first) = mismatches.first() else {
            return Ok(warnings.iter().map(ToString::to_string).collect());
        };
        let more = match mismatches.len() {
            1 => String::new(),
            count => format!(" (and {} more)", count - 1),
        };
        let message = format!("the returned value does not match: {first}{more}");
        let help = first.help.clone();
        let help = help.unwrap_or_else(|| format!("return {}", signature.output));
        Err(Diagnostic::new(Code::WrongReturn, message).with_help(help))
    }
}

/// The outcome of a program, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvalStatus {
    /// The program ended with the value of its last form.
    Value,
    /// `(return v)` ended the program.
    Return,
    /// `(fail v)` ended the program.
    Fail,
    /// The program ended in an error, or its answer does not match.
    Error,
    /// Admission or the policy refused the program; nothing ran.
    Rejected,
    /// The program reached a limit.
    Limit,
}

impl EvalStatus {
    /// Returns the stable word.
    pub fn as_str(self) -> &'static str {
        match self {
            EvalStatus::Value => "value",
            EvalStatus::Return => "return",
            EvalStatus::Fail => "fail",
            EvalStatus::Error => "error",
            EvalStatus::Rejected => "rejected",
            EvalStatus::Limit => "limit",
        }
    }
}

/// The outcome of a program, with everything that it did.
#[derive(Debug)]
#[non_exhaustive]
pub struct Evaluation {
    /// The outcome in one word.
    pub status: EvalStatus,
    /// The value, or the argument of `fail`. An answer that does not match is here too.
    pub value: Option<Value>,
    /// The failure, if the program failed.
    pub failure: Option<Failure>,
    /// The printed lines.
    pub prints: Vec<String>,
    /// The calls, in the order of the program.
    pub calls: BTreeMap<CallId, EvalCall>,
    /// The units of fuel used.
    pub fuel: u64,
    /// The problems, most useful first.
    pub errors: Vec<Diagnostic>,
    /// The warnings of admission.
    pub warnings: Vec<Diagnostic>,
    /// The warnings about the answer.
    pub notes: Vec<String>,
    /// The change to the delimiters of the program.
    pub repair: Option<Repair>,
    /// The names that the program defines for later ones.
    pub defines: BTreeSet<String>,
    /// Whether the program was cancelled.
    pub is_cancelled: bool,
}

impl Evaluation {
    fn rejected() -> Evaluation {
        Evaluation {
            status: EvalStatus::Rejected,
            value: None,
            failure: None,
            prints: Vec::new(),
            calls: BTreeMap::new(),
            fuel: 0,
            errors: Vec::new(),
            warnings: Vec::new(),
            notes: Vec::new(),
            repair: None,
            defines: BTreeSet::new(),
            is_cancelled: false,
        }
    }

    /// Takes the outcome of a program. Returns whether it is a value.
    fn take(&mut self, outcome: Outcome) -> bool {
        (self.status, self.value) = match outcome {
            Outcome::Value(value) | Outcome::Continue(value) => (EvalStatus::Value, Some(value)),
            Outcome::Return(value) => (EvalStatus::Return, Some(value)),
            Outcome::Fail(failure) => {
                let details = failure.details.clone();
                self.failure = Some(failure);
                (EvalStatus::Fail, Some(details))
            }
            Outcome::Error(problem) => {
                let is_limit = problem.kind() == Kind::Limit;
                self.errors = vec![problem];
                (if is_limit { EvalStatus::Limit } else { EvalStatus::Error }, None)
            }
        };
        self.value.is_some()
    }
}

/// Returns the error of a program that a halt ended. `most` is its limit of computing time.
fn error_of(halt: Result<Halt, Error>, most: Duration) -> Option<Diagnostic> {
    let internal = |why: &str| Some(Diagnostic::new(Code::InvariantViolated, why));
    match halt {
        Ok(Halt::Done | Halt::ExitLoop) => None,
        Ok(Halt::ProgramTime) => Some(out_of_time(most)),
        Ok(Halt::Cancelled | Halt::RunTime | Halt::Waiting | Halt::InDoubt(_)) => {
            Some(Diagnostic::new(Code::TimeLimit, "the program was interrupted"))
        }
        Ok(Halt::Failed(problem)) => Some(*problem),
        Ok(Halt::Internal(why)) => internal(&why),
        Err(error) => internal(error.message()),
    }
}

/// Returns data as a mission would see it: coerced to the signature, with nil for missing inputs.
fn as_input(agent: &Agent, ctx: Value) -> (Value, Vec<String>) {
    let Ok(data) = Data::of(&ctx) else { return (ctx, Vec::new()) };
    let warnings = match Mission::new(agent, &data).warnings() {
        Ok(warnings) => warnings.into_iter().map(|it| it.message).collect(),
        Err(error) => vec![error.message().to_string()],
    };
    let input = match agent.input_signature() {
        Some(signature) => {
            signature.enforce_mission(data.value().clone(), agent.signature_mode).value
        }
        None => ctx,
    };
    (with_all_inputs(agent, &input), warnings)
}

/// Returns an input with nil for the inputs that a program may read and that it lacks.
fn with_all_inputs(agent: &Agent, input: &Value) -> Value {
    let given = input.as_map().into_iter().flat_map(Map::iter);
    let mut entries: Vec<(Value, Value)> =
        given.map(|(key, value)| (key.clone(), value.clone())).collect();
    let absent = agent.readable_inputs().filter(|name| input.get(name).is_none());
    entries.extend(absent.map(|name| (Value::str(name), Value::Nil)));
    Value::map(entries)
}
