//! The settings of an agent.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use ptc_lisp::{Limits, StepChoice};
use ptc_prompt::{Instruction, Memo, PromptLimits, PromptPart, Reference, Sections};
use ptc_signatures::{Field, Signature, SignatureMode, Type};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::payload::PayloadTable;
use super::recorded_forms::{As, Bounds, Fallback, Form, SourcePart, Style, is_default};
use super::{Answers, Artifacts, OnLimit, PayloadDef, RunBudget, StrictFields, Workflow};
use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::files::{MAX_RECORDING, read_text};
use crate::flow::FlowGraph;
use crate::policy::Policy;
use crate::provider::{
    BoxFuture, GrammarServer, KeyResolver, ModelAliases, ModelSpec, Parameters, Transport,
};
use crate::record::{SourceInto, ToolError, ToolErrorKind};
use crate::setters::setters;
use crate::sources::SourceDef;
use crate::tool::{CallContext, Effect, LeftOut, Tool, ToolDef};
use crate::transcript::{ResultRule, Transcript};

/// An agent or a tool as another model sees it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolSchema {
    /// The name of the tool.
    pub name: String,
    /// The purpose of the tool.
    pub description: Option<String>,
    /// The JSON Schema of the arguments: an object.
    pub input: Value,
    /// The JSON Schema of the result.
    pub output: Value,
}

