//! A mission, from its input to its report.

mod preview;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use ptc_prompt::{GrammarOptions, ReplyFormat};
use serde::Serialize;

use super::artifacts;
use super::context::{AgentOrigin, RunContext};
use super::elsewhere::{AgentCall, Elsewhere};
use super::ending::{limits, report};
use super::guarded::{Guarded, Observer};
use super::input::check_context;
use super::journal::{self, Journal, Shared};
use super::ledger::Ledger;
use super::outside::Source;
use super::outside::reply::request_reply;
use super::payload::GivenPayload;
use super::program::Programs;
use super::question::{Approve, Approver, OneAtATime, Question};
use super::recorded::RecordedRun;
use super::snapshots::{continue_from_snapshot, take_snapshot};
use super::sources::{Loaded, loaded, warnings_about};
use super::sub_agent::run_called;
use super::turns::{Action, Ending, Rules, Signal, Turns};
use crate::agent::{Agent, RunChange, RunSettings};
use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::provider::{self, BoxFuture, Provider};
use crate::record::{
    Earlier, EarlierPayload, Event, MAX_SEED, Purpose, RunCode, RunError, RunId, RunQueued,
    RunReport, RunSetup, RunStarted, SourceRecord, Stop, TurnOutcome, fresh_seed,
};
use crate::sources::Kept;
use crate::store::{Claimed, Folds, Store};
use crate::tool::HostContext;
use crate::transcript::Transcript;

/// One task given to an agent, with its input.
pub struct Mission<'a> {
    agent: &'a Agent,
    settings: RunSettings,
    /// The agent with the settings, if there are any. It is not part of the mission, whose future is to be small.
    effective: Option<Box<Agent>>,
    /// Warnings about settings without effect.
    unused: Vec<RunError>,
    input: Input,
    store: Option<&'a Store>,
    folds: Option<&'a Folds>,
    observer: Option<Observer<'a>>,
    cancelled: BoxFuture<'a, ()>,
    approver: Option<Approver<'a>>,
    permit: Option<Box<journal::Permit<'a>>>,
    elsewhere: Option<Arc<dyn Elsewhere>>,
    /// The call of another process that the mission answers, if it is not the first run of its tree.
    call: Option<AgentCall>,
    streams: bool,
    source: Source,
    seed: Option<u64>,
    payload: Result<GivenPayload, String>,
    host: Option<HostContext>,
    after: Option<Box<Earlier>>,
    patience: Option<Duration>,
    queued: Option<RunQueued>,
    by: Option<String>,
    named: Option<String>,
    /// The claim of a resumed run, which its drop gives back.
    claimed: Option<Claimed<'a>>,
}

/// The input as JSON, or the reason it cannot be written as JSON, which is an error once the run starts.
type Input = Result<Data, String>;

