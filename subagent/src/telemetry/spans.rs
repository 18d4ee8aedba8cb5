//! Events to spans of `tracing`. No span is ever entered: each has its parent by name, since calls run side by side.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tracing::field::Empty;
use tracing::{Dispatch, Span, dispatcher, info_span};

use crate::data::Data;
use crate::provider::{Cost, Finish, Reply};
use crate::run::{Event, RunError, RunId, RunReport, RunStarted, Status, Stop, TurnOutcome};
use crate::tool::ToolErrorKind;

/// Makes spans of the events of runs, in the order in which [`Mission::observe`](crate::Mission::observe) tells them.
///
/// A run is a span `invoke_agent`, with a span `turn` for each turn; in that are `chat` for what is asked of the model
/// and `execute_tool` for each call. A run of a sub-agent is in the span of the call it answers; any other is in the
/// span that is current when it starts. Their target is `ptc_subagent`, their level is info.
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
/// assert_eq!(mission.run(&provider).await?.value, 42);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct Spans {
    /// Where they go, if not to the subscriber of the thread.
    subscriber: Option<Dispatch>,
    has_contents: bool,
    open: BTreeMap<RunId, Run>,
}

impl Spans {
    /// Makes spans for whatever subscriber there is where an event is told.
    pub fn new() -> Spans {
        Spans::default()
    }

    /// Makes spans for this subscriber.
    pub fn to(subscriber: Dispatch) -> Spans {
        Spans { subscriber: Some(subscriber), ..Spans::default() }
    }

    /// Sets whether spans have what was said: inputs, prompts, replies, arguments, results, values and the texts of
    /// errors. They do not unless this asks for it.
    #[must_use]
    pub fn with_contents(mut self, has_contents: bool) -> Spans {
        self.has_contents = has_contents;
        self
    }

    /// Takes the next event.
    pub fn see(&mut self, run: &RunId, event: &Event) {
        match self.subscriber.clone() {
            Some(subscriber) => dispatcher::with_default(&subscriber, || self.follow(run, event)),
            None => self.follow(run, event),
        }
    }

    fn follow(&mut self, run: &RunId, event: &Event) {
        match event {
            Event::RunStarted(started) => {
                let parent = self.parent(started);
                let it = Run::start(run, Some(started), &parent, self.has_contents);
                self.open.insert(run.clone(), it);
            }
            Event::RunEnded(report) => {
                let it = self.open.remove(run).unwrap_or_else(|| self.resumed(run));
                it.end(report);
            }
            event => {
                if !self.open.contains_key(run) {
                    self.open.insert(run.clone(), self.resumed(run));
                }
                if let Some(it) = self.open.get_mut(run) {
                    it.see(event);
                }
            }
        }
    }

    /// A run that goes on: how it started was told to others, before.
    fn resumed(&self, run: &RunId) -> Run {
        Run::start(run, None, &Span::current(), self.has_contents)
    }

    /// The span that a run is in.
    fn parent(&self, started: &RunStarted) -> Span {
        let caller = started.parent.as_ref();
        let call = caller.and_then(|it| self.open.get(&it.run)?.calls.get(&it.call));
        call.cloned().unwrap_or_else(Span::current)
    }
}

/// The spans of a run that are open. What is inside of others is dropped before them.
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
    /// What was said, if spans are to have it.
    said: Option<Said>,
}

/// A conversation in the form that the conventions have for it.
#[derive(Debug)]
struct Said {
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
        let said = has_contents.then(|| Said {
            system: started.map(|it| json!([text(&it.system)])),
            messages: Vec::new(),
        });
        let input = started.filter(|_| has_contents).map(|it| {
            json!([{"role": "user", "parts": [text(&it.input.to_string())]}]).to_string()
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
            said,
        }
    }

    fn see(&mut self, event: &Event) {
        match event {
            Event::TurnStarted { turn, prompt } => self.start_turn(*turn, prompt),
            Event::ReplyText { .. } => {
                if let Some(chat) = &self.chat {
                    chat.record("gen_ai.request.stream", true);
                }
            }
            Event::ModelReplied { reply, .. } => self.replied(reply),
            Event::CallStarted { turn, call, tool, args } => {
                self.start_call(*turn, call, tool, args);
            }
            Event::CallFinished { call, result, cached, .. } => {
                if let Some(span) = self.calls.remove(call) {
                    if *cached {
                        span.record("ptc.cached", true);
                    }
                    match result {
                        Ok(result) if self.said.is_some() => {
                            span.record("gen_ai.tool.call.result", result.to_string());
                        }
                        Ok(_) => {}
                        Err(error) => self.failed(&span, error.code.as_str(), &error.message),
                    }
                }
            }
            Event::TurnEnded { outcome, error, fuel, tool_calls, .. } => {
                self.end_turn(*outcome, error.as_ref(), *fuel, *tool_calls);
            }
            // The closed set of spans has no place for the others.
            _ => {}
        }
    }

