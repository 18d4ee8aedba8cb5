//! Resuming a run that waits, whose process died, that was cancelled, or whose model did not reply.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::replay_run::root_run;
use crate::agent::{Agent, AgentTool, RunSettings, UsedRecordings};
use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::form::{Form, FormProblem};
use crate::record::{
    Act, Action, Event, OpenQuestion, QueuedDecisions, RunId, RunQueued, RunRecord, RunTree,
    Status, TurnOutcome,
};
use crate::run::{AgentCall, Decisions, Mission, RecordedRun, Source, can_continue};
use crate::semantics::{SEMANTICS, keep_limits_on_record};
use crate::store::{Claim, Store};
use crate::tool::{Effect, NoServers, ToolDef};

/// A run to resume.
///
/// A resumed run never repeats a recorded step. If the outcome of a call is unknown, the call is repeated only if its
/// tool reads or is [idempotent](crate::tool::ToolDef::idempotent). It then gets the same
/// [key](crate::tool::CallContext::idempotency_key). Otherwise the run stops as
/// [`Stop::InDoubt`](crate::Stop::InDoubt), and [`Resume::assume_done`] or [`Resume::retry`] decides. A reply that had
/// not arrived is requested again.
#[derive(Debug)]
pub struct Resume<'s> {
    store: &'s Store,
    past: RecordedRun,
    questions: Vec<OpenQuestion>,
    decisions: Decisions,
    takes_over: bool,
    accepts_change: bool,
    settings: RunSettings,
    /// The variables of keys, by kind or alias of model.
    keys: BTreeMap<String, String>,
    /// The reason that tools which the settings add cannot be called.
    missing_tools: Option<Error>,
    by: Option<String>,
    /// The call of another process that is answered below the run.
    call: Option<AgentCall>,
}

impl<'s> Resume<'s> {
    /// Loads a run from a store. A unique prefix of its id is enough. Blocks the calling thread.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownRun`] if no run, or more than one, has the id. [`ErrorKind::Store`] and
    /// [`ErrorKind::DamagedRun`] if the store cannot be read. [`ErrorKind::Replay`] if the run has ended for good: it
    /// returned, failed, or stopped for a reason that would stop it again.
    pub fn of(store: &'s Store, run: &str) -> Result<Resume<'s>, Error> {
        // The run of a sub-agent resumes only with its caller.
        let rest = store.rest(run)?.filter(|it| it.record.summary.parent.is_none());
        let asked = rest.as_ref().map(RunTree::open_questions);
        let behind = rest.and_then(RecordedRun::behind_snapshot).zip(asked);
        let (past, questions) = match behind {
            Some(behind) => behind,
            None => {
                let whole = root_run(store, run)?;
                let questions = whole.open_questions();
                (without_snapshot(whole.into()), questions)
            }
        };
        let summary = &past.record.summary;
        if !past.is_resumable() {
            let status = summary.status;
            let how = summary.stop.map_or(status.to_string(), |stop| format!("{status}: {stop}"));
            let message = format!("run {} has ended ({how}): it cannot be resumed", summary.run);
            return Err(Error::new(ErrorKind::Replay, message)
                .with_help("`ptc replay RUN --from TURN --model SPEC` continues it as a new run"));
        }
        Resume::of_past(store, past, questions)
    }

    /// Loads the run of a sub-agent that another process [called](crate::Elsewhere), to start it or to go on with it. The
    /// store has the beginnings of the runs above it, and what it has done so far. `is_begun` is whether it has done
    /// something since its caller asked for it: a call that was to be made again may then have been. Blocks the calling
    /// thread.
    ///
    /// # Errors
    ///
    /// Those of [`Resume::of`].
    pub fn of_call(store: &'s Store, call: AgentCall, is_begun: bool) -> Result<Resume<'s>, Error> {
        let first = call.callers().next();
        let first = first.ok_or_else(|| Error::new(ErrorKind::Replay, "the call has no caller"))?;
        let whole = root_run(store, first.run.as_str())?;
        let questions = whole.at(call.callers()).map(RunTree::open_questions).unwrap_or_default();
        let mut resume = Resume::of_past(store, without_snapshot(whole.into()), questions)?;
        if is_begun {
            resume.decisions.retry.clear();
        }
        Ok(Resume { call: Some(call), ..resume })
    }

    fn of_past(
        store: &'s Store,
        past: RecordedRun,
        questions: Vec<OpenQuestion>,
    ) -> Result<Resume<'s>, Error> {
        let decisions = decisions_on_record(&past.record, &questions);
        let recorded = RunSettings::of_record(&past.record)?;
        let (settings, missing_tools) = match recorded.with_tools_of_files(&NoServers) {
            Ok(settings) => (settings, None),
            Err(error) => (recorded, Some(error)),
        };
        Ok(Resume {
            store,
            past,
            settings,
            missing_tools,
            questions,
            accepts_change: decisions.accepts_change,
            decisions: Decisions {
                retry: decisions.retry,
                done: decisions.done,
                answers: decisions.answers,
            },
            keys: BTreeMap::new(),
            takes_over: false,
            by: None,
            call: None,
        })
    }

    /// Returns the record of the run. If the run resumes from its newest [snapshot](crate::Agent::snapshots), the
    /// programs and calls of the turns up to it are left out.
    pub fn record(&self) -> &RunRecord {
        &self.past.record
    }

    /// Returns the recorded replies of the run, and of the sub-agents that its own provider answers.
    pub fn replies(&self, agent: &Agent) -> Vec<&str> {
        let mut all = Vec::new();
        replies(&self.settings.agent_of(agent).0, &self.past, &mut all);
        all
    }

    /// Gives the settings that the run began with, which the record has without the implementations of the tools that
    /// they add. Tools of a file are read again, so only tools in code and agents with servers need this.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Replay`] if these are not the settings on record.
    pub fn with_settings(mut self, settings: RunSettings) -> Result<Resume<'s>, Error> {
        let record = &self.past.record;
        if settings.on_record() != record.setup.settings {
            let run = &record.summary.run;
            let message = format!("the settings are not those that run {run} started with");
            return Err(Error::new(ErrorKind::Replay, message)
                .with_help("leave them out: the run has them on record"));
        }
        (self.settings, self.missing_tools) = (settings, None);
        Ok(self)
    }

