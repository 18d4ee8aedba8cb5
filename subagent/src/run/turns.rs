//! The turn loop as a state machine: it maps each signal to the next action.
//!
//! It handles texts, counts and endings, and does not know what a program is or who runs it. It performs no action
//! itself: [`Turns::step`] takes a signal and returns the action to perform.

use std::collections::BTreeMap;
use std::sync::Arc;

use ptc_prompt::SystemPrompt;

use super::journal::cancelled;
use super::ledger::Exhausted;
use crate::agent::{Agent, OnLimit};
use crate::blob::Blob;
use crate::data::Data;
use crate::provider::{
    CallResult, Images, Message, Parameters, Reply, ReplyGrammar, Request, ToolOffer, Transport,
};
use crate::record::{Fail, RequestRecord, RunCode, RunError, Stop};
use crate::transcript::{self, Expansions, History, Recovery, TranscriptChange, WantedSummary};

/// The state of a run's turn loop.
#[derive(Debug)]
pub(super) struct Turns {
    state: State,
    turn: u32,
    rules: Rules,
    request: Request,
    /// The message that asks for a partial answer.
    summary_request: String,
    /// The last value that could be the answer, and its turn.
    fallback: Option<(Data, u32)>,
    /// The reason that the run stops, once the model is asked for a partial answer.
    summary: Option<(Stop, RunError)>,
    /// The whole conversation. The messages of the request are what is sent of it.
    history: History,
    transcript: transcript::Rules,
    /// The turns whose messages are to be sent whole again.
    expanded: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Ready,
    Asking,
    Deciding,
    Over,
}

/// The rules about the turns of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rules {
    /// The number of regular turns.
    pub(super) turns: u32,
    /// The number of further turns, if the last regular one returned a value that does not match.
    pub(super) retries: u32,
    /// The behaviour when turns run out.
    pub(super) on_limit: OnLimit,
    /// Whether a model replies. A workflow has no conversation.
    pub(super) asks: bool,
}

impl Rules {
    pub(super) fn of(agent: &Agent) -> Rules {
        Rules {
            turns: agent.max_turns,
            retries: agent.retry_turns,
            on_limit: agent.on_limit,
            asks: agent.workflow.is_none(),
        }
    }

    /// Returns whether no turn follows this one, if the model is told its outcome.
    pub(super) fn is_last(self, turn: u32, is_wrong_return: bool) -> bool {
        let may_retry = is_wrong_return || turn > self.turns;
        turn >= if may_retry { self.turns.saturating_add(self.retries) } else { self.turns }
    }

    /// Returns whether the message about the outcome of a turn asks for a partial answer.
    pub(super) fn asks_for_summary(self, turn: u32, is_wrong_return: bool) -> bool {
        self.on_limit == OnLimit::Summarize && self.is_last(turn, is_wrong_return)
    }
}

/// An input of the state machine.
#[derive(Debug, PartialEq)]
pub(super) enum Signal {
    Start,
    /// A ceiling was reached, so the model was not asked.
    Exhausted(Exhausted),
    Replied(Reply),
    NoReply(RunError),
    Decided(Decision),
    TimeUp,
    Cancelled,
}

/// The outcome of a reply.
#[derive(Debug, PartialEq)]
pub(super) enum Decision {
    /// The run returns a value.
    Return(Data),
    /// The program declared a failure.
    Fail(Fail),
    /// The model gets feedback or an observation.
    Tell(Tell),
    /// The time limit of the run was reached before the reply had an outcome.
    TimeUp,
    /// The run was cancelled before the reply had an outcome. Only a replay decides this.
    Cancelled,
    /// The outcome of a call is unknown.
    InDoubt(RunError),
    /// The run stops, and no model is asked to change that.
    Stop(Stop, RunError),
    /// The program of a workflow ends its turn and goes on in the next one.
    Continue,
    /// The run ends without a value, and so does the loop of agents around it.
    ExitLoop,
    /// The run waits, and no process waits for it.
    Wait,
}

