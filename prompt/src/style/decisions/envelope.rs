//! The envelope of decisions: one JSON object, read as a plan.

use std::collections::BTreeMap;

use ptc_lisp::json::marks::{self, Place};
use ptc_lisp::{ToolDecl, Value, json, print};
use ptc_signatures::Type;
use ptc_signatures::key_rules::bare_name;
use serde_json::{Map, Value as Json};

use super::super::json::is_text;
use super::super::keys::{self, KEEP_RULES};
use super::super::plan::call_source;
use super::super::{Plan, PlanEnd, PlannedCall, lookup};
use crate::PromptSpec;
use crate::expressions::{Expressions, Names, TEXT};
use crate::text::one_line;

/// The form of a decision, as advice.
pub(super) const NO_PROSE: &str =
    "Reply with one raw JSON object: no prose, no code block, no narration of actions.";

/// The types of decisions.
const TYPES: &str = "Actions, Sub-Agent, ForEach, While, Retry and Chat";

/// A decision as a model writes it.
pub(super) struct Envelope {
    pub(super) fields: Map<String, Json>,
    pub(super) notes: Vec<String>,
}

/// The problem of an envelope, and its remedy.
pub(super) type Misfit = (String, String);

/// The places whose integers past 64 bits keep every digit.
const PLACES: [Place; 12] = [
    Place::of_any(&["result"]),
    Place::of_parts(&["payloadChangeRequest"]),
    Place::of_parts(&["nextStep", "actions", "*", "params"]),
    Place::of_parts(&["nextStep", "subAgent", "params"]),
    Place::of_parts(&["nextStep", "subAgent", "templateParameters"]),
    Place::of_parts(&["nextStep", "forEach", "collectionPath"]),
    Place::of_parts(&["nextStep", "forEach", "action", "params"]),
    Place::of_parts(&["nextStep", "forEach", "subAgent", "params"]),
    Place::of_parts(&["nextStep", "forEach", "subAgent", "templateParameters"]),
    Place::of_parts(&["nextStep", "while", "action", "params"]),
    Place::of_parts(&["nextStep", "while", "subAgent", "params"]),
    Place::of_parts(&["nextStep", "while", "subAgent", "templateParameters"]),
];

impl Envelope {
    /// Reads the JSON of a reply; `None` if it is not an object.
    pub(super) fn read(json: &str) -> Option<Envelope> {
        let marked = marks::read(json.as_bytes(), &PLACES).ok()?;
        match serde_json::from_str(marked.as_deref().unwrap_or(json)) {
            Ok(Json::Object(fields)) => Some(Envelope { fields, notes: Vec::new() }),
            _ => None,
        }
    }

    /// Reads the decision as a plan.
    pub(super) fn decide(mut self, spec: &PromptSpec<'_>) -> Result<Plan, Misfit> {
        self.fields = cleaned(std::mem::take(&mut self.fields), &FIELDS)?;
        let is_complete = match self.fields.get("taskComplete") {
            None | Some(Json::Null) => false,
            Some(Json::Bool(it)) => *it,
            Some(_) => {
                return Err(misfit("`taskComplete` is not a boolean", "Write true or false."));
            }
        };
        let remarks = self.remarks();
        let change = self.change(spec)?;
        let step = match self.fields.get("nextStep") {
            Some(Json::Object(step)) => Some(cleaned(step.clone(), &STEP)?),
            None | Some(Json::Null) => None,
            Some(_) => return Err(misfit("`nextStep` is not an object", NO_PROSE)),
        };
        let kind = match &step {
            Some(step) => Some(kind_of(step)?),
            None => None,
        };
        let ends = is_complete && self.has_answer(spec);
        if kind == Some(Kind::Chat) && ends {
            self.notes.push("`Chat` was ignored: nobody can be asked.".to_owned());
        }
        // A question to the user wins over the end of the task, unless nobody can answer it.
        let mut plan = match (kind, is_complete, step) {
            (Some(Kind::Chat), ..) if !ends => self.ask(spec, &remarks)?,
            (_, true, _) => self.complete(spec)?,
            (Some(kind), false, Some(step)) => self.step(kind, &step, spec, &remarks)?,
            _ if self.message().is_some() => self.ask(spec, &remarks)?,
            _ if change.is_some() => self.complete(spec)?,
            _ => {
                let message = "the decision has neither `taskComplete` nor `nextStep`";
                return Err(misfit(message, &format!("The types of `nextStep` are {TYPES}.")));
            }
        };
        plan.change = change;
        plan.remarks = remarks;
        plan.notes.append(&mut self.notes);
        Ok(plan)
    }

