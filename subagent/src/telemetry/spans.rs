//! Spans of `tracing` from events. Spans are never entered: calls run concurrently, so each span names its parent.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tracing::field::Empty;
use tracing::{Dispatch, Span, dispatcher, info_span};

use crate::data::Data;
use crate::provider::{CallResult, Cost, Finish, ModelCall, ProviderKind, Reply};
use crate::record::{
    Event, RunError, RunId, RunReport, RunStarted, Status, Stop, ToolErrorKind, TurnOutcome,
};

/// An observer that turns the events of runs into spans. It takes events in the order of
/// [`Mission::observe`](crate::Mission::observe).
///
/// A run is a span `invoke_agent`, with a span `turn` for each turn. A turn contains `chat` for the request to the
/// model and `execute_tool` for each call. The run of a sub-agent is inside the span of the call that started it. Any
/// other run is inside the span that is current when it starts. The target of all spans is `ptc_subagent`, and their
/// level is info.
///
/// ```
/// use ptc_subagent::provider::Scripted;
/// use ptc_subagent::telemetry::Spans;
/// use ptc_subagent::{Agent, Mission};
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), ptc_subagent::Error> {
/// let agent = Agent::new("Answer.");
/// let provider = Scripted::new(["```clojure\n(return 42)\n```"]);
/// let mut spans = Spans::new();
/// let mission = Mission::new(&agent, json!({})).observe(move |run, event| spans.see(run, event));
/// assert_eq!(mission.run(&provider).await?.value, json!(42));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct Spans {
    /// The subscriber of the spans; `None` is the subscriber of the thread.
    subscriber: Option<Dispatch>,
    has_contents: bool,
    open: BTreeMap<RunId, Run>,
    /// The runs on record that have no span yet.
    known: BTreeMap<RunId, RunStarted>,
}

impl Spans {
    /// Creates an observer that emits to the subscriber of the thread that observes an event.
    pub fn new() -> Spans {
        Spans::default()
    }

    /// Creates an observer that emits to this subscriber.
    pub fn to(subscriber: Dispatch) -> Spans {
        Spans { subscriber: Some(subscriber), ..Spans::default() }
    }

    /// Sets whether spans have contents: inputs, prompts, replies, arguments, results, values and the texts of errors.
    /// It is off by default.
    #[must_use]
    pub fn with_contents(mut self, has_contents: bool) -> Spans {
        self.has_contents = has_contents;
        self
    }

    /// Names the runs that a mission goes on with, whose starts another process has seen
    /// ([`Mission::runs_on_record`](crate::Mission::runs_on_record)).
    pub fn know(&mut self, started: Vec<RunStarted>) {
        self.known.extend(started.into_iter().map(|it| (it.run.clone(), it)));
    }

    /// Processes the next event.
    pub fn see(&mut self, run: &RunId, event: &Event) {
        match self.subscriber.clone() {
            Some(subscriber) => dispatcher::with_default(&subscriber, || self.process(run, event)),
            None => self.process(run, event),
        }
    }

    fn process(&mut self, run: &RunId, event: &Event) {
        match event {
            Event::RunStarted(started) => {
                let parent = self.parent(started);
                let it = Run::start(run, Some(started), &parent, self.has_contents);
                self.open.insert(run.clone(), it);
            }
            Event::RunEnded(report) => {
                let open = self.open.remove(run);
                let it = open.unwrap_or_else(|| self.resumed(run));
                it.end(report);
            }
            event => {
                if !self.open.contains_key(run) {
                    let it = self.resumed(run);
                    self.open.insert(run.clone(), it);
                }
                if let Some(it) = self.open.get_mut(run) {
                    it.observe(event);
                }
            }
        }
    }

    /// Opens the span of a resumed run, whose start was observed by an earlier process, and those around it.
    fn resumed(&mut self, run: &RunId) -> Run {
        let started = self.known.remove(run);
        let caller = started.as_ref().and_then(|it| Some(it.parent.as_ref()?.run.clone()));
        if let Some(caller) = caller.filter(|it| self.known.contains_key(it)) {
            let around = self.resumed(&caller);
            self.open.insert(caller, around);
        }
        let parent = started.as_ref().map_or_else(Span::current, |it| self.parent(it));
        Run::start(run, started.as_ref(), &parent, self.has_contents)
    }