    fn start_turn(&mut self, turn: u32, prompt: &str) {
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
        if let Some(said) = &mut self.said {
            said.messages.push(json!({"role": "user", "parts": [text(prompt)]}));
            chat.record("gen_ai.system_instructions", said.system.as_ref().map(Value::to_string));
            chat.record("gen_ai.input.messages", Value::from(said.messages.clone()).to_string());
        }
        (self.turn, self.chat) = (Some(within), Some(chat));
    }

    fn replied(&mut self, reply: &Reply) {
        let Some(chat) = self.chat.take() else { return };
        let finish = finish_reason(&reply.finish);
        chat.record("gen_ai.response.finish_reasons", json!([finish]).to_string());
        if let Some(usage) = &reply.usage {
            chat.record("gen_ai.usage.input_tokens", count(usage.input_tokens));
            chat.record("gen_ai.usage.output_tokens", count(usage.output_tokens));
            if usage.cached_input_tokens > 0 {
                let cached = count(usage.cached_input_tokens);
                chat.record("gen_ai.usage.cache_read.input_tokens", cached);
            }
            chat.record("ptc.cost", usage.cost.map(Cost::dollars));
        }
        if let Some(said) = &mut self.said {
            let message = json!({"role": "assistant", "parts": [text(&reply.text)]});
            let mut output = message.clone();
            output["finish_reason"] = finish.into();
            chat.record("gen_ai.output.messages", json!([output]).to_string());
            said.messages.push(message);
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
            gen_ai.tool.call.arguments = self.said.as_ref().map(|_| args.to_string()),
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
            // The model was asked and did not answer.
            chat.record("gen_ai.response.finish_reasons", r#"["error"]"#);
            self.failed(&chat, code, message);
        }
        for span in std::mem::take(&mut self.calls).into_values() {
            self.failed(&span, ToolErrorKind::Cancelled.code(), "");
        }
        let Some(turn) = self.turn.take() else { return };
        turn.record("ptc.outcome", outcome.as_str());
        turn.record("ptc.fuel", count(fuel));
        turn.record("ptc.tool_calls", i64::from(tool_calls));
        let is_cut_off = matches!(outcome, TurnOutcome::Time | TurnOutcome::Cancelled);
        if error.is_some() || is_cut_off {
            self.failed(&turn, code, message);
        }
    }

    fn end(self, report: &RunReport) {
        let span = &self.span;
        span.record("ptc.status", report.status.as_str());
        span.record("ptc.stop", report.stop.as_ref().map(Stop::as_str));
        span.record("ptc.turns", i64::from(report.turns));
        span.record("ptc.tool_calls", count(report.tool_calls));
        span.record("ptc.fuel", count(report.fuel));
        span.record("ptc.cost", report.usage.cost.map(Cost::dollars));
        span.record("gen_ai.usage.input_tokens", count(report.usage.input_tokens));
        span.record("gen_ai.usage.output_tokens", count(report.usage.output_tokens));
        if report.usage.cached_input_tokens > 0 {
            let cached = count(report.usage.cached_input_tokens);
            span.record("gen_ai.usage.cache_read.input_tokens", cached);
        }
        if report.status == Status::Returned {
            if self.said.is_some() {
                let parts = [text(&report.value.to_string())];
                let output =
                    json!([{"role": "assistant", "parts": parts, "finish_reason": "stop"}]);
                span.record("gen_ai.output.messages", output.to_string());
            }
            return;
        }
        // The reason of a failure is the program's to choose, so that it is no kind of error.
        let code = report.stop.as_ref().map_or(report.status.as_str(), Stop::as_str);
        let message = match (&report.fail, &report.error) {
            (Some(fail), _) => format!("{}: {}", fail.reason, fail.message),
            (None, Some(error)) => error.message.clone(),
            (None, None) => String::new(),
        };
        self.failed(span, code, &message);
    }

    /// Marks a span as one of something that went wrong. What is said of it may quote data.
    fn failed(&self, span: &Span, code: &str, message: &str) {
        span.record("error.type", code);
        span.record("otel.status_code", "ERROR");
        if self.said.is_some() && !message.is_empty() {
            span.record("otel.status_description", message);
        }
    }
}

/// Takes the name of a provider apart, `openai:gpt-5`, and says who it is as the conventions do.
fn provider_and_model(name: &str) -> (&str, Option<&str>) {
    match name.split_once(':') {
        Some(("openai-responses", model)) => ("openai", Some(model)),
        Some((provider, model)) => (provider, Some(model)),
        None => (name, None),
    }
}

/// Why a model stopped, in the words of the conventions.
fn finish_reason(finish: &Finish) -> &str {
    match finish {
        Finish::Filtered => "content_filter",
        other => other.as_str(),
    }
}

/// A part of a message.
fn text(content: &str) -> Value {
    json!({"type": "text", "content": content})
}

/// A number as OpenTelemetry has it, which knows no unsigned ones.
fn count(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