    /// Names the variables that hold keys from now on, by kind or alias of model, for the run and its sub-agents. They are
    /// used before those of the settings on record, which stay as they are.
    #[must_use]
    pub fn with_keys(mut self, keys: BTreeMap<String, String>) -> Resume<'s> {
        self.keys = keys;
        self
    }

    /// Returns the calls with an unknown outcome, of the run and its sub-agents. Each has its key and the name of its
    /// tool.
    pub fn open_calls(&self) -> Vec<(String, String)> {
        let mut all = Vec::new();
        open_calls(&self.past, &mut all);
        all
    }

    /// Names the person who has the run resume, and who answers. The record has the name.
    #[must_use]
    pub fn by(mut self, person: Option<String>) -> Resume<'s> {
        self.by = person;
        self
    }

    /// Returns the open questions of the run and its sub-agents.
    pub fn questions(&self) -> Vec<OpenQuestion> {
        self.questions.clone()
    }

    /// Answers a question. `question` is its id; the turn and the place in the program, joined by a dot, are enough for a
    /// question of the run itself. Without an id, the run must have one open question.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Replay`] if no such question is open. [`ErrorKind::Input`] if the answer does not fit its form; the
    /// message has the ids of the question and of the fields. The run then goes on waiting.
    pub fn answer(
        mut self,
        question: Option<&str>,
        answer: impl Into<Data>,
    ) -> Result<Resume<'s>, Error> {
        let open = self.question(question)?;
        let wrong = |problems: Vec<FormProblem>| {
            let all: Vec<String> = problems.iter().map(ToString::to_string).collect();
            let message = format!("question {}: {}", open.id, all.join("; "));
            Error::new(ErrorKind::Input, message).with_help("the run goes on waiting")
        };
        let form = Form::read(&open.form).map_err(wrong)?;
        let answer = form.check(answer).map_err(wrong)?;
        self.decisions.answers.insert(open.id, answer);
        Ok(self)
    }

    /// Declares that a call took effect, with this result. `call` is its key. For a call of the run itself, its turn
    /// and its id in the program, joined by a dot, are enough.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Replay`] if the run has no such open call.
    pub fn assume_done(mut self, call: &str, result: impl Into<Data>) -> Result<Resume<'s>, Error> {
        let key = self.open_call_key(call)?;
        self.decisions.done.insert(key, result.into());
        Ok(self)
    }

    /// Declares that a call is to be made again.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Replay`] if the run has no such open call.
    pub fn retry(mut self, call: &str) -> Result<Resume<'s>, Error> {
        let key = self.open_call_key(call)?;
        self.decisions.retry.insert(key);
        Ok(self)
    }

    /// Resumes the run although its process seems to be alive. If that process really is alive and continues, both
    /// perform the remaining steps.
    #[must_use]
    pub fn take_over(mut self) -> Resume<'s> {
        self.takes_over = true;
        self
    }

    /// Lets a workflow continue although its program changed. Its turn that has not ended is abandoned, and the next turn
    /// runs the new program from the newest [snapshot](crate::Agent::snapshots): with its state, memory and payload.
    /// Without a change, the run resumes as usual.
    #[must_use]
    pub fn accept_change(mut self) -> Resume<'s> {
        self.accepts_change = true;
        self
    }

    /// Records the run as [queued](crate::Status::Queued) with the decisions so far, which then need not be made again. No
    /// other process may own it. Blocks the calling thread while it reads the store.
    ///
    /// # Errors
    ///
    /// Those of [`Resume::mission`].
    pub async fn enqueue(mut self, agent: &Agent, queued: RunQueued) -> Result<RunId, Error> {
        self.check(agent)?;
        let (run, store) = (self.past.record.summary.run.clone(), self.store);
        // Its drop gives back no run that has the event below.
        let claimed = store.claim(self.claim())?;
        self.by = self.by.or_else(|| queued.by.clone());
        self.record_acts();
        let Decisions { retry, done, answers } = self.decisions;
        let accepts_change = self.accepts_change;
        let decisions = QueuedDecisions { answers, done, retry, accepts_change };
        let decisions = Some(decisions).filter(|it| *it != QueuedDecisions::default());
        store.record(&run, Event::RunQueued(Box::new(RunQueued { decisions, ..queued })));
        store.flush().await?;
        drop(claimed);
        Ok(run)
    }

    fn claim(&self) -> Claim {
        let record = &self.past.record;
        Claim {
            run: record.summary.run.clone(),
            process: record.process.clone(),
            ended_at: record.summary.ended_at,
            takes_over: self.takes_over,
        }
    }

    /// Creates the mission that resumes the run. `agent` must be the recorded one; its tools are called. Blocks the
    /// calling thread.
    ///
    /// The mission aborts with [`ErrorKind::Replay`] before anything new happens if the replay diverges from the
    /// record. If it ends before the run has a new event, the process gives the run back, and it can be resumed again.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Replay`] if the agent has changed since, or if another process owns the run. Also if the change of a
    /// program is accepted, and the run has no snapshot, or has made calls that write since then.
    pub fn mission<'a>(mut self, agent: &'a Agent) -> Result<Mission<'a>, Error>
    where
        's: 'a,
    {
        let changed = self.check(agent)?;
        let (effective, _) = self.settings.agent_of(agent);
        let claimed = self.store.claim(self.claim())?;
        // Of two persons who answer at once, one has the claim, so the record names that one.
        self.record_acts();
        let mut past = self.past;
        if past.begins_behind_snapshot() && !can_continue(&effective, &past) {
            past = without_snapshot(self.store.past(past.record.summary.run.as_str())?.into());
        }
        if has_recordings(&effective) {
            let mut used = UsedRecordings::default();
            let whole = past.begins_behind_snapshot().then(|| {
                // The runs before the snapshot have used replies too.
                self.store.past(past.record.summary.run.as_str())
            });
            let whole = whole.transpose()?.map(RecordedRun::from);
            used_recordings(&effective, whole.as_ref().unwrap_or(&past), &mut used);
            used.open_behind()?;
        }
        match &self.call {
            Some(call) => past.reopen_at(&call.callers().collect::<Vec<_>>()),
            None => past.reopen(),
        }
        if let Some((after, program)) = changed {
            past.change_program(after, program);
        }
        let source = |run| Source::Resumed(run, self.decisions);
        let mission = Mission::of_recorded(agent, self.settings, Arc::new(past), source);
        let mission = mission.answering(self.call);
        Ok(mission.with_keys(self.keys).holding(claimed).record_in(self.store))
    }

    /// Checks that the run can go on with an agent. Returns the new program of a workflow whose program changed, and the
    /// turn of the snapshot that it continues from.
    fn check(&mut self, agent: &Agent) -> Result<Option<(u32, String)>, Error> {
        let id = &self.past.record.summary.run;
        if let Some(recorded) = &self.past.record.setup.definition {
            let mut now = agent.definition();
            keep_limits_on_record(recorded, &mut now);
            // Versions differ in the defaults of limits and of the reference.
            let is_older = self.past.record.setup.semantics != SEMANTICS;
            let is_default = |key: &str| matches!(key, "limits" | "prompt_limits");
            if is_older {
                keep_trust_on_record(recorded, &mut now);
            }
            // The change of a program is looked at below.
            let was_workflow = recorded.get("program").is_some();
            let is_program = |key: &str| {
                matches!(key, "program" | "flow") && was_workflow && agent.workflow.is_some()
            };
            let mut keys = differences(recorded, &now).into_iter();
            if let Some(key) = keys.find(|key| !(is_older && is_default(key) || is_program(key))) {
                let message = format!(
                    "the agent is not the one that run {id} started with: its `{key}` differs"
                );
                return Err(Error::new(ErrorKind::Replay, message).with_help(
                    "restore the agent, or continue as a new run: `ptc replay RUN --from TURN --model SPEC`",
                ));
            }
        }
        if let Some(error) = self.missing_tools.take() {
            return Err(error);
        }
        let (effective, _) = self.settings.agent_of(agent);
        self.changed_program(&effective)
    }

    /// Records who answers, or who has the run resume.
    fn record_acts(&self) {
        let Some(by) = &self.by else { return };
        let run = &self.past.record.summary.run;
        let record = |act| self.store.record(run, Event::Acted(Box::new(act)));
        for question in self.decisions.answers.keys() {
            record(Act { question: Some(question.clone()), ..Act::new(by, Action::Answered) });
        }
        if self.decisions.answers.is_empty() {
            record(Act::new(by, Action::Resumed));
        }
    }

    /// Returns the open question with an id, or the only one.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Replay`] if no such question is open, or without an id, if several are.
    pub fn question(&self, question: Option<&str>) -> Result<OpenQuestion, Error> {
        let run = &self.past.record.summary.run;
        let mut open = self.questions();
        open.retain(|it| !self.decisions.answers.contains_key(&it.id));
        let ids: Vec<&str> = open.iter().map(|it| it.id.as_str()).collect();
        let help = match ids.as_slice() {
            [] => "the run has no open question".to_string(),
            ids => format!("the open questions are {}", ids.join(", ")),
        };
        let refuse = |message: String| Err(Error::new(ErrorKind::Replay, message).with_help(help));
        match (question, open.as_slice()) {
            (None, [only]) => Ok(only.clone()),
            (None, []) => refuse(format!("run {run} asks nothing")),
            (None, _) => refuse(format!("run {run} asks several questions: name one")),
            (Some(id), _) => {
                let own = format!("{run}.{id}");
                match open.iter().find(|it| it.id == id || it.id == own) {
                    Some(found) => Ok(found.clone()),
                    None if has_answer(&self.past, id) || has_answer(&self.past, &own) => {
                        refuse(format!("question {id} has its answer"))
                    }
                    None => refuse(format!("no question `{id}` is open")),
                }
            }
        }
    }

    /// Returns the new program of a workflow whose program changed, and the turn of the snapshot that it continues from.
    fn changed_program(&self, agent: &Agent) -> Result<Option<(u32, String)>, Error> {
        /// The maximum number of calls that a refusal names.
        const SHOWN: usize = 5;
        let (Some(workflow), record) = (&agent.workflow, &self.past.record) else {
            return Ok(None);
        };
        let known = self.past.program_on_record(u32::MAX);
        let Some(known) = known.filter(|known| *known != workflow.program) else { return Ok(None) };
        let run = &record.summary.run;
        let refused = |message: String, help: &str| {
            Err(Error::new(ErrorKind::Replay, message).with_help(help))
        };
        let line = first_different_line(known, &workflow.program);
        let message = format!("the program of run {run} has changed, from line {line} on");
        let Some(after) = self.past.snapshot_turn() else {
            let help = "restore the program, or start a new run: this run has no snapshot yet, from which another \
                        program could continue";
            return refused(message, help);
        };
        if !self.accepts_change {
            let help = format!(
                "`ptc resume {run} --accept-change` continues behind turn {after} with the new program; or restore \
                 the old one"
            );
            return refused(message, &help);
        }
        let mut written = Vec::new();
        for turn in record.turn_records.iter().filter(|it| it.turn > after) {
            match turn.outcome {
                None => {}
                Some(TurnOutcome::Abandoned) => continue,
                Some(outcome) if outcome.passes() => {}
                Some(_) => {
                    let what =
                        format!("{message}, and turn {} has ended without a snapshot", turn.turn);
                    return refused(what, "restore the old program");
                }
            }
            calls_that_write(&self.past, turn.turn, agent, &mut written);
        }
        if written.is_empty() {
            return Ok(Some((after, workflow.program.clone())));
        }
        let more = written.len().saturating_sub(SHOWN);
        written.truncate(SHOWN);
        if more > 0 {
            written.push(format!("{more} more"));
        }
        let what = format!(
            "{message}, and the open turn has made calls that write, which the new program could repeat: {}",
            written.join(", ")
        );
        refused(what, "restore the old program, and resume the run until its next turn begins")
    }

    /// Returns the full key of an open call.
    fn open_call_key(&self, call: &str) -> Result<String, Error> {
        let own = format!("{}.{call}", self.past.record.summary.run);
        let open = self.open_calls();
        let found = open.iter().find(|(key, _)| key == call || *key == own);
        found.map(|(key, _)| key.clone()).ok_or_else(|| {
            let keys: Vec<&str> = open.iter().map(|(key, _)| key.as_str()).collect();
            let help = match keys.as_slice() {
                [] => "the run has no open call".to_string(),
                keys => format!("the open calls are {}", keys.join(", ")),
            };
            Error::new(ErrorKind::Replay, format!("no call `{call}` is open")).with_help(help)
        })
    }
}