impl<'a> Mission<'a> {
    /// Creates a mission. The input is serialized as a JSON object, which must match the agent's signature. With
    /// [`Data`] it may have integers past 64 bits.
    ///
    /// An input that is not an object, does not match or cannot be written is an error of [`ErrorKind::Input`]. The run
    /// reports it when it starts.
    ///
    /// ```
    /// use ptc_subagent::{Agent, ErrorKind, Mission};
    /// use serde::Serialize;
    ///
    /// #[derive(Serialize)]
    /// struct Order<'a> {
    ///     customer: &'a str,
    ///     total: f64,
    /// }
    ///
    /// let agent = Agent::new("May {{customer}} pay later?")
    ///     .with_signature("(customer :string, total :float) -> :bool")?;
    /// let mission = Mission::new(&agent, Order { customer: "Ada", total: 40.0 });
    /// assert!(mission.system_prompt()?.text().contains("Ada"));
    ///
    /// let error = Mission::new(&agent, "Ada").opening().unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Input);
    /// assert_eq!(error.to_string(), "the input must be a JSON object, and is a string");
    /// # Ok::<(), ptc_subagent::Error>(())
    /// ```
    pub fn new(agent: &'a Agent, input: impl Serialize) -> Mission<'a> {
        Mission::with_json(
            agent,
            Data::written(&input).map_err(|error| error.message().to_string()),
        )
    }

    fn with_json(agent: &'a Agent, input: Input) -> Mission<'a> {
        let cancelled = Box::pin(std::future::pending());
        Mission {
            agent,
            settings: RunSettings::default(),
            effective: None,
            unused: Vec::new(),
            input,
            store: None,
            folds: None,
            observer: None,
            cancelled,
            approver: None,
            permit: None,
            elsewhere: None,
            call: None,
            streams: false,
            source: Source::Live,
            seed: None,
            payload: Ok(GivenPayload::default()),
            host: None,
            after: None,
            patience: None,
            queued: None,
            by: None,
            named: None,
            claimed: None,
        }
    }

    /// Creates the mission of a recorded run with its settings. `source` makes the source of its answers.
    pub(crate) fn of_recorded(
        agent: &'a Agent,
        settings: RunSettings,
        run: Arc<RecordedRun>,
        source: impl FnOnce(Arc<RecordedRun>) -> Source,
    ) -> Mission<'a> {
        let input = run.record.setup.input.clone();
        let payload = Ok(GivenPayload::recorded(&run.record));
        let after = run.record.after.clone().map(Box::new);
        let named = run.record.named.clone();
        let mission = Mission::with_json(agent, Ok(input)).with_settings(settings);
        Mission { payload, after, named, source: source(run), ..mission }
    }

    /// Holds the claim of a resumed run to the end of the run.
    pub(crate) fn holding(mut self, claimed: Claimed<'a>) -> Mission<'a> {
        self.claimed = Some(claimed);
        self
    }

    /// Runs the agent of a call of another process, below the run of the mission.
    pub(crate) fn answering(mut self, call: Option<AgentCall>) -> Mission<'a> {
        self.call = call;
        self
    }

    /// Names the variables of keys that a resumed run uses before those of its settings on record.
    pub(crate) fn with_keys(mut self, keys: BTreeMap<String, String>) -> Mission<'a> {
        if !keys.is_empty() {
            let mut settings = self.settings.clone();
            settings.changes.push(RunChange { keys, ..RunChange::new() });
            self.effective = Some(Box::new(settings.agent_of(self.agent).0.into_owned()));
        }
        self
    }

    /// Folds the events of the run and of those below it into records in memory, instead of writing them to the store.
    pub(crate) fn fold_into(mut self, folds: &'a Folds) -> Mission<'a> {
        self.folds = Some(folds);
        self
    }

    /// Records the run in a store.
    #[must_use]
    pub fn record_in(mut self, store: &'a Store) -> Mission<'a> {
        self.store = Some(store);
        self
    }

    /// Sets the settings of the run, which also hold for the runs below it. The record has the settings
    /// beside the definition of the agent, which stays as it is.
    #[must_use]
    pub fn with_settings(mut self, settings: RunSettings) -> Mission<'a> {
        let (effective, unused) = settings.agent_of(self.agent);
        self.effective = match effective {
            Cow::Borrowed(_) => None,
            Cow::Owned(agent) => Some(Box::new(agent)),
        };
        (self.unused, self.settings) = (unused, settings);
        self
    }

    /// Sets rules of the transcript for the run and those below it, as a change of its settings. They go before those of
    /// tools and agents. The settings must be set before.
    #[must_use]
    pub fn with_transcript(self, transcript: Transcript) -> Mission<'a> {
        let settings = self.settings.clone();
        self.with_settings(settings.with(RunChange::new().with_transcript(transcript)))
    }

