//! The parts of an agent's definition that replay needs, as data. Each record has them, so a run can be replayed
//! without the agent's file and its tools.
//!
//! Parts that reach outside are left out: models, servers, keys and commands. The custom check of a policy is left out
//! too, because the record has each of its refusals.

use std::collections::BTreeMap;
use std::time::Duration;

use ptc_lisp::{Limit, LimitValue, Limits};
use ptc_prompt::{PromptPart, Reference, Sections};
use ptc_signatures::{Signature, SignatureMode};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::payload::PayloadTable;
use super::{Agent, Answers, OnLimit, RunBudget, StrictFields, Workflow};
use crate::call_pattern::CallPattern;
use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::policy::{Ask, Policy};
use crate::provider::{BoxFuture, Cost};
use crate::record::{ToolError, ToolErrorKind};
use crate::tool::{CallContext, Effect, Tool, ToolDef};
use crate::transcript::Transcript;

/// An agent as data. Optional fields are left out at their defaults.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "one for each key")]
struct Definition {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    prompt: String,
    /// The program of a workflow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    program: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    signature_mode: String,
    answers: String,
    /// The parts of the prompt of decisions that are set.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    decisions: BTreeMap<String, bool>,
    max_turns: u32,
    retry_turns: u32,
    fallback: bool,
    /// The behaviour when turns run out, unless it is a stop or a fallback.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    on_limit: Option<String>,
    #[serde(default, skip_serializing_if = "StrictFields::is_default")]
    strict_fields: StrictFields,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    snapshots: bool,
    #[serde(default, skip_serializing_if = "Transcript::is_whole")]
    transcript: Transcript,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    can_ask: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    images: bool,
    repair: bool,
    timeout: f64,
    program_time: f64,
    limits: BTreeMap<String, u64>,
    budget: Ceilings,
    prompt_limits: Shown,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    sections: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Rules::is_empty")]
    policy: Rules,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    payload: Option<PayloadTable>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Part>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Ceilings {
    turns: Option<u64>,
    tool_calls: Option<u64>,
    fuel: Option<u64>,
    tokens: Option<u64>,
    cost: Option<Cost>,
    /// Records of earlier versions have the default too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Shown {
    list_sample: usize,
    string_truncate: usize,
    reference: String,
    max_tools: usize,
    max_chars: Option<usize>,
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Rules {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    effects: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    max_calls: BTreeMap<String, u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_cost: Option<f64>,
    ask: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    yes: Vec<CallPattern>,
}

impl Rules {
    fn is_empty(&self) -> bool {
        let Rules { effects, max_calls, max_cost, ask, yes } = self;
        let is_open = effects.is_none() && max_calls.is_empty() && max_cost.is_none();
        is_open && ask == NEVER && yes.is_empty()
    }
}

/// A tool as data.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
struct Part {
    name: String,
    /// `tool`, `planning`, `agent` or `self`.
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<Box<Definition>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    signature_mode: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    /// The effect in force when the definition was written, declared or assumed.
    #[serde(default = "read")]
    effect: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cost: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_calls: Option<u32>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    cache: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    idempotent: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    repeat: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    confirm: bool,
    /// The server that offers the tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    server: Option<String>,
}

const NEVER: &str = "never";
const SUMMARIZE: &str = "summarize";

const MODES: [(SignatureMode, &str); 4] = [
    (SignatureMode::Coerce, "coerce"),
    (SignatureMode::Strict, "strict"),
    (SignatureMode::Warn, "warn"),
    (SignatureMode::Off, "off"),
];
/// `standard` is the former name of `full`.
const REFERENCES: [(Reference, &str); 5] = [
    (Reference::None, "none"),
    (Reference::Auto, "auto"),
    (Reference::Minimal, "minimal"),
    (Reference::Full, "full"),
    (Reference::Full, "standard"),
];
const ASKS: [(Ask, &str); 3] =
    [(Ask::Never, NEVER), (Ask::Writes, "writes"), (Ask::Always, "always")];
const EFFECTS: [(Effect, &str); 2] = [(Effect::Read, "read"), (Effect::Write, "write")];

/// Returns the effect of tools in early records, which do not state one.
fn read() -> String {
    word(&EFFECTS, &Effect::Read)
}

fn word<T: PartialEq>(table: &[(T, &'static str)], value: &T) -> String {
    table.iter().find(|row| row.0 == *value).map_or("", |row| row.1).to_string()
}

fn parse_word<T: Copy>(table: &[(T, &'static str)], word: &str) -> Result<T, String> {
    let row = table.iter().find(|row| row.1 == word);
    row.map(|row| row.0).ok_or_else(|| format!("`{word}` is not a known value"))
}

impl Agent {
    /// Returns the parts of the definition that replay needs, as the JSON of a record.
    pub(crate) fn definition(&self) -> Value {
        // Cannot fail: all keys are strings, and `Definition` has no numbers that JSON lacks.
        serde_json::to_value(Definition::of(self)).unwrap_or_default()
    }

    /// Makes an agent from a record. Its tools can be called, but every call fails.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Replay`] if the JSON is not a definition.
    pub(crate) fn from_definition(json: &Value) -> Result<Agent, Error> {
        let unreadable = |why: String| {
            Error::new(ErrorKind::Replay, format!("the agent on record cannot be read: {why}"))
        };
        let definition: Definition =
            serde::Deserialize::deserialize(json).map_err(|error| unreadable(error.to_string()))?;
        definition.agent().map_err(unreadable)
    }
}

impl Definition {
    fn of(agent: &Agent) -> Definition {
        let sections = PromptPart::ALL.into_iter().filter_map(|part| {
            Some((part.as_str().to_string(), agent.sections.get(part)?.to_string()))
        });
        let switches = match &agent.answers {
            Answers::Decisions(style) => style.switches.given(),
            _ => BTreeMap::new(),
        };
        let decisions = switches.into_iter().map(|(name, is_on)| (name.to_string(), is_on));
        let (budget, shown, policy) = (&agent.budget, &agent.prompt_limits, &agent.policy);
        let effects = policy.effects.as_ref();
        Definition {
            name: agent.name.clone(),
            description: agent.description.clone(),
            prompt: agent.prompt.clone(),
            program: agent.workflow.as_ref().map(|it| it.program.clone()),
            signature: agent.signature.as_ref().map(ToString::to_string),
            signature_mode: word(&MODES, &agent.signature_mode),
            answers: agent.answers.name().to_string(),
            decisions: decisions.collect(),
            max_turns: agent.max_turns,
            retry_turns: agent.retry_turns,
            fallback: agent.on_limit == OnLimit::LastValue,
            strict_fields: agent.strict_fields,
            on_limit: (agent.on_limit == OnLimit::Summarize).then(|| SUMMARIZE.to_string()),
            snapshots: agent.snapshots,
            transcript: agent.transcript,
            can_ask: agent.can_ask,
            images: agent.images,
            repair: agent.repair,
            timeout: agent.timeout.as_secs_f64(),
            program_time: agent.limits.program_time.as_secs_f64(),
            limits: limit_counts(&agent.limits),
            budget: Ceilings {
                turns: budget.turns,
                tool_calls: budget.tool_calls,
                fuel: budget.fuel,
                tokens: budget.tokens,
                cost: budget.cost,
                depth: budget.depth,
            },
            prompt_limits: Shown {
                list_sample: shown.list_sample,
                string_truncate: shown.string_truncate,
                reference: word(&REFERENCES, &shown.reference),
                max_tools: shown.max_tools,
                max_chars: shown.max_chars,
            },
            sections: sections.collect(),
            policy: Rules {
                effects: effects.map(|all| all.iter().map(|it| word(&EFFECTS, it)).collect()),
                max_calls: policy.max_calls.clone(),
                max_cost: policy.max_cost.filter(|it| it.is_finite()),
                ask: word(&ASKS, &policy.ask),
                yes: policy.yes.clone(),
            },
            payload: agent.payload.as_ref().map(PayloadTable::of),
            tools: agent.tools.iter().map(Part::of).collect(),
        }
    }

    fn agent(self) -> Result<Agent, String> {
        let mut agent = Agent::new(self.prompt).with_name(self.name);
        agent.description = self.description;
        agent.workflow = self.program.map(|program| Workflow { program, file: None });
        agent.signature = self.signature.as_deref().map(signature).transpose()?;
        agent.signature_mode = parse_word(&MODES, &self.signature_mode)?;
        agent.answers = Answers::find(&self.answers)
            .ok_or_else(|| format!("`{}` is not a known value", self.answers))?;
        if let Answers::Decisions(style) = &mut agent.answers {
            for (name, is_on) in self.decisions {
                // A later version may have more switches.
                style.switches.set(&name, is_on);
            }
        }
        agent.max_turns = self.max_turns;
        agent.retry_turns = self.retry_turns;
        agent = agent.with_fallback(self.fallback);
        match self.on_limit.as_deref() {
            None => {}
            Some(SUMMARIZE) => agent.on_limit = OnLimit::Summarize,
            Some(other) => return Err(format!("`{other}` is not a known value")),
        }
        agent.strict_fields = self.strict_fields;
        agent.snapshots = self.snapshots;
        agent.transcript = self.transcript;
        agent.can_ask = self.can_ask;
        agent.images = self.images;
        agent.repair = self.repair;
        agent.timeout = seconds(self.timeout)?;
        agent.limits = limits_with_counts(&self.limits);
        agent.limits.program_time = seconds(self.program_time)?;
        let Ceilings { turns, tool_calls, fuel, tokens, cost, depth } = self.budget;
        agent.budget = RunBudget { turns, tool_calls, fuel, tokens, cost, depth };
        agent.prompt_limits.list_sample = self.prompt_limits.list_sample;
        agent.prompt_limits.string_truncate = self.prompt_limits.string_truncate;
        agent.prompt_limits.reference = parse_word(&REFERENCES, &self.prompt_limits.reference)?;
        agent.prompt_limits.max_tools = self.prompt_limits.max_tools;
        agent.prompt_limits.max_chars = self.prompt_limits.max_chars;
        agent.sections = sections(self.sections)?;
        agent.policy = self.policy.policy()?;
        let payload = self.payload.map(PayloadTable::payload).transpose();
        agent.payload = payload.map_err(|fault| fault.error.message().to_string())?;
        for tool in self.tools {
            agent.tools.push(tool.tool()?);
        }
        Ok(agent)
    }
}

impl Rules {
    fn policy(self) -> Result<Policy, String> {
        let mut policy = Policy::default();
        if !self.is_empty() && !self.ask.is_empty() {
            policy.ask = parse_word(&ASKS, &self.ask)?;
        }
        let effects =
            self.effects.map(|all| all.iter().map(|it| parse_word(&EFFECTS, it)).collect());
        policy.effects = effects.transpose()?;
        policy.max_calls = self.max_calls;
        policy.max_cost = self.max_cost;
        policy.yes = self.yes;
        Ok(policy)
    }
}

impl Part {
    fn of(tool: &ToolDef) -> Part {
        let agent = tool.sub_agent().map(|it| Box::new(Definition::of(it)));
        let kind = match (&agent, tool.as_agent(), tool.is_callable()) {
            (Some(_), ..) => "agent",
            (None, Some(_), _) => "self",
            (None, None, true) => "tool",
            (None, None, false) => "planning",
        };
        Part {
            name: tool.name.clone(),
            kind: kind.to_string(),
            agent,
            signature: tool.signature.as_ref().map(ToString::to_string),
            signature_mode: tool.signature_mode.map(|it| word(&MODES, &it)),
            description: tool.description.clone(),
            effect: word(&EFFECTS, &tool.effect()),
            cost: tool.cost,
            max_calls: tool.max_calls,
            cache: tool.cache,
            idempotent: tool.idempotent,
            repeat: tool.repeat,
            confirm: tool.confirm,
            server: tool.server.clone(),
        }
    }

    fn tool(self) -> Result<ToolDef, String> {
        let mut tool = match (self.kind.as_str(), self.agent) {
            ("agent", Some(agent)) => ToolDef::agent(agent.agent()?),
            ("self", None) => ToolDef::itself(""),
            ("tool", None) => ToolDef::new("", ToolOnRecord),
            ("planning", None) => ToolDef::planning(""),
            (kind, _) => return Err(format!("`{kind}` is not a kind of tool")),
        };
        tool.name = self.name;
        tool.signature = self.signature.as_deref().map(signature).transpose()?;
        let mode = self.signature_mode.map(|it| parse_word(&MODES, &it));
        tool.signature_mode = mode.transpose()?;
        tool.description = self.description;
        tool.effect = Some(parse_word(&EFFECTS, &self.effect)?);
        tool.cost = self.cost;
        tool.max_calls = self.max_calls;
        tool.cache = self.cache;
        tool.idempotent = self.idempotent;
        tool.repeat = self.repeat;
        tool.confirm = self.confirm;
        tool.server = self.server;
        Ok(tool)
    }
}

/// The implementation of every tool of an agent on record: calls fail.
struct ToolOnRecord;

impl Tool for ToolOnRecord {
    fn call<'a>(
        &'a self,
        _args: Data,
        _cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<Data, ToolError>> {
        let error = ToolError::new(ToolErrorKind::Missing, "is only on record");
        Box::pin(std::future::ready(Err(error)))
    }
}

fn signature(text: &str) -> Result<Signature, String> {
    text.parse().map_err(|error: ptc_signatures::Error| error.to_string())
}

fn seconds(seconds: f64) -> Result<Duration, String> {
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

fn sections(templates: BTreeMap<String, String>) -> Result<Sections, String> {
    let mut sections = Sections::default();
    for (name, template) in templates {
        let part = PromptPart::ALL.into_iter().find(|part| part.as_str() == name);
        let part = part.ok_or_else(|| format!("`{name}` is not a section of a prompt"))?;
        sections.set(part, template).map_err(|error| error.to_string())?;
    }
    Ok(sections)
}

/// Returns the limits that are counts, by name. Records keep `program_time` in a field of its own.
fn limit_counts(limits: &Limits) -> BTreeMap<String, u64> {
    let count = |limit: &Limit| match limit.get(limits) {
        LimitValue::Count(count) => Some((limit.name.to_string(), count)),
        LimitValue::Time(_) => None,
    };
    Limits::ALL.iter().filter_map(count).collect()
}

/// The largest memory limit accepted from a record, in bytes. A record may be imported from an untrusted file.
const MAX_MEMORY: u64 = 4 << 30;

/// Returns limits with these counts, and defaults for the others. Ignores unknown names, since a later version may have
/// more limits.
fn limits_with_counts(counts: &BTreeMap<String, u64>) -> Limits {
    let mut limits = Limits::default();
    for (name, count) in counts {
        if let Some(limit) = Limits::find(name) {
            limit.set(&mut limits, LimitValue::Count(*count));
        }
    }
    limits.memory = limits.memory.min(MAX_MEMORY);
    limits
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::agent::PayloadDef;
    use crate::payload::{EndCheck, StartCheck};

    /// Returns an agent without defaults.
    fn agent_without_defaults() -> Agent {
        let child = Agent::new("Look at {{n}}.").with_name("child").with_answers(Answers::Json);
        let mut limits = Limits::default();
        (limits.fuel, limits.memory, limits.calls_in_flight) = (7, 8 << 20, 3);
        limits.program_time = Duration::from_secs(2);
        let tool = ToolDef::planning("plan")
            .with_signature("(n :int) -> [:string]")
            .expect("a signature")
            .with_signature_mode(SignatureMode::Strict)
            .with_description("Plans.")
            .with_effect(Effect::Write)
            .with_max_calls(4)
            .with_idempotent(true)
            .with_repeat(true)
            .with_confirm(true);
        let cost = Cost::from_dollars(0.5).expect("an amount");
        Agent::new("Do {{n}}.")
            .with_name("whole")
            .with_description("Does it.")
            .with_signature("(n :int, _key :string?) -> {a :float}")
            .expect("a signature")
            .with_signature_mode(SignatureMode::Warn)
            .with_max_turns(9)
            .with_retry_turns(2)
            .with_fallback(true)
            .with_snapshots(true)
            .with_repair(false)
            .with_can_ask(true)
            .with_images(true)
            .with_timeout(Duration::from_millis(1500))
            .with_limits(limits)
            .with_budget(RunBudget::default().with_tokens(5).with_cost(cost).with_depth(1))
            .with_reference(Reference::Full)
            .with_section(PromptPart::Role, "You {{ section }}")
            .expect("a template")
            .with_policy(
                Policy::default()
                    .read_only()
                    .with_max_calls("plan", 2)
                    .with_ask(Ask::Always)
                    .with_yes("plan(city :enum[Graz])".parse().unwrap()),
            )
            .with_payload(payload_without_defaults())
            .with_tool(tool)
            .with_tool(ToolDef::agent(child).with_cache(true))
            .with_tool(ToolDef::itself("again"))
    }

    fn payload_without_defaults() -> PayloadDef {
        PayloadDef::new()
            .with_start(json!({"order": {"total": 1}}))
            .and_then(|it| it.with_signature("{order {total :int}}"))
            .map(|it| it.with_check_start(StartCheck::Warn).with_check_end(EndCheck::Retry, 5))
            .and_then(|it| it.with_scope("/order"))
            .and_then(|it| it.with_reads(["total"]))
            .and_then(|it| it.with_writes(["total:update"]))
            .expect("a payload")
    }

    #[test]
    fn a_definition_round_trips() {
        for agent in [agent_without_defaults(), Agent::new("p")] {
            let definition = agent.definition();
            let copy = Agent::from_definition(&definition).expect("is whole");
            assert_eq!(copy.definition(), definition);
            assert_eq!(copy.limits, agent.limits);
            assert_eq!(copy.budget, agent.budget);
            assert_eq!(copy.sections, agent.sections);
            assert_eq!(copy.payload, agent.payload);
            let callable = |agent: &Agent| -> Vec<bool> {
                agent.tools.iter().map(ToolDef::is_callable).collect()
            };
            assert_eq!(callable(&copy), callable(&agent));
        }
    }

    /// Changes one field of a definition, and compares the error of reading it.
    fn check(pointer: &str, value: Value, expected: &str) {
        let mut definition = agent_without_defaults().definition();
        *definition.pointer_mut(pointer).expect(pointer) = value;
        let error = Agent::from_definition(&definition).expect_err(pointer);
        assert_eq!(error.message(), format!("the agent on record cannot be read: {expected}"));
    }

    #[test]
    fn a_foreign_definition_is_checked() {
        check("/answers", json!("poem"), "`poem` is not a known value");
        check("/tools/0/kind", json!("magic"), "`magic` is not a kind of tool");
        check("/tools/2/effect", json!("both"), "`both` is not a known value");
        check(
            "/timeout",
            json!(-1.0),
            "cannot convert float seconds to Duration: value is negative",
        );
        check("/sections", json!({"end": "x"}), "`end` is not a section of a prompt");
        let mut definition = agent_without_defaults().definition();
        definition["limits"]["memory"] = json!(u64::MAX);
        definition["limits"]["call_depth"] = json!(u64::MAX);
        let agent = Agent::from_definition(&definition).expect("is bounded");
        assert_eq!((agent.limits.memory, agent.limits.call_depth), (MAX_MEMORY, u32::MAX));
    }
}