    /// Returns the span that contains a run: that of its call or, if an earlier process made the call, that of its caller.
    fn parent(&self, started: &RunStarted) -> Span {
        let caller = started.parent.as_ref();
        let around = caller.and_then(|it| {
            let run = self.open.get(&it.run)?;
            Some(run.calls.get(&it.call).unwrap_or(&run.span))
        });
        around.cloned().unwrap_or_else(Span::current)
    }
}

/// The open spans of a run. The fields are in this order so that inner spans are dropped before outer ones.
#[derive(Debug)]
struct Run {
    calls: BTreeMap<String, Span>,
    chat: Option<Span>,
    turn: Option<Span>,
    span: Span,
    id: RunId,
    agent: Option<String>,
    provider: Option<String>,
    model: Option<String>,
    /// The messages so far, if spans have contents.
    conversation: Option<Conversation>,
}

/// A conversation in the form that the conventions define.
#[derive(Debug)]
struct Conversation {
    system: Option<Value>,
    messages: Vec<Value>,
}

impl Run {
    fn start(id: &RunId, started: Option<&RunStarted>, parent: &Span, has_contents: bool) -> Run {
        let (provider, model) = started.map(|it| provider_and_model(&it.model)).unzip();
        let (model, agent) = (model.flatten(), started.map(|it| it.agent.clone()));
        let name = match &agent {
            Some(agent) => format!("invoke_agent {agent}"),
            None => "invoke_agent".to_string(),
        };
        let conversation = has_contents.then(|| Conversation {
            system: started.map(|it| json!([text(&it.setup.system)])),
            messages: Vec::new(),
        });
        let input = started.filter(|_| has_contents).map(|it| {
            json!([{"role": "user", "parts": [text(&it.setup.input.to_string())]}]).to_string()
        });
        let span = info_span!(
            target: "ptc_subagent",
            parent: parent.id(),
            "invoke_agent",
            otel.name = name,
            otel.kind = "internal",
            otel.status_code = Empty,
            otel.status_description = Empty,
            error.type = Empty,
            gen_ai.operation.name = "invoke_agent",
            gen_ai.provider.name = provider,
            gen_ai.request.model = model,
            gen_ai.agent.name = agent,
            gen_ai.conversation.id = id.as_str(),
            gen_ai.usage.input_tokens = Empty,
            gen_ai.usage.output_tokens = Empty,
            gen_ai.usage.cache_read.input_tokens = Empty,
            gen_ai.input.messages = input,
            gen_ai.output.messages = Empty,
            ptc.status = Empty,
            ptc.stop = Empty,
            ptc.turns = Empty,
            ptc.tool_calls = Empty,
            ptc.fuel = Empty,
            ptc.cost = Empty,
        );
        Run {
            calls: BTreeMap::new(),
            chat: None,
            turn: None,
            span,
            id: id.clone(),
            agent,
            provider: provider.map(str::to_string),
            model: model.map(str::to_string),
            conversation,
        }
    }

    fn observe(&mut self, event: &Event) {
        match event {
            Event::TurnStarted { turn, prompt, results, .. } => {
                self.start_turn(*turn, prompt, results);
            }
            Event::ReplyText { .. } => {
                if let Some(chat) = &self.chat {
                    chat.record("gen_ai.request.stream", true);
                }
            }
            Event::ModelReplied { reply, .. } => self.replied(reply),
            Event::CallStarted { turn, call, tool, args, .. } => {
                self.start_call(*turn, call, tool, args);
            }
            Event::CallFinished { call, result, cached, .. } => {
                if let Some(span) = self.calls.remove(call) {
                    if *cached {
                        span.record("ptc.cached", true);
                    }
                    match result {
                        Ok(result) if self.conversation.is_some() => {
                            span.record("gen_ai.tool.call.result", result.to_string());
                        }
                        Ok(_) => {}
                        Err(error) => self.mark_failed(&span, error.code.as_str(), &error.message),
                    }
                }
            }
            Event::TurnEnded { outcome, error, fuel, tool_calls, .. } => {
                self.end_turn(*outcome, error.as_ref(), *fuel, *tool_calls);
            }
            // The set of spans is closed, and has no place for other events.
            _ => {}
        }
    }

