//! The programs that replies are read as. Only this file, `turn_end.rs` and `calls.rs` know the language.
//!
//! The agent's style reads a reply and renders what came of it. Everything between runs a program.

mod allow;
mod beginning;
mod changes;
mod covered;
mod labels;
mod opening;
mod prompts;
mod quarantine;
mod reading;
mod unseen;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ptc_lisp::labels::Flows;
use ptc_lisp::snapshot::{Dropped, SnapshotError};
use ptc_lisp::{Budget, Code, Diagnostic, Effect, Ended, Machine, Outcome, Session, Value, json};
use ptc_prompt::{
    CallsMade, OutcomeEnd, Problem, ProgramStyle, Reading, ReplyParts, Style, StyleRules, Told,
};
use ptc_signatures::Enforced;

use super::calls::{Caller, Calls, FinishedCalls};
use super::context::RunContext;
use super::continuation::{self, Attempt, ProgramsKept, Suspect};
use super::earlier;
use super::journal::Journal;
use super::payload::RunPayload;
use super::plan::CheckedPlan;
use super::recorded::recorded_outcome;
use super::tool_use::ToolUse;
use super::turn_end::{TurnEnd, failure_details, stop_for, text_of};
use super::turns::{Decision, Tell};
use super::workflow::exit_loop;
use crate::agent::{Agent, OnLimit, STATE, ToolOf};
use crate::data::Data;
use crate::driver::Halt;
use crate::error::Error;
use crate::payload::Verdict;
use crate::provider::{Finish, Images, Reply};
use crate::record::{
    CallRecord, ErrorCode, Event, Fail, RunCode, RunError, Stop, TurnOutcome, warnings,
};
use crate::semantics::STRICT_FIELDS;
use crate::transcript::Expansions;

use labels::ProgramLabels;
pub(crate) use labels::labels_of;
use opening::new_session;

/// Decides by running the program of a reply.
pub(super) struct Programs<'a> {
    agent: &'a Agent,
    style: &'a dyn Style,
    rules: StyleRules,
    /// The input of the mission.
    ctx: Value,
    session: Session,
    payload: Option<RunPayload<'a>>,
    /// The payload at the start of the turn.
    payload_before: Option<Value>,
    /// The section of the first message about the conversation so far; empty without one.
    earlier: String,
    /// The messages of the conversation, up to that of the user which the run answers.
    conversation: Vec<Value>,
    remembers_names: bool,
    tools: Vec<ToolOf<'a>>,
    /// The names of the tools that are agents.
    sub_agents: Vec<String>,
    /// Whether the budget allows sub-agents. Prompts show none otherwise.
    may_nest: bool,
    /// The name of the agent that called this one.
    caller: Option<&'a str>,
    tool_use: ToolUse,
    /// Whether `ctx/fail` is set. The next turn without an error removes it.
    fail_is_set: bool,
    /// The last turn, if it failed.
    failed: Option<Attempt>,
    /// The number of malformed replies since the last other one.
    malformed: u32,
    /// The reads of unknown fields that the model was told of.
    told_unseen: BTreeSet<String>,
    /// The last value of a turn with such reads.
    suspect: Option<Suspect>,
    /// The feedback for the program of a workflow, which no model reads.
    feedback: Option<String>,
    /// The messages that can be sent whole again.
    expansions: Expansions,
    labels: labels::RunLabels,
    /// The tools and the data in quarantine, as programs write them.
    withheld_names: Vec<String>,
    /// The handle of the payload, if that is in quarantine.
    withheld_payload: Option<Value>,
    /// The artifacts of the conversation before the run.
    artifacts_before: BTreeMap<String, Value>,
}

/// The first result of a reply.
enum Started {
    /// Its program runs.
    Program(Box<Machine>, TurnEnd, Option<Arc<Flows>>),
    /// There is no program to run.
    Decided(Decision),
}