    /// Returns the message, or the reasoning if there is none.
    fn message(&self) -> Option<String> {
        let text = |key: &str| self.fields.get(key).and_then(Json::as_str).map(str::trim);
        let filled = |it: &&str| !it.is_empty();
        text("message").filter(filled).or(text("reasoning").filter(filled)).map(str::to_owned)
    }

    /// Returns the change request of the payload.
    fn change(&mut self, spec: &PromptSpec<'_>) -> Result<Option<Value>, Misfit> {
        let change = self.fields.get("payloadChangeRequest").filter(|it| !it.is_null());
        let Some(change) = change else { return Ok(None) };
        let is_empty = change
            .as_object()
            .is_some_and(|it| it.values().all(|it| it.as_object().is_some_and(Map::is_empty)));
        if is_empty {
            return Ok(None);
        }
        let Some(payload) = spec.payload else {
            self.notes.push("there is no payload, so its change was ignored.".to_owned());
            return Ok(None);
        };
        let change = marks::unmarked(change);
        match payload.signature {
            None => Ok(Some(change)),
            Some(ty) => cleaned_change(change, ty).map(Some).map_err(|it| misfit(&it, KEEP_RULES)),
        }
    }

    /// Whether the decision has the typed answer of an agent that asks nobody.
    fn has_answer(&self, spec: &PromptSpec<'_>) -> bool {
        let is_typed = spec.signature.is_some_and(|it| !is_text(&it.output));
        let has_result = self.fields.get("result").is_some_and(|it| !it.is_null());
        is_typed && has_result && !spec.agent.can_ask
    }

    /// Reads the end of the task.
    fn complete(&self, spec: &PromptSpec<'_>) -> Result<Plan, Misfit> {
        let text = spec.signature.is_none_or(|it| is_text(&it.output));
        if let Some(result) = self.fields.get("result").filter(|it| !it.is_null()) {
            let result = keys::answer(marks::unmarked(result), spec);
            return result.map(Plan::returning).map_err(|it| misfit(&it, KEEP_RULES));
        }
        if text {
            let message = self.message().unwrap_or_default();
            return Ok(Plan::returning(message));
        }
        if spec.payload.is_some() {
            let end = Some(PlanEnd::Source("(return (payload/get []))".to_owned()));
            return Ok(Plan { end, ..Plan::default() });
        }
        let message = "the task is complete, and there is no `result`";
        Err(misfit(message, "Add `result` with the answer."))
    }

    /// Reads a question to the user, with the fields of its form. If the agent asks nobody, it ends the run.
    fn ask(&self, spec: &PromptSpec<'_>, remarks: &BTreeMap<String, Json>) -> Result<Plan, Misfit> {
        let Some(message) = self.message() else {
            return Err(misfit("a `Chat` has no `message`", "Write the question as `message`."));
        };
        if spec.agent.can_ask {
            let form = match remarks.get("responseForm") {
                Some(Json::Object(form)) => Json::Object(asking(form.clone(), &message)),
                _ => message.into(),
            };
            let source = format!("(ask {})", print::readable(&json::from_serde(&form)));
            let (id, name) = (String::new(), "Chat".to_owned());
            let calls = vec![PlannedCall { id, name, source: Ok(source) }];
            return Ok(Plan { calls, ..Plan::default() });
        }
        if spec.signature.is_none_or(|it| is_text(&it.output)) {
            return Ok(Plan { is_question: true, ..Plan::returning(message) });
        }
        let end = Some(PlanEnd::Fail { reason: "question".to_owned(), message });
        Ok(Plan { end, ..Plan::default() })
    }