/// A definition of an agent. Make one with [`Agent::new`] or [`Agent::read`].
///
/// Its JSON is the definition that a record has, from which the run is replayed without the agent's file and its tools.
/// Settings that reach outside are left out: models, servers, keys and commands. The custom check of a policy is left out
/// too, because the record has each of its refusals.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
#[non_exhaustive]
pub struct Agent {
    /// The name in lists and records.
    pub name: String,
    /// The purpose, in one sentence.
    #[serde(default, skip_serializing_if = "is_default")]
    pub description: Option<String>,
    /// The mission: a template over the input, such as `List the customers of {{region}}.` Empty for a workflow.
    pub prompt: String,
    /// The program of a workflow; `None` for an agent whose model replies.
    #[serde(rename = "program", default, skip_serializing_if = "is_default")]
    #[serde(with = "As::<Option<String>>")]
    pub workflow: Option<Workflow>,
    /// The graph of the flow file that the program was made of.
    #[serde(default, skip_serializing_if = "is_default")]
    pub flow: Option<FlowGraph>,
    /// The steps that its run starts at and skips; [`RunSettings`](crate::RunSettings) set them.
    #[serde(skip)]
    pub(crate) steps: StepChoice,
    /// The types of the input and the output; without one, both may be anything.
    #[serde(default, skip_serializing_if = "is_default")]
    #[serde(with = "As::<Option<String>>")]
    pub signature: Option<Signature>,
    /// The handling of an input or an answer that does not match. It also applies to arguments and results of the tools
    /// without a mode.
    pub signature_mode: SignatureMode,
    /// The answer style of its model.
    #[serde(flatten, with = "As::<Style>")]
    pub answers: Answers,
    /// The largest number of turns. An agent with one turn and no tools answers with the value of an expression.
    pub max_turns: u32,
    /// The number of further turns, if the only problem of the last regular turn was the returned value.
    pub retry_turns: u32,
    /// The behaviour of a run without an answer when turns run out.
    #[serde(flatten, with = "As::<Fallback>")]
    pub on_limit: OnLimit,
    /// The consequence of a read of a field that is nowhere in the data, if the program handles the nil.
    #[serde(default, skip_serializing_if = "is_default")]
    pub strict_fields: StrictFields,
    /// Whether runs record a snapshot after each turn and continue from it. Such a run resumes without its earlier
    /// programs. Values without a text form are dropped, with a warning of the code `not-kept`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub snapshots: bool,
    /// The parts of the conversation that are sent to its model.
    #[serde(default, skip_serializing_if = "is_default")]
    pub transcript: Transcript,
    /// Whether the model is told that it can ask a person. Programs can ask in any case.
    #[serde(default, skip_serializing_if = "is_default")]
    pub can_ask: bool,
    /// Whether the model sees the images of results that a message names by their hashes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub images: bool,
    /// Whether delimiters that do not match are repaired if the repair is certain.
    pub repair: bool,
    /// The time limit of a whole run.
    #[serde(with = "As::<f64>")]
    pub timeout: Duration,
    /// The limits of one program.
    #[serde(flatten, with = "As::<Bounds>")]
    pub limits: Limits,
    /// The budget of a run with its sub-agents.
    pub budget: RunBudget,
    /// The limits on data and tools in prompts and messages.
    pub prompt_limits: PromptLimits,
    /// Templates that replace sections of the system prompt.
    #[serde(default, skip_serializing_if = "is_default")]
    #[serde(with = "As::<BTreeMap<String, String>>")]
    pub sections: Sections,
    /// Texts of the author in the system prompt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instructions: Vec<Instruction>,
    /// The rules for one program.
    #[serde(default, skip_serializing_if = "Policy::is_open")]
    pub policy: Policy,
    /// The labels of what its programs read besides results of tools: by the name of an input, and for `payload` and
    /// `conversation`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub trust: BTreeMap<String, String>,
    /// The payload, which its runs share with those of its sub-agents; `None` if its programs have none.
    #[serde(default, skip_serializing_if = "is_default")]
    #[serde(with = "As::<Option<PayloadTable>>")]
    pub payload: Option<PayloadDef>,
    /// The artifacts that its runs make at their end.
    #[serde(default, skip_serializing_if = "is_default")]
    pub artifacts: Artifacts,
    /// The tools that its programs may call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(with = "As::<Vec<Part>>")]
    pub tools: Vec<ToolDef>,
    /// The type of the [host context](crate::Mission::with_context), which each of its runs checks at the start.
    #[serde(skip)]
    pub context_signature: Option<Type>,
    /// The sources that are loaded before each of its runs. The record has their names and destinations alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(with = "As::<Vec<SourcePart>>")]
    pub sources: Vec<SourceDef>,
    /// The tools of its servers and APIs that it does without.
    #[serde(skip)]
    pub left_out: Vec<LeftOut>,
    /// The seed of random functions in its own runs; `None` for a fresh seed in each run. If the agent is a tool of
    /// another agent, its seed derives from the seed of the calling run.
    #[serde(skip)]
    pub seed: Option<u64>,
    /// The sampling parameters of its model.
    #[serde(skip)]
    pub parameters: Parameters,
    /// The server that restricts replies to the [grammar](crate::Mission::grammar) of the allowed programs; `None` for
    /// no restriction. Other servers refuse the field or ignore it.
    #[serde(skip)]
    pub grammar: Option<GrammarServer>,
    /// The transport of programs in replies.
    #[serde(skip)]
    pub transport: Transport,
    /// The default model. A mission runs with the provider that it is given.
    #[serde(skip)]
    pub model: Option<ModelSpec>,
    /// The base URL of the model's server.
    #[serde(skip)]
    pub base_url: Option<String>,
    /// The variable whose key the model's server gets. Without one, only a server of the vendor gets the vendor's key.
    #[serde(skip)]
    pub api_key_env: Option<String>,
    /// Whether a server that is not the vendor's gets the key of the vendor's variable.
    #[serde(skip)]
    pub send_key: bool,
    /// The header that has the key; `None` for that of the protocol.
    #[serde(skip)]
    pub key_header: Option<String>,
    /// The models that are asked when its model does not reply, in their order. `None` leaves them to the agent that
    /// calls it.
    #[serde(skip)]
    pub fallback_models: Option<Vec<ModelSpec>>,
    /// The models under names of their own.
    #[serde(skip)]
    pub models: ModelAliases,
    /// The variables of keys that hold for this run, by kind or alias of a model. They are used before all others.
    #[serde(skip)]
    pub(crate) keys: BTreeMap<String, String>,
    /// Whether the settings of the run name its base URL, so that the keys of the run are for that server too.
    #[serde(skip)]
    pub(crate) has_base_url_of_run: bool,
    /// The function of the host that has the keys that no variable has.
    #[serde(skip)]
    pub(super) key_resolver: Option<KeyResolver>,
    /// A file with the prices of models.
    #[serde(skip)]
    pub prices: Option<PathBuf>,
    /// The time limit of one request to the model.
    #[serde(skip, default = "request_timeout")]
    pub request_timeout: Duration,
    /// A JSON file with the default input of missions.
    #[serde(skip)]
    pub input: Option<PathBuf>,
    /// The file that defines the agent.
    #[serde(skip)]
    pub file: Option<PathBuf>,
    /// The cache of prompt texts of its runs.
    #[serde(skip)]
    pub(crate) memo: Memo,
}

