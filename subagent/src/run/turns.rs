//! The turn loop as a state machine: what happens next, given what happened.
//!
//! It knows texts, counts and endings, and nothing of what a program is or who runs it. It does
//! nothing itself: [`Turns::step`] takes a signal and says which action is due.

use super::report::{Fail, RunError, Stop};
use crate::provider::{Grammar, Message, Parameters, ProviderError, Reply, Request, Role};
use crate::provider::{Transport, Usage};

/// Where a run stands.
#[derive(Debug)]
pub(super) struct Turns {
    state: State,
    turn: u32,
    last: u32,
    request: Request,
    counts: Counts,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Ready,
    Asking,
    Deciding,
    Over,
}

/// What a run has taken so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) usage: Usage,
    pub(super) fuel: u64,
    pub(super) tool_calls: u64,
}

impl Counts {
    const NOTHING: Counts = Counts { usage: Usage::NOTHING, fuel: 0, tool_calls: 0 };
}

/// What happened.
#[derive(Debug, PartialEq)]
pub(super) enum Signal {
    Start,
    Replied(Reply),
    NoReply(ProviderError),
    Decided(Decided),
    TimeUp,
    Cancelled { tool_calls: u32 },
}

/// What came of a reply.
#[derive(Debug, PartialEq)]
pub(super) struct Decided {
    pub(super) decision: Decision,
    pub(super) fuel: u64,
    pub(super) tool_calls: u32,
}

/// What a reply asks for.
#[derive(Debug, PartialEq)]
pub(super) enum Decision {
    /// The run has its value.
    Return(serde_json::Value),
    /// The run has failed in its own words.
    Fail(Fail),
    /// The model is to be told this. If no turn is left, the rest says how the run is stopped.
    Tell { message: String, stop: Stop, error: RunError },
    /// The time of the run was up before it came to anything.
    TimeUp,
}

/// What is due.
#[derive(Debug, PartialEq)]
pub(super) enum Action {
    /// Ask the model, with [`Turns::request`].
    Ask,
    /// Find out what came of this reply.
    Decide(Reply),
    /// Nothing more.
    End(Ending),
}

/// How a run ends.
#[derive(Debug, PartialEq)]
pub(super) enum Ending {
    Returned(serde_json::Value),
    Failed(Fail),
    Stopped { stop: Stop, error: RunError },
}

impl Turns {
    /// Makes a run that was not started yet; `opening` is the first message to the model.
    pub(super) fn new(
        system: String,
        opening: String,
        parameters: Parameters,
        max_turns: u32,
    ) -> Turns {
        let last = max_turns;
        let messages = vec![Message { role: Role::User, text: opening }];
        let transport = Transport::default();
        let request = Request { system, messages, parameters, grammar: None, transport };
        Turns { state: State::Ready, turn: 0, last, request, counts: Counts::NOTHING }
    }

    /// Has every reply held to a grammar.
    pub(super) fn with_grammar(mut self, grammar: Option<Grammar>) -> Turns {
        self.request.grammar = grammar;
        self
    }

    /// Sets how programs travel.
    pub(super) fn with_transport(mut self, transport: Transport) -> Turns {
        self.request.transport = transport;
        self
    }

    /// Takes what happened and returns what is due.
    pub(super) fn step(&mut self, signal: Signal) -> Action {
        match (self.state, signal) {
            (State::Ready, Signal::Start) => self.ask(),
            (State::Asking, Signal::Replied(reply)) => {
                self.counts.usage.add(reply.usage.unwrap_or_default());
                self.say(Role::Assistant, reply.text.clone());
                self.state = State::Deciding;
                Action::Decide(reply)
            }
            (State::Asking, Signal::NoReply(error)) => {
                self.end(Ending::Stopped { stop: Stop::Provider, error: RunError::from(&error) })
            }
            (State::Deciding, Signal::Decided(decided)) => {
                self.counts.fuel = self.counts.fuel.saturating_add(decided.fuel);
                self.counts.tool_calls += u64::from(decided.tool_calls);
                self.decide(decided.decision)
            }
            (State::Asking | State::Deciding, Signal::TimeUp) => self.time_up(),
            (State::Asking | State::Deciding, Signal::Cancelled { tool_calls }) => {
                self.counts.tool_calls += u64::from(tool_calls);
                let error = RunError::new("other", "cancelled", "the run was cancelled");
                self.end(Ending::Stopped { stop: Stop::Cancelled, error })
            }
            (state, signal) => {
                let message = format!("a run cannot take {signal:?} while it is {state:?}");
                let error = RunError::new("other", "internal", message);
                self.end(Ending::Stopped { stop: Stop::Internal, error })
            }
        }
    }

    /// Returns the turn, counted from 1.
    pub(super) fn turn(&self) -> u32 {
        self.turn
    }

    /// Returns the conversation so far.
    pub(super) fn request(&self) -> &Request {
        &self.request
    }

    /// Returns what is new to the model in this turn.
    pub(super) fn newest(&self) -> &str {
        self.request.messages.last().map_or("", |it| &it.text)
    }

    /// Returns what the run has taken so far.
    pub(super) fn counts(&self) -> Counts {
        self.counts
    }

    fn decide(&mut self, decision: Decision) -> Action {
        match decision {
            Decision::Return(value) => self.end(Ending::Returned(value)),
            Decision::Fail(fail) => self.end(Ending::Failed(fail)),
            Decision::Tell { stop, error, .. } if self.turn >= self.last => {
                self.end(Ending::Stopped { stop, error })
            }
            Decision::Tell { message, .. } => {
                self.say(Role::User, message);
                self.ask()
            }
            Decision::TimeUp => self.time_up(),
        }
    }

