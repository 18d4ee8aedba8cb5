//! Tools: the model calls tools natively. The calls of a reply are read as calls side by side.

use std::collections::BTreeSet;

use minijinja::context;
use ptc_lisp::{ToolDecl, Value, json};
use ptc_signatures::{Signature, Type};

use super::json::{is_text, read_answer, with_fix};
use super::keys;
use super::lookup;
use super::observe;
use super::payload;
use super::{
    Outcome, OutcomeEnd, Plan, PlanEnd, PlannedCall, Reading, ReplyParts, ReplyProblem, Style,
    StyleRules, Told,
};
use crate::conversation::{CallResult, ModelCall, ToolOffer};
use crate::error::Error;
use crate::extract::without_thinking;
use crate::memo::Memo;
use crate::problem::Problem;
use crate::system::{self, SystemPrompt};
use crate::text::one_line;
use crate::{PromptPart, PromptSpec, TurnInfo};

/// The style of native tool calls.
///
/// The answer is a text where the output is a `:string` or there is no signature. Otherwise it is a
/// call of the tool `return`.
#[derive(Clone, Copy, Debug)]
pub struct ToolsStyle;

impl Style for ToolsStyle {
    fn name(&self) -> &'static str {
        "tools"
    }

    fn sections(&self) -> &'static [PromptPart] {
        &[PromptPart::Role, PromptPart::Rules, PromptPart::Tools, PromptPart::Payload]
    }

    fn system(&self, spec: &PromptSpec<'_>, _memo: &Memo) -> Result<SystemPrompt, Error> {
        let names = Names::of(spec);
        let format = spec.signature.map(|it| it.output.to_string());
        let tools: Vec<&ToolDecl> = names.tools.iter().map(|it| it.1).collect();
        let lookups = names.lookups.iter().map(|it| &it.0).chain(&names.calls);
        let lookups: Vec<&str> = lookups.map(String::as_str).collect();
        let catalogue = lookup::catalogue(&tools, "tools", &lookups, spec)?;
        let operations: Vec<&str> = names.payload.iter().map(|it| it.0.as_str()).collect();
        let payload = payload::section(spec, &operations);
        let data =
            context! { catalogue, returns => names.returns, fails => names.fails, format, payload };
        system::styled("calls", self.sections(), &data, spec)
    }

    fn opening(
        &self,
        spec: &PromptSpec<'_>,
        turn: TurnInfo,
        _memo: &Memo,
    ) -> Result<String, Error> {
        Ok(format!("{}\n\n{}", payload::opening(spec)?, replies_left(turn)))
    }

    fn offers(&self, spec: &PromptSpec<'_>) -> Vec<ToolOffer> {
        let names = Names::of(spec);
        let mut offers: Vec<ToolOffer> =
            names.offered().map(|(name, tool)| offer(name, tool)).collect();
        if let Some(name) = &names.calls {
            offers.push(ToolOffer {
                name: name.clone(),
                description: "Calls a tool that you have looked up.".to_owned(),
                parameters: call_schema(),
            });
        }
        if let (Some(returns), Some(fails), Some(signature)) =
            (names.returns, names.fails, spec.signature)
        {
            offers.push(ToolOffer {
                name: returns,
                description: "Ends the mission with its answer.".to_owned(),
                parameters: answer_schema(signature),
            });
            offers.push(ToolOffer {
                name: fails,
                description: "Ends the mission without an answer, because it cannot be completed."
                    .to_owned(),
                parameters: fail_schema(),
            });
        }
        offers
    }

    fn read(&self, reply: &ReplyParts<'_>, spec: &PromptSpec<'_>) -> Reading {
        if reply.calls.is_empty() {
            return read_text(reply, spec);
        }
        let names = Names::of(spec);
        let mut plan = Plan::default();
        for (at, call) in reply.calls.iter().enumerate() {
            let (name, source) = match names.read(call, spec) {
                Ok(Read::Call(name, source)) => (name, Ok(source)),
                Ok(Read::End(_)) if plan.end.is_some() => {
                    let message = "Error: one reply ends the mission at most once";
                    (call.name.clone(), Err(message.to_owned()))
                }
                Ok(Read::End(end)) => {
                    (plan.end, plan.end_at) = (Some(end), Some(at));
                    continue;
                }
                Err(message) => (call.name.clone(), Err(message)),
            };
            plan.calls.push(PlannedCall { id: call.id.clone(), name, source });
        }
        Reading::Plan(plan)
    }

    fn tell(&self, outcome: &Outcome<'_>, turn: TurnInfo) -> Told {
        let end_at = outcome.plan.and_then(|plan| plan.end_at);
        let planned = outcome.plan.map(|plan| plan.calls.as_slice()).unwrap_or_default();
        let mut planned = planned.iter().zip(outcome.outcomes);
        let results = outcome.reply_calls.iter().enumerate().map(|(at, call)| {
            let made = if end_at == Some(at) { None } else { planned.next() };
            let text = match made {
                Some((planned, made)) => observe::observation(planned, made, outcome.limits),
                None => end_of_mission(outcome, turn),
            };
            CallResult { id: call.id.clone(), name: call.name.clone(), text }
        });
        let results: Vec<CallResult> = results.collect();
        let mut text = match &outcome.end {
            OutcomeEnd::Problem { problem, .. } if results.is_empty() => feedback(problem, turn),
            _ => String::new(),
        };
        if let Some(payload) = outcome.payload {
            if !text.is_empty() {
                text.push_str("\n\n");
            }
            let changes = outcome.payload_changes;
            text.push_str(&payload::after_turn(payload, changes, outcome.limits));
        }
        if turn.is_last() && !turn.ends {
            if !text.is_empty() {
                text.push_str("\n\n");
            }
            text.push_str("This is the last turn: answer now, without further calls.");
        }
        Told { text, results }
    }

    fn expansion_hint(&self) -> &'static str {
        "Call `expand` with the turn {n} to see it whole."
    }

    fn rules(&self) -> StyleRules {
        StyleRules { remembers_calls: true, ..StyleRules::default() }
    }
}

