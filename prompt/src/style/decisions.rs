//! Decisions: the model replies with one JSON object, which ends the mission or says what happens
//! next.

use minijinja::context;
use ptc_lisp::{ToolDecl, Value, json, print};
use ptc_signatures::Type;
use serde_json::Value as Json;

use super::json::{answer_opening, is_text, plain, read_answer, without_hidden};
use super::plan::call_source;
use super::react::entry;
use super::tools::{capitalized, replies_left};
use super::{
    CallOutcome, Outcome, OutcomeEnd, Plan, PlanEnd, PlannedCall, Reading, ReplyParts,
    ReplyProblem, Style, Told, observe,
};
use crate::error::Error;
use crate::memo::Memo;
use crate::problem::Problem;
use crate::system::{Section, SystemPrompt};
use crate::text::{one_line, paragraphs};
use crate::{PromptSpec, TurnInfo, templates};

/// The style of decisions as JSON.
#[derive(Clone, Copy, Debug)]
pub struct DecisionsStyle;

impl Style for DecisionsStyle {
    fn name(&self) -> &'static str {
        "decisions"
    }

    fn system(&self, spec: &PromptSpec<'_>, _memo: &Memo) -> Result<SystemPrompt, Error> {
        let typed = spec.signature.filter(|it| !is_text(&it.output));
        let answer = typed.map(|it| it.output.to_string());
        let schema = typed.map(|it| it.redacted().output_schema().to_string());
        let is_agent = |tool: &&ToolDecl| spec.agent.sub_agents.contains(&tool.name);
        let callable = spec.tools.iter().filter(|tool| tool.callable);
        let (agents, actions): (Vec<&ToolDecl>, Vec<&ToolDecl>) = callable.partition(is_agent);
        let listed = |all: Vec<&ToolDecl>| all.into_iter().map(entry).collect::<Vec<_>>();
        let agent = spec.agent;
        let description = agent.description.map(paragraphs);
        let data = context! {
            name => one_line(agent.name, 200),
            description,
            parent => agent.parent.map(|it| one_line(it, 200)),
            answer,
            schema,
            agents => listed(agents),
            actions => listed(actions),
            payload => spec.payload.is_some(),
            writes => spec.payload.and_then(|it| it.writes),
            on => agent.decisions.effective(),
        };
        let text = templates::render("decisions", data)?;
        Ok(SystemPrompt::from_sections(vec![Section { title: "Role", text: text.trim().into() }]))
    }

    fn opening(
        &self,
        spec: &PromptSpec<'_>,
        turn: TurnInfo,
        _memo: &Memo,
    ) -> Result<String, Error> {
        let payload = spec.payload.filter(|_| spec.agent.decisions.is_on("payload"));
        let payload = payload.map(|it| payload_text(it.value)).unwrap_or_default();
        Ok(format!("{}{payload}\n\n{}", answer_opening(spec)?, replies_left(turn)))
    }

    fn read(&self, reply: &ReplyParts<'_>, spec: &PromptSpec<'_>) -> Reading {
        let envelope = match read_answer(reply.text, None) {
            Some(Json::Object(fields)) => Envelope { fields, notes: Vec::new() },
            _ if reply.is_cut_off => return Reading::Problem(ReplyProblem::CutOff),
            _ => return form("the reply is not one JSON object", NO_PROSE),
        };
        match envelope.decide(spec) {
            Ok(plan) => Reading::Plan(plan),
            Err((message, fix)) => form(&message, &fix),
        }
    }

    fn tell(&self, outcome: &Outcome<'_>, turn: TurnInfo) -> Told {
        let mut parts = Vec::new();
        if let Some(plan) = outcome.plan
            && !plan.calls.is_empty()
        {
            parts.push(results(plan, outcome));
        }
        match &outcome.end {
            OutcomeEnd::Problem { problem, .. } if parts.is_empty() => {
                parts.push(format!("Retrying due to: {}", problem_text(problem)));
            }
            OutcomeEnd::Value { .. } if parts.is_empty() => {
                parts.push("Go on with the mission.".to_owned());
            }
            _ => {}
        }
        let notes = outcome.plan.iter().flat_map(|plan| &plan.notes);
        let notes: Vec<String> = notes.map(|it| format!("Note: {}", one_line(it, 500))).collect();
        if !notes.is_empty() {
            parts.push(notes.join("\n"));
        }
        let is_changed = outcome.plan.is_some_and(|plan| plan.change.is_some());
        if let Some(payload) = outcome.payload.filter(|_| is_changed) {
            parts.push(payload_text(payload).trim_start().to_owned());
        }
        if turn.is_last() {
            parts.push("This is the last turn: set `taskComplete` to true now.".to_owned());
        }
        parts.join("\n\n").into()
    }
}