    fn ask(&mut self) -> Action {
        self.turn += 1;
        self.state = State::Asking;
        Action::Ask
    }

    fn time_up(&mut self) -> Action {
        let error = RunError::new("limit", "run-time-limit", "the time of the run is up");
        self.end(Ending::Stopped { stop: Stop::Time, error })
    }

    fn end(&mut self, ending: Ending) -> Action {
        self.state = State::Over;
        Action::End(ending)
    }

    fn say(&mut self, role: Role, text: String) {
        self.request.messages.push(Message { role, text });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::provider::{Finish, ProviderErrorKind};

    fn reply() -> Reply {
        let usage = Some(Usage { input_tokens: 3, output_tokens: 2, ..Usage::default() });
        Reply { text: "r".to_string(), usage, finish: Finish::Stop }
    }

    fn decided(decision: Decision) -> Signal {
        Signal::Decided(Decided { decision, fuel: 10, tool_calls: 1 })
    }

    fn tell(stop: Stop) -> Decision {
        Decision::Tell { message: "m".to_string(), stop, error: error("e") }
    }

    fn error(message: &str) -> RunError {
        RunError::new("type", "wrong-type", message)
    }

    fn stopped(stop: Stop, error: RunError) -> String {
        format!("{:?}", Action::End(Ending::Stopped { stop, error }))
    }

    /// Feeds signals to a run of two turns and compares the last action, and the conversation.
    fn check(signals: Vec<Signal>, action: &str, turn: u32, said: &str) {
        let mut turns = Turns::new("s".into(), "o".into(), Parameters::default(), 2);
        let mut last = String::new();
        for signal in signals {
            last = format!("{:?}", turns.step(signal));
        }
        assert_eq!(last, action);
        assert_eq!(turns.turn(), turn, "{action}");
        let texts: Vec<&str> = turns.request().messages.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(texts.join(" "), said, "{action}");
    }

    #[test]
    fn every_transition() {
        let fail =
            || Fail { reason: "why".into(), message: "because".into(), details: json!(null) };
        let no_reply = || ProviderError::new(ProviderErrorKind::Server, "down");
        let time = || RunError::new("limit", "run-time-limit", "the time of the run is up");
        let (start, replied) = (|| Signal::Start, || Signal::Replied(reply()));
        let decide = format!("{:?}", Action::Decide(reply()));
        let returned = format!("{:?}", Action::End(Ending::Returned(json!(1))));
        let failed = format!("{:?}", Action::End(Ending::Failed(fail())));
        let down = stopped(Stop::Provider, RunError::from(&no_reply()));

        check(vec![start()], "Ask", 1, "o");
        check(vec![start(), replied()], &decide, 1, "o r");
        check(vec![start(), Signal::NoReply(no_reply())], &down, 1, "o");
        check(vec![start(), Signal::TimeUp], &stopped(Stop::Time, time()), 1, "o");
        let cancelled =
            stopped(Stop::Cancelled, RunError::new("other", "cancelled", "the run was cancelled"));
        let cancel = || Signal::Cancelled { tool_calls: 1 };
        check(vec![start(), cancel()], &cancelled, 1, "o");
        check(vec![start(), replied(), cancel()], &cancelled, 1, "o r");
        let cases = [
            (Decision::Return(json!(1)), returned, 1, "o r"),
            (Decision::Fail(fail()), failed, 1, "o r"),
            (Decision::TimeUp, stopped(Stop::Time, time()), 1, "o r"),
            (tell(Stop::Turns), "Ask".to_string(), 2, "o r m"),
            (tell(Stop::Fuel), "Ask".to_string(), 2, "o r m"),
        ];
        for (decision, action, turn, said) in cases {
            check(vec![start(), replied(), decided(decision)], &action, turn, said);
        }
        for stop in [Stop::Turns, Stop::Fuel] {
            let signals = vec![
                start(),
                replied(),
                decided(tell(Stop::Memory)),
                replied(),
                decided(tell(stop)),
            ];
            check(signals, &stopped(stop, error("e")), 2, "o r m r");
        }
    }

    #[test]
    fn a_signal_out_of_place_ends_the_run() {
        for signals in [
            vec![Signal::TimeUp],
            vec![Signal::Start, Signal::Start],
            vec![Signal::Start, decided(Decision::TimeUp)],
            vec![Signal::Start, Signal::TimeUp, Signal::Start],
        ] {
            let mut turns = Turns::new("s".into(), "o".into(), Parameters::default(), 2);
            let last = signals.into_iter().map(|it| turns.step(it)).last();
            let Some(Action::End(Ending::Stopped { stop, .. })) = last else {
                panic!("{last:?}");
            };
            assert_eq!(stop.exit_code(), 70);
        }
    }

    #[test]
    fn everything_is_counted() {
        let mut turns = Turns::new("s".into(), "o".into(), Parameters::default(), 2);
        turns.step(Signal::Start);
        for _ in 0..2 {
            turns.step(Signal::Replied(reply()));
            turns.step(decided(tell(Stop::Turns)));
        }
        let usage = Usage { input_tokens: 6, output_tokens: 4, ..Usage::default() };
        assert_eq!(turns.counts(), Counts { usage, fuel: 20, tool_calls: 2 });
    }
}