/// Returns the decisions that are on record and not in effect yet. A call is made again only by the run that was asked to:
/// if its process died, the call is in doubt anew.
fn decisions_on_record(record: &RunRecord, questions: &[OpenQuestion]) -> QueuedDecisions {
    let decisions = record.queued.as_ref().and_then(|it| it.decisions.clone());
    let mut decisions = decisions.unwrap_or_default();
    if record.summary.status != Status::Queued {
        decisions.retry.clear();
    }
    decisions.answers.retain(|id, _| questions.iter().any(|it| it.id == *id));
    decisions
}

/// Removes the snapshot, so that the run replays its whole record and writes its snapshots again.
fn without_snapshot(mut past: RecordedRun) -> RecordedRun {
    past.record.snapshot = None;
    past
}

fn replies<'p>(agent: &Agent, past: &'p RecordedRun, all: &mut Vec<&'p str>) {
    all.extend(past.record.turn_records.iter().filter_map(|turn| turn.reply.as_deref()));
    for child in &past.children {
        // A sub-agent with a model of its own is answered by another provider.
        if let Some(tool) = agent_of(agent, past, child).filter(|it| !it.has_provider()) {
            replies(tool.agent(agent), child, all);
        }
    }
}

/// Returns the tool of an agent whose call a recorded run answers.
fn agent_of<'a>(
    agent: &'a Agent,
    past: &RecordedRun,
    child: &RecordedRun,
) -> Option<&'a AgentTool> {
    let parent = child.record.summary.parent.as_ref()?;
    let call = past.call(parent.turn, &parent.call)?;
    agent.tools.iter().find(|it| it.name == call.tool)?.as_agent()
}