    fn start_turn(&mut self, turn: u32, prompt: &str, results: &[CallResult]) {
        let within = info_span!(
            target: "ptc_subagent",
            parent: &self.span,
            "turn",
            otel.kind = "internal",
            otel.status_code = Empty,
            otel.status_description = Empty,
            error.type = Empty,
            ptc.turn = i64::from(turn),
            ptc.outcome = Empty,
            ptc.fuel = Empty,
            ptc.tool_calls = Empty,
        );
        let name = match &self.model {
            Some(model) => format!("chat {model}"),
            None => "chat".to_string(),
        };
        let chat = info_span!(
            target: "ptc_subagent",
            parent: &within,
            "chat",
            otel.name = name,
            otel.kind = "client",
            otel.status_code = Empty,
            otel.status_description = Empty,
            error.type = Empty,
            gen_ai.operation.name = "chat",
            gen_ai.provider.name = self.provider,
            gen_ai.request.model = self.model,
            gen_ai.request.stream = Empty,
            gen_ai.conversation.id = self.id.as_str(),
            gen_ai.response.finish_reasons = Empty,
            gen_ai.usage.input_tokens = Empty,
            gen_ai.usage.output_tokens = Empty,
            gen_ai.usage.cache_read.input_tokens = Empty,
            gen_ai.system_instructions = Empty,
            gen_ai.input.messages = Empty,
            gen_ai.output.messages = Empty,
            ptc.turn = i64::from(turn),
            ptc.cost = Empty,
        );
        if let Some(conversation) = &mut self.conversation {
            if !results.is_empty() {
                let parts: Vec<Value> = results.iter().map(tool_response).collect();
                conversation.messages.push(json!({"role": "tool", "parts": parts}));
            }
            if !prompt.is_empty() || results.is_empty() {
                conversation.messages.push(json!({"role": "user", "parts": [text(prompt)]}));
            }
            chat.record(
                "gen_ai.system_instructions",
                conversation.system.as_ref().map(Value::to_string),
            );
            chat.record(
                "gen_ai.input.messages",
                Value::from(conversation.messages.clone()).to_string(),
            );
        }
        (self.turn, self.chat) = (Some(within), Some(chat));
    }

    fn replied(&mut self, reply: &Reply) {
        let Some(chat) = self.chat.take() else { return };
        let finish = finish_reason(&reply.finish);
        chat.record("gen_ai.response.finish_reasons", json!([finish]).to_string());
        if let Some(usage) = &reply.usage {
            chat.record("gen_ai.usage.input_tokens", to_i64(usage.input_tokens));
            chat.record("gen_ai.usage.output_tokens", to_i64(usage.output_tokens));
            if usage.cached_input_tokens > 0 {
                let cached = to_i64(usage.cached_input_tokens);
                chat.record("gen_ai.usage.cache_read.input_tokens", cached);
            }
            chat.record("ptc.cost", usage.cost.map(Cost::dollars));
        }
        if let Some(conversation) = &mut self.conversation {
            let calls = reply.calls.iter().map(tool_call);
            let said =
                (!reply.text.is_empty() || reply.calls.is_empty()).then(|| text(&reply.text));
            let parts: Vec<Value> = said.into_iter().chain(calls).collect();
            let message = json!({"role": "assistant", "parts": parts});
            let mut output = message.clone();
            output["finish_reason"] = finish.into();
            chat.record("gen_ai.output.messages", json!([output]).to_string());
            conversation.messages.push(message);
        }
    }

    fn start_call(&mut self, turn: u32, call: &str, tool: &str, args: &Data) {
        let parent = self.turn.as_ref().unwrap_or(&self.span);
        let span = info_span!(
            target: "ptc_subagent",
            parent: parent,
            "execute_tool",
            otel.name = format!("execute_tool {tool}"),
            otel.kind = "internal",
            otel.status_code = Empty,
            otel.status_description = Empty,
            error.type = Empty,
            gen_ai.operation.name = "execute_tool",
            gen_ai.agent.name = self.agent,
            gen_ai.tool.name = tool,
            gen_ai.tool.type = "function",
            gen_ai.tool.call.id = call,
            gen_ai.tool.call.arguments = self.conversation.as_ref().map(|_| args.to_string()),
            gen_ai.tool.call.result = Empty,
            ptc.turn = i64::from(turn),
            ptc.cached = Empty,
        );
        self.calls.insert(call.to_string(), span);
    }

