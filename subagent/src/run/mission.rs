//! A mission, from its input to its report.

mod preview;

use std::sync::Arc;
use std::time::Duration;

use ptc_prompt::{GrammarOptions, ReplyFormat};
use serde::Serialize;
use tokio::time::timeout_at;

use super::context::{RunContext, end_of_record};
use super::continuation::{AllTaken, Continuation};
use super::ending::{limits, report};
use super::guarded::{Guarded, Observer};
use super::journal::{self, Doubts, Journal, Shared};
use super::ledger::Ledger;
use super::payload::GivenPayload;
use super::program::Programs;
use super::program_change::{begin_turn, recorded_program};
use super::question::{Approve, Approver, OneAtATime, Question};
use super::recorded::{RecordedReply, RecordedRun, RunMode};
use super::turns::{Action, Ending, Rules, Signal, Turns};
use crate::agent::Agent;
use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::provider::{
    self, BoxFuture, Message, Partial, Provider, ProviderError, ProviderErrorKind, Request,
    Shortened, Usage, shortened,
};
use crate::record::{
    Earlier, EarlierPayload, ErrorCode, Event, MAX_SEED, Purpose, RunCode, RunError, RunId,
    RunReport, RunSetup, RunStarted, Stop, TurnOutcome, fresh_seed,
};
use crate::store::{Folds, Store};