/// Finds the replies that sub-agents have received from recordings of their own.
fn used_recordings<'a>(agent: &'a Agent, past: &'a RecordedRun, all: &mut UsedRecordings<'a>) {
    for child in &past.children {
        let Some(tool) = agent_of(agent, past, child) else { continue };
        if tool.recording().is_some() {
            let mut used = Vec::new();
            replies(tool.agent(agent), child, &mut used);
            all.add(tool, used);
        }
        used_recordings(tool.agent(agent), child, all);
    }
}

/// Returns whether a sub-agent has a recording of its own.
fn has_recordings(agent: &Agent) -> bool {
    let mut below = agent.tools.iter().filter_map(ToolDef::as_agent);
    below.any(|it| it.recording().is_some() || it.other().is_some_and(has_recordings))
}

fn open_calls(past: &RecordedRun, all: &mut Vec<(String, String)>) {
    let run = &past.record.summary.run;
    for turn in past.record.open_turns() {
        let calls = turn.calls.iter().filter(|it| it.is_of_tool());
        for call in calls.filter(|it| it.ended.is_none()) {
            match past.child(turn.turn, &call.call) {
                Some(child) => open_calls(child, all),
                None => all.push((format!("{run}.{}.{}", turn.turn, call.call), call.tool.clone())),
            }
        }
    }
}