/// The next message to the model, and the stop of the run if no turn is left.
#[derive(Debug, PartialEq)]
pub(super) struct Tell {
    pub(super) message: String,
    /// The results of the calls that the reply asked for natively.
    pub(super) results: Vec<CallResult>,
    /// The images that the message shows.
    pub(super) images: Vec<Arc<Blob>>,
    pub(super) stop: Stop,
    pub(super) error: RunError,
    /// Whether the only problem was a returned value that does not match.
    pub(super) is_wrong_return: bool,
    /// The value of the turn, if it could be the answer.
    pub(super) value: Option<Data>,
    /// The tools that the program of the turn called, if a rule of a tool decides how long the message is sent.
    pub(super) tools: Vec<String>,
    /// The turns whose messages are to be sent whole again.
    pub(super) expanded: Vec<u32>,
}

/// The action to perform next.
#[derive(Debug, PartialEq)]
pub(super) enum Action {
    /// Ask the model, with [`Turns::request`].
    Ask,
    /// Decide the outcome of this reply.
    Decide(Reply),
    /// Read this reply as a partial answer.
    ReadSummary(Reply),
    /// End the run.
    End(Ending),
}

/// The ending of a run.
#[derive(Debug, PartialEq)]
pub(super) enum Ending {
    Returned(Data),
    /// The run ended the loop of agents around it.
    ExitedLoop,
    /// The run waits.
    Waiting,
    /// No program returned, so the value of an earlier turn is the answer. `error` has the reason.
    FellBack {
        value: Data,
        turn: u32,
        error: RunError,
    },
    /// No turn was left, so the model gave a partial answer. `error` has the reason.
    Summarized {
        value: Data,
        error: RunError,
    },
    Failed(Fail),
    Stopped {
        stop: Stop,
        error: RunError,
    },
}

impl Turns {
    /// Creates the loop of a run that has not started; `opening` is the first message to the model.
    pub(super) fn new(
        system: SystemPrompt,
        opening: String,
        parameters: Parameters,
        rules: Rules,
    ) -> Turns {
        let request = Request {
            system,
            messages: vec![Message::user(&opening)],
            images: Images::default(),
            parameters,
            grammar: None,
            transport: Transport::default(),
            streamed: false,
            tools: Vec::new(),
            wants_text: false,
            stop: Vec::new(),
            fallback: 0,
        };
        Turns {
            state: State::Ready,
            turn: 0,
            rules,
            request,
            summary_request: String::new(),
            fallback: None,
            summary: None,
            history: History::new(Message::user(opening)),
            transcript: transcript::Rules::default(),
            expanded: Vec::new(),
        }
    }

    /// Sets the rules about the parts of the conversation that are sent. The tools must be set before.
    pub(super) fn with_transcript(mut self, transcript: transcript::Rules) -> Turns {
        let besides = self.request.fixed_len();
        self.transcript = transcript::Rules { besides, ..transcript };
        self
    }

    /// Constrains every reply to a grammar.
    pub(super) fn with_grammar(mut self, grammar: Option<ReplyGrammar>) -> Turns {
        self.request.grammar = grammar;
        self
    }

    /// Sets the form in which programs travel to and from the model.
    pub(super) fn with_transport(mut self, transport: Transport) -> Turns {
        self.request.transport = transport;
        self
    }

    /// Sets the message that asks for a partial answer.
    pub(super) fn with_summary_request(mut self, text: String) -> Turns {
        self.summary_request = text;
        self
    }

    /// Offers tools to the model.
    pub(super) fn with_tools(mut self, tools: Vec<ToolOffer>) -> Turns {
        self.request.tools = tools;
        self
    }

    /// Sets the texts at which the model stops.
    pub(super) fn with_stop(mut self, stop: Vec<String>) -> Turns {
        self.request.stop = stop;
        self
    }

    /// Sets whether replies are streamed.
    pub(super) fn with_streams(mut self, streamed: bool) -> Turns {
        self.request.streamed = streamed;
        self
    }