    /// Sets the seed of `rand` and the other random functions: the same seed gives the same numbers. Bits above
    /// [`MAX_SEED`] are dropped. The default is the seed of the [agent](Agent::seed), or a fresh one. Recorded runs
    /// keep their seed.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Mission<'a> {
        self.seed = Some(seed);
        self
    }

    /// Sets the payload at the start, instead of that of the [agent](crate::PayloadDef) and of an earlier run. A value
    /// that cannot be written as JSON is an error when the run starts, as is a payload for an agent without one.
    #[must_use]
    pub fn with_payload(mut self, payload: impl Serialize) -> Mission<'a> {
        let given = self.payload.unwrap_or_default();
        let start = Data::written(&payload).map_err(|error| error.message().to_string());
        self.payload = start.map(|start| GivenPayload { start: Some(start), ..given });
        self
    }

    /// Continues from the payload of an earlier run, which [`Store::payload_of`] finds, unless the mission has a payload
    /// of its own. The record names the earlier run. Without its payload, the run starts as usual, with a warning.
    #[must_use]
    pub fn continue_payload(mut self, earlier: EarlierPayload) -> Mission<'a> {
        if let Ok(given) = &mut self.payload {
            given.from = earlier.run;
            given.start = given.start.take().or(earlier.payload);
            given.lost = earlier.lost;
        }
        self
    }

    /// Goes on after an earlier run, with the next message of a conversation. Programs of the run have what those of the
    /// earlier run left: definitions, memory and last values. Its model sees the newest messages, as many as the
    /// [transcript](crate::Transcript::window) of the agent says, and a line about each of those before. The run starts
    /// with the payload of the earlier run, unless the mission has a payload of its own. Its record names the earlier
    /// run, and has what it took from it.
    #[must_use]
    pub fn after(mut self, mut earlier: Earlier) -> Mission<'a> {
        let payload = earlier.payload.take().filter(|_| self.agent.payload.is_some());
        self.named = None;
        self.after = Some(Box::new(earlier));
        match payload {
            Some(payload) => self.continue_payload(payload),
            None => self,
        }
    }

    /// Sets the host context: data for the [tools](crate::tool::CallContext::context) of the run and its sub-agents
    /// alone. No prompt, event, record, export or page has it. A resumed run needs it again, and a replay needs none.
    ///
    /// ```
    /// use ptc_subagent::provider::NoModel;
    /// use ptc_subagent::tool::{CallContext, FnTool, HostContext, ToolDef};
    /// use ptc_subagent::{Agent, Mission};
    /// use serde_json::{Value, json};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), ptc_subagent::Error> {
    /// let limit = FnTool::new(|_: Value, cx: CallContext| async move {
    ///     let tenant = cx.context().get("tenant").unwrap_or_default();
    ///     Ok(json!(if tenant == json!("acme") { 100 } else { 10 }))
    /// });
    /// let agent = Agent::workflow("(tool/limit {})").with_tool(ToolDef::new("limit", limit));
    /// let context = HostContext::new(json!({"tenant": "acme"}))?;
    /// let report = Mission::new(&agent, json!({})).with_context(context).run(&NoModel).await?;
    /// assert_eq!(report.value, json!(100));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_context(mut self, context: impl Into<Option<HostContext>>) -> Mission<'a> {
        self.host = context.into();
        self
    }

    /// Passes every event of the run and its sub-agents to `observer`, in order, as it happens.
    ///
    /// If it panics, the run goes on, and it gets the later events. The record and the report have a warning
    /// ([`RunCode::ObserverFailed`](crate::RunCode::ObserverFailed)).
    #[must_use]
    pub fn observe(mut self, observer: impl FnMut(&RunId, &Event) + Send + 'a) -> Mission<'a> {
        self.observer = Some(Box::new(observer));
        self
    }

    /// Sets whether replies are streamed. If so, the observer receives their text as it arrives ([`Event::ReplyText`]).
    #[must_use]
    pub fn stream(mut self, streams: bool) -> Mission<'a> {
        self.streams = streams;
        self
    }

    /// Sets the callback that answers the questions of the run and its sub-agents, one at a time. It returns an answer
    /// for the [form](crate::form::Form) of the question, or `None` to leave it open. An answer that does not fit is
    /// refused, and the callback is called again with the problems.
    ///
    /// A question without an answer leaves a run on record [waiting](crate::Status::Waiting), once all of its branches
    /// wait; [`Resume::answer`](crate::replay::Resume::answer) continues it. A program that needs approval by the
    /// [policy](crate::Policy) is refused instead.
    #[must_use]
    pub fn ask_with(
        mut self,
        approver: impl FnMut(Question<'_>) -> BoxFuture<'a, Option<Data>> + Send + 'a,
    ) -> Mission<'a> {
        self.approver = Some(Box::new(approver));
        self
    }

    /// Sets the callback that says whether the sub-agent of a name may be called, or why not. The call of one that may not
    /// fails, and nothing of it is run. Calls on record are not asked about again.
    #[must_use]
    pub fn permit(
        mut self,
        permit: impl Fn(&str) -> Result<(), String> + Send + Sync + 'a,
    ) -> Mission<'a> {
        self.permit = Some(Box::new(permit));
        self
    }

    /// Lets sub-agents work in other processes.
    #[must_use]
    pub fn elsewhere(mut self, elsewhere: impl Into<Option<Arc<dyn Elsewhere>>>) -> Mission<'a> {
        self.elsewhere = elsewhere.into();
        self
    }

    /// Sets the longest wait of the process. Before a longer one, once the whole tree of runs waits, the run ends as
    /// [`Status::Waiting`](crate::Status::Waiting). [`Store::due`] lists such runs, and
    /// [`Resume`](crate::replay::Resume) continues them. By default, and without a store that outlives the process, the run
    /// waits itself.
    #[must_use]
    pub fn wait_at_most(mut self, patience: Duration) -> Mission<'a> {
        self.patience = Some(patience);
        self
    }

    /// Names the person who starts the run. The record has the name; no prompt has it.
    #[must_use]
    pub fn by(mut self, person: Option<String>) -> Mission<'a> {
        self.by = person;
        self
    }

    /// Names the conversation that the run begins. A run that follows another one keeps the name of its conversation.
    #[must_use]
    pub fn named(mut self, conversation: impl Into<Option<String>>) -> Mission<'a> {
        self.named = conversation.into().filter(|_| self.after.is_none());
        self
    }

    /// Returns what is on record about the starts of the runs that this mission goes on with: its own, and those of its
    /// sub-agents. A new run has none.
    pub fn runs_on_record(&self) -> Vec<RunStarted> {
        let mut all = Vec::new();
        let mut left: Vec<&RecordedRun> = self.source.outside().resumed().into_iter().collect();
        while let Some(run) = left.pop() {
            all.push(run.record.started());
            left.extend(&run.children);
        }
        all
    }

    /// Cancels the run when `cancelled` is ready. Pending work is dropped, and the run is recorded as stopped with
    /// [`Stop::Cancelled`](crate::Stop::Cancelled).
    #[must_use]
    pub fn cancel_on(mut self, cancelled: impl Future<Output = ()> + Send + 'a) -> Mission<'a> {
        self.cancelled = Box::pin(cancelled);
        self
    }

    /// Records the run as [queued](crate::Status::Queued) instead of running it: a host goes on with it as with a
    /// [run to resume](crate::replay::Resume). Nothing outside is asked before. A branch keeps its turns at once. Returns
    /// the run; one that needs nothing from outside has ended. `provider` only gives the name of its model.
    ///
    /// # Errors
    ///
    /// Those of [`Mission::run`], and [`ErrorKind::Store`] for a mission without a store.
    pub async fn enqueue<P: Provider + ?Sized>(
        mut self,
        queued: RunQueued,
        provider: &P,
    ) -> Result<RunReport, Error> {
        if self.store.is_none() {
            return Err(Error::new(ErrorKind::Store, "a run without a store cannot be queued"));
        }
        self.by = self.by.or_else(|| queued.by.clone());
        self.queued = Some(queued);
        if let Source::Branch(run) = self.source {
            self.source = Source::Copy(run);
        }
        self.run(provider).await
    }

    /// Runs the mission to its end.
    ///
    /// A run that stops early returns a report with the reason. Dropping the future cancels the run and those of its
    /// sub-agents; their records say so.
    ///
    /// # Errors
    ///
    /// An error means that the run did not start, or that its record broke off: [`ErrorKind::Agent`],
    /// [`ErrorKind::Input`], [`ErrorKind::Prompt`], [`ErrorKind::Store`], or [`ErrorKind::Replay`] for a replay that
    /// diverges.
    pub async fn run<P: Provider + ?Sized>(self, provider: &P) -> Result<RunReport, Error> {
        let Mission { input, store, observer, cancelled, approver, streams, seed, host, .. } = self;
        let origin = Some(AgentOrigin {
            agent: self.agent,
            settings: &self.settings,
            by: self.by.as_deref(),
            named: self.named.as_deref(),
        });
        let (agent, unused) = (self.effective.as_deref().unwrap_or(self.agent), self.unused);
        let (after, queued) = (self.after, self.queued);
        let payload = written("payload", self.payload)?;
        let (outside, folds) = (self.source.outside(), self.folds);
        let guarded = observer.map(Guarded::new);
        let observer =
            guarded.as_ref().map(|it| move |run: &RunId, event: &Event| it.tell(run, event));
        let observer = observer.as_ref().map(|it| it as &journal::Observer<'_>);
        let failed = || guarded.as_ref().and_then(Guarded::warning);
        let observer_failed = Some(&failed as _);
        let approver = approver.map(OneAtATime::new);
        let approver = approver.as_ref().map(|it| it as &dyn Approve);
        let permit = self.permit.as_deref();
        let call = self.call.as_ref();
        let path = call.map(|it| it.path.as_slice()).unwrap_or_default();
        let elsewhere = self.elsewhere.as_deref().map(|it| (it, path));
        let shared = Shared {
            store,
            folds,
            observer,
            observer_failed,
            approver,
            permit,
            elsewhere,
            streams,
        };
        if !outside.is_closed() {
            agent.open_models()?;
        }
        let patience = self.patience.filter(|_| store.is_some_and(Store::is_kept));
        let ledger = match call {
            Some(call) => Ledger::of_share(&call.share, patience),
            None => Ledger::root(agent, outside.is_closed(), patience),
        };
        let given = || seed.or(agent.seed).map(|it| it & MAX_SEED);
        let seed = outside.seed().or_else(given).unwrap_or_else(fresh_seed);
        let provider = &provider;
        let (parent, in_loop, caller, after) = (None, false, None, after.as_deref());
        let context = RunContext {
            shared,
            provider,
            ledger,
            parent,
            outside,
            seed,
            payload,
            host,
            read: Kept::default(),
            after,
            in_loop,
            fallback: Arc::default(),
            effort: None,
            caller,
            origin,
            run_agent,
        };
        if let Some(call) = call {
            return run_called(call, &call.path, agent, &context).await;
        }
        // The future of a mission is part of those of its callers, so it is small.
        let input = written("input", input)?;
        let run = Box::pin(run(agent, input, &context, cancelled, unused, queued));
        let mut report = run.await?;
        // It may also have failed at the end, which the record cannot have.
        report.warnings.retain(|it| it.code != RunCode::ObserverFailed.into());
        report.warnings.extend(failed());
        if let (Some(error), Some(workflow)) = (&mut report.error, &agent.workflow)
            && (error.line.is_some() || report.stop == Some(Stop::Program))
        {
            workflow.locate(error);
        }
        Ok(report)
    }
}

/// Returns what was written as JSON, or the error that it cannot be.
fn written<T>(what: &str, json: Result<T, String>) -> Result<T, Error> {
    json.map_err(|why| {
        Error::new(ErrorKind::Input, format!("the {what} cannot be written as JSON: {why}"))
    })
}

/// Runs an agent that a program calls.
pub(super) fn run_agent<'r>(
    agent: &'r Agent,
    input: Data,
    context: &'r RunContext<'_>,
) -> BoxFuture<'r, Result<RunReport, Error>> {
    Box::pin(run(agent, input, context, Box::pin(std::future::pending()), Vec::new(), None))
}

