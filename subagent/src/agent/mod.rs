//! What an agent is: a prompt, a signature, tools, limits, and the model that is meant for it.
//!
//! A definition holds no state: one agent runs any number of missions, also at the same time.

mod budget;
mod definition;
mod file;
mod limits_file;
mod tool_file;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ptc_lisp::Limits;
use ptc_prompt::{Memo, PromptLimits, PromptPart, Reference, Sections};
use ptc_signatures::{Signature, SignatureMode, Type};
use serde_json::Value;

use crate::data::Data;
use crate::error::{Error, ErrorKind, line_column};
use crate::policy::Policy;
use crate::provider::{GrammarServer, ModelSpec, Parameters, ProviderOptions, Transport};
use crate::tool::{AgentTool, ToolDef};
pub use budget::RunBudget;

/// An agent, or a tool, as other models see it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolSchema {
    /// The name it is called by.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// The JSON Schema of the arguments: an object.
    pub input: Value,
    /// The JSON Schema of the result.
    pub output: Value,
}

/// A definition of an agent. Make one with [`Agent::new`] or [`Agent::read`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Agent {
    /// What it is called in lists and records.
    pub name: String,
    /// What it is for, in a sentence.
    pub description: Option<String>,
    /// The mission, a template over the input: `List the customers of {{region}}.`
    pub prompt: String,
    /// What goes in and what comes out; without one, anything.
    pub signature: Option<Signature>,
    /// What happens with an input or an answer that does not match, and with arguments and results
    /// of the tools that have no mode of their own.
    pub signature_mode: SignatureMode,
    /// What its model answers with.
    pub answers: Answers,
    /// The most turns. One turn without tools makes an agent that answers with an expression.
    pub max_turns: u32,
    /// How many turns may come behind those if nothing was wrong in the last one but the value it returned.
    pub retry_turns: u32,
    /// Whether the last value that could be the answer is the answer when no turn, no tokens, no money or no time
    /// is left. The report then has a warning with the code `fallback`.
    pub fallback: bool,
    /// Whether its runs go on, behind each turn, from a snapshot that is on record: then they are resumed without their
    /// earlier programs. What programs leave that has no form as text is dropped, with a warning of the code
    /// `not-kept`. Agents that answer with JSON take none.
    pub snapshots: bool,
    /// What a run of it may take, with its sub-agents.
    pub budget: RunBudget,
    /// What its programs may call.
    pub tools: Vec<ToolDef>,
    /// What one program may do.
    pub policy: Policy,
    /// The limits of one program.
    pub limits: Limits,
    /// Whether delimiters that do not match are mended where it is certain how.
    pub repair: bool,
    /// How much its prompts and messages show.
    pub prompt_limits: PromptLimits,
    /// Templates in place of sections of the system prompt.
    pub sections: Sections,
    /// The most time of a whole run.
    pub timeout: Duration,
    /// What programs of its own runs draw random numbers from, instead of a fresh seed for each. When it is a tool of
    /// another agent, the seed follows from that of the run that calls it.
    pub seed: Option<u64>,
    /// How its model samples.
    pub parameters: Parameters,
    /// Whether its model is held to the [grammar](crate::Mission::grammar) of the allowed programs, and on which
    /// server. Others refuse the field or overlook it.
    pub grammar: Option<GrammarServer>,
    /// How its programs travel.
    pub transport: Transport,
    /// The model meant for it. A mission is run with whatever provider it is given.
    pub model: Option<ModelSpec>,
    /// The server of the model.
    pub base_url: Option<String>,
    /// A file with the prices of models.
    pub prices: Option<PathBuf>,
    /// The most time of one request to the model.
    pub request_timeout: Duration,
    /// A JSON file with the input of a mission that brings none.
    pub input: Option<PathBuf>,
    /// The file that it was read from.
    pub file: Option<PathBuf>,
    /// Texts of the prompts of its runs.
    pub(crate) memo: Memo,
}