    fn end_turn(
        &mut self,
        outcome: TurnOutcome,
        error: Option<&RunError>,
        fuel: u64,
        tool_calls: u32,
    ) {
        let code = error.map_or(outcome.as_str(), |it| it.code.as_str());
        let message = error.map_or("", |it| &it.message);
        if let Some(chat) = self.chat.take() {
            // The request has no reply.
            chat.record("gen_ai.response.finish_reasons", r#"["error"]"#);
            self.mark_failed(&chat, code, message);
        }
        for span in std::mem::take(&mut self.calls).into_values() {
            self.mark_failed(&span, ToolErrorKind::Cancelled.code(), "");
        }
        let Some(turn) = self.turn.take() else { return };
        turn.record("ptc.outcome", outcome.as_str());
        turn.record("ptc.fuel", to_i64(fuel));
        turn.record("ptc.tool_calls", i64::from(tool_calls));
        let is_cut_off = matches!(outcome, TurnOutcome::Time | TurnOutcome::Cancelled);
        if error.is_some() || is_cut_off {
            self.mark_failed(&turn, code, message);
        }
    }

    fn end(self, report: &RunReport) {
        let span = &self.span;
        span.record("ptc.status", report.status.as_str());
        span.record("ptc.stop", report.stop.as_ref().map(Stop::as_str));
        span.record("ptc.turns", i64::from(report.turns));
        span.record("ptc.tool_calls", to_i64(report.tool_calls));
        span.record("ptc.fuel", to_i64(report.fuel));
        span.record("ptc.cost", report.usage.cost.map(Cost::dollars));
        span.record("gen_ai.usage.input_tokens", to_i64(report.usage.input_tokens));
        span.record("gen_ai.usage.output_tokens", to_i64(report.usage.output_tokens));
        if report.usage.cached_input_tokens > 0 {
            let cached = to_i64(report.usage.cached_input_tokens);
            span.record("gen_ai.usage.cache_read.input_tokens", cached);
        }
        if report.status == Status::Returned {
            if self.conversation.is_some() {
                let parts = [text(&report.value.to_string())];
                let output =
                    json!([{"role": "assistant", "parts": parts, "finish_reason": "stop"}]);
                span.record("gen_ai.output.messages", output.to_string());
            }
            return;
        }
        // The program chooses the reason of a failure, so it cannot be an error type.
        let code = report.stop.as_ref().map_or(report.status.as_str(), Stop::as_str);
        let message = match (&report.fail, &report.error) {
            (Some(fail), _) => format!("{}: {}", fail.reason, fail.message),
            (None, Some(error)) => error.message.clone(),
            (None, None) => String::new(),
        };
        self.mark_failed(span, code, &message);
    }

    /// Marks a span as failed. Its message may quote data, so it needs contents.
    fn mark_failed(&self, span: &Span, code: &str, message: &str) {
        span.record("error.type", code);
        span.record("otel.status_code", "ERROR");
        if self.conversation.is_some() && !message.is_empty() {
            span.record("otel.status_description", message);
        }
    }
}

/// Splits the name of a provider, such as `openai:gpt-5`, and returns the conventions' name of the provider.
fn provider_and_model(name: &str) -> (&str, Option<&str>) {
    let Some((kind, model)) = name.split_once(':') else { return (name, None) };
    (ProviderKind::find(kind).map_or(kind, |kind| kind.vendor()), Some(model))
}

/// Returns the finish reason in the words of the conventions.
fn finish_reason(finish: &Finish) -> &str {
    match finish {
        Finish::Filtered => "content_filter",
        other => other.as_str(),
    }
}

/// Returns a text part of a message.
fn tool_call(call: &ModelCall) -> Value {
    // Arguments that are not JSON stay a text.
    let arguments = serde_json::from_str(&call.arguments);
    let arguments = arguments.unwrap_or_else(|_| Value::from(call.arguments.as_str()));
    json!({"type": "tool_call", "id": call.id, "name": call.name, "arguments": arguments})
}

fn tool_response(result: &CallResult) -> Value {
    json!({"type": "tool_call_response", "id": result.id, "response": result.text})
}

fn text(content: &str) -> Value {
    json!({"type": "text", "content": content})
}

/// Converts a number for OpenTelemetry, which has no unsigned integers.
fn to_i64(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