/// Adds the calls of a turn that may have changed something outside, with their keys.
fn calls_that_write(past: &RecordedRun, turn: u32, agent: &Agent, all: &mut Vec<String>) {
    let calls = past.turn(turn).map(|it| it.calls.as_slice()).unwrap_or_default();
    for call in calls.iter().filter(|it| it.is_of_tool() && !it.cached) {
        let tool = agent.tools.iter().find(|it| it.name == call.tool);
        match (past.child(turn, &call.call), tool.and_then(ToolDef::as_agent)) {
            (Some(child), Some(sub_agent)) => {
                for below in &child.record.turn_records {
                    calls_that_write(child, below.turn, sub_agent.agent(agent), all);
                }
            }
            _ if tool.is_none_or(|it| it.effect() == Effect::Write) => {
                let run = &past.record.summary.run;
                all.push(format!("{} ({run}.{turn}.{})", call.tool, call.call));
            }
            _ => {}
        }
    }
}

/// Returns whether a question has an answer on record.
fn has_answer(past: &RecordedRun, id: &str) -> bool {
    let run = past.record.summary.run.as_str();
    let own = id.strip_prefix(run).and_then(|rest| rest.strip_prefix('.')?.split_once('.'));
    let call = own.and_then(|(turn, call)| past.call(turn.parse().ok()?, call));
    call.is_some_and(|it| it.is_question() && it.ended.is_some())
        || past.children.iter().any(|child| has_answer(child, id))
}