impl Agent {
    /// Makes an agent with a prompt. Everything else has its default.
    pub fn new(prompt: impl Into<String>) -> Agent {
        Agent {
            name: "agent".to_string(),
            description: None,
            prompt: prompt.into(),
            workflow: None,
            flow: None,
            steps: StepChoice::default(),
            signature: None,
            signature_mode: SignatureMode::default(),
            answers: Answers::default(),
            max_turns: 5,
            retry_turns: 0,
            on_limit: OnLimit::Stop,
            strict_fields: StrictFields::Hold,
            snapshots: false,
            transcript: Transcript::default(),
            budget: RunBudget::default(),
            payload: None,
            artifacts: Artifacts::default(),
            tools: Vec::new(),
            context_signature: None,
            sources: Vec::new(),
            left_out: Vec::new(),
            policy: Policy::default(),
            trust: BTreeMap::new(),
            limits: Limits::default(),
            can_ask: false,
            images: false,
            repair: true,
            prompt_limits: PromptLimits::default(),
            sections: Sections::default(),
            instructions: Vec::new(),
            timeout: Duration::from_mins(5),
            seed: None,
            parameters: Parameters::default(),
            grammar: None,
            transport: Transport::default(),
            model: None,
            base_url: None,
            api_key_env: None,
            send_key: false,
            key_header: None,
            fallback_models: None,
            models: ModelAliases::default(),
            keys: BTreeMap::new(),
            has_base_url_of_run: false,
            key_resolver: None,
            prices: None,
            request_timeout: request_timeout(),
            input: None,
            file: None,
            memo: Memo::default(),
        }
    }

    /// Makes a workflow: an agent whose program a person wrote. Its runs ask no model and render no prompt. The value of
    /// the program is the answer, and an error of the program ends the run.
    ///
    /// A workflow has 10⁹ units of fuel for each turn, any number of calls and turns, and no limit of computing time. It
    /// records a snapshot after each turn. [`Agent::budget`] and [`Agent::timeout`] hold as for other agents.
    ///
    /// ```
    /// use ptc_subagent::{Agent, Mission, provider::NoModel};
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// let agent = Agent::workflow("(* 2 ctx/n)").with_signature("(n :int) -> :int")?;
    /// let report = Mission::new(&agent, serde_json::json!({"n": 4})).run(&NoModel).await?;
    /// assert_eq!(report.value, serde_json::json!(8));
    /// # Ok::<(), ptc_subagent::Error>(())
    /// # }).unwrap();
    /// ```
    pub fn workflow(program: impl Into<String>) -> Agent {
        Agent {
            workflow: Some(Workflow::new(program)),
            max_turns: u32::MAX,
            snapshots: true,
            repair: false,
            limits: super::workflow::limits(),
            ..Agent::new("")
        }
    }

