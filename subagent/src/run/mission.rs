//! One mission, from its input to its report.

use std::sync::{Arc, Mutex, PoisonError};

use ptc_lisp::Report;
use ptc_prompt::{Grammar, GrammarOptions, Reply, SystemPrompt};
use serde_json::{Value, json};
use tokio::time::timeout_at;

use super::account::{Account, Taken};
use super::brain::Brain;
use super::event::{Event, Parent, RunStarted, TurnOutcome};
use super::id::RunId;
use super::journal::{Approve, Journal, Shared};
use super::report::{Below, RunError, RunReport, Status};
use super::turns::{Action, Ending, Rules, Signal, Turns};
use crate::agent::Agent;
use crate::error::{Error, ErrorKind};
use crate::provider::{
    self, BoxFuture, Provider, ProviderError, ProviderErrorKind, Request, Usage, shortened,
};
use crate::store::Store;

/// Is told of every event of a run and its sub-agents.
type Observer<'a> = Box<dyn FnMut(&RunId, &Event) + Send + 'a>;

/// Says whether a program may run.
type Approver<'a> = Box<dyn FnMut(&str, &Report) -> BoxFuture<'a, bool> + Send + 'a>;

/// One task given to an agent, with its input.
pub struct Mission<'a> {
    agent: &'a Agent,
    input: Value,
    store: Option<&'a Store>,
    observer: Option<Observer<'a>>,
    cancelled: BoxFuture<'a, ()>,
    approver: Option<Approver<'a>>,
    streams: bool,
}

impl<'a> Mission<'a> {
    /// Makes a mission; `input` is a JSON object that matches the agent's signature.
    pub fn new(agent: &'a Agent, input: Value) -> Mission<'a> {
        let cancelled = Box::pin(std::future::pending());
        Mission {
            agent,
            input,
            store: None,
            observer: None,
            cancelled,
            approver: None,
            streams: false,
        }
    }

    /// Keeps a record of the run.
    #[must_use]
    pub fn record_in(mut self, store: &'a Store) -> Mission<'a> {
        self.store = Some(store);
        self
    }

    /// Tells `observer` of everything that happens in the run and in those of its sub-agents, in order, as it
    /// happens.
    #[must_use]
    pub fn observe(mut self, observer: impl FnMut(&RunId, &Event) + Send + 'a) -> Mission<'a> {
        self.observer = Some(Box::new(observer));
        self
    }

    /// Has replies streamed: the observer is told of their text as it comes ([`Event::ReplyText`]).
    #[must_use]
    pub fn stream(mut self, streams: bool) -> Mission<'a> {
        self.streams = streams;
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
    /// one. An agent that answers with something else than programs has none.
    pub fn grammar(&self, options: &GrammarOptions) -> Result<Grammar, Error> {
        Brain::new(self.agent, &self.input)?.grammar(options).ok_or_else(|| {
            let message = "an agent that answers with JSON has no grammar of programs";
            Error::new(ErrorKind::Agent, message)
        })
    }

    /// Returns the first message that a run would send to the model.
    pub fn opening(&self) -> Result<String, Error> {
        Brain::new(self.agent, &self.input)?.opening()
    }

    /// Runs it to its end.
    ///
    /// An error means that the run did not start, or that its record broke off; a run that stops
    /// for any other reason has a report that says why. Dropping the future cancels the run and those of its
    /// sub-agents; their records say so.
    pub async fn run<P: Provider + ?Sized>(self, provider: &P) -> Result<RunReport, Error> {
        let Mission { agent, input, store, observer, cancelled, approver, streams } = self;
        let observer = observer.map(Mutex::new);
        let tell = |run: &RunId, event: &Event| {
            if let Some(observer) = &observer {
                let mut observer = observer.lock().unwrap_or_else(PoisonError::into_inner);
                observer(run, event);
            }
        };
        let approver = approver.map(|it| OneAtATime(tokio::sync::Mutex::new(it)));
        let approver = approver.as_ref().map(|it| it as &dyn Approve);
        let shared = Shared { store, observer: &tell, approver, streams };
        agent.check()?;
        agent.open_models()?;
        let account = Account::root(agent);
        let place = Place { shared, provider: &provider, account, parent: None };
        run(agent, input, &place, cancelled).await
    }
}

/// Asks one question at a time.
struct OneAtATime<'a>(tokio::sync::Mutex<Approver<'a>>);

impl Approve for OneAtATime<'_> {
    fn ask<'a>(&'a self, program: &'a str, report: &'a Report) -> BoxFuture<'a, bool> {
        Box::pin(async move {
            let mut approver = self.0.lock().await;
            approver(program, report).await
        })
    }
}

/// Where a run stands: what it has in common with others, whom it asks, what it may take, who called it.
pub(super) struct Place<'a> {
    pub(super) shared: Shared<'a>,
    pub(super) provider: &'a dyn Provider,
    pub(super) account: Arc<Account>,
    pub(super) parent: Option<Parent>,
}