/// Runs an agent to its end, or to the first step outside if it is to be queued. `unused` has warnings about settings
/// without effect.
async fn run(
    agent: &Agent,
    input: Data,
    context: &RunContext<'_>,
    mut cancelled: BoxFuture<'_, ()>,
    unused: Vec<RunError>,
    mut queued: Option<RunQueued>,
) -> Result<RunReport, Error> {
    let _work = context.ledger.work();
    let RunContext { outside, after, caller, in_loop, .. } = *context;
    let id = outside.id();
    let Loaded { input, payload, host, sources, lacks_context, stopped } =
        loaded(agent, input, context, &id, &mut cancelled).await?;
    let own = host.map(|host| RunContext { host: Some(host), ..context.clone() });
    let context = own.as_ref().unwrap_or(context);
    if !outside.is_closed() && stopped.is_none() && !lacks_context {
        check_context(agent, context.host.as_ref())?;
    }
    let mut journal = Journal::new(id, context.shared, outside.check());
    journal.set_sources(&sources);
    let failed = warnings_about(&sources);
    if let Some(ending) = stopped {
        journal.start(|run| started(agent, context, run, input, String::new(), sources));
        journal.warn(0, None, failed);
        let report = report(ending, &mut journal, context, context.seed);
        journal.end(&report);
        journal.flush().await?;
        return Ok(report);
    }
    // The record keeps the input as given, before coercion.
    let given = context.shared.is_heard().then(|| input.clone());
    let may_nest = context.ledger.may_nest();
    let called = (caller, in_loop, may_nest);
    let (mut programs, warnings) =
        Programs::of_run(agent, input, payload, after, called, outside.semantics())?;
    programs.label_payload(&context.payload, after);
    programs.set_seed(context.seed);
    let (system, opening) = (programs.system()?, programs.opening()?);
    journal.start(|run| RunStarted {
        payload: programs.payload().map(|payload| payload.start().clone()),
        payload_from: context.payload.from.clone().filter(|_| programs.payload().is_some()),
        ..started(agent, context, run, given.unwrap_or_default(), system.text(), sources)
    });
    journal.warn(0, None, failed);
    journal.warn(0, None, unused);
    journal.warn(0, None, warnings);
    let lost = context.payload.lost.iter().map(|it| RunError::new(RunCode::PayloadLost, it));
    journal.warn(0, None, lost.collect());

    let grammar = agent.grammar.and_then(|server| {
        let gbnf = programs.grammar(&GrammarOptions::default())?.gbnf();
        let bare = GrammarOptions { reply: ReplyFormat::Bare, ..GrammarOptions::default() };
        let lark = programs.grammar(&bare)?.lark();
        Some(provider::ReplyGrammar { server, gbnf, lark })
    });
    let parameters = context.parameters(agent);
    let mut turns = Turns::new(system, opening, parameters, Rules::of(agent))
        .with_grammar(grammar)
        .with_transport(agent.transport)
        .with_tools(programs.offers())
        .with_summary_request(programs.summary_request())
        .with_stop(programs.stop())
        .with_transcript(programs.transcript_rules())
        .with_streams(context.shared.streams);
    let refused = programs.payload().and_then(|payload| payload.begin_run(&mut journal));
    if let Some(queued) = queued.take_if(|_| refused.is_none() && !outside.is_closed()) {
        return journal.queue(queued).await;
    }
    let mut action = match refused {
        Some(error) => Action::End(Ending::Stopped { stop: Stop::Payload, error }),
        None => continue_from_snapshot(&mut programs, &mut turns, &mut journal, context)?
            .unwrap_or_else(|| turns.step(Signal::Start)),
    };
    let ending = loop {
        let work = async {
            match action {
                Action::Ask => {
                    request_reply(agent, context, &mut turns, &mut journal).await.map(Ok)
                }
                Action::Decide(reply) => {
                    let turn = turns.turn();
                    programs.set_expansions(turns.expansions());
                    let decision = programs.decide(&reply, turn, &mut journal, context).await?;
                    Ok(Ok(Signal::Decided(decision)))
                }
                Action::ReadSummary(reply) => {
                    let stopped = turns.summary().cloned().unwrap_or_else(never_asked);
                    let turn = turns.turn();
                    let decision = programs.read_summary(&reply, turn, stopped, &mut journal);
                    Ok(Ok(Signal::Decided(decision)))
                }
                Action::End(ending) => Ok(Err(ending)),
            }
        };
        let signal = tokio::select! {
            biased;
            worked = work => match worked {
                Ok(Ok(signal)) => signal,
                Ok(Err(ending)) => break ending,
                Err(error) => {
                    if error.kind() == ErrorKind::Replay {
                        if let Some(queued) = queued {
                            return journal.queue(queued).await;
                        }
                        journal.abandon();
                    }
                    return Err(error);
                }
            },
            () = &mut cancelled => {
                journal.abort_turn(TurnOutcome::Cancelled, None);
                Signal::Cancelled
            }
        };
        action = turns.step(signal);
        if turns.summary().is_some() {
            journal.set_purpose(Purpose::Summary);
        } else if agent.snapshots && matches!(action, Action::Ask) {
            take_snapshot(&mut programs, &turns, &mut journal, &context.ledger);
        }
    };
    if let Some(failed) = context.shared.observer_failed.filter(|_| context.parent.is_none()) {
        journal.warn(0, None, failed().into_iter().collect());
    }
    let mut report = report(ending, &mut journal, context, context.seed);
    report.feedback = programs.take_feedback();
    artifacts::make(agent, &programs, &mut report, context, &mut journal).await?;
    journal.end(&report);
    journal.flush().await?;
    Ok(report)
}