    /// Sets the name.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Agent {
        self.name = name.into();
        self
    }

    /// Sets the signature, such as `(region :string) -> [{customer :string}]`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`] if the text is not a signature.
    pub fn with_signature(mut self, text: &str) -> Result<Agent, Error> {
        let signature = text.parse().map_err(|error: ptc_signatures::Error| {
            let message = format!("the signature does not parse: {error}");
            Error::new(ErrorKind::Agent, message).with_help(format!("it is `{text}`"))
        })?;
        self.signature = Some(signature);
        Ok(self)
    }

    /// Sets the signature from two Rust types, those of the input and the output.
    ///
    /// ```
    /// use ptc_subagent::Agent;
    /// use ptc_subagent::schemars::{self, JsonSchema};
    ///
    /// #[derive(JsonSchema)]
    /// # #[allow(dead_code)]
    /// struct Region {
    ///     region: String,
    /// }
    ///
    /// let agent = Agent::new("The turnover of {{region}}.").with_signature_of::<Region, f64>();
    /// assert_eq!(agent.signature.unwrap().to_string(), "(region :string) -> :float");
    /// ```
    #[cfg(feature = "schemars")]
    #[must_use]
    pub fn with_signature_of<Input, Output>(mut self) -> Agent
    where
        Input: ptc_signatures::schemars::JsonSchema,
        Output: ptc_signatures::schemars::JsonSchema,
    {
        self.signature = Some(Signature::of::<Input, Output>());
        self
    }

    /// Sets the type of the host context, such as `{tenant :string, token :string}`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`] if the text is not a type.
    pub fn with_context_signature(mut self, text: &str) -> Result<Agent, Error> {
        let signature = text.parse().map_err(|error: ptc_signatures::Error| {
            let message = format!("the signature of the host context does not parse: {error}");
            Error::new(ErrorKind::Agent, message).with_help(format!("it is `{text}`"))
        })?;
        self.context_signature = Some(signature);
        Ok(self)
    }

    /// Adds a source, which is loaded before each of its runs.
    #[must_use]
    pub fn with_source(mut self, source: SourceDef) -> Agent {
        self.sources.push(source);
        self
    }

    /// Adds a tool.
    #[must_use]
    pub fn with_tool(mut self, tool: ToolDef) -> Agent {
        self.tools.push(tool);
        self.compile_pending();
        self
    }

    /// Sets whether the last observed value that matches the signature becomes the answer when turns, tokens, money or
    /// time run out.
    #[must_use]
    pub fn with_fallback(mut self, fallback: bool) -> Agent {
        self.on_limit = if fallback { OnLimit::LastValue } else { OnLimit::Stop };
        self
    }

    /// Sets the purpose, in one sentence.
    #[must_use]
    pub fn with_description(mut self, text: impl Into<String>) -> Agent {
        self.description = Some(text.into());
        self
    }

    /// Replaces the template of one section of the system prompt, or of the whole prompt.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`] if the text is not a template.
    pub fn with_section(
        mut self,
        part: PromptPart,
        template: impl Into<String>,
    ) -> Result<Agent, Error> {
        let set = self.sections.set(part, template);
        set.map_err(|error| Error::new(ErrorKind::Agent, error.to_string()))?;
        Ok(self)
    }

    /// Adds a text to its system prompt.
    #[must_use]
    pub fn with_instruction(mut self, instruction: Instruction) -> Agent {
        self.instructions.push(instruction);
        self
    }

    /// Sets the size of the language reference in its prompt.
    #[must_use]
    pub fn with_reference(mut self, reference: Reference) -> Agent {
        self.prompt_limits.reference = reference;
        self
    }

    /// Returns the schema of this agent as a tool, for a model that a host offers it to.
    ///
    /// It has the agent's description, or else the start of the prompt, and the schemas of input and output. Hidden fields
    /// are left out; the host must add hidden inputs to a call itself.
    pub fn tool_schema(&self) -> ToolSchema {
        let any = || Signature { params: Vec::new(), output: Type::Any };
        let signature = self.call_signature().map_or_else(any, |it| it.redacted());
        let strict = self.signature.is_some() && self.signature_mode == SignatureMode::Strict;
        let (input, output) = if strict {
            (signature.strict_input_schema(), signature.strict_output_schema())
        } else {
            (signature.input_schema(), signature.output_schema())
        };
        let description = self.description.clone().unwrap_or_else(|| match &self.workflow {
            Some(_) => format!("Runs the workflow `{}`.", self.name),
            None => purpose(&self.prompt),
        });
        ToolSchema { name: self.name.clone(), description: Some(description), input, output }
    }

    /// Returns whether the value of a program is the answer, without `return`: in a workflow, and for an agent with one
    /// turn and no tools.
    pub fn is_single_turn(&self) -> bool {
        self.workflow.is_some() || self.max_turns == 1 && self.tools.is_empty()
    }

    /// Returns the signature for callers: inputs that sources give are optional.
    pub(crate) fn call_signature(&self) -> Option<Cow<'_, Signature>> {
        let signature = self.signature.as_ref()?;
        let sourced = self.sources.iter().filter(|it| it.into == SourceInto::Ctx);
        let mut sourced = sourced.map(SourceDef::path).peekable();
        if sourced.peek().is_none() {
            return Some(Cow::Borrowed(signature));
        }
        let mut signature = signature.clone();
        sourced.for_each(|path| make_optional(&mut signature.params, path));
        Some(Cow::Owned(signature))
    }

    /// Returns the signature that checks an input before sources are loaded, and the names that programs read: that for
    /// callers, and anything for each source that it does not name.
    pub(crate) fn input_signature(&self) -> Option<Cow<'_, Signature>> {
        let mut signature = self.call_signature()?;
        for name in self.sourced_inputs() {
            if !signature.params.iter().any(|it| it.name == name) {
                let ty = Type::Optional(Box::new(Type::Any));
                let field =
                    Field { name: name.to_string(), ty, nil_is_absent: false, description: None };
                signature.to_mut().params.push(field);
            }
        }
        Some(signature)
    }

    /// Returns the names in `ctx` that programs may read even if the input lacks them: the inputs of the signature, and
    /// the state of a workflow before its first `flow/continue`. They are nil then.
    pub(crate) fn readable_inputs(&self) -> impl Iterator<Item = &str> {
        let own = self.signature.iter().flat_map(|signature| &signature.params);
        let mut sourced = self.sourced_inputs();
        for field in own.clone() {
            sourced.remove(field.name.as_str());
        }
        let state = self.workflow.is_some().then_some(STATE);
        own.map(|field| field.name.as_str()).chain(sourced).chain(state)
    }

    /// Returns its tools as its programs see them. Tools without a signature mode have the agent's, and a tool that is
    /// the agent itself has the agent's signature.
    pub fn tools_of_programs(&self) -> Vec<ToolDef> {
        self.tools.iter().map(|tool| ToolDef::clone(&tool.of(self))).collect()
    }

    /// Reads the default input of missions from the file that the agent names.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unreadable`] if the file cannot be read; [`ErrorKind::Input`] if it is not JSON that can be an
    /// input.
    pub fn default_input(&self) -> Result<Option<Data>, Error> {
        let Some(path) = &self.input else { return Ok(None) };
        let text = read_text(path, MAX_RECORDING).map_err(|error| {
            let message = format!("cannot read the input of agent `{}`: {error}", self.name);
            Error::new(ErrorKind::Unreadable, message).in_file(path)
        })?;
        let value = ptc_lisp::json::parse(&text).map_err(|error| {
            Error::new(ErrorKind::Input, format!("the input is not valid JSON: {error}"))
                .in_file(path)
                .at(error.line as usize, error.column as usize)
        })?;
        Data::of(&value).map(Some).map_err(|error| error.in_file(path))
    }

    /// Returns the names of the tools that count as writing only because their effect is
    /// [not declared](ToolDef::effect_is_assumed). The name of a sub-agent's tool begins with the sub-agent's:
    /// `finder/orders`.
    pub fn tools_without_effect(&self) -> Vec<String> {
        let mut names = Vec::new();
        for tool in &self.tools {
            match tool.sub_agent() {
                Some(agent) => names.extend(
                    agent.tools_without_effect().iter().map(|it| format!("{}/{it}", tool.name)),
                ),
                None if tool.effect_is_assumed() => names.push(tool.name.clone()),
                None => {}
            }
        }
        names
    }

    /// Returns the tools that it and its sub-agents do without.
    pub fn tools_left_out(&self) -> Vec<&LeftOut> {
        let of_sub_agents = self.tools.iter().filter_map(ToolDef::sub_agent);
        let of_sub_agents = of_sub_agents.flat_map(Agent::tools_left_out);
        self.left_out.iter().chain(of_sub_agents).collect()
    }
}