const NO_PROSE: &str =
    "Reply with one raw JSON object: no prose, no code block, no narration of actions.";
const TYPES: &str = "Actions, Sub-Agent, Retry and Chat";

fn form(message: &str, fix: &str) -> Reading {
    let (message, fix) = (message.to_owned(), fix.to_owned());
    Reading::Problem(ReplyProblem::Form { message, fix })
}

fn payload_text(payload: &Value) -> String {
    format!("\n\nCurrent payload:\n{}", plain(&without_hidden(payload)))
}

fn problem_text(problem: &Problem<'_>) -> String {
    match problem {
        Problem::CutOff => "your reply stops in the middle. Write a shorter one.".to_owned(),
        Problem::Form { message, fix } => format!("{}. {fix}", capitalized(message)),
        Problem::WrongReturn { expected, mismatches, .. } => {
            let all = mismatches.iter().take(10).map(|it| format!("- {}", it.redacted()));
            let all: Vec<String> = all.collect();
            format!("the result is not of the type `{expected}`:\n{}", all.join("\n"))
        }
        other => one_line(&other.message(), 1_000),
    }
}

/// Renders the results of actions.
fn results(plan: &Plan, outcome: &Outcome<'_>) -> String {
    let all = plan.calls.iter().zip(outcome.outcomes).map(|(call, made)| {
        let failed = match made {
            CallOutcome::Made(calls) => calls.iter().any(|it| it.outcome.is_err()),
            CallOutcome::Refused(_) | CallOutcome::NotMade(_) => true,
        };
        let mark = if failed { "✗" } else { "✓" };
        let text = observe::observation(call, made, outcome.limits);
        (failed, format!("## {} {mark}\n{text}", one_line(&call.name, 200)))
    });
    let all: Vec<(bool, String)> = all.collect();
    let failed = all.iter().filter(|it| it.0).count();
    let title = match failed {
        0 => "Action results:".to_owned(),
        failed => format!("{failed} of {} action(s) failed:", all.len()),
    };
    let all: Vec<String> = all.into_iter().map(|it| it.1).collect();
    format!("{title}\n\n{}", all.join("\n\n"))
}

/// A decision as a model writes it.
struct Envelope {
    fields: serde_json::Map<String, Json>,
    notes: Vec<String>,
}

/// The problem of an envelope, and its remedy.
type Misfit = (String, String);

impl Envelope {
    /// Reads the decision as a plan.
    fn decide(mut self, spec: &PromptSpec<'_>) -> Result<Plan, Misfit> {
        self.fields = cleaned(std::mem::take(&mut self.fields));
        let is_complete = match self.fields.get("taskComplete") {
            None | Some(Json::Null) => false,
            Some(Json::Bool(it)) => *it,
            Some(_) => {
                return Err(misfit("`taskComplete` is not a boolean", "Write true or false."));
            }
        };
        self.check_confidence();
        let change = self.change(spec);
        let step = match self.fields.get("nextStep") {
            Some(Json::Object(step)) => Some(cleaned(step.clone())),
            None | Some(Json::Null) => None,
            Some(_) => return Err(misfit("`nextStep` is not an object", NO_PROSE)),
        };
        let kind = match &step {
            Some(step) => Some(kind_of(step)?),
            None => None,
        };
        // A question to the user wins over the end of the task.
        let mut plan = match (kind, is_complete, step) {
            (Some(Kind::Chat), ..) => self.ask(spec)?,
            (_, true, _) => self.complete(spec)?,
            (Some(kind), false, Some(step)) => self.step(kind, &step, spec)?,
            _ if self.message().is_some() => self.ask(spec)?,
            _ if change.is_some() => self.complete(spec)?,
            _ => {
                let message = "the decision has neither `taskComplete` nor `nextStep`";
                return Err(misfit(message, &format!("The types of `nextStep` are {TYPES}.")));
            }
        };
        plan.change = change;
        plan.notes.append(&mut self.notes);
        Ok(plan)
    }

    /// Returns the message, or the reasoning if there is none.
    fn message(&self) -> Option<String> {
        let text = |key: &str| self.fields.get(key).and_then(Json::as_str).map(str::trim);
        let filled = |it: &&str| !it.is_empty();
        text("message").filter(filled).or(text("reasoning").filter(filled)).map(str::to_owned)
    }

    fn check_confidence(&mut self) {
        let confidence = self.fields.get("confidence").and_then(Json::as_f64);
        if let Some(it) = confidence.filter(|it| !(0.0..=1.0).contains(it)) {
            self.notes.push(format!("`confidence` is a number from 0 to 1, and was {it}."));
        }
    }