/// Returns the sentence about the remaining replies.
pub(super) fn replies_left(turn: TurnInfo) -> String {
    match turn.max_turns {
        1 => "You have one reply.".to_owned(),
        most => format!("You have at most {most} replies."),
    }
}

/// Returns the schema of the arguments of `return`: that of the output, or an object with it as
/// `value`.
fn answer_schema(signature: &Signature) -> serde_json::Value {
    let schema = signature.redacted().output_schema();
    if is_object(&signature.output) {
        return schema;
    }
    serde_json::json!({
        "type": "object",
        "properties": {"value": schema},
        "required": ["value"],
    })
}

fn is_object(output: &Type) -> bool {
    matches!(output, Type::Map | Type::Record(_))
}

fn call_schema() -> serde_json::Value {
    serde_json::json!({
        "type": "object",
        "properties": {"name": {"type": "string"}, "arguments": {"type": "object"}},
        "required": ["name", "arguments"],
    })
}

fn fail_schema() -> serde_json::Value {
    serde_json::json!({
        "type": "object",
        "properties": {
            "reason": {"type": "string", "description": "One word, such as `not-found`."},
            "message": {"type": "string"},
        },
        "required": ["reason", "message"],
    })
}

fn offer(name: &str, tool: &ToolDecl) -> ToolOffer {
    let mut description = tool.description.as_deref().unwrap_or_default().trim().to_owned();
    let parameters = match &tool.signature {
        Some(signature) => {
            let output = &signature.redacted().output;
            if *output != Type::Any {
                if !description.is_empty() {
                    description.push_str("\n\n");
                }
                description.push_str("Returns: ");
                description.push_str(&output.to_string());
            }
            signature.input_schema()
        }
        None => serde_json::json!({"type": "object"}),
    };
    ToolOffer { name: name.to_owned(), description, parameters }
}