impl Agent {
    /// Makes an agent of a prompt; everything else is default.
    pub fn new(prompt: impl Into<String>) -> Agent {
        Agent {
            name: "agent".to_string(),
            description: None,
            prompt: prompt.into(),
            signature: None,
            signature_mode: SignatureMode::default(),
            answers: Answers::Program,
            max_turns: 5,
            retry_turns: 0,
            fallback: false,
            snapshots: false,
            budget: RunBudget::default(),
            tools: Vec::new(),
            policy: Policy::default(),
            limits: Limits::default(),
            repair: true,
            prompt_limits: PromptLimits::default(),
            sections: Sections::default(),
            timeout: Duration::from_mins(5),
            seed: None,
            parameters: Parameters::default(),
            grammar: None,
            transport: Transport::default(),
            model: None,
            base_url: None,
            prices: None,
            request_timeout: Duration::from_mins(1),
            input: None,
            file: None,
            memo: Memo::default(),
        }
    }

    /// Reads an agent file: JSON if its extension is `.json`, TOML otherwise. Paths in the file are relative to its folder.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unreadable`] if the file cannot be read; [`ErrorKind::AgentFile`] if it is malformed;
    /// [`ErrorKind::Agent`] if the definition is invalid, as [`Agent::check`] finds.
    pub fn read(path: &Path) -> Result<Agent, Error> {
        file::read(path)
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

    /// Sets the signature to that of a function from one Rust type to another.
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

    /// Sets what happens with data that does not match.
    #[must_use]
    pub fn with_signature_mode(mut self, mode: SignatureMode) -> Agent {
        self.signature_mode = mode;
        self
    }

    /// Adds a tool.
    #[must_use]
    pub fn with_tool(mut self, tool: ToolDef) -> Agent {
        self.tools.push(tool);
        self
    }

    /// Sets the most turns.
    #[must_use]
    pub fn with_max_turns(mut self, turns: u32) -> Agent {
        self.max_turns = turns;
        self
    }

    /// Sets how many turns may come behind the last one, if nothing was wrong but the value it returned.
    #[must_use]
    pub fn with_retry_turns(mut self, turns: u32) -> Agent {
        self.retry_turns = turns;
        self
    }

    /// Sets whether a value that was only looked at is the answer when nothing is left to go on with.
    #[must_use]
    pub fn with_fallback(mut self, fallback: bool) -> Agent {
        self.fallback = fallback;
        self
    }

    /// Sets whether its runs take snapshots.
    #[must_use]
    pub fn with_snapshots(mut self, snapshots: bool) -> Agent {
        self.snapshots = snapshots;
        self
    }

    /// Sets what its model answers with.
    #[must_use]
    pub fn with_answers(mut self, answers: Answers) -> Agent {
        self.answers = answers;
        self
    }

    /// Sets what a run of it may take, with its sub-agents.
    #[must_use]
    pub fn with_budget(mut self, budget: RunBudget) -> Agent {
        self.budget = budget;
        self
    }

    /// Sets what it is for, in a sentence.
    #[must_use]
    pub fn with_description(mut self, text: impl Into<String>) -> Agent {
        self.description = Some(text.into());
        self
    }

    /// Sets the model meant for it, and for it alone when it is a tool of another agent.
    #[must_use]
    pub fn with_model(mut self, model: ModelSpec) -> Agent {
        self.model = Some(model);
        self
    }

    /// Sets what programs of its runs draw random numbers from; it counts up to [`MAX_SEED`](crate::MAX_SEED).
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Agent {
        self.seed = Some(seed);
        self
    }

    /// Sets how its model samples.
    #[must_use]
    pub fn with_parameters(mut self, parameters: Parameters) -> Agent {
        self.parameters = parameters;
        self
    }

    /// Sets what one program may do.
    #[must_use]
    pub fn with_policy(mut self, policy: Policy) -> Agent {
        self.policy = policy;
        self
    }

    /// Sets the limits of one program.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Agent {
        self.limits = limits;
        self
    }