setters! {
    Agent:
    /// Sets the handling of data that does not match.
    with_signature_mode(signature_mode: SignatureMode);
    /// Sets the largest number of turns.
    with_max_turns(max_turns: u32);
    /// Sets the number of further turns, if the only problem of the last regular turn was the returned value.
    with_retry_turns(retry_turns: u32);
    /// Sets the answer style of its model.
    with_answers(answers: Answers);
    /// Sets the budget of a run with its sub-agents.
    with_budget(budget: RunBudget);
    /// Sets what a run does that has no answer when turns run out.
    with_on_limit(on_limit: OnLimit);
    /// Sets what follows if a program reads a field that is nowhere in the data.
    with_strict_fields(strict_fields: StrictFields);
    /// Sets whether runs record a snapshot after each turn and continue from it.
    with_snapshots(snapshots: bool);
    /// Sets the artifacts that its runs make at their end.
    with_artifacts(artifacts: Artifacts);
    /// Sets which parts of the conversation are sent to its model.
    with_transcript(transcript: Transcript);
    /// Sets the sampling parameters of its model.
    with_parameters(parameters: Parameters);
    /// Sets the limits of one program.
    with_limits(limits: Limits);
    /// Sets the rules for one program.
    with_policy(policy: Policy);
    /// Sets the labels of inputs, and of `payload` and `conversation`.
    with_trust(trust: BTreeMap<String, String>);
    /// Sets the limits on data and tools in prompts and messages.
    with_prompt_limits(prompt_limits: PromptLimits);
    /// Sets the transport of programs in replies.
    with_transport(transport: Transport);
    /// Sets whether delimiters that do not match are repaired if the repair is certain.
    with_repair(repair: bool);
    /// Sets whether the model is told that it can ask a person.
    with_can_ask(can_ask: bool);
    /// Sets whether the model sees images of results.
    with_images(images: bool);
    /// Sets the time limit of a whole run.
    with_timeout(timeout: Duration);
    /// Gives its programs a payload.
    with_payload(payload: PayloadDef) => Some;
    /// Sets the default model. If the agent is a tool of another agent, this model answers for it alone.
    with_model(model: ModelSpec) => Some;
    /// Sets the models under names of their own.
    with_models(models: ModelAliases);
    /// Sets the models that are asked when its model does not reply, in their order.
    with_fallback_models(fallback_models: Vec<ModelSpec>) => Some;
    /// Sets the seed of random functions in its runs: at most [`MAX_SEED`](crate::MAX_SEED).
    with_seed(seed: u64) => Some;
    /// Restricts its model's replies to the grammar of the allowed programs.
    with_grammar(grammar: GrammarServer) => Some;
}