    fn step(
        &mut self,
        kind: Kind,
        step: &Map<String, Json>,
        spec: &PromptSpec<'_>,
        remarks: &BTreeMap<String, Json>,
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
            Kind::ForEach => self.for_each(step.get("forEach"), spec),
            Kind::While => self.while_loop(step.get("while"), spec),
            Kind::Retry => {
                if let Some(index) = step.get("messageIndex").filter(|it| !it.is_null()) {
                    self.notes.push(match index.as_u64() {
                        Some(index) if spec.agent.can_expand && index > 0 => {
                            let turn = json::from_serde(&index.into());
                            let (id, name) = (String::new(), "Retry".to_owned());
                            let source = Ok(lookup::expansion(&turn));
                            let calls = vec![PlannedCall { id, name, source }];
                            return Ok(Plan { calls, ..Plan::default() });
                        }
                        Some(index) => {
                            format!("message {index} cannot be expanded: do not ask again.")
                        }
                        None => "`messageIndex` is not the number of a message.".to_owned(),
                    });
                }
                Ok(Plan::default())
            }
            Kind::Chat => self.ask(spec, remarks),
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
            Some(params @ Json::Object(_)) => match referring(tool, params) {
                Some(source) => {
                    let (id, name) = (String::new(), tool.name.clone());
                    return PlannedCall { id, name, source };
                }
                None => marks::unmarked(params),
            },
            Some(_) => {
                let message = format!("Error: the params of `{}` must be a JSON object", tool.name);
                return wrong(&tool.name, message);
            }
        };
        let source = lookup::source(tool, &args);
        PlannedCall { id: String::new(), name: tool.name.clone(), source }
    }

    fn sub_agent(&mut self, agent: &Map<String, Json>, spec: &PromptSpec<'_>) -> Plan {
        let name = agent.get("name").and_then(Json::as_str).unwrap_or_default();
        let (name, source) = match self.find(name, spec) {
            Ok(tool) => {
                let args = sub_agent_args(tool, agent);
                let source = referring(tool, &args);
                let plain = || Ok(call_source(&tool.name, &marks::unmarked(&args)));
                (tool.name.clone(), source.unwrap_or_else(plain))
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
    pub(super) fn find<'s>(
        &mut self,
        name: &str,
        spec: &PromptSpec<'s>,
    ) -> Result<&'s ToolDecl, String> {
        let tools = lookup::callable(spec);
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
        Err(lookup::unknown(name, &known, lookup::search(spec)))
    }
}

/// Returns a form that asks a question. Its own texts are shown under the question.
fn asking(mut form: Map<String, Json>, question: &str) -> Map<String, Json> {
    const TEXTS: [&str; 5] = ["title", "message", "description", "help", "helpText"];
    let mut further: Vec<String> = Vec::new();
    for text in TEXTS.into_iter().filter_map(|key| form.remove(key)) {
        let text = text.as_str().map(str::trim).unwrap_or_default();
        if !text.is_empty() && text != question && further.iter().all(|it| it != text) {
            further.push(text.to_owned());
        }
    }
    form.insert("title".to_owned(), question.into());
    if !further.is_empty() {
        form.insert("description".to_owned(), further.join("\n").into());
    }
    form
}

/// Returns the source of a call whose parameters refer to messages of the conversation, or an observation about a wrong
/// reference; `None` if they do not refer to any.
fn referring(tool: &ToolDecl, params: &Json) -> Option<Result<String, String>> {
    let mut expressions = Expressions::new(Names::default());
    let call = expressions.call(&tool.name, params);
    match (expressions.has_references, expressions.joins_texts) {
        (false, _) => None,
        (true, false) => Some(call),
        (true, true) => Some(call.map(|call| format!("(let [{TEXT}]\n  {call})"))),
    }
}