    /// Has its model held to the grammar of the allowed programs.
    #[must_use]
    pub fn with_grammar(mut self, server: GrammarServer) -> Agent {
        self.grammar = Some(server);
        self
    }

    /// Sets how its programs travel.
    #[must_use]
    pub fn with_transport(mut self, transport: Transport) -> Agent {
        self.transport = transport;
        self
    }

    /// Says whether delimiters that do not match are mended where it is certain how.
    #[must_use]
    pub fn with_repair(mut self, repair: bool) -> Agent {
        self.repair = repair;
        self
    }

    /// Sets how much its prompts and messages show.
    #[must_use]
    pub fn with_prompt_limits(mut self, limits: PromptLimits) -> Agent {
        self.prompt_limits = limits;
        self
    }

    /// Replaces the template of one section of the system prompt, or of the whole.
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

    /// Sets how much of the language its prompt explains.
    #[must_use]
    pub fn with_reference(mut self, reference: Reference) -> Agent {
        self.prompt_limits.reference = reference;
        self
    }

    /// Sets the most time of a whole run.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Agent {
        self.timeout = timeout;
        self
    }

    /// Returns what a host shows of this agent to a model that may use it as a tool: what it is for, or else
    /// how its prompt begins, and the schemas of its input and its output, without hidden fields. Hidden
    /// inputs are the host's to add.
    pub fn tool_schema(&self) -> ToolSchema {
        let any = || Signature { params: Vec::new(), output: Type::Any };
        let signature = self.signature.as_ref().map_or_else(any, Signature::redacted);
        let strict = self.signature.is_some() && self.signature_mode == SignatureMode::Strict;
        let (input, output) = if strict {
            (signature.strict_input_schema(), signature.strict_output_schema())
        } else {
            (signature.input_schema(), signature.output_schema())
        };
        let description = self.description.clone().unwrap_or_else(|| purpose(&self.prompt));
        ToolSchema { name: self.name.clone(), description: Some(description), input, output }
    }

    /// Says whether it answers with the value of one expression: one turn, no tools.
    pub fn is_single_turn(&self) -> bool {
        self.max_turns == 1 && self.tools.is_empty()
    }

    /// Returns its tools as its programs know them: with its signature mode where they have none, and with its
    /// signature where a tool is the agent itself.
    pub fn tools_of_programs(&self) -> Vec<ToolDef> {
        self.tools.iter().map(|tool| ToolDef::clone(&tool.of(self))).collect()
    }

    /// Returns how to reach its model, with the keys from the environment.
    pub fn provider_options(&self) -> ProviderOptions {
        ProviderOptions {
            base_url: self.base_url.clone(),
            prices: self.prices.clone(),
            request_timeout: self.request_timeout,
            ..ProviderOptions::from_env()
        }
    }

    /// Returns the input of missions that bring none: that of the agent file.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unreadable`] or [`ErrorKind::Input`] if the file that holds it cannot be read.
    pub fn default_input(&self) -> Result<Option<Data>, Error> {
        let Some(path) = &self.input else { return Ok(None) };
        let text = std::fs::read_to_string(path).map_err(|error| {
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

    /// Makes sure that the models of its sub-agents can be asked, as far as can be known before asking.
    pub(crate) fn open_models(&self) -> Result<(), Error> {
        for tool in self.tools.iter().filter_map(ToolDef::as_agent) {
            tool.provider()?;
            if let Some(agent) = tool.other() {
                agent.open_models()?;
            }
        }
        Ok(())
    }

    /// Validates the definition. Every mission does so before it starts.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`] names the first invalid part.
    pub fn check(&self) -> Result<(), Error> {
        self.find_fault().map_or(Ok(()), |fault| Err(fault.error(ErrorKind::Agent)))
    }

    /// Returns the names of the tools that [count as writing](ToolDef::effect_is_assumed) only because nobody says
    /// what they do. A tool of a sub-agent has the name of the sub-agent before its own: `finder/orders`.
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

    fn find_fault(&self) -> Option<Fault> {
        let fault = |tool: Option<usize>, key: &'static str, message: String| {
            Some(Fault { tool, key, message, help: None })
        };
        if self.max_turns == 0 {
            return fault(None, "max_turns", "`max_turns` is 0: no turn, no answer".to_string());
        }
        if self.prompt.trim().is_empty() {
            return fault(None, "prompt", "`prompt` is empty".to_string());
        }
        if self.answers == Answers::Json && !self.tools.is_empty() {
            let message = "an agent that answers with JSON cannot have tools".to_string();
            return fault(None, "tools", message);
        }
        if self.parameters.effort.is_some_and(|it| !(1..=100).contains(&it)) {
            return fault(None, "effort", "`effort` is a number from 1 to 100".to_string());
        }
        if let Some(message) = self.limits.fault() {
            return fault(None, "limits", message.to_string());
        }
        let placed = match &self.signature {
            Some(signature) => ptc_prompt::check_placeholders(&self.prompt, signature),
            // Without a signature nobody knows what the input has.
            None => ptc_prompt::placeholders(&self.prompt).map(drop),
        };
        if let Err(error) = placed {
            return fault(None, "prompt", error.to_string());
        }
        let mut names = BTreeSet::new();
        for (index, tool) in self.tools.iter().enumerate() {
            let name = tool.name.as_str();
            if let Some((key, message)) = tool.fault() {
                return fault(Some(index), key, message);
            }
            if let Some((key, message, help)) = tool.of(self).unsafe_repetition() {
                return Some(Fault { tool: Some(index), key, message, help: Some(help) });
            }
            if let Some(Err(error)) = tool.as_agent().and_then(AgentTool::other).map(Agent::check) {
                return fault(Some(index), "agent", format!("agent `{name}`: {error}"));
            }
            if !names.insert(name) {
                return fault(Some(index), "name", format!("two tools are named `{name}`"));
            }
        }
        if let Some(name) = self.policy.max_calls.keys().find(|name| !names.contains(name.as_str()))
        {
            let message = format!("`max_calls` of the policy names `{name}`, which is not a tool");
            return fault(None, "policy", message);
        }
        None
    }
}

/// What a model answers with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answers {
    /// A program, which is run.
    #[default]
    Program,
    /// The answer itself, as JSON; where the signature wants a `:string`, as it stands. Such an agent has no
    /// tools and sees its input whole: it is a question to a model.
    Json,
}