/// One task given to an agent, with its input.
pub struct Mission<'a> {
    agent: &'a Agent,
    input: Input,
    store: Option<&'a Store>,
    folds: Option<&'a Folds>,
    observer: Option<Observer<'a>>,
    cancelled: BoxFuture<'a, ()>,
    approver: Option<Approver<'a>>,
    streams: bool,
    past: Option<Arc<RecordedRun>>,
    mode: RunMode,
    doubts: Doubts,
    seed: Option<u64>,
    payload: Result<GivenPayload, String>,
    after: Option<Box<Earlier>>,
    patience: Option<Duration>,
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
            input,
            store: None,
            folds: None,
            observer: None,
            cancelled,
            approver: None,
            streams: false,
            past: None,
            mode: RunMode::Fresh,
            doubts: Doubts::default(),
            seed: None,
            payload: Ok(GivenPayload::default()),
            after: None,
            patience: None,
        }
    }

    /// Creates a mission whose answers are on record.
    pub(crate) fn of_recorded(
        agent: &'a Agent,
        past: Arc<RecordedRun>,
        mode: RunMode,
    ) -> Mission<'a> {
        let input = past.record.setup.input.clone();
        let payload = Ok(GivenPayload::recorded(&past.record));
        let after = past.record.after.clone().map(Box::new);
        Mission { payload, after, past: Some(past), mode, ..Mission::with_json(agent, Ok(input)) }
    }

    /// Sets the decisions about calls in doubt.
    pub(crate) fn with_doubts(mut self, doubts: Doubts) -> Mission<'a> {
        self.doubts = doubts;
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
        self.after = Some(Box::new(earlier));
        match payload {
            Some(payload) => self.continue_payload(payload),
            None => self,
        }
    }

    /// Passes every event of the run and its sub-agents to `observer`, in order, as it happens.
    ///
    /// If it panics, the run goes on, and it gets the later events. The report has a warning
    /// ([`RunCode::ObserverFailed`](crate::RunCode::ObserverFailed)); the record has none.
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

    /// Sets the longest wait of the process. Before a longer one, once the whole tree of runs waits, the run ends as
    /// [`Status::Waiting`](crate::Status::Waiting). [`Store::due`] lists such runs, and
    /// [`Resume`](crate::replay::Resume) continues them. By default, and without a store that outlives the process, the run
    /// waits itself.
    #[must_use]
    pub fn wait_at_most(mut self, patience: Duration) -> Mission<'a> {
        self.patience = Some(patience);
        self
    }

    /// Cancels the run when `cancelled` is ready. Pending work is dropped, and the run is recorded as stopped with
    /// [`Stop::Cancelled`](crate::Stop::Cancelled).
    #[must_use]
    pub fn cancel_on(mut self, cancelled: impl Future<Output = ()> + Send + 'a) -> Mission<'a> {
        self.cancelled = Box::pin(cancelled);
        self
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
        let Mission { agent, input, store, observer, cancelled, approver, streams, seed, .. } =
            self;
        let after = self.after;
        let payload = written("payload", self.payload)?;
        let (past, mode, doubts, folds) = (self.past, self.mode, self.doubts, self.folds);
        let guarded = observer.map(Guarded::new);
        let observer =
            guarded.as_ref().map(|it| move |run: &RunId, event: &Event| it.tell(run, event));
        let observer = observer.as_ref().map(|it| it as &journal::Observer<'_>);
        let approver = approver.map(OneAtATime::new);
        let approver = approver.as_ref().map(|it| it as &dyn Approve);
        let shared = Shared { store, folds, observer, approver, streams, mode, doubts: &doubts };
        if !mode.is_closed() {
            agent.open_models()?;
        }
        let ledger = Ledger::root(
            agent,
            mode.is_closed(),
            self.patience.filter(|_| store.is_some_and(Store::is_kept)),
        );
        let seed = match (&past, seed.or(agent.seed)) {
            (Some(past), _) => past.seed(),
            (None, Some(seed)) => seed & MAX_SEED,
            (None, None) => fresh_seed(),
        };
        let past = past.as_deref();
        let provider = &provider;
        let (parent, in_loop, caller, after) = (None, false, None, after.as_deref());
        let context = RunContext {
            shared,
            provider,
            ledger,
            parent,
            past,
            seed,
            payload,
            after,
            in_loop,
            caller,
            run_agent,
        };
        // The future of a mission is part of those of its callers, so it is small.
        let run = Box::pin(run(agent, written("input", input)?, &context, cancelled));
        let mut report = run.await?;
        report.warnings.extend(guarded.as_ref().and_then(Guarded::warning));
        if let (Some(error), Some(workflow)) = (&mut report.error, &agent.workflow)
            && (error.line.is_some() || report.stop == Some(Stop::Program))
        {
            error.file.clone_from(&workflow.file);
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

/// Replays the turns of a recorded run before `turn`, and returns the session as the program of that turn found it.
pub(crate) async fn session_before(
    agent: &Agent,
    past: &RecordedRun,
    turn: u32,
) -> Result<ptc_lisp::Session, Error> {
    let doubts = Doubts::default();
    let (store, folds, observer, approver, mode) = (None, None, None, None, RunMode::Replay);
    let shared = Shared { store, folds, observer, approver, streams: false, mode, doubts: &doubts };
    let ledger = Ledger::root(agent, true, None);
    let (provider, seed) = (&crate::provider::NoProvider, past.seed());
    let payload = GivenPayload::recorded(&past.record);
    let start = payload.start.clone();
    let recorded = past;
    let context = RunContext {
        shared,
        provider,
        ledger,
        parent: None,
        past: Some(recorded),
        seed,
        payload,
        after: recorded.record.after.as_ref(),
        in_loop: false,
        caller: None,
        run_agent,
    };
    let input = recorded.record.setup.input.clone();
    let may_nest = context.ledger.may_nest();
    let prepared = Programs::of_run(agent, input, start, context.after, (None, false, may_nest));
    let (mut programs, _) = prepared?;
    programs.set_seed(seed);
    programs.remember_names();
    let mut journal = Journal::new(recorded.id(), shared, context.past);
    for before in 1..turn {
        let reply = match &agent.workflow {
            Some(workflow) => match recorded_program(recorded, before, workflow) {
                Some(reply) => RecordedReply::Reply(reply),
                None => continue,
            },
            None => recorded.recorded_reply(before),
        };
        match reply {
            RecordedReply::Reply(reply) => {
                programs.decide(&reply, before, &mut journal, &context).await?;
                if agent.snapshots {
                    // Values without a text form did not reach later programs of the recorded run either.
                    drop(programs.take_snapshot());
                }
            }
            _ => return Err(end_of_record(&format!("turn {before}"))),
        }
    }
    Ok(programs.into_session(context.program(turn)))
}

/// Runs an agent that a program calls.
fn run_agent<'r>(
    agent: &'r Agent,
    input: Data,
    context: &'r RunContext<'_>,
) -> BoxFuture<'r, Result<RunReport, Error>> {
    Box::pin(run(agent, input, context, Box::pin(std::future::pending())))
}

/// Runs an agent to its end.
async fn run(
    agent: &Agent,
    input: Data,
    context: &RunContext<'_>,
    mut cancelled: BoxFuture<'_, ()>,
) -> Result<RunReport, Error> {
    let _work = context.ledger.work();
    // The record keeps the input as given, before coercion.
    let given = context.shared.is_heard().then(|| input.clone());
    let start = context.payload.start.clone();
    let RunContext { after, caller, in_loop, .. } = *context;
    let may_nest = context.ledger.may_nest();
    let called = (caller, in_loop, may_nest);
    let (mut programs, warnings) = Programs::of_run(agent, input, start, after, called)?;
    programs.set_seed(context.seed);
    let (system, opening) = (programs.system()?, programs.opening()?);
    let mut journal = Journal::new(context.name(), context.shared, context.past);
    journal.start(|run| RunStarted {
        run: run.clone(),
        parent: context.parent.clone(),
        agent: agent.name.clone(),
        model: context.model(),
        setup: RunSetup {
            signature: agent.signature.as_ref().map(ToString::to_string),
            input: given.unwrap_or_default(),
            system: system.text(),
            limits: limits(agent),
            max_turns: agent.max_turns,
            seed: Some(context.seed),
            semantics: context.semantics(),
            definition: context.definition(agent),
            file: agent
                .file
                .as_ref()
                .filter(|_| context.parent.is_none())
                .map(|it| it.to_string_lossy().into_owned()),
        },
        origin: context.origin(),
        payload: programs.payload().map(|payload| payload.start().clone()),
        payload_from: context.payload.from.clone().filter(|_| programs.payload().is_some()),
        after: context.after.cloned(),
    });
    journal.warn(0, None, warnings);
    let lost = context.payload.lost.iter().map(|it| RunError::new(RunCode::PayloadLost, it));
    journal.warn(0, None, lost.collect());

    let grammar = agent.grammar.and_then(|server| {
        let gbnf = programs.grammar(&GrammarOptions::default())?.gbnf();
        let bare = GrammarOptions { reply: ReplyFormat::Bare, ..GrammarOptions::default() };
        let lark = programs.grammar(&bare)?.lark();
        Some(provider::ReplyGrammar { server, gbnf, lark })
    });
    let mut turns = Turns::new(system, opening, agent.parameters, Rules::of(agent))
        .with_grammar(grammar)
        .with_transport(agent.transport)
        .with_tools(programs.offers())
        .with_summary_request(programs.summary_request())
        .with_stop(programs.stop())
        .with_transcript(agent.transcript)
        .with_streams(context.shared.streams);
    let refused = programs.payload().and_then(|payload| payload.begin_run(&mut journal));
    let mut action = match refused {
        Some(error) => Action::End(Ending::Stopped { stop: Stop::Payload, error }),
        None => continue_from_snapshot(&mut programs, &mut turns, &mut journal, context)?
            .unwrap_or_else(|| turns.step(Signal::Start)),
    };
    let ending = loop {
        let work = async {
            match action {
                Action::Ask => match &agent.workflow {
                    Some(workflow) => {
                        begin_turn(workflow, context, &mut turns, &mut journal).map(Ok)
                    }
                    None => ask(context, &mut turns, &mut journal).await.map(Ok),
                },
                Action::Decide(reply) => {
                    let turn = turns.turn();
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
                        journal.abandon();
                    }
                    return Err(error);
                }
            },
            () = &mut cancelled => {
                journal.end_turn(TurnOutcome::Cancelled, None);
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
    let mut report = report(ending, &mut journal, context, context.seed);
    report.feedback = programs.take_feedback();
    journal.end(&report);
    journal.flush().await?;
    Ok(report)
}

/// Continues from the newest snapshot of a resumed run. Returns the next action, or `None` if it has
/// none that is usable.
fn continue_from_snapshot(
    programs: &mut Programs<'_>,
    turns: &mut Turns,
    journal: &mut Journal<'_>,
    context: &RunContext<'_>,
) -> Result<Option<Action>, Error> {
    let past = context.past.filter(|_| context.shared.mode == RunMode::Resume);
    let Some((past, (turn, found))) = past.and_then(|past| Some((past, past.snapshot()?))) else {
        return Ok(None);
    };
    let Continuation { prompt, results, images, fallback, programs: kept, taken } = found;
    match programs.go_on(turn, kept, past) {
        Ok(()) => {}
        Err(error) if past.begins_behind_snapshot() => {
            journal.abandon();
            let message = format!("the snapshot of turn {turn}: {error}");
            return Err(Error::new(ErrorKind::Replay, message));
        }
        // The run replays its whole record instead.
        Err(_) => return Ok(None),
    }
    if let Some(payload) = programs.payload() {
        journal.set_payload(payload.committed());
    }
    context.ledger.take_recorded(taken.own, taken.below);
    journal.continue_from(taken.tally, past.warnings_up_to(turn));
    let newest = Message::user(prompt).with_results(results).with_images(images);
    let messages = past.messages(turn);
    Ok(Some(turns.continue_from(turn, messages, programs.images(), newest, fallback)))
}

/// Returns whether a run can continue from its newest recorded snapshot.
pub(crate) fn can_continue(agent: &Agent, past: &RecordedRun) -> bool {
    let payload = GivenPayload::recorded(&past.record).start;
    let (input, after) = (past.record.setup.input.clone(), past.record.after.as_ref());
    let prepared = Programs::of_run(agent, input, payload, after, (None, false, true));
    let (Ok((mut programs, _)), Some((turn, found))) = (prepared, past.snapshot()) else {
        return false;
    };
    programs.go_on(turn, found.programs, past).is_ok()
}

/// Takes a snapshot after the turn that has ended.
fn take_snapshot(
    programs: &mut Programs<'_>,
    turns: &Turns,
    journal: &mut Journal<'_>,
    ledger: &Ledger,
) {
    let turn = turns.turn() - 1;
    let warning = |code, what: &dyn std::fmt::Display| RunError::new(code, what.to_string());
    match programs.take_snapshot() {
        Ok((kept, dropped)) => {
            let dropped = dropped.iter().map(|it| warning(RunCode::NotKept, it)).collect();
            journal.warn(turn, None, dropped);
            let taken =
                AllTaken { own: ledger.own(), below: ledger.taken_below(), tally: journal.tally() };
            let Message { text: prompt, results, images, .. } = turns.newest();
            let fallback = turns.fallback().cloned();
            let state = Continuation { prompt, results, images, fallback, programs: kept, taken };
            journal.tell(|_| Event::Snapshot { turn, state: state.to_json() });
        }
        Err(error) => {
            journal.warn(turn, None, vec![warning(RunCode::NoSnapshot, &error)]);
        }
    }
}

async fn ask(
    context: &RunContext<'_>,
    turns: &mut Turns,
    journal: &mut Journal<'_>,
) -> Result<Signal, Error> {
    let (turn, request) = (turns.turn(), turns.request());
    match context.past.map_or(RecordedReply::Unknown, |past| past.recorded_reply(turn)) {
        RecordedReply::Exhausted(spent) => return Ok(Signal::Exhausted(spent)),
        RecordedReply::Unknown if context.shared.mode.is_closed() => {
            if context.past.is_some_and(|past| past.turn(turn).is_some()) {
                journal.start_turn(turn, &turns.newest());
            }
            return Err(end_of_record(&format!("turn {turn}")));
        }
        RecordedReply::Unknown => {}
        asked => return Ok(replay_request(asked, context, turns, journal)),
    }
    let deadline = context.ledger.deadline();
    let estimate = estimated_usage(request);
    let price = context.provider.price_of(&estimate);
    let estimate = Usage { cost: price, ..estimate };
    let reservation = match timeout_at(deadline, context.ledger.ask(estimate)).await {
        Ok(Ok(reservation)) => reservation,
        Ok(Err(spent)) => return Ok(Signal::Exhausted(spent)),
        Err(_) => return Ok(Signal::TimeUp),
    };
    journal.start_turn(turn, &turns.newest());
    // The shorter request that was sent because the conversation was too long.
    let mut short: Option<Shortened> = None;
    let mut number = context.past.map_or(0, |past| past.requests(turn));
    let exchange = async {
        let mut forms = shortened(request);
        loop {
            let sent = short.as_ref().map_or(request, |short| &short.request);
            let messages = short.as_ref().map(|short| short.request.messages.clone());
            let messages = messages.or_else(|| turns.edited());
            number += 1;
            journal.start_request(turn, number, messages);
            journal.flush().await?;
            let run = journal.run.clone();
            let mut on = |partial: Partial<'_>| match partial {
                Partial::Text(text) if request.streamed => {
                    context.shared.tell(&run, &Event::ReplyText { turn, text: text.to_string() });
                }
                Partial::Text(_) => {}
                Partial::Retry { error, attempt, attempts } => {
                    journal.warn(turn, None, vec![retry_warning(error, attempt, attempts)]);
                }
            };
            let asked = context.provider.ask(sent, &mut on).await;
            if !asked.as_ref().is_err_and(|it| it.kind == ProviderErrorKind::Context) {
                return Ok(asked);
            }
            match forms.next() {
                Some(shorter) => short = Some(shorter),
                None => return Ok(asked),
            }
        }
    };
    let asked: Result<Result<_, Error>, _> = timeout_at(deadline, exchange).await;
    let asked = asked.map_or(Ok(None), |asked| asked.map(Some))?;
    if let Some(short) = short {
        let code = ProviderErrorKind::Context;
        journal.warn(turn, None, vec![RunError::new(code, short.note)]);
        turns.shorten(short.request);
    }
    match asked {
        Some(Ok(reply)) => {
            reservation.settle(reply.usage.unwrap_or_default());
            journal.end_request(turn, number, &reply);
            Ok(Signal::Replied(reply))
        }
        Some(Err(error)) => {
            let error = RunError::from(&error);
            journal.end_turn(TurnOutcome::Provider, Some(error.clone()));
            Ok(Signal::NoReply(error))
        }
        None => {
            journal.end_turn(TurnOutcome::Time, None);
            Ok(Signal::TimeUp)
        }
    }
}

/// Replays the request of a recorded turn: its reply, or the reason there was none.
fn replay_request(
    asked: RecordedReply,
    context: &RunContext<'_>,
    turns: &mut Turns,
    journal: &mut Journal<'_>,
) -> Signal {
    let turn = turns.turn();
    let is_on_record = context.past.is_some_and(|past| past.turn(turn).is_some());
    if is_on_record {
        journal.start_turn(turn, &turns.newest());
        let row = context.past.and_then(|past| past.turn(turn));
        let requests = row.map(|row| row.requests.as_slice()).unwrap_or_default();
        for it in requests {
            journal.start_request(turn, it.number, it.messages.clone());
        }
        let notes = context.past.map(|past| past.notes(turn)).unwrap_or_default();
        let sent = requests.last().map(|it| it.messages.clone());
        let short = match sent {
            Some(messages) => {
                messages.map(|messages| Request { messages, ..turns.request().clone() })
            }
            None => recorded_short_request(turns.request(), &notes),
        };
        if let Some(short) = short {
            turns.shorten(short);
        }
        journal.warn(turn, None, notes);
    }
    match asked {
        RecordedReply::Reply(reply) => {
            context.ledger.take_reply(reply.usage.unwrap_or_default());
            let number = context.past.map_or(0, |past| past.requests(turn));
            journal.end_request(turn, number, &reply);
            Signal::Replied(reply)
        }
        RecordedReply::NoReply(error) => {
            journal.end_turn(TurnOutcome::Provider, Some(error.clone()));
            Signal::NoReply(error)
        }
        RecordedReply::Exhausted(spent) => Signal::Exhausted(spent),
        RecordedReply::Cancelled => {
            journal.end_turn(TurnOutcome::Cancelled, None);
            Signal::Cancelled
        }
        RecordedReply::TimeUp | RecordedReply::Unknown => {
            journal.end_turn(TurnOutcome::Time, None);
            Signal::TimeUp
        }
    }
}

/// Returns the shortened conversation of a recorded turn, if it was too long. This is for records of versions that did
/// not record requests.
fn recorded_short_request(request: &Request, notes: &[RunError]) -> Option<Request> {
    let code = ErrorCode::from(ProviderErrorKind::Context);
    let note = notes.iter().rfind(|it| it.code == code)?;
    // Earlier versions cut from the start in each turn, so their notes may count more messages and match no form.
    let mut forms = shortened(request).peekable();
    let first = forms.peek().map(|it| it.request.clone());
    forms.find(|it| it.note == note.message).map(|it| it.request).or(first)
}

/// Returns the warning about a request that failed and is sent again.
fn retry_warning(error: &ProviderError, attempt: u32, attempts: u32) -> RunError {
    let wait = error.retry_after.map(|it| format!(" after {it:?}, as the server asks"));
    let wait = wait.unwrap_or_default();
    let message =
        format!("attempt {attempt} of {attempts} failed, asking again{wait}: {}", error.message);
    RunError::new(error.kind, message)
}

/// Estimates the tokens of a reply and its prompt, which are reserved until the reply arrives.
fn estimated_usage(request: &Request) -> Usage {
    const REPLY: u64 = 500;
    let texts = request.messages.iter().map(Message::len).sum::<usize>();
    let prompt =
        ((request.system.len() + texts) as f64 / ptc_prompt::CHARS_PER_TOKEN).ceil() as u64;
    let reply = request.parameters.max_tokens.map_or(REPLY, u64::from);
    Usage { input_tokens: prompt, output_tokens: reply, ..Usage::default() }
}

/// Returns the stop of a run that reads a partial answer without having asked for one, which is a bug of ours.
fn never_asked() -> (Stop, RunError) {
    (Stop::Internal, RunError::new(RunCode::Internal, "no partial answer was asked for"))
}
