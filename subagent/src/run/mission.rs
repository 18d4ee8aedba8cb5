//! One mission, from its input to its report.

use std::time::Duration;

use ptc_lisp::Report;
use ptc_prompt::{Grammar, GrammarOptions, Reply, SystemPrompt};
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use super::event::{Event, RunStarted, TurnOutcome};
use super::id::RunId;
use super::journal::{Journal, Observer};
use super::program::Brain;
use super::report::{RunError, RunReport, Status};
use super::turns::{Action, Ending, Signal, Turns};
use crate::agent::Agent;
use crate::error::Error;
use crate::provider::{self, BoxFuture, Provider, ProviderErrorKind, shortened};
use crate::store::Store;

/// Who says whether a program may run.
pub(super) type Approver<'a> = Box<dyn FnMut(&str, &Report) -> BoxFuture<'a, bool> + Send + 'a>;

/// One task given to an agent, with its input.
pub struct Mission<'a> {
    agent: &'a Agent,
    input: Value,
    store: Option<&'a Store>,
    observer: Option<Observer<'a>>,
    cancelled: BoxFuture<'a, ()>,
    approver: Option<Approver<'a>>,
}

impl<'a> Mission<'a> {
    /// Makes a mission; `input` is a JSON object that matches the agent's signature.
    pub fn new(agent: &'a Agent, input: Value) -> Mission<'a> {
        let cancelled = Box::pin(std::future::pending());
        Mission { agent, input, store: None, observer: None, cancelled, approver: None }
    }

    /// Keeps a record of the run.
    #[must_use]
    pub fn record_in(mut self, store: &'a Store) -> Mission<'a> {
        self.store = Some(store);
        self
    }

    /// Tells `observer` of everything that happens, in order, as it happens.
    #[must_use]
    pub fn observe(mut self, observer: impl FnMut(&Event) + Send + 'a) -> Mission<'a> {
        self.observer = Some(Box::new(observer));
        self
    }

    /// Sets who is asked before a program runs, where the agent's [policy](crate::Policy) says so:
    /// given the program and its report, whether it may run. Without anybody to ask, such programs
    /// are refused.
    #[must_use]
    pub fn ask_with(
        mut self,
        approver: impl FnMut(&str, &Report) -> BoxFuture<'a, bool> + Send + 'a,
    ) -> Mission<'a> {
        self.approver = Some(Box::new(approver));
        self
    }

    /// Cancels the run when `cancelled` is ready: what is in flight is dropped, and the run is
    /// stopped and recorded as [`Stop::Cancelled`](crate::Stop::Cancelled).
    #[must_use]
    pub fn cancel_on(mut self, cancelled: impl Future<Output = ()> + Send + 'a) -> Mission<'a> {
        self.cancelled = Box::pin(cancelled);
        self
    }

    /// Returns the system prompt that a run would have.
    pub fn system_prompt(&self) -> Result<SystemPrompt, Error> {
        Brain::new(self.agent, &self.input)?.system()
    }

    /// Returns the grammar of the programs that a run allows, for a provider that can hold a model to
    /// one.
    pub fn grammar(&self, options: &GrammarOptions) -> Result<Grammar, Error> {
        Ok(Brain::new(self.agent, &self.input)?.grammar(options))
    }

    /// Returns the first message that a run would send to the model.
    pub fn opening(&self) -> Result<String, Error> {
        Ok(Brain::new(self.agent, &self.input)?.opening())
    }

    /// Runs it to its end.
    ///
    /// An error means that the run did not start, or that its record broke off; a run that stops
    /// for any other reason has a report that says why.
    pub async fn run<P: Provider + ?Sized>(self, provider: &P) -> Result<RunReport, Error> {
        let deadline = deadline(self.agent.timeout);
        let mut brain = Brain::new(self.agent, &self.input)?;
        let (system, opening) = (brain.system()?.text(), brain.opening());
        let run = RunId::generate();
        let mut journal = Journal::new(run, self.store, self.observer);
        let mut cancelled = self.cancelled;
        let mut approver = self.approver;
        journal.emit(Event::RunStarted(Box::new(RunStarted {
            run: journal.run.clone(),
            agent: self.agent.name.clone(),
            model: provider.name(),
            signature: self.agent.signature.as_ref().map(ToString::to_string),
            input: self.input,
            system: system.clone(),
            limits: limits(self.agent),
            max_turns: self.agent.max_turns,
        })));
        journal.warn(0, None, brain.warnings().to_vec());

        let bare = GrammarOptions { reply: Reply::Bare, ..GrammarOptions::default() };
        let grammar = self.agent.grammar.map(|server| provider::Grammar {
            server,
            gbnf: brain.grammar(&GrammarOptions::default()).gbnf(),
            lark: brain.grammar(&bare).lark(),
        });
        let mut turns = Turns::new(system, opening, self.agent.parameters, self.agent.max_turns)
            .with_grammar(grammar)
            .with_transport(self.agent.transport);
        let mut action = turns.step(Signal::Start);
        let ending = loop {
            let work = async {
                match action {
                    Action::Ask => ask(provider, &turns, &mut journal, deadline).await.map(Ok),
                    Action::Decide(reply) => {
                        let turn = turns.turn();
                        let approver = &mut approver;
                        let decided =
                            brain.decide(&reply, turn, &mut journal, deadline, approver).await?;
                        Ok(Ok(Signal::Decided(decided)))
                    }
                    Action::End(ending) => Ok(Err(ending)),
                }
            };
            let signal = tokio::select! {
                biased;
                worked = work => match worked? {
                    Ok(signal) => signal,
                    Err(ending) => break ending,
                },
                () = &mut cancelled => {
                    let (turn, tool_calls) = (turns.turn(), journal.calls_in_turn());
                    let (outcome, value, error) = (TurnOutcome::Cancelled, None, None);
                    journal.emit(Event::TurnEnded { turn, outcome, value, error, fuel: 0, tool_calls });
                    Signal::Cancelled { tool_calls }
                }
            };
            action = turns.step(signal);
        };
        let report = report(ending, &turns, &journal);
        journal.emit(Event::RunEnded(Box::new(report.clone())));
        journal.flush().await?;
        Ok(report)
    }
}

/// Returns when a run that starts now must end; a time that no clock can hold is in a year.
fn deadline(timeout: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(timeout).unwrap_or_else(|| now + Duration::from_hours(365 * 24))
}

async fn ask<P: Provider + ?Sized>(
    provider: &P,
    turns: &Turns,
    journal: &mut Journal<'_>,
    deadline: Instant,
) -> Result<Signal, Error> {
    let turn = turns.turn();
    journal.emit(Event::TurnStarted { turn, prompt: turns.newest().to_string() });
    journal.flush().await?;
    let request = turns.request();
    let mut note = None;
    let asking = async {
        match provider.complete(request).await {
            Err(error) if error.kind == ProviderErrorKind::Context => match shortened(request) {
                Some(short) => {
                    note = Some(RunError::new("provider", error.kind.code(), short.note));
                    provider.complete(&short.request).await
                }
                None => Err(error),
            },
            replied => replied,
        }
    };
    let asked = timeout_at(deadline, asking).await;
    journal.warn(turn, None, note.into_iter().collect());
    let (outcome, error, signal) = match asked {
        Ok(Ok(reply)) => {
            journal.emit(Event::ModelReplied { turn, reply: reply.clone() });
            return Ok(Signal::Replied(reply));
        }
        Ok(Err(error)) => {
            let shown = RunError::from(&error);
            (TurnOutcome::Provider, Some(shown), Signal::NoReply(error))
        }
        Err(_) => (TurnOutcome::Time, None, Signal::TimeUp),
    };
    journal.emit(Event::TurnEnded { turn, outcome, value: None, error, fuel: 0, tool_calls: 0 });
    Ok(signal)
}

fn report(ending: Ending, turns: &Turns, journal: &Journal<'_>) -> RunReport {
    let counts = turns.counts();
    let mut report = RunReport {
        run: journal.run.clone(),
        status: Status::Stopped,
        value: Value::Null,
        fail: None,
        stop: None,
        turns: turns.turn(),
        tool_calls: counts.tool_calls,
        fuel: counts.fuel,
        usage: counts.usage,
        error: None,
        warnings: journal.warnings().to_vec(),
    };
    match ending {
        Ending::Returned(value) => {
            report.status = Status::Returned;
            report.value = value;
        }
        Ending::Failed(fail) => {
            report.status = Status::Failed;
            report.fail = Some(fail);
        }
        Ending::Stopped { stop, error } => {
            report.stop = Some(stop);
            report.error = Some(error);
        }
    }
    report
}

/// Returns the limits as the record keeps them; times in seconds.
fn limits(agent: &Agent) -> Value {
    let limits = &agent.limits;
    json!({
        "fuel": limits.fuel,
        "memory": limits.memory,
        "call_depth": limits.call_depth,
        "value_depth": limits.value_depth,
        "source_bytes": limits.source_bytes,
        "source_nesting": limits.source_nesting,
        "tool_calls": limits.tool_calls,
        "calls_in_flight": limits.calls_in_flight,
        "print_bytes": limits.print_bytes,
        "result_bytes": limits.result_bytes,
        "memory_bytes": limits.memory_bytes,
        "program_time": agent.program_time.as_secs_f64(),
        "timeout": agent.timeout.as_secs_f64(),
    })
}