impl<'a> Programs<'a> {
    /// Prepares the tools and the session of an agent's programs.
    ///
    /// A run inside a loop of agents can end the loop.
    fn new(
        agent: &'a Agent,
        ctx: Value,
        payload: Option<Data>,
        caller: Option<&'a str>,
        in_loop: bool,
        may_nest: bool,
    ) -> Programs<'a> {
        let own = agent.tools.iter().map(|tool| tool.of(agent));
        let exit = in_loop.then(|| ToolOf::Own(exit_loop()));
        let tools: Vec<ToolOf<'a>> = own.chain(exit).collect();
        let sub_agents =
            tools.iter().filter(|it| it.as_agent().is_some()).map(|it| it.name.clone());
        let takes_content = takes_content(&tools);
        let rules = agent.answers.style().rules();
        let payload = RunPayload::new(agent, payload);
        let conversation = vec![earlier::message("user", earlier::content_of(agent, &ctx), None)];
        let session =
            new_session(agent, (&tools, may_nest), ctx.clone(), payload.as_ref(), &conversation);
        Programs {
            payload,
            payload_before: None,
            agent,
            style: agent.answers.style(),
            rules,
            ctx,
            session,
            earlier: String::new(),
            conversation,
            remembers_names: false,
            sub_agents: sub_agents.collect(),
            may_nest,
            caller,
            tools,
            tool_use: ToolUse::after(BTreeMap::new(), rules.remembers_calls)
                .keeping(agent.images, takes_content),
            fail_is_set: false,
            failed: None,
            malformed: 0,
            told_unseen: BTreeSet::new(),
            suspect: None,
            feedback: None,
            expansions: Expansions::default(),
            labels: labels::RunLabels::default(),
            withheld_names: Vec::new(),
            withheld_payload: None,
            artifacts_before: BTreeMap::new(),
        }
    }

    /// Returns a session for the first program.
    fn new_session(&self) -> Session {
        let payload = self.payload.as_ref();
        let (ctx, conversation) = (self.ctx.clone(), &self.conversation);
        let tools = (self.tools.as_slice(), self.may_nest);
        let mut session = new_session(self.agent, tools, ctx, payload, conversation);
        session.set_labels(self.sources());
        if self.remembers_names {
            session.remember_names();
        }
        session
    }

    /// Takes a snapshot and continues from it. Returns the snapshot and the values that it dropped.
    pub(super) fn take_snapshot(&mut self) -> Result<(ProgramsKept, Vec<Dropped>), SnapshotError> {
        let mut session = self.new_session();
        let (kept, dropped) = continuation::pass_on(&self.session, &mut session)?;
        self.session = session;
        let kept = ProgramsKept {
            session: kept,
            fail_is_set: self.fail_is_set,
            failed: self.failed.clone(),
            malformed: self.malformed,
            told_unseen: self.told_unseen.clone(),
            suspect: self.suspect.clone(),
            tool_calls: self.tool_use.calls().clone(),
            failures: self.tool_use.failures().clone(),
            payload: self.payload.as_ref().map(RunPayload::kept),
        };
        Ok((kept, dropped))
    }

    /// Continues from a snapshot. Cached results come from `calls`, those of the run up to it that have ended.
    pub(super) fn go_on<'c>(
        &mut self,
        kept: ProgramsKept,
        calls: impl Iterator<Item = &'c CallRecord>,
    ) -> Result<(), SnapshotError> {
        let _ = continuation::restore(&mut self.session, &kept.session)?;
        if let (Some(payload), Some(kept)) = (&mut self.payload, &kept.payload) {
            payload.go_on(kept)?;
            self.session.set_payload_value(payload.committed().value().clone());
        }
        (self.fail_is_set, self.failed) = (kept.fail_is_set, kept.failed);
        (self.malformed, self.told_unseen) = (kept.malformed, kept.told_unseen);
        self.suspect = kept.suspect;
        self.tool_use = ToolUse::after(kept.tool_calls, self.rules.remembers_calls)
            .with_failures(kept.failures)
            .keeping(self.agent.images, takes_content(&self.tools));
        for call in calls {
            self.tool_use.keep_content(&call.blobs);
            if let Some(tool) = self.tools.iter().find(|it| it.name == call.tool) {
                self.tool_use.see(tool, || call.args.clone());
                if tool.effect() == Effect::Write && !call.cached {
                    self.tool_use.wrote(tool, || call.args.clone());
                }
                self.tool_use
                    .result_cell(tool, || call.args.clone())
                    .store(&recorded_outcome(call));
            }
        }
        Ok(())
    }

    /// Returns the images that messages may show.
    pub(super) fn images(&self) -> Images {
        self.tool_use.images()
    }

    /// Returns the session of the next program, which has this value of `(budget)`.
    pub(super) fn into_session(mut self, budget: Option<Value>) -> Session {
        if let Some(budget) = budget {
            self.session.set_budget(budget);
        }
        self.session
    }

    /// Runs the program of a reply and returns its decision.
    ///
    /// # Errors
    ///
    /// The reason that the run or a run above it cannot continue.
    pub(super) async fn decide(
        &mut self,
        reply: &Reply,
        turn: u32,
        journal: &mut Journal<'_>,
        context: &RunContext<'_>,
    ) -> Result<Decision, Error> {
        let (mut machine, mut end, flows) = match self.start(reply, turn, journal, context).await? {
            Started::Program(machine, end, flows) => (machine, end, flows),
            Started::Decided(decision) => return Ok(decision),
        };
        let outside = context.outside.program(turn);
        let mut budget = Budget::new(&self.agent.limits);
        let confirms = self.tools.iter().any(|tool| tool.confirm);
        let asks = confirms || flows.is_some() && self.agent.policy.may_ask_about_labels();
        let mission = if asks { self.mission() } else { String::new() };
        let sources = flows.is_some().then(|| self.sources());
        let caller = Caller {
            agent: self.agent,
            context,
            tools: &self.tools,
            turn,
            mission: &mission,
            expansions: &self.expansions,
            flows: flows.as_deref(),
            sources: sources.as_ref(),
        };
        let payload = self.payload.as_mut();
        let (tool_use, is_plan) = (&mut self.tool_use, end.plan.is_some());
        let mut calls = Calls::new(caller, journal, tool_use, payload, &self.session, is_plan);
        let halt = outside.seen_halt(calls.drive(&mut machine, &mut budget).await?);
        let exits_loop = matches!(halt, Halt::ExitLoop);
        let FinishedCalls { summary: made, branches, count, tools, expanded, bounds, trusted } =
            calls.finish();
        (end.bounds, end.expanded) = (bounds, expanded);
        for result in &trusted {
            self.session.reading_mut().trust(result);
        }
        if self.tools.iter().any(|it| it.result.result_turns.is_some()) {
            end.tools = tools;
        }
        if matches!(halt, Halt::Cancelled) {
            return Ok(end.close_halted(&halt, journal));
        }
        let mut ended = machine.finish();
        for line in &ended.prints {
            journal.tell(|_| Event::Printed { turn, line: line.clone() });
        }
        end.fuel = ended.fuel;
        // Excludes the calls that were queued when the program stopped.
        end.calls = count;
        match halt {
            Halt::Done => {}
            Halt::Cancelled => return Ok(Decision::Cancelled),
            halt @ (Halt::RunTime | Halt::Waiting) => return Ok(end.close_halted(&halt, journal)),
            Halt::ProgramTime => {
                ended.outcome = Outcome::Error(outside.timed_out(self.agent.limits.program_time));
            }
            Halt::InDoubt(calls) => {
                let error = outside.in_doubt(calls);
                end.outcome = TurnOutcome::InDoubt;
                let recorded = Some(error.clone());
                return Ok(end.close(Decision::InDoubt(error), recorded, journal));
            }
            Halt::Failed(problem) => ended.outcome = Outcome::Error(*problem),
            Halt::ExitLoop => ended.outcome = Outcome::Return(Value::Nil),
            Halt::Internal(message) => {
                ended.outcome = Outcome::Error(Diagnostic::new(Code::InvariantViolated, message));
            }
        }
        if let Outcome::Error(diagnostic) = &ended.outcome
            && let Some((problem, ceiling)) =
                outside.out_of_budget(diagnostic.code_value(), &context.ledger)
        {
            end.budget = ceiling;
            ended.outcome = Outcome::Error(problem);
        }
        let why = match &ended.outcome {
            Outcome::Error(diagnostic) => diagnostic.message(),
            _ => "the program stopped before",
        };
        let value = match &ended.outcome {
            Outcome::Value(value) => Some(value),
            _ => None,
        };
        end.set_outcomes(branches, value, why);
        if let Some(flows) = &flows {
            self.note_program(&end.program, flows);
        }
        Ok(self.conclude(ended, &made, end, exits_loop, journal))
    }

    /// Finds, checks and starts the program of a reply.
    ///
    /// It is a separate function, so that its locals are freed before the program waits. Thousands of runs may wait at
    /// once.
    ///
    /// # Errors
    ///
    /// The reason that the run cannot continue.
    async fn start(
        &mut self,
        reply: &Reply,
        turn: u32,
        journal: &mut Journal<'_>,
        context: &RunContext<'_>,
    ) -> Result<Started, Error> {
        let mut end = TurnEnd::new(turn, reply);
        self.labels.of_program = ProgramLabels::default();
        self.payload_before =
            self.payload.as_ref().map(|payload| payload.committed().value().clone());
        let parts = ReplyParts {
            text: &reply.text,
            calls: &reply.calls,
            is_cut_off: reply.finish == Finish::Length,
        };
        let outside = context.outside.program(turn);
        let remaining = outside.budget().unwrap_or_else(|| self.remaining_budget(turn, context));
        let ctx = self.prompt_ctx();
        let style = if outside.is_replaced() { &ProgramStyle } else { self.style };
        let reading = match &self.agent.workflow {
            Some(_) => Reading::Program { source: reply.text.clone(), notes: Vec::new() },
            None => style.read(&parts, &self.spec(&ctx)),
        };
        let is_malformed = matches!(reading, Reading::Problem(_));
        self.malformed = if is_malformed { self.malformed.saturating_add(1) } else { 0 };
        let (program, notes, mends) = match reading {
            // A reply that was cut off lacks more than delimiters.
            Reading::Program { source, notes } => {
                (source, notes, self.agent.repair && !parts.is_cut_off)
            }
            Reading::Plan(mut plan) => {
                let setup = self.change_payload(&mut plan);
                let notes = plan.notes.clone();
                let checked = match outside.refused_calls() {
                    Some((refused, program)) => {
                        CheckedPlan::recorded(plan, setup, refused, program, &self.session)
                    }
                    None => {
                        let calls = self.calls_left(&remaining);
                        CheckedPlan::new(plan, setup, calls, &self.session, &self.agent.policy)
                    }
                };
                let (source, is_refused) = (checked.source.clone(), checked.is_refused());
                end.plan = Some(checked);
                if is_refused {
                    end.set_outcomes(BTreeMap::new(), None, "");
                    let refused = end.refused();
                    let errors = refused
                        .iter()
                        .map(|it| RunError::new(RunCode::Rejected, it.message.as_str()));
                    let errors: Vec<RunError> = errors.collect();
                    let message = errors.first().map(|it| it.message.clone()).unwrap_or_default();
                    let program = None;
                    journal.tell(|_| Event::Rejected { turn, program, errors, notes, refused });
                    end.outcome = TurnOutcome::Rejected;
                    let problem = Problem::Form { message: &message, fix: "" };
                    return Ok(Started::Decided(self.give_feedback(&problem, end, journal)));
                }
                (source, notes, false)
            }
            Reading::Problem(problem) => {
                let problem = problem.as_problem();
                end.outcome = match problem {
                    Problem::NoAnswer => TurnOutcome::NoAnswer,
                    _ if !self.rules.writes_programs => TurnOutcome::NoAnswer,
                    _ => TurnOutcome::NoProgram,
                };
                let error = RunError::new(&problem, problem.message());
                let (errors, notes, refused) = (vec![error], Vec::new(), Vec::new());
                journal.tell(|_| Event::Rejected { turn, program: None, errors, notes, refused });
                if self.rules.max_malformed.is_some_and(|most| self.malformed >= most) {
                    let (count, message) = (self.malformed, problem.message());
                    let message = format!("{count} malformed replies in a row: {message}");
                    let error = RunError::new(&problem, message);
                    let decision = Decision::Stop(Stop::Malformed, error.clone());
                    return Ok(Started::Decided(end.close(decision, Some(error), journal)));
                }
                return Ok(Started::Decided(self.give_feedback(&problem, end, journal)));
            }
        };
        end.program.clone_from(&program);
        let is_strict = context.outside.semantics() >= STRICT_FIELDS;
        if !is_strict {
            self.session.tolerate_fields();
        }
        self.label_constants();
        let admitted = if mends {
            self.session.admit_repaired(&program)
        } else {
            self.session.admit(&program).map(|admitted| (admitted, None))
        };
        let (admitted, repair) = match admitted {
            Ok(admitted) => admitted,
            Err(rejection) => {
                self.note_refusal(&program, &rejection);
                let errors = rejection.diagnostics.iter().map(RunError::from).collect();
                let about = (rejection.diagnostics.as_slice(), errors);
                let refused = self.refuse(about, program, notes, end, journal);
                return Ok(Started::Decided(refused));
            }
        };
        let runs = repair.as_ref().map_or(program.as_str(), |it| it.source.as_str());
        match self.allow(runs, &admitted, turn, journal, context).await? {
            Ok(refusals) if refusals.is_empty() => {}
            Ok(refusals) => {
                let errors = self.errors_of(&refusals, &admitted, runs);
                let refused =
                    self.refuse((refusals.as_slice(), errors), program, notes, end, journal);
                return Ok(Started::Decided(refused));
            }
            Err(halt) => return Ok(Started::Decided(end.close_halted(&halt, journal))),
        }
        end.repair = repair.as_ref().map(|it| it.message().to_string());
        end.repaired = repair.as_ref().map(|it| it.source.clone());
        let warnings: Vec<RunError> = admitted.warnings().iter().map(RunError::from).collect();
        if is_strict {
            self.note_warnings(&admitted, &warnings, &mut end);
        }
        let refused = end.refused();
        journal.tell(|_| Event::Admitted {
            turn,
            program,
            repair,
            report: admitted.report().to_json(),
            budget: json::to_serde(&remaining).unwrap_or_default(),
            warnings,
            notes,
            refused,
        });
        self.session.set_budget(remaining);
        if let Some(payload) = &mut self.payload {
            payload.begin();
        }
        let flows = admitted.flows().cloned();
        Ok(Started::Program(Box::new(self.session.start(&admitted)), end, flows))
    }

    /// Records that a program is refused, and gives feedback.
    fn refuse(
        &mut self,
        (diagnostics, errors): (&[Diagnostic], Vec<RunError>),
        program: String,
        notes: Vec<String>,
        mut end: TurnEnd,
        journal: &mut Journal<'_>,
    ) -> Decision {
        // The calls that the plan itself refused are on record; the others share the reasons of the program.
        let (turn, program, refused) = (end.turn, Some(program), end.refused());
        if let Some(plan) = &mut end.plan {
            plan.refuse_all(diagnostics);
        }
        end.set_outcomes(BTreeMap::new(), None, "");
        journal.tell(|_| Event::Rejected { turn, program, errors, notes, refused });
        end.outcome = TurnOutcome::Rejected;
        self.give_feedback(&Problem::Rejected { diagnostics }, end, journal)
    }

    /// Returns the number of calls that the next program may make.
    fn calls_left(&self, remaining: &Value) -> u64 {
        let own = u64::from(self.agent.limits.tool_calls);
        match remaining.get("run-tool-calls") {
            Some(Value::Int(left)) => own.min(u64::try_from(*left).unwrap_or_default()),
            _ => own,
        }
    }

    /// Returns the remaining budget of the run at the start of a turn's program.
    fn remaining_budget(&self, turn: u32, context: &RunContext<'_>) -> Value {
        context.ledger.shown(u64::from(self.agent.max_turns.saturating_sub(turn)))
    }

    /// Commits an ended program to the session and returns its decision.
    fn conclude(
        &mut self,
        mut ended: Ended,
        calls: &CallsMade,
        mut end: TurnEnd,
        exits_loop: bool,
        journal: &mut Journal<'_>,
    ) -> Decision {
        let merged = self.payload.as_ref().and_then(|payload| payload.merged(&mut ended));
        let kept = self.session.commit(&ended);
        self.note_unseen(&mut ended, &mut end);
        journal.note_flow(&ended.flow, end.plan.is_some());
        let kept = match &ended.outcome {
            Outcome::Error(diagnostic) => Err(diagnostic.clone()),
            _ => kept,
        };
        if let Some(payload) = &mut self.payload {
            if let Some(merged) = merged.filter(|_| kept.is_ok()) {
                payload.commit(end.turn, merged, journal);
            }
            self.session.set_payload_value(payload.committed().value().clone());
        }
        if let Err(diagnostic) = kept {
            let stop = stop_for(diagnostic.code_value());
            end.outcome = match stop {
                Stop::Turns | Stop::Internal => TurnOutcome::Error,
                _ => TurnOutcome::Limit,
            };
            let problem = Problem::Failed { diagnostic: &diagnostic, calls };
            return self.give_feedback(&problem, end, journal);
        }
        if self.agent.workflow.is_some() {
            // A model writes its program anew, and a person looks for the form.
            end.place = Some(ended.locate(Diagnostic::new(Code::WrongReturn, String::new())));
        }
        if exits_loop {
            end.outcome = TurnOutcome::Exited;
            return end.close(Decision::ExitLoop, None, journal);
        }
        match ended.outcome {
            Outcome::Continue(state) => {
                end.value = journal.is_heard().then(|| text_of(&state));
                self.session.set_ctx_key_to_last(STATE);
                if self.agent.workflow.is_none() {
                    return self.observe(&state, &ended.prints, calls, end, journal);
                }
                end.outcome = TurnOutcome::Continued;
                end.close(Decision::Continue, None, journal)
            }
            Outcome::Fail(failure) => {
                let details = failure_details(&failure.details);
                let details = Data::of_program(&details)
                    .unwrap_or_else(|_| Data::made(Value::str(text_of(&details))));
                let (reason, message) = (failure.reason, failure.message);
                end.outcome = TurnOutcome::Failed;
                end.value = journal.is_heard().then(|| text_of(&failure.details));
                end.close(Decision::Fail(Fail { reason, message, details }), None, journal)
            }
            Outcome::Value(value) if !self.is_single_turn() => {
                self.observe(&value, &ended.prints, calls, end, journal)
            }
            Outcome::Value(value) | Outcome::Return(value) => {
                self.answer(&value, calls, end, journal)
            }
            // Unreachable: the code above handles errors.
            Outcome::Error(diagnostic) => {
                let problem = Problem::Failed { diagnostic: &diagnostic, calls };
                self.give_feedback(&problem, end, journal)
            }
        }
    }

    /// Returns the payload of the run; `None` if the agent has none.
    pub(super) fn payload(&self) -> Option<&RunPayload<'a>> {
        self.payload.as_ref()
    }

    /// Checks a returned value against the signature, and decides to return it or to give feedback.
    fn answer(
        &mut self,
        value: &Value,
        calls: &CallsMade,
        mut end: TurnEnd,
        journal: &mut Journal<'_>,
    ) -> Decision {
        end.value = journal.is_heard().then(|| text_of(value));
        let mut json = match json::plain(value) {
            Ok(json) => json,
            Err(error) => {
                let message = format!("the returned value has no JSON form: {error}");
                let diagnostic = Diagnostic::new(Code::NotJson, message);
                let problem = Problem::Failed { diagnostic: &diagnostic, calls };
                end.outcome = TurnOutcome::WrongReturn;
                return self.give_feedback(&problem, end, journal);
            }
        };
        let mut tolerated = Vec::new();
        if let Some(signature) = &self.agent.signature {
            let mode = self.agent.signature_mode;
            // A model that writes no programs reads about its mistakes in the words of JSON.
            let enforced = if self.rules.writes_programs {
                signature.output.enforce_data(value, json, mode)
            } else {
                signature.output.enforce(json, mode)
            };
            let Enforced { value: made, warnings: found, mismatches } = enforced;
            if !mismatches.is_empty() {
                let mismatches = covered::covered(&self.session, mismatches);
                let expected = &signature.output;
                let program = end.program.clone();
                let problem = Problem::WrongReturn {
                    expected,
                    mismatches: &mismatches,
                    received: value,
                    program: &program,
                    calls,
                };
                end.outcome = TurnOutcome::WrongReturn;
                return self.give_feedback(&problem, end, journal);
            }
            (json, tolerated) = (made, found);
        }
        if self.holds_back(&end) {
            self.tell_unseen(value, &end);
            let unseen = std::mem::take(&mut end.unseen);
            let problem = Problem::HeldReturn { unseen: &unseen, value, calls };
            end.outcome = TurnOutcome::Held;
            return self.give_feedback(&problem, end, journal);
        }
        let tolerated = covered::warned(&self.session, warnings("answer", &tolerated));
        journal.warn(end.turn, None, tolerated);
        let payload = self.payload.as_mut();
        let Some(check) = payload.and_then(|it| it.check_end(end.turn, journal)) else {
            journal.warn(end.turn, None, self.warnings_of_answer(&json, &mut end));
            end.outcome = TurnOutcome::Returned;
            return end.close(Decision::Return(Data::made(json)), None, journal);
        };
        end.outcome = TurnOutcome::WrongPayload;
        let text = check.to_string();
        if check.verdict == Verdict::Retry {
            let problem = Problem::WrongPayload { text: &text, calls };
            return self.give_feedback(&problem, end, journal);
        }
        let error = RunError::new(RunCode::WrongPayload, text);
        end.close(Decision::Stop(Stop::Payload, error.clone()), Some(error), journal)
    }

    /// Sends a plain value to the model as an observation.
    fn observe(
        &mut self,
        value: &Value,
        prints: &[String],
        calls: &CallsMade,
        mut end: TurnEnd,
        journal: &mut Journal<'_>,
    ) -> Decision {
        self.failed = None;
        if self.fail_is_set {
            self.session.remove_ctx_key("fail");
            self.fail_is_set = false;
        }
        let next = self.info_after(end.turn, false);
        let last = match &end.plan {
            Some(_) => CheckedPlan::last_result(&end.outcomes),
            None => Some(value),
        };
        let falls_back = self.agent.on_limit == OnLimit::LastValue;
        let tells = self.tells_of_answers();
        let answer = last.filter(|_| falls_back || tells).and_then(|value| self.as_answer(value));
        let is_answer = tells && answer.is_some();
        let fallback_value = answer.filter(|_| falls_back);
        self.tell_unseen(value, &end);
        let tells_more = calls.has_warnings() || !end.unseen.is_empty() || end.plan.is_some();
        self.note_observation(tells_more);
        let calls = calls.with_warnings(end.unseen.iter().map(Diagnostic::to_string));
        let (calls, prints) = (&*self.shown_calls(&calls), &*self.shown_prints(prints));
        let shown = &*self.shown_value(value);
        let told = OutcomeEnd::Value { value: shown, prints, calls, is_answer };
        let payload = self.shown_payload();
        let outcome = end.outcome(told, payload.as_ref(), &self.agent.prompt_limits);
        let told = self.tell(&outcome, next);
        let mut told = covered::without_hidden_arguments(&self.session, told);
        let images = self.tool_use.shown_images(&mut told);
        let Told { text: message, results } = told;
        let writes = self.rules.writes_programs;
        let what = if writes { "program did not return" } else { "reply has no answer" };
        let error = RunError::new(
            RunCode::TurnLimit,
            format!("no turn is left after {}, and the last {what}", end.turn),
        );
        end.value = journal.is_heard().then(|| text_of(value));
        let (stop, value) = (Stop::Turns, fallback_value);
        let is_wrong_return = false;
        let (tools, expanded) = (std::mem::take(&mut end.tools), std::mem::take(&mut end.expanded));
        let tell =
            Tell { message, results, images, stop, error, is_wrong_return, value, tools, expanded };
        end.close(Decision::Tell(tell), None, journal)
    }

    /// Sends a problem to the model as feedback, and sets `ctx/fail` to it.
    fn give_feedback(
        &mut self,
        problem: &Problem<'_>,
        mut end: TurnEnd,
        journal: &mut Journal<'_>,
    ) -> Decision {
        self.session.set_ctx_key("fail", problem.to_value());
        let met = self.session.reading().met.clone();
        self.session.set_ctx_label("fail", met);
        self.note_problem();
        self.fail_is_set = true;
        let mut error = match problem {
            Problem::Failed { diagnostic, .. } => {
                RunError { budget: end.budget, ..RunError::from(*diagnostic) }
            }
            Problem::Rejected { diagnostics: [first, ..] }
            | Problem::HeldReturn { unseen: [first, ..], .. } => RunError::from(first),
            _ => RunError::new(problem, problem.message()),
        };
        if let (TurnOutcome::WrongReturn, Some(place)) = (end.outcome, &end.place) {
            error.locate(place);
        }
        let ran = end.repaired.as_ref().unwrap_or(&end.program);
        error.is_earlier = error.program.as_ref().is_some_and(|it| **it != **ran);
        let stop = match error.code {
            ErrorCode::Language(code) => stop_for(code),
            _ => Stop::Turns,
        };
        if self.agent.workflow.is_some() {
            // Nobody can write another program.
            self.feedback = Some(ptc_prompt::feedback_of_one(problem));
            let stop = if stop == Stop::Turns { Stop::Program } else { stop };
            return end.close(Decision::Stop(stop, error.clone()), Some(error), journal);
        }
        let times = match &mut self.failed {
            Some(last) if last.program == end.program && last.error == error => {
                last.times += 1;
                last.times
            }
            last => {
                let (program, error) = (end.program.clone(), error.clone());
                *last = Some(Attempt { program, error, times: 0 });
                0
            }
        };
        // Admission rejects a program whose returned value certainly does not match. That is the same mistake.
        let is_wrong_return = match problem {
            _ if self.rules.retries_every_problem => true,
            Problem::Rejected { diagnostics } => {
                diagnostics.iter().all(|it| it.code_value() == Code::WrongReturn)
            }
            _ => matches!(end.outcome, TurnOutcome::WrongReturn | TurnOutcome::WrongPayload),
        };
        let info = self.info_after(end.turn, is_wrong_return);
        let shown = self.shown_problem(problem);
        let problem = &shown.as_ref().map_or(*problem, |shown| shown.of(problem));
        let told = OutcomeEnd::Problem { problem, times };
        let payload = self.shown_payload();
        let outcome = end.outcome(told, payload.as_ref(), &self.agent.prompt_limits);
        let mut told = covered::without_hidden(&self.session, self.tell(&outcome, info));
        let images = self.tool_use.shown_images(&mut told);
        let Told { text: message, results } = told;
        let recorded = error.clone();
        let (tools, expanded) = (std::mem::take(&mut end.tools), std::mem::take(&mut end.expanded));
        let value = None;
        let tell =
            Tell { message, results, images, stop, error, is_wrong_return, value, tools, expanded };
        end.close(Decision::Tell(tell), Some(recorded), journal)
    }
}

fn takes_content(tools: &[ToolOf<'_>]) -> bool {
    tools.iter().any(|it| it.takes_content())
}