    /// Returns the change request of the payload.
    fn change(&mut self, spec: &PromptSpec<'_>) -> Option<Json> {
        let change = self.fields.get("payloadChangeRequest").filter(|it| !it.is_null())?;
        let is_empty = change.as_object().is_some_and(|it| {
            it.values().all(|it| it.as_object().is_some_and(serde_json::Map::is_empty))
        });
        if is_empty {
            return None;
        }
        if spec.payload.is_none() {
            self.notes.push("there is no payload, so its change was ignored.".to_owned());
            return None;
        }
        Some(change.clone())
    }

    /// Reads the end of the task.
    fn complete(&self, spec: &PromptSpec<'_>) -> Result<Plan, Misfit> {
        let text = spec.signature.is_none_or(|it| is_text(&it.output));
        if let Some(result) = self.fields.get("result").filter(|it| !it.is_null()) {
            return Ok(Plan::returning(result));
        }
        if text {
            let message = self.message().unwrap_or_default();
            return Ok(Plan::returning(&message.into()));
        }
        if spec.payload.is_some() {
            let end = Some(PlanEnd::Source("(return (payload/get []))".to_owned()));
            return Ok(Plan { end, ..Plan::default() });
        }
        let message = "the task is complete, and there is no `result`";
        Err(misfit(message, "Add `result` with the answer."))
    }

    /// Reads a question to the user. There is nobody to ask, so it ends the run.
    fn ask(&self, spec: &PromptSpec<'_>) -> Result<Plan, Misfit> {
        let Some(message) = self.message() else {
            return Err(misfit("a `Chat` has no `message`", "Write the question as `message`."));
        };
        if spec.signature.is_none_or(|it| is_text(&it.output)) {
            return Ok(Plan::returning(&message.into()));
        }
        let end = Some(PlanEnd::Fail { reason: "question".to_owned(), message });
        Ok(Plan { end, ..Plan::default() })
    }

    fn step(
        &mut self,
        kind: Kind,
        step: &serde_json::Map<String, Json>,
        spec: &PromptSpec<'_>,
    ) -> Result<Plan, Misfit> {
        match kind {
            Kind::Actions => {
                let actions = step.get("actions").and_then(Json::as_array);
                let Some(actions) = actions.filter(|it| !it.is_empty()) else {
                    let message = "`Actions` has no `actions`";
                    return Err(misfit(message, "List them as `{\"name\", \"params\"}`."));
                };
                let calls = actions.iter().map(|it| self.action(it, spec)).collect();
                Ok(Plan { calls, ..Plan::default() })
            }
            Kind::SubAgent => {
                let Some(Json::Object(agent)) = step.get("subAgent") else {
                    let message = "`Sub-Agent` has no `subAgent`";
                    return Err(misfit(message, "Add it as `{\"name\", \"message\"}`."));
                };
                Ok(self.sub_agent(agent, spec))
            }
            Kind::Retry => {
                if step.contains_key("messageIndex") {
                    self.notes.push("no message was compacted, so none is expanded.".to_owned());
                }
                Ok(Plan::default())
            }
            Kind::Chat => self.ask(spec),
        }
    }

    /// Reads one action as a call.
    fn action(&mut self, action: &Json, spec: &PromptSpec<'_>) -> PlannedCall {
        let wrong = |name: &str, message: String| PlannedCall {
            id: String::new(),
            name: name.to_owned(),
            source: Err(message),
        };
        let name = action.get("name").and_then(Json::as_str).unwrap_or_default();
        let tool = match self.find(name, spec) {
            Ok(tool) => tool,
            Err(message) => return wrong(name, message),
        };
        let args = match action.get("params") {
            None | Some(Json::Null) => Value::map([]),
            Some(params @ Json::Object(_)) => json::from_serde(params),
            Some(_) => {
                let message = format!("Error: the params of `{}` must be a JSON object", tool.name);
                return wrong(&tool.name, message);
            }
        };
        let source = Ok(call_source(&tool.name, &args));
        PlannedCall { id: String::new(), name: tool.name.clone(), source }
    }