/// What an agent is for, as its prompt tells it: the first sentence, with the names of placeholders.
fn purpose(prompt: &str) -> String {
    let text: Vec<&str> = prompt.split_whitespace().collect();
    let text = text.join(" ").replace("{{ ", "{{").replace(" }}", "}}");
    let first = text.split_inclusive(['.', '?', '!']);
    let mut purpose = String::new();
    for part in first {
        purpose.push_str(part);
        // A dot in a placeholder or a number ends no sentence.
        let rest = text.get(purpose.len()..).unwrap_or_default();
        if rest.starts_with(' ') || purpose.chars().count() > PURPOSE {
            break;
        }
    }
    let purpose = purpose.replace("{{", "").replace("}}", "");
    match purpose.char_indices().nth(PURPOSE) {
        Some((end, _)) => format!("{}...", purpose.get(..end).unwrap_or_default()),
        None => purpose,
    }
}

/// How many characters of a prompt say what an agent is for.
const PURPOSE: usize = 200;

/// What makes no sense in an agent, with the key of the file that says so.
struct Fault {
    tool: Option<usize>,
    key: &'static str,
    message: String,
    help: Option<String>,
}

impl Fault {
    fn error(self, kind: ErrorKind) -> Error {
        let error = Error::new(kind, self.message);
        match self.help {
            Some(help) => error.with_help(help),
            None => error,
        }
    }
}

/// Returns the place of an offset, as [`line_column`] does, ready for an error.
fn place(error: Error, path: &Path, text: &str, offset: usize) -> Error {
    let (line, column) = line_column(text, offset);
    error.in_file(path).at(line, column)
}