/// Returns the number of the first line in which two texts differ.
fn first_different_line(one: &str, other: &str) -> usize {
    let same = one.lines().zip(other.lines()).take_while(|(one, other)| one == other);
    same.count() + 1
}

/// Removes the labels of tools and sources that earlier versions did not know from a definition.
fn keep_trust_on_record(old: &Value, new: &mut Value) {
    let mut left = vec![(old, new)];
    while let Some((old, new)) = left.pop() {
        let sources = new.get_mut("sources").and_then(Value::as_array_mut).into_iter().flatten();
        for source in sources.filter_map(Value::as_object_mut) {
            source.remove("trust");
            source.remove("tool");
        }
        let tools = new.get_mut("tools").and_then(Value::as_array_mut).into_iter().flatten();
        let on_record = old.get("tools").and_then(Value::as_array).into_iter().flatten();
        for (old, new) in on_record.zip(tools) {
            if let Some(new) = new.as_object_mut() {
                if old.get("trust").is_none() {
                    new.remove("trust");
                }
                left.extend(old.get("agent").zip(new.get_mut("agent")));
            }
        }
    }
}

/// Returns the keys of a definition whose values differ, in their order.
fn differences<'a>(old: &'a Value, new: &'a Value) -> Vec<&'a str> {
    let (Some(old), Some(new)) = (old.as_object(), new.as_object()) else { return Vec::new() };
    let keys = old.keys().chain(new.keys().filter(|key| !old.contains_key(*key)));
    keys.filter(|key| old.get(*key) != new.get(*key)).map(String::as_str).collect()
}