/// A tool as data.
#[derive(Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub(super) struct Part {
    name: String,
    /// `tool`, `planning`, `agent` or `self`.
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<Box<Agent>>,
    #[serde(default, skip_serializing_if = "is_default")]
    signature: Option<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    signature_mode: Option<SignatureMode>,
    #[serde(default, skip_serializing_if = "is_default")]
    description: Option<String>,
    /// The effect in force when the definition was written, declared or assumed.
    #[serde(default = "early_effect")]
    effect: Effect,
    #[serde(default, skip_serializing_if = "is_default")]
    cost: Option<f64>,
    #[serde(default, skip_serializing_if = "is_default")]
    max_calls: Option<u32>,
    #[serde(default, skip_serializing_if = "is_default")]
    cache: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    idempotent: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    repeat: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    confirm: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    trust: Option<String>,
    /// The rule about its results in the conversation.
    #[serde(default, skip_serializing_if = "is_default")]
    result: ResultRule,
    /// The server that offers the tool.
    #[serde(default, skip_serializing_if = "is_default")]
    server: Option<String>,
}

/// Returns the effect of tools in early records, which do not state one.
fn early_effect() -> Effect {
    Effect::Read
}

fn request_timeout() -> Duration {
    Duration::from_mins(1)
}

impl Form<Vec<ToolDef>> for Vec<Part> {
    fn of(tools: &Vec<ToolDef>) -> Vec<Part> {
        tools.iter().map(Part::of).collect()
    }