/// Returns the arguments of a sub-agent: its parameters, and the message as the parameter `message`
/// or as the only text that is missing.
pub(super) fn sub_agent_args(tool: &ToolDecl, agent: &Map<String, Json>) -> Json {
    let mut args = match agent.get("templateParameters").or(agent.get("params")) {
        Some(Json::Object(given)) => given.clone(),
        _ => Map::new(),
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

pub(super) fn misfit(message: &str, fix: &str) -> Misfit {
    (message.to_owned(), fix.to_owned())
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Actions,
    SubAgent,
    ForEach,
    While,
    Retry,
    Chat,
}

/// Returns the type of a step. Without one, the details tell it.
fn kind_of(step: &Map<String, Json>) -> Result<Kind, Misfit> {
    let Some(name) = step.get("type").filter(|it| !it.is_null()) else {
        let details = [
            ("subAgent", Kind::SubAgent),
            ("actions", Kind::Actions),
            ("forEach", Kind::ForEach),
            ("while", Kind::While),
        ];
        let found = details.iter().find(|(key, _)| step.contains_key(*key));
        return found
            .map(|(_, kind)| *kind)
            .ok_or_else(|| misfit("`nextStep` has no `type`", &format!("The types are {TYPES}.")));
    };
    let name = name.as_str().unwrap_or_default().trim();
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    let letters: String = letters.map(|c| c.to_ascii_lowercase()).collect();
    match letters.as_str() {
        "actions" | "action" => Ok(Kind::Actions),
        "subagent" => Ok(Kind::SubAgent),
        "foreach" => Ok(Kind::ForEach),
        "while" => Ok(Kind::While),
        "retry" => Ok(Kind::Retry),
        "chat" => Ok(Kind::Chat),
        _ => {
            let message = format!("`{}` is not a type of `nextStep`", one_line(name, 100));
            Err((message, format!("The types are {TYPES}.")))
        }
    }
}

/// The keys of a decision.
const FIELDS: [&str; 10] = [
    "taskComplete",
    "message",
    "reasoning",
    "confidence",
    "result",
    "payloadChangeRequest",
    "responseForm",
    "actionableCommands",
    "automaticCommands",
    "nextStep",
];

/// The keys of `nextStep`.
const STEP: [&str; 6] = ["type", "actions", "subAgent", "forEach", "while", "messageIndex"];

/// The keys of a change of the payload.
const BUCKETS: [&str; 4] = ["newElements", "updateElements", "replaceElements", "removeElements"];

/// Drops the rules that models add to keys: `done?`, `rows:[3+]`, `name*`. Those of known keys are checked.
fn cleaned(fields: Map<String, Json>, known: &[&str]) -> Result<Map<String, Json>, Misfit> {
    let mut clean = Map::with_capacity(fields.len());
    for (key, value) in fields {
        let name = bare_name(&key);
        if known.contains(&name)
            && let Some(message) = keys::violation(&key, &marks::unmarked(&value))
        {
            return Err(misfit(&message, KEEP_RULES));
        }
        clean.insert(if name.is_empty() { key } else { name.to_owned() }, value);
    }
    Ok(clean)
}

/// Drops the rules from the keys of a change of the payload. A key outside the four parts is a part of the payload.
fn cleaned_change(change: Value, ty: &Type) -> Result<Value, String> {
    let Some(map) = change.as_map() else { return Ok(change) };
    let mut parts = Vec::new();
    let mut stray = Vec::new();
    for (key, value) in map.iter() {
        let name = bare_name(key.name().unwrap_or_default());
        if BUCKETS.contains(&name) {
            parts.push((Value::str(name), keys::of_type(value.clone(), ty)?));
        } else {
            stray.push((key.clone(), value.clone()));
        }
    }
    let stray = keys::of_type(Value::map(stray), ty)?;
    let stray = stray.as_map().into_iter().flat_map(ptc_lisp::Map::iter);
    parts.extend(stray.map(|(key, value)| (key.clone(), value.clone())));
    Ok(Value::map(parts))
}