/// Runs an agent to its end.
pub(super) async fn run(
    agent: &Agent,
    input: Value,
    place: &Place<'_>,
    mut cancelled: BoxFuture<'_, ()>,
) -> Result<RunReport, Error> {
    let mut brain = Brain::new(agent, &input)?;
    let (system, opening) = (brain.system()?.text(), brain.opening()?);
    let mut journal = Journal::new(RunId::generate(), place.shared);
    journal.start(RunStarted {
        run: journal.run.clone(),
        parent: place.parent.clone(),
        agent: agent.name.clone(),
        model: place.provider.name(),
        signature: agent.signature.as_ref().map(ToString::to_string),
        input,
        system: system.clone(),
        limits: limits(agent),
        max_turns: agent.max_turns,
    });
    journal.warn(0, None, brain.warnings().to_vec());

    let bare = GrammarOptions { reply: Reply::Bare, ..GrammarOptions::default() };
    let grammar = agent.grammar.and_then(|server| {
        let gbnf = brain.grammar(&GrammarOptions::default())?.gbnf();
        let lark = brain.grammar(&bare)?.lark();
        Some(provider::Grammar { server, gbnf, lark })
    });
    let rules =
        Rules { turns: agent.max_turns, retries: agent.retry_turns, falls_back: agent.fallback };
    let mut turns = Turns::new(system, opening, agent.parameters, rules)
        .with_grammar(grammar)
        .with_transport(agent.transport);
    let mut action = turns.step(Signal::Start);
    let ending = loop {
        let work = async {
            match action {
                Action::Ask => ask(place, &turns, &mut journal).await.map(Ok),
                Action::Decide(reply) => {
                    let turn = turns.turn();
                    let decision = brain.decide(&reply, turn, &mut journal, place).await?;
                    Ok(Ok(Signal::Decided(decision)))
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
                journal.end_turn(TurnOutcome::Cancelled, None);
                Signal::Cancelled
            }
        };
        action = turns.step(signal);
    };
    let report = report(ending, &mut journal, &place.account);
    journal.emit(Event::RunEnded(Box::new(report.clone())));
    journal.flush().await?;
    Ok(report)
}

async fn ask(place: &Place<'_>, turns: &Turns, journal: &mut Journal<'_>) -> Result<Signal, Error> {
    let (turn, request) = (turns.turn(), turns.request());
    let deadline = place.account.deadline();
    let expected = expected(request);
    let price = place.provider.price_of(&expected);
    let expected = Usage { cost: price, ..expected };
    let asking = match timeout_at(deadline, place.account.ask(expected)).await {
        Ok(Ok(asking)) => asking,
        Ok(Err(spent)) => return Ok(Signal::Spent(spent)),
        Err(_) => return Ok(Signal::TimeUp),
    };
    journal.emit(Event::TurnStarted { turn, prompt: turns.newest().to_string() });
    journal.flush().await?;
    let observer = place.shared;
    let run = journal.run.clone();
    let mut told =
        |text: &str| observer.tell(&run, &Event::ReplyText { turn, text: text.to_string() });
    let mut note = None;
    let exchange = async {
        match complete(place, request, &mut told).await {
            Err(error) if error.kind == ProviderErrorKind::Context => match shortened(request) {
                Some(short) => {
                    note = Some(RunError::new("provider", error.kind.code(), short.note));
                    complete(place, &short.request, &mut told).await
                }
                None => Err(error),
            },
            replied => replied,
        }
    };
    let asked = timeout_at(deadline, exchange).await;
    journal.warn(turn, None, note.into_iter().collect());
    match asked {
        Ok(Ok(reply)) => {
            asking.settle(reply.usage.unwrap_or_default());
            journal.emit(Event::ModelReplied { turn, reply: reply.clone() });
            Ok(Signal::Replied(reply))
        }
        Ok(Err(error)) => {
            journal.end_turn(TurnOutcome::Provider, Some(RunError::from(&error)));
            Ok(Signal::NoReply(error))
        }
        Err(_) => {
            journal.end_turn(TurnOutcome::Time, None);
            Ok(Signal::TimeUp)
        }
    }
}

/// Asks for a reply, and tells of its text as it comes if anybody wants to know.
async fn complete(
    place: &Place<'_>,
    request: &Request,
    told: &mut (dyn FnMut(&str) + Send),
) -> Result<provider::Reply, ProviderError> {
    if place.shared.streams {
        place.provider.stream(request, told).await
    } else {
        place.provider.complete(request).await
    }
}

/// What a reply is expected to take, its prompt included: held until it is there.
fn expected(request: &Request) -> Usage {
    const REPLY: u64 = 500;
    let texts = request.messages.iter().map(|it| it.text.len()).sum::<usize>();
    let prompt = (request.system.len() + texts) as u64 / ptc_prompt::CHARS_PER_TOKEN as u64;
    let reply = request.parameters.max_tokens.map_or(REPLY, u64::from);
    Usage { input_tokens: prompt, output_tokens: reply, ..Usage::default() }
}

fn report(ending: Ending, journal: &mut Journal<'_>, account: &Account) -> RunReport {
    if let Ending::FellBack { turn, error, .. } = &ending {
        let message = format!(
            "no program returned ({}): the value of turn {turn} is the answer",
            error.message
        );
        journal.warn(*turn, None, vec![RunError::new("limit", "fallback", message)]);
    }
    let mut report = journal.report();
    report.below = below(account.below_it());
    match ending {
        Ending::Returned(value) | Ending::FellBack { value, .. } => {
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

fn below(taken: Taken) -> Option<Below> {
    let Taken { runs, turns, tool_calls, fuel, usage, .. } = taken;
    (runs > 0).then_some(Below { runs, turns, tool_calls, fuel, usage })
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
        "budget": {
            "turns": agent.budget.turns,
            "tool_calls": agent.budget.tool_calls,
            "fuel": agent.budget.fuel,
            "tokens": agent.budget.tokens,
            "cost": agent.budget.cost,
            "depth": agent.budget.depth,
        },
    })
}