    fn setting(self) -> Result<Vec<ToolDef>, String> {
        self.into_iter().map(Part::tool).collect()
    }
}

impl Part {
    fn of(tool: &ToolDef) -> Part {
        let agent = tool.sub_agent().map(|it| Box::new(it.clone()));
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
            signature: Form::of(&tool.signature),
            signature_mode: tool.signature_mode,
            description: tool.description.clone(),
            effect: tool.effect(),
            cost: tool.cost,
            max_calls: tool.max_calls,
            cache: tool.cache,
            idempotent: tool.idempotent,
            repeat: tool.repeat,
            confirm: tool.confirm,
            trust: tool.trust.clone(),
            result: tool.result.clone(),
            server: tool.server.clone(),
        }
    }

    fn tool(self) -> Result<ToolDef, String> {
        let mut tool = match (self.kind.as_str(), self.agent) {
            ("agent", Some(agent)) => ToolDef::agent(*agent),
            ("self", None) => ToolDef::itself(""),
            ("tool", None) => ToolDef::new("", ToolOnRecord),
            ("planning", None) => ToolDef::planning(""),
            (kind, _) => return Err(format!("`{kind}` is not a kind of tool")),
        };
        tool.name = self.name;
        tool.signature = self.signature.setting()?;
        tool.signature_mode = self.signature_mode;
        tool.description = self.description;
        tool.effect = Some(self.effect);
        tool.cost = self.cost;
        tool.max_calls = self.max_calls;
        tool.cache = self.cache;
        tool.idempotent = self.idempotent;
        tool.repeat = self.repeat;
        tool.confirm = self.confirm;
        tool.trust = self.trust;
        tool.result = self.result;
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

/// Makes the field at a dotted path optional, if it is there.
fn make_optional(fields: &mut [Field], path: &str) {
    let (first, rest) =
        path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let Some(field) = fields.iter_mut().find(|it| it.name == first) else { return };
    if !matches!(field.ty, Type::Optional(_)) {
        let ty = std::mem::replace(&mut field.ty, Type::Any);
        field.ty = Type::Optional(Box::new(ty));
    }
    if let (Some(rest), Type::Optional(inner)) = (rest, &mut field.ty)
        && let Type::Record(record) = &mut **inner
    {
        make_optional(&mut record.fields, rest);
    }
}

/// Returns the purpose of an agent from its prompt: the first sentence, with the names of placeholders.
fn purpose(prompt: &str) -> String {
    let text: Vec<&str> = prompt.split_whitespace().collect();
    let text = text.join(" ").replace("{{ ", "{{").replace(" }}", "}}");
    let first = text.split_inclusive(['.', '?', '!']);
    let mut purpose = String::new();
    for part in first {
        purpose.push_str(part);
        // A dot in a placeholder or a number does not end a sentence.
        let rest = text.get(purpose.len()..).unwrap_or_default();
        if rest.starts_with(' ') || purpose.chars().count() > MAX_PURPOSE {
            break;
        }
    }
    let purpose = purpose.replace("{{", "").replace("}}", "");
    match purpose.char_indices().nth(MAX_PURPOSE) {
        Some((end, _)) => format!("{}...", purpose.get(..end).unwrap_or_default()),
        None => purpose,
    }
}

/// The name in `ctx` of the state that `flow/continue` leaves to the next turn.
pub(crate) const STATE: &str = "state";

/// The longest purpose taken from a prompt, in characters.
const MAX_PURPOSE: usize = 200;