/// The names under which a model calls tools.
struct Names<'a> {
    tools: Vec<(String, &'a ToolDecl)>,
    /// The tools that look up others, if those are not offered.
    lookups: Vec<(String, &'a ToolDecl)>,
    /// The functions of programs that the model can call.
    functions: Vec<(String, &'a ToolDecl)>,
    /// The operations on the payload.
    payload: Vec<(String, &'a ToolDecl)>,
    /// The tool that calls those that are not offered.
    calls: Option<String>,
    /// The tools that end the mission, unless the answer is a text.
    returns: Option<String>,
    fails: Option<String>,
}

enum Read {
    /// A call of a tool by its name, as source.
    Call(String, String),
    End(PlanEnd),
}

impl<'a> Names<'a> {
    fn of(spec: &PromptSpec<'a>) -> Names<'a> {
        let mut taken = BTreeSet::new();
        let mut own = |name: &str| {
            let base = wire_name(name);
            let numbered = (2..).map(|number| {
                let room = 60.min(base.len());
                format!("{}_{number}", base.get(..room).unwrap_or_default())
            });
            let free = std::iter::once(base.clone()).chain(numbered);
            let name = free.into_iter().find(|it| !taken.contains(it)).unwrap_or_default();
            taken.insert(name.clone());
            name
        };
        let tools = spec.tools.iter().filter(|tool| tool.callable);
        let tools: Vec<(String, &ToolDecl)> = tools.map(|tool| (own(&tool.name), tool)).collect();
        let lookups = lookup::lookups(spec).iter().map(|tool| (own(&tool.name), tool));
        let lookups: Vec<(String, &ToolDecl)> = lookups.collect();
        let functions: Vec<(String, &ToolDecl)> =
            lookup::functions(spec).into_iter().map(|tool| (own(&tool.name), tool)).collect();
        let payload = payload::operations(spec).iter().map(|tool| (own(&tool.name), tool));
        let payload: Vec<(String, &ToolDecl)> = payload.collect();
        let calls = (!lookups.is_empty()).then(|| own("tools/call"));
        let ends = spec.signature.is_some_and(|signature| !is_text(&signature.output));
        let [returns, fails] = ["return", "fail"].map(|name| ends.then(|| own(name)));
        Names { tools, lookups, functions, payload, calls, returns, fails }
    }

    /// Returns the tools that the model is offered.
    fn offered(&self) -> impl Iterator<Item = &(String, &'a ToolDecl)> {
        let tools = if self.lookups.is_empty() { &self.tools } else { &self.lookups };
        tools.iter().chain(&self.functions).chain(&self.payload)
    }

    fn find(&self, name: &str) -> Option<&'a ToolDecl> {
        let own = self.tools.iter().chain(&self.lookups);
        let mut all = own.chain(&self.functions).chain(&self.payload);
        all.find(|(wire, tool)| *wire == name || tool.name == name).map(|it| it.1)
    }

    /// Reads a call as an expression or as the end of the mission. The error is an observation.
    fn read(&self, call: &ModelCall, spec: &PromptSpec<'_>) -> Result<Read, String> {
        let is = |name: &Option<String>| name.as_deref() == Some(call.name.as_str());
        if let Some(tool) = self.find(&call.name) {
            let args = arguments(&call.name, &call.arguments)?;
            return Ok(Read::Call(call.name.clone(), lookup::source(tool, &args)?));
        }
        if !is(&self.calls) && !is(&self.returns) && !is(&self.fails) {
            return Err(self.unknown(&call.name));
        }
        let args = arguments(&call.name, &call.arguments)?;
        if is(&self.calls) {
            let name = text_of(&args, "name").unwrap_or_default();
            let Some(tool) = self.find(&name) else { return Err(self.unknown(&name)) };
            let args = match args.get("arguments") {
                None | Some(Value::Nil) => Value::map([]),
                // Models may write the arguments as a text.
                Some(Value::Str(text)) => arguments(&name, text)?,
                Some(args) if args.as_map().is_some() => args.clone(),
                Some(_) => return Err(not_an_object(&name)),
            };
            let source = lookup::source(tool, &args)?;
            return Ok(Read::Call(name, source));
        }
        Ok(Read::End(if is(&self.fails) {
            PlanEnd::Fail {
                reason: text_of(&args, "reason").unwrap_or_else(|| "failed".to_owned()),
                message: text_of(&args, "message").unwrap_or_default(),
            }
        } else {
            let wraps = spec.signature.is_some_and(|it| !is_object(&it.output));
            let value = if wraps { args.get("value").cloned().unwrap_or(args) } else { args };
            PlanEnd::Return(
                keys::answer(value, spec)
                    .map_err(|message| format!("Error: {message}. {}", keys::KEEP_RULES))?,
            )
        }))
    }

    fn unknown(&self, name: &str) -> String {
        let mut known: Vec<&str> = self.tools.iter().map(|(name, _)| name.as_str()).collect();
        known.extend(self.functions.iter().chain(&self.payload).map(|it| it.0.as_str()));
        known.extend(self.returns.as_deref());
        known.extend(self.fails.as_deref());
        let search = self.lookups.first().map(|it| it.0.as_str());
        lookup::unknown(name, &known, search)
    }
}

fn not_an_object(name: &str) -> String {
    format!("Error: the arguments of `{}` must be a JSON object", one_line(name, 200))
}

/// Returns the arguments of a call, or an observation about them.
pub(super) fn arguments(name: &str, text: &str) -> Result<Value, String> {
    let name = one_line(name, 200);
    if text.trim().is_empty() {
        return Ok(Value::map([]));
    }
    match json::parse(text) {
        Ok(args) if args.as_map().is_some() => Ok(args),
        Ok(_) => Err(not_an_object(&name)),
        Err(error) => Err(format!("Error: the arguments of `{name}` are not valid JSON: {error}")),
    }
}

fn text_of(args: &Value, key: &str) -> Option<String> {
    match args.get(key) {
        Some(Value::Str(text)) => Some(text.to_string()),
        _ => None,
    }
}

/// Reads a reply without calls.
fn read_text(reply: &ReplyParts<'_>, spec: &PromptSpec<'_>) -> Reading {
    if reply.is_cut_off {
        return Reading::Problem(ReplyProblem::CutOff);
    }
    let output = spec.signature.map(|it| &it.output);
    let form = |message: &str, fix: &str| {
        let (message, fix) = (message.to_owned(), fix.to_owned());
        Reading::Problem(ReplyProblem::Form { message, fix })
    };
    if output.is_none_or(is_text) {
        let text = without_thinking(reply.text);
        let text = text.trim();
        if text.is_empty() {
            return form("the reply is empty", "Write the answer, or call a tool.");
        }
        return Reading::Plan(Plan::returning(Value::str(text)));
    }
    match read_answer(reply.text, output) {
        Some(answer) => match keys::answer(answer, spec) {
            Ok(answer) => Reading::Plan(Plan::returning(answer)),
            Err(message) => keys::broken(message),
        },
        None => form(
            "the reply calls no tool",
            "Call `return` with the answer, `fail`, or another tool.",
        ),
    }
}

/// Returns the result of the call that ends the mission, if the mission goes on.
fn end_of_mission(outcome: &Outcome<'_>, turn: TurnInfo) -> String {
    match &outcome.end {
        OutcomeEnd::Problem { problem, .. } => feedback(problem, turn),
        OutcomeEnd::Value { .. } => {
            let what = if turn.ends { "this is not the answer" } else { "the mission goes on" };
            format!("Error: {what}, since another call of this reply failed.")
        }
    }
}

/// Renders the problem of a reply, or of the call that ends the mission.
fn feedback(problem: &Problem<'_>, turn: TurnInfo) -> String {
    match problem {
        Problem::CutOff => with_fix("Your reply stops in the middle", "Write a shorter one.", turn),
        Problem::Form { message, fix } => with_fix(&capitalized(message), fix, turn),
        Problem::WrongReturn { expected, mismatches, .. } => {
            let all = mismatches.iter().take(10).map(|it| format!("- {}", it.redacted()));
            let all: Vec<String> = all.collect();
            format!("Error: the answer is not of the type `{expected}`:\n{}", all.join("\n"))
        }
        other => format!("Error: {}", one_line(&other.message(), 1_000)),
    }
}

pub(super) fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// Returns a name that servers accept: letters, digits, `_` and `-`, at most 64 of them.
fn wire_name(name: &str) -> String {
    let is_valid = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let name: String = name.chars().take(64).map(|c| if is_valid(c) { c } else { '_' }).collect();
    if name.is_empty() { "_".to_owned() } else { name }
}