    /// Continues after a turn, with its conversation, which has the next message to the model, the images of its
    /// messages, and the value that could be the answer.
    pub(super) fn continue_from(
        &mut self,
        turn: u32,
        history: History,
        expanded: Vec<u32>,
        images: Images,
        fallback: Option<(Data, u32)>,
    ) -> Action {
        (self.request.messages, self.request.images) = (history.messages(), images);
        (self.history, self.expanded) = (history, expanded);
        (self.turn, self.fallback) = (turn, fallback);
        self.ask()
    }

    /// Passes a turn, whose number is used up.
    pub(super) fn pass(&mut self) {
        self.turn += 1;
    }

    /// Returns the value of an earlier turn that could be the answer, and its turn.
    pub(super) fn fallback(&self) -> Option<&(Data, u32)> {
        self.fallback.as_ref()
    }

    /// Processes a signal and returns the next action.
    pub(super) fn step(&mut self, signal: Signal) -> Action {
        match (self.state, signal) {
            (State::Ready, Signal::Start) => self.ask(),
            (State::Asking, Signal::Replied(reply)) => {
                if self.rules.asks {
                    self.request.messages.push(Message::of_reply(&reply));
                    self.history.reply(Message::of_reply(&reply));
                }
                self.state = State::Deciding;
                if self.summary.is_some() {
                    Action::ReadSummary(reply)
                } else {
                    Action::Decide(reply)
                }
            }
            (State::Asking, Signal::Exhausted(Exhausted { stop, error })) => {
                self.turn -= 1;
                self.stop(stop, error)
            }
            (State::Asking, Signal::NoReply(error)) => self.stop(Stop::Provider, error),
            (State::Deciding, Signal::Decided(decision)) => self.decide(decision),
            (State::Asking | State::Deciding, Signal::TimeUp) => self.time_up(),
            (State::Asking | State::Deciding, Signal::Cancelled) => {
                self.stop(Stop::Cancelled, cancelled())
            }
            (state, signal) => {
                let message = format!("a run cannot take {signal:?} while it is {state:?}");
                self.stop(Stop::Internal, RunError::new(RunCode::Internal, message))
            }
        }
    }

    /// Returns the number of the turn, counted from 1.
    pub(super) fn turn(&self) -> u32 {
        self.turn
    }

    /// Returns the conversation so far.
    pub(super) fn request(&self) -> &Request {
        &self.request
    }

    /// Goes on with another model. Parts of the conversation that only the model before understands are dropped.
    pub(super) fn switch(&mut self, fallback: usize) {
        self.request.fallback = fallback;
        self.history.forget_opaque();
        for message in &mut self.request.messages {
            message.opaque.clear();
        }
    }

    /// Sends whole again what a program asked for, and applies the rules of the transcript. Returns the changes.
    pub(super) fn apply_rules(&mut self) -> Vec<TranscriptChange> {
        let wanted = std::mem::take(&mut self.expanded);
        let mut changes: Vec<TranscriptChange> =
            wanted.into_iter().filter_map(|turn| self.history.expansion(turn)).collect();
        for change in &changes {
            self.history.apply(change, self.turn);
        }
        let due = transcript::due(&self.history, &self.transcript, self.turn);
        for change in &due {
            self.history.apply(change, self.turn);
        }
        changes.extend(due);
        if !changes.is_empty() {
            self.request.messages = self.history.messages();
        }
        changes
    }

    /// Returns the summary that may replace the beginning of a result which a change leaves, if its rule wants one.
    pub(super) fn summary_of(&self, change: &TranscriptChange) -> Option<WantedSummary> {
        self.transcript.summary_of(&self.history, change)
    }

    /// Sends a summary instead of the beginning of a result.
    pub(super) fn summarize(&mut self, change: &TranscriptChange) {
        self.history.apply(change, self.turn);
        self.request.messages = self.history.messages();
    }

    /// Shortens the conversation after the model has refused it as too long. Returns the changes, with a sentence about
    /// them; `None` if the step of the recovery saves nothing, or if the run has recovered in an earlier turn.
    pub(super) fn recover(&mut self, step: usize) -> Option<Recovery> {
        let recovery = self.history.recovery(step, self.turn)?;
        for change in &recovery.0 {
            self.history.apply(change, self.turn);
        }
        self.request.messages = self.history.messages();
        Some(recovery)
    }