/// Returns the facts that are known when a run starts, without those of a payload.
fn started(
    agent: &Agent,
    context: &RunContext<'_>,
    run: &RunId,
    input: Data,
    system: String,
    sources: Vec<SourceRecord>,
) -> RunStarted {
    let (definition, settings) = context.definition();
    let file = agent.file.as_ref().filter(|_| context.parent.is_none());
    RunStarted {
        run: run.clone(),
        parent: context.parent.clone(),
        agent: agent.name.clone(),
        model: context.model(),
        setup: RunSetup {
            signature: agent.signature.as_ref().map(ToString::to_string),
            input,
            system,
            limits: limits(agent),
            max_turns: agent.max_turns,
            seed: Some(context.seed),
            semantics: context.outside.semantics(),
            definition,
            settings,
            file: file.map(|it| it.to_string_lossy().into_owned()),
        },
        origin: context.outside.origin(),
        payload: None,
        payload_from: None,
        after: context.after.cloned(),
        sources,
        by: context.origin.and_then(|it| it.by).map(str::to_owned),
        named: context.origin.and_then(|it| it.named).map(str::to_owned),
    }
}

/// Returns the stop of a run that reads a partial answer without having asked for one, which is a bug of ours.
fn never_asked() -> (Stop, RunError) {
    (Stop::Internal, RunError::new(RunCode::Internal, "no partial answer was asked for"))
}