    fn sub_agent(&mut self, agent: &serde_json::Map<String, Json>, spec: &PromptSpec<'_>) -> Plan {
        let name = agent.get("name").and_then(Json::as_str).unwrap_or_default();
        let (name, source) = match self.find(name, spec) {
            Ok(tool) => {
                let args = sub_agent_args(tool, agent);
                (tool.name.clone(), Ok(call_source(&tool.name, &json::from_serde(&args))))
            }
            Err(message) => (name.to_owned(), Err(message)),
        };
        let ends = agent.get("terminateAfter").and_then(Json::as_bool).unwrap_or_default();
        if let (true, Ok(source)) = (ends, &source) {
            let reason = print::readable(&Value::str(format!("{name} failed")));
            let end = format!(
                "(try\n  (return {source})\n  (catch Exception e\n    (fail {{:reason :sub-agent :message (str {reason} \": \" (ex-message e))}})))"
            );
            return Plan { end: Some(PlanEnd::Source(end)), ..Plan::default() };
        }
        let call = PlannedCall { id: String::new(), name, source };
        Plan { calls: vec![call], ..Plan::default() }
    }

    /// Finds a tool: its exact name in any letter case, or else the only name that contains the
    /// text. The error is an observation.
    fn find<'s>(&mut self, name: &str, spec: &PromptSpec<'s>) -> Result<&'s ToolDecl, String> {
        let tools: Vec<&ToolDecl> = spec.tools.iter().filter(|tool| tool.callable).collect();
        let wanted = name.trim().to_lowercase();
        let exact = tools.iter().find(|tool| tool.name == name.trim());
        let exact = exact.or_else(|| tools.iter().find(|tool| tool.name.to_lowercase() == wanted));
        if let Some(tool) = exact {
            return Ok(tool);
        }
        let mut near = tools
            .iter()
            .filter(|tool| !wanted.is_empty() && tool.name.to_lowercase().contains(&wanted));
        if let (Some(tool), None) = (near.next(), near.next()) {
            let wanted = one_line(name, 200);
            self.notes.push(format!("`{wanted}` was read as the action `{}`.", tool.name));
            return Ok(tool);
        }
        let known: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
        Err(observe::unknown(name, &known))
    }
}

/// Returns the arguments of a sub-agent: its parameters, and the message as the parameter `message`
/// or as the only text that is missing.
fn sub_agent_args(tool: &ToolDecl, agent: &serde_json::Map<String, Json>) -> Json {
    let mut args = match agent.get("templateParameters").or(agent.get("params")) {
        Some(Json::Object(given)) => given.clone(),
        _ => serde_json::Map::new(),
    };
    let Some(message) = agent.get("message").and_then(Json::as_str) else {
        return Json::Object(args);
    };
    let params = tool.signature.as_ref().map(|it| it.params.as_slice());
    let named = params.is_none_or(|it| it.iter().any(|it| it.name == "message"));
    if named {
        args.entry("message").or_insert_with(|| message.into());
        return Json::Object(args);
    }
    let missing = params
        .into_iter()
        .flatten()
        .filter(|it| !args.contains_key(it.name.as_str()) && matches!(it.ty, Type::String(_)));
    let missing: Vec<String> = missing.map(|it| it.name.clone()).collect();
    if let [one] = missing.as_slice() {
        args.insert(one.clone(), message.into());
    }
    Json::Object(args)
}

fn misfit(message: &str, fix: &str) -> Misfit {
    (message.to_owned(), fix.to_owned())
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Actions,
    SubAgent,
    Retry,
    Chat,
}

/// Returns the type of a step. Without one, the details tell it.
fn kind_of(step: &serde_json::Map<String, Json>) -> Result<Kind, Misfit> {
    let Some(name) = step.get("type").filter(|it| !it.is_null()) else {
        return match (step.contains_key("subAgent"), step.contains_key("actions")) {
            (true, _) => Ok(Kind::SubAgent),
            (_, true) => Ok(Kind::Actions),
            _ => Err(misfit("`nextStep` has no `type`", &format!("The types are {TYPES}."))),
        };
    };
    let name = name.as_str().unwrap_or_default().trim();
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    let letters: String = letters.map(|c| c.to_ascii_lowercase()).collect();
    match letters.as_str() {
        "actions" | "action" => Ok(Kind::Actions),
        "subagent" => Ok(Kind::SubAgent),
        "retry" => Ok(Kind::Retry),
        "chat" => Ok(Kind::Chat),
        _ => {
            let message = format!("`{}` is not a type of `nextStep`", one_line(name, 100));
            Err((message, format!("The types are {TYPES}.")))
        }
    }
}

/// Removes what models add to keys from the rules of a payload: `done?`, `rows:[3+]`, `name*`.
fn cleaned(fields: serde_json::Map<String, Json>) -> serde_json::Map<String, Json> {
    let clean = |key: String| {
        let end = key.find(['?', ':', '*']).unwrap_or(key.len());
        key.get(..end).map_or_else(|| key.clone(), |it| it.trim().to_owned())
    };
    fields.into_iter().map(|(key, value)| (clean(key), value)).collect()
}