    /// Returns the turn in which the run has recovered from a conversation that was too long.
    pub(super) fn recovered(&self) -> Option<u32> {
        self.history.recovered()
    }

    /// Repeats what a recorded request of this turn sent.
    pub(super) fn repeat(&mut self, request: &RequestRecord) {
        if let Some(messages) = &request.messages {
            self.history.restart(self.turn, messages.clone());
            self.request.messages.clone_from(messages);
        }
        // What a program asked for is among the changes on record.
        self.expanded.clear();
        for change in &request.changes {
            self.history.apply(change, self.turn);
        }
        if !request.changes.is_empty() {
            self.request.messages = self.history.messages();
        }
    }

    /// Returns the newest message to the model, whole.
    pub(super) fn newest(&self) -> &Message {
        self.history.newest()
    }

    /// Returns the messages that the next program can have sent whole again.
    pub(super) fn expansions(&self) -> Expansions {
        self.history.expansions()
    }

    /// Returns the turns whose messages are to be sent whole again.
    pub(super) fn expanded(&self) -> &[u32] {
        &self.expanded
    }

    /// Returns the tools that programs of turns called, where a rule of a tool decides.
    pub(super) fn called_tools(&self) -> BTreeMap<u32, Vec<String>> {
        self.history.tools()
    }

    fn decide(&mut self, decision: Decision) -> Action {
        match decision {
            Decision::Return(value) => {
                let summary = self.summary.take();
                self.end(match summary {
                    Some((_, error)) => Ending::Summarized { value, error },
                    None => Ending::Returned(value),
                })
            }
            Decision::Fail(fail) => self.end(Ending::Failed(fail)),
            Decision::Tell(tell) => self.tell(tell),
            Decision::TimeUp => self.time_up(),
            Decision::Cancelled => self.stop(Stop::Cancelled, cancelled()),
            Decision::InDoubt(error) => self.stop(Stop::InDoubt, error),
            Decision::Stop(stop, error) => self.stop(stop, error),
            Decision::Continue if self.turn >= self.rules.turns => {
                let message = format!("no turn is left after {}", self.turn);
                self.stop(Stop::Turns, RunError::new(RunCode::TurnLimit, message))
            }
            Decision::Continue => self.ask(),
            Decision::ExitLoop => self.end(Ending::ExitedLoop),
            Decision::Wait => self.end(Ending::Waiting),
        }
    }

    fn tell(&mut self, mut tell: Tell) -> Action {
        if let Some(value) = tell.value.take() {
            self.fallback = Some((value, self.turn));
        }
        // No model can correct a bug in this library.
        if tell.stop == Stop::Internal {
            return self.stop(tell.stop, tell.error);
        }
        if self.rules.asks_for_summary(self.turn, tell.is_wrong_return) {
            return self.ask_for_summary(tell);
        }
        if self.rules.is_last(self.turn, tell.is_wrong_return) {
            return self.stop(tell.stop, tell.error);
        }
        let message = self.show(tell.message, tell.results, &tell.images);
        self.push(message, tell.tools);
        self.expanded = tell.expanded;
        self.ask()
    }

    /// Makes the next message, and keeps the images that it shows.
    fn show(&mut self, text: String, results: Vec<CallResult>, images: &[Arc<Blob>]) -> Message {
        for image in images {
            self.request.images.add(image);
        }
        let hashes = images.iter().map(|it| it.hash.clone()).collect();
        Message::user(text).with_results(results).with_images(hashes)
    }

    /// Adds the message about the turn to the conversation.
    fn push(&mut self, message: Message, tools: Vec<String>) {
        self.request.messages.push(message.clone());
        self.history.tell(self.turn, message, tools);
    }

    /// Asks for a partial answer, without tools and without a restriction of the reply.
    fn ask_for_summary(&mut self, tell: Tell) -> Action {
        let texts = [tell.message, self.summary_request.clone()];
        let text = texts.into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join("\n\n");
        let message = self.show(text, tell.results, &tell.images);
        self.push(message, tell.tools);
        (self.request.grammar, self.request.transport) = (None, Transport::Fence);
        self.request.wants_text = true;
        self.request.stop.clear();
        self.summary = Some((tell.stop, tell.error));
        self.ask()
    }

    /// Returns the reason that the run stops, if the model is asked for a partial answer.
    pub(super) fn summary(&self) -> Option<&(Stop, RunError)> {
        self.summary.as_ref()
    }

    fn ask(&mut self) -> Action {
        self.turn += 1;
        self.state = State::Asking;
        Action::Ask
    }

    fn time_up(&mut self) -> Action {
        let error = RunError::new(RunCode::RunTimeLimit, "the time of the run is up");
        self.stop(Stop::Time, error)
    }

    fn stop(&mut self, stop: Stop, error: RunError) -> Action {
        let used_up = matches!(stop, Stop::Turns | Stop::Tokens | Stop::Cost | Stop::Time);
        let falls_back = used_up && self.rules.on_limit == OnLimit::LastValue;
        let fallback = if falls_back { self.fallback.take() } else { None };
        self.end(match fallback {
            Some((value, turn)) => Ending::FellBack { value, turn, error },
            None => Ending::Stopped { stop, error },
        })
    }

    fn end(&mut self, ending: Ending) -> Action {
        self.state = State::Over;
        Action::End(ending)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::provider::{ProviderError, ProviderErrorKind};

    const TWO: Rules = Rules { turns: 2, retries: 0, on_limit: OnLimit::Stop, asks: true };

    fn reply() -> Reply {
        Reply::new("r")
    }

    fn tell(stop: Stop) -> Tell {
        let (message, error) = ("m".to_string(), error("e"));
        Tell {
            message,
            results: Vec::new(),
            images: Vec::new(),
            stop,
            error,
            is_wrong_return: false,
            value: None,
            tools: Vec::new(),
            expanded: Vec::new(),
        }
    }

    fn error(message: &str) -> RunError {
        RunError::new(ptc_lisp::Code::WrongType, message)
    }

    fn last_or_stop(falls_back: bool) -> OnLimit {
        if falls_back { OnLimit::LastValue } else { OnLimit::Stop }
    }

    #[test]
    fn an_exhausted_run_asks_for_a_partial_answer() {
        let rules = Rules { on_limit: OnLimit::Summarize, ..TWO };
        let summarizing = || {
            let mut turns = started(rules).with_summary_request("sum up".to_string());
            decide(&mut turns, Decision::Tell(tell(Stop::Fuel)));
            let action = decide(&mut turns, Decision::Tell(tell(Stop::Turns)));
            check(&turns, &action, &Action::Ask, 3, "o r m r m\n\nsum up");
            assert!(turns.request().wants_text);
            turns
        };
        let mut turns = summarizing();
        assert_eq!(turns.step(Signal::Replied(reply())), Action::ReadSummary(reply()));
        let ending = Ending::Summarized { value: json!(1).into(), error: error("e") };
        let action = turns.step(Signal::Decided(Decision::Return(json!(1).into())));
        assert_eq!(action, Action::End(ending));
        let mut turns = summarizing();
        let action = turns.step(Signal::NoReply(no_reply()));
        assert_eq!(action, stopped(Stop::Provider, no_reply()));
    }

    fn fail() -> Fail {
        Fail { reason: "why".into(), message: "because".into(), details: Data::default() }
    }

    fn no_reply() -> RunError {
        RunError::from(&ProviderError::new(ProviderErrorKind::Server, "down"))
    }

    fn time() -> RunError {
        RunError::new(RunCode::RunTimeLimit, "the time of the run is up")
    }

    fn stopped(stop: Stop, error: RunError) -> Action {
        Action::End(Ending::Stopped { stop, error })
    }

    fn started(rules: Rules) -> Turns {
        let mut turns = Turns::new("s".into(), "o".into(), Parameters::default(), rules);
        assert_eq!(turns.step(Signal::Start), Action::Ask);
        turns
    }

    /// Steps to the reply of the next turn, then to its decision.
    fn decide(turns: &mut Turns, decision: Decision) -> Action {
        assert_eq!(turns.step(Signal::Replied(reply())), Action::Decide(reply()));
        turns.step(Signal::Decided(decision))
    }

    /// Compares the action and the state after it with the expected ones.
    fn check(turns: &Turns, action: &Action, expected: &Action, turn: u32, said: &str) {
        assert_eq!(action, expected);
        assert_eq!(turns.turn(), turn, "{expected:?}");
        let texts: Vec<&str> = turns.request().messages.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(texts.join(" "), said, "{expected:?}");
        let told = texts.iter().rev().find(|it| **it != "r").unwrap();
        assert_eq!(turns.newest().text, *told);
    }

    #[test]
    fn each_signal_while_asking_gives_its_action() {
        let spent = |stop| Exhausted { stop, error: error("spent") };
        let cases = [
            (Signal::Replied(reply()), Action::Decide(reply()), 1, "o r"),
            (Signal::Exhausted(spent(Stop::Turns)), stopped(Stop::Turns, error("spent")), 0, "o"),
            (Signal::Exhausted(spent(Stop::Tokens)), stopped(Stop::Tokens, error("spent")), 0, "o"),
            (Signal::Exhausted(spent(Stop::Cost)), stopped(Stop::Cost, error("spent")), 0, "o"),
            (Signal::Exhausted(spent(Stop::Fuel)), stopped(Stop::Fuel, error("spent")), 0, "o"),
            (Signal::NoReply(no_reply()), stopped(Stop::Provider, no_reply()), 1, "o"),
            (Signal::TimeUp, stopped(Stop::Time, time()), 1, "o"),
            (Signal::Cancelled, stopped(Stop::Cancelled, cancelled()), 1, "o"),
        ];
        for (signal, expected, turn, said) in cases {
            let mut turns = started(TWO);
            let action = turns.step(signal);
            check(&turns, &action, &expected, turn, said);
        }
    }

    #[test]
    fn each_decision_gives_its_action() {
        let one = || Data::from(json!(1));
        let cases = [
            (Decision::Return(one()), Action::End(Ending::Returned(one())), 1, "o r"),
            (Decision::Fail(fail()), Action::End(Ending::Failed(fail())), 1, "o r"),
            (Decision::TimeUp, stopped(Stop::Time, time()), 1, "o r"),
            (Decision::Tell(tell(Stop::Turns)), Action::Ask, 2, "o r m"),
            (Decision::Tell(tell(Stop::Fuel)), Action::Ask, 2, "o r m"),
            (Decision::Tell(tell(Stop::Internal)), stopped(Stop::Internal, error("e")), 1, "o r"),
        ];
        for (decision, expected, turn, said) in cases {
            let mut turns = started(TWO);
            let action = decide(&mut turns, decision);
            check(&turns, &action, &expected, turn, said);
        }
        let mut turns = started(TWO);
        turns.step(Signal::Replied(reply()));
        let action = turns.step(Signal::Cancelled);
        check(&turns, &action, &stopped(Stop::Cancelled, cancelled()), 1, "o r");
        let mut turns = started(TWO);
        turns.step(Signal::Replied(reply()));
        let action = turns.step(Signal::TimeUp);
        check(&turns, &action, &stopped(Stop::Time, time()), 1, "o r");
    }

    #[test]
    fn the_last_turn_stops_the_run_with_its_error() {
        for stop in [Stop::Turns, Stop::Fuel, Stop::Policy, Stop::Depth] {
            let mut turns = started(TWO);
            decide(&mut turns, Decision::Tell(tell(Stop::Memory)));
            let action = decide(&mut turns, Decision::Tell(tell(stop)));
            check(&turns, &action, &stopped(stop, error("e")), 2, "o r m r");
        }
    }

    #[test]
    fn retries_follow_the_last_turn_if_only_the_value_was_wrong() {
        let wrong = || Decision::Tell(Tell { is_wrong_return: true, ..tell(Stop::Turns) });
        let other = || Decision::Tell(tell(Stop::Turns));
        let stop = || stopped(Stop::Turns, error("e"));
        let rules = Rules { turns: 1, retries: 2, on_limit: OnLimit::Stop, asks: true };
        let cases: [(Rules, Vec<Decision>, Action, u32); 5] = [
            (rules, vec![other()], stop(), 1),
            (rules, vec![wrong()], Action::Ask, 2),
            (rules, vec![wrong(), other()], Action::Ask, 3),
            (rules, vec![wrong(), wrong(), wrong()], stop(), 3),
            // A regular turn does not count as a retry.
            (
                Rules { turns: 2, retries: 1, on_limit: OnLimit::Stop, asks: true },
                vec![wrong(), other()],
                stop(),
                2,
            ),
        ];
        for (rules, decisions, expected, turn) in cases {
            let mut turns = started(rules);
            let actions = decisions.into_iter().map(|it| decide(&mut turns, it));
            assert_eq!(actions.last(), Some(expected));
            assert_eq!(turns.turn(), turn);
        }
    }

    #[test]
    fn an_exhausted_run_falls_back_to_its_last_value() {
        let value =
            |n: i64| Decision::Tell(Tell { value: Some(json!(n).into()), ..tell(Stop::Turns) });
        let none = || Decision::Tell(tell(Stop::Turns));
        let fell = |n: i64, turn, error| {
            Action::End(Ending::FellBack { value: json!(n).into(), turn, error })
        };
        for (falls_back, first, last, expected) in [
            (true, value(1), none(), fell(1, 1, error("e"))),
            (true, value(1), value(2), fell(2, 2, error("e"))),
            (true, none(), none(), stopped(Stop::Turns, error("e"))),
            (true, value(1), Decision::Tell(tell(Stop::Fuel)), stopped(Stop::Fuel, error("e"))),
            (true, value(1), Decision::Fail(fail()), Action::End(Ending::Failed(fail()))),
            (true, value(1), Decision::TimeUp, fell(1, 1, time())),
            (false, value(1), none(), stopped(Stop::Turns, error("e"))),
        ] {
            let mut turns = started(Rules { on_limit: last_or_stop(falls_back), ..TWO });
            decide(&mut turns, first);
            assert_eq!(decide(&mut turns, last), expected);
        }
        let mut turns = started(Rules { on_limit: OnLimit::LastValue, ..TWO });
        decide(&mut turns, value(1));
        let spent = Exhausted { stop: Stop::Tokens, error: error("spent") };
        assert_eq!(turns.step(Signal::Exhausted(spent)), fell(1, 1, error("spent")));
        let mut turns = started(Rules { on_limit: OnLimit::LastValue, ..TWO });
        decide(&mut turns, value(1));
        assert_eq!(turns.step(Signal::Cancelled), stopped(Stop::Cancelled, cancelled()));
    }

    /// R13: each state takes only its signals.
    #[test]
    fn r13_an_unexpected_signal_ends_the_run() {
        let states: [fn() -> Turns; 4] = [
            || Turns::new("s".into(), "o".into(), Parameters::default(), TWO),
            || started(TWO),
            || {
                let mut turns = started(TWO);
                turns.step(Signal::Replied(reply()));
                turns
            },
            || {
                let mut turns = started(TWO);
                turns.step(Signal::Cancelled);
                turns
            },
        ];
        let signals: [fn() -> Signal; 7] = [
            || Signal::Start,
            || Signal::Replied(reply()),
            || Signal::NoReply(no_reply()),
            || Signal::Decided(Decision::TimeUp),
            || Signal::TimeUp,
            || Signal::Cancelled,
            || Signal::Exhausted(Exhausted { stop: Stop::Turns, error: error("spent") }),
        ];
        let takes = ["S", "RNTCP", "DTC", ""];
        let letters = ['S', 'R', 'N', 'D', 'T', 'C', 'P'];
        assert_eq!(Stop::Internal.exit_code(), 70);
        for (make, takes) in states.iter().zip(takes) {
            for (signal, letter) in signals.iter().zip(letters) {
                let action = make().step(signal());
                let is_internal =
                    matches!(action, Action::End(Ending::Stopped { stop: Stop::Internal, .. }));
                assert_eq!(is_internal, !takes.contains(letter), "{letter} in {takes}");
            }
        }
    }
}
