//! The agent file: its keys, and the location of each error.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ptc_prompt::DecisionSwitches;
use ptc_signatures::SignatureMode;
use serde::de::Visitor;
use serde::{Deserialize, Deserializer};

use super::api_file::ApiFile;
use super::key_values::{Number, Seconds, named, set};
use super::limits_file::LimitsFile;
use super::models_file::{ModelsFile, key_fault};
use super::payload::PayloadTable;
use super::server_file::ServersFile;
use super::source::{InCode, Reading, Source, TOOLS};
use super::sources_file::SourceFile;
use super::system_file::{SystemFile, sections_of};
use super::tool_file::ToolFile;
use super::{Agent, Answers, Artifacts, OnLimit, RunBudget, StrictFields, Workflow};
use crate::error::{Error, ErrorKind};
use crate::files::{MAX_FILE, read_text};
use crate::policy::Policy;
use crate::provider::{GrammarServer, Parameters, Transport};
use crate::record::{MAX_SEED, RunRecord};
use crate::tool::{NoServers, ToolServers};
use crate::transcript::Transcript;

/// The largest number of agent files that the tools of one agent file name, at all levels. A file is read again for
/// every tool that names it.
const MAX_FILES: usize = 100;

impl Agent {
    /// Reads an agent file: JSON if its extension is `.json`, TOML otherwise. Paths in the file are relative to its
    /// folder.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unreadable`] if the file cannot be read; [`ErrorKind::AgentFile`] if it is malformed;
    /// [`ErrorKind::Agent`] if the definition is invalid, as [`Agent::check`] finds.
    pub fn read(path: &Path) -> Result<Agent, Error> {
        read(path, &NoServers, None)
    }

    /// Reads an agent file that may name MCP servers, and asks the servers for their tools. Blocks the calling thread.
    ///
    /// `record` is the run that the agent continues or that is replayed with it. The tools of servers on record are
    /// taken from there, and such a server is not asked before a tool is called.
    ///
    /// # Errors
    ///
    /// The errors of [`Agent::read`]; [`ErrorKind::Server`] if a server does not start or has no list of tools.
    pub fn read_with(
        path: &Path,
        servers: &dyn ToolServers,
        record: Option<&RunRecord>,
    ) -> Result<Agent, Error> {
        let definition = record.and_then(|it| it.setup.definition.as_ref());
        let recorded = definition.map(Agent::from_definition).transpose()?;
        read(path, servers, recorded.as_ref())
    }

    /// Makes an agent of the keys of an agent file, as a JSON object that a host wrote. `program` is the program of a
    /// workflow, which then needs no key. Paths are relative to `folder`. May block, as [`Agent::read_with`] does.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`] if a key is wrong or the definition is invalid; [`ErrorKind::Server`] if a server cannot be
    /// used.
    pub fn from_keys(
        json: &str,
        program: Option<&str>,
        folder: &Path,
        servers: &dyn ToolServers,
    ) -> Result<Agent, Error> {
        read_keys(json, program, folder, servers)
    }
}

/// Reads an agent file. `recorded` is the agent on record, whose tools of servers are taken from there.
fn read(path: &Path, servers: &dyn ToolServers, recorded: Option<&Agent>) -> Result<Agent, Error> {
    read_within(path, &RefCell::default(), servers, recorded)
}

fn read_within(
    path: &Path,
    reading: &RefCell<Reading>,
    servers: &dyn ToolServers,
    recorded: Option<&Agent>,
) -> Result<Agent, Error> {
    let unreadable = |what: &str| {
        Error::new(ErrorKind::Unreadable, format!("cannot read the agent file: {what}"))
            .in_file(path)
    };
    let text = read_text(path, MAX_FILE).map_err(|why| unreadable(&why))?;
    let is_json = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("json"));
    let source = Source {
        path,
        text: &text,
        is_json,
        in_code: None,
        reading,
        servers,
        recorded,
        tools: TOOLS,
    };
    let file: AgentFile = source.parse()?;
    reading.borrow_mut().open.push(canonical(path));
    let models = reading.borrow().models.clone();
    let agent = source.agent(file);
    let mut reading = reading.borrow_mut();
    reading.models = models;
    reading.open.pop();
    agent
}

/// Reads the keys of an agent file from JSON that a host made. `program` is the program of a workflow.
fn read_keys(
    json: &str,
    program: Option<&str>,
    folder: &Path,
    servers: &dyn ToolServers,
) -> Result<Agent, Error> {
    let reading = RefCell::default();
    let in_code = Some(InCode { program });
    let path = &folder.join("agent");
    let source = Source {
        path,
        text: json,
        is_json: true,
        in_code,
        reading: &reading,
        servers,
        recorded: None,
        tools: TOOLS,
    };
    // There is no file to point into.
    source.parse().and_then(|keys| source.agent(keys)).map_err(|error| match error.kind() {
        // Another file, such as a flow file, is there.
        ErrorKind::AgentFile if error.path() != Some(path) => error.of_kind(ErrorKind::Agent),
        ErrorKind::AgentFile => error.of_kind(ErrorKind::Agent).without_place(),
        _ => error,
    })
}

/// Returns the canonical path of a file, or the path itself if it has none.
fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "the keys of an agent")]
struct AgentFile {
    name: Option<String>,
    description: Option<String>,
    prompt: Option<String>,
    program: Option<PathBuf>,
    flow: Option<PathBuf>,
    signature: Option<String>,
    signature_mode: Option<SignatureMode>,
    max_turns: Option<u32>,
    retry_turns: Option<u32>,
    fallback: Option<bool>,
    on_limit: Option<OnLimit>,
    strict_fields: Option<StrictFields>,
    snapshots: Option<bool>,
    answers: Option<Answers>,
    can_ask: Option<bool>,
    images: Option<bool>,
    repair: Option<bool>,
    model: Option<String>,
    base_url: Option<String>,
    api_key_env: Option<String>,
    send_key: Option<bool>,
    key_header: Option<String>,
    fallback_models: Option<Vec<String>>,
    models: Option<ModelsFile>,
    input: Option<PathBuf>,
    timeout: Option<Seconds>,
    request_timeout: Option<Seconds>,
    temperature: Option<Temperature>,
    max_tokens: Option<u32>,
    seed: Option<SeedFile>,
    effort: Option<u8>,
    grammar: Option<GrammarFile>,
    transport: Option<Transport>,
    prices: Option<PathBuf>,
    #[serde(default)]
    tools: Vec<ToolFile>,
    #[serde(default)]
    mcp: ServersFile,
    #[serde(default)]
    openapi: Vec<ApiFile>,
    #[serde(default)]
    policy: Policy,
    #[serde(default)]
    trust: BTreeMap<String, String>,
    #[serde(default)]
    limits: LimitsFile,
    #[serde(default, deserialize_with = "RunBudget::of_file")]
    budget: RunBudget,
    payload: Option<PayloadTable>,
    artifacts: Option<Artifacts>,
    context_signature: Option<String>,
    #[serde(default)]
    sources: Vec<SourceFile>,
    #[serde(default)]
    transcript: Transcript,
    #[serde(default)]
    decisions: BTreeMap<SwitchFile, bool>,
    #[serde(default)]
    system: SystemFile,
}

/// A key of the table `[decisions]`.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct SwitchFile(&'static str);

impl<'de> Deserialize<'de> for SwitchFile {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<SwitchFile, D::Error> {
        let all = DecisionSwitches::ALL.iter().map(|it| (it.name, SwitchFile(it.name)));
        named(from, "field", all)
    }
}

/// The server of the grammar: a name, `true` for llama.cpp, or `false` for no grammar.
#[derive(Clone, Copy)]
struct GrammarFile(Option<GrammarServer>);

impl<'de> Deserialize<'de> for GrammarFile {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<GrammarFile, D::Error> {
        struct Server;
        impl Visitor<'_> for Server {
            type Value = GrammarFile;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("true, false, \"llama.cpp\" or \"vllm\"")
            }

            fn visit_bool<E>(self, it: bool) -> Result<GrammarFile, E> {
                Ok(GrammarFile(it.then_some(GrammarServer::LlamaCpp)))
            }

            fn visit_str<E: serde::de::Error>(self, it: &str) -> Result<GrammarFile, E> {
                match it {
                    "llama.cpp" => Ok(GrammarFile(Some(GrammarServer::LlamaCpp))),
                    "vllm" => Ok(GrammarFile(Some(GrammarServer::Vllm))),
                    _ => Err(E::unknown_variant(it, &["llama.cpp", "vllm"])),
                }
            }
        }
        from.deserialize_any(Server)
    }
}

/// A temperature from 0 to 2, or `"default"` for models that accept none.
#[derive(Clone, Copy)]
struct Temperature(Option<f64>);

impl<'de> Deserialize<'de> for Temperature {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Temperature, D::Error> {
        let temperature = from.deserialize_any(Number("a number from 0 to 2, or \"default\""))?;
        match temperature {
            it if it.is_nan() => Ok(Temperature(None)),
            it if (0.0..=2.0).contains(&it) => Ok(Temperature(Some(it))),
            it => Err(serde::de::Error::custom(format!("{it} is not a temperature from 0 to 2"))),
        }
    }
}

struct SeedFile(u64);

impl<'de> Deserialize<'de> for SeedFile {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<SeedFile, D::Error> {
        let expected = format!("an integer from 0 to {MAX_SEED}");
        let seed = from.deserialize_any(Number("an integer that is not negative"))?;
        let whole = seed.trunc() == seed && (0.0..=MAX_SEED as f64).contains(&seed);
        let wrong =
            || serde::de::Error::custom(format!("{seed} is not a seed: it must be {expected}"));
        whole.then_some(SeedFile(seed as u64)).ok_or_else(wrong)
    }
}

/// Sets the settings that the file has.
macro_rules! set_all {
    ($agent:ident from $file:ident: $($setting:ident)+) => {
        $(set(&mut $agent.$setting, $file.$setting);)+
    };
}

impl Source<'_> {
    fn agent(&self, mut file: AgentFile) -> Result<Agent, Error> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let stem = self.path.file_stem().map(|it| it.to_string_lossy().into_owned());
        let mut agent = match (file.prompt, file.program) {
            (Some(prompt), None) => Agent::new(prompt),
            (prompt, Some(program)) => {
                let file = folder.join(program);
                let program = self.program("program", &file)?;
                let workflow = Workflow { file: Some(file), ..Workflow::new(program) };
                let agent = Agent::workflow("");
                let prompt = prompt.unwrap_or_default();
                Agent { prompt, workflow: Some(workflow), ..agent }
            }
            (None, None) if let Some(InCode { program: Some(program) }) = self.in_code => {
                Agent::workflow(program)
            }
            (None, None) if file.flow.is_some() => Agent::workflow(""),
            (None, None) => {
                let error = Error::new(ErrorKind::AgentFile, "the file has no `prompt`");
                return Err(self.locate(error, None, "prompt", "", 0));
            }
        };
        if file.flow.is_some() && (agent.workflow.is_none() || !agent.is_unwritten()) {
            let error = Error::new(
                ErrorKind::AgentFile,
                "a workflow has a `flow` or a `program`, and no `prompt`",
            );
            return Err(self.locate(error, None, "flow", "", 0));
        }
        let stem = stem.filter(|_| self.in_code.is_none());
        if let Some(name) = file.name.or(stem) {
            agent = agent.with_name(name);
        }
        file.limits.set(&mut agent.limits);
        agent.description = file.description;
        agent.policy = file.policy;
        agent.trust = file.trust;
        agent.signature =
            file.signature.as_deref().map(|it| self.signature(it, None)).transpose()?;
        set_all!(agent from file: signature_mode max_turns retry_turns strict_fields snapshots artifacts answers can_ask images
            repair transport timeout request_timeout);
        if let Some(fallback) = file.fallback {
            agent = agent.with_fallback(fallback);
        }
        set(&mut agent.on_limit, file.on_limit);
        if let Answers::Decisions(style) = &mut agent.answers {
            for (switch, is_on) in file.decisions {
                style.switches.set(switch.0, is_on);
            }
        }
        agent.transcript = file.transcript;
        agent.budget = file.budget;
        agent.payload = file.payload.map(PayloadTable::payload).transpose().map_err(|fault| {
            let error = Error::new(ErrorKind::AgentFile, fault.error.message());
            self.locate(error, None, fault.key, &fault.value, 0)
        })?;
        if let Some(text) = &file.context_signature {
            agent = agent.with_context_signature(text).map_err(|error| {
                let error = Error::new(ErrorKind::AgentFile, error.message());
                self.locate(error, None, "context_signature", text, 0)
            })?;
        }
        let is_written = agent.workflow.is_none();
        if let Some(key) = file.system.unused(&agent.answers).filter(|_| is_written) {
            let answers = agent.answers.name();
            let message = format!("`{key}` has no effect with `answers = \"{answers}\"`");
            let error = Error::new(ErrorKind::AgentFile, message);
            let error = error.with_help(sections_of(&agent.answers));
            return Err(self.locate(error, None, &key, "", 0));
        }
        agent.prompt_limits = file.system.limits();
        agent.sections = file.system.sections().map_err(|(key, template, error)| {
            let error = Error::new(ErrorKind::AgentFile, error.to_string());
            self.locate(error, None, &key, &template, 0)
        })?;
        agent.instructions = self.instructions(file.system.instructions, folder)?;
        agent.grammar = file.grammar.and_then(|it| it.0);
        agent.prices = file.prices.map(|it| folder.join(it));
        let temperature = file.temperature.map_or(Parameters::default().temperature, |it| it.0);
        agent.parameters =
            Parameters { temperature, max_tokens: file.max_tokens, effort: file.effort };
        agent.models = self.models(file.models, folder)?;
        let spec = |key: &str, model: &String| {
            let spec = self.model(model, folder);
            spec.map_err(|error| self.locate(error, None, key, model, 0))
        };
        agent.model = file.model.as_ref().map(|model| spec("model", model)).transpose()?;
        if let Some(all) = &file.fallback_models {
            let all = all.iter().enumerate();
            let all = all.map(|(at, model)| spec(&format!("fallback_models.{at}"), model));
            agent.fallback_models = Some(all.collect::<Result<_, _>>()?);
        }
        agent.send_key = file.send_key.unwrap_or_default();
        let fault = key_fault(file.api_key_env.as_deref(), file.key_header.as_deref());
        if let Some((key, message)) = fault {
            let value = file.api_key_env.as_ref().filter(|_| key == "api_key_env");
            let value = value.or(file.key_header.as_ref()).map_or("", String::as_str);
            return Err(self.locate(
                Error::new(ErrorKind::AgentFile, message),
                None,
                key,
                value,
                0,
            ));
        }
        (agent.api_key_env, agent.key_header) = (file.api_key_env, file.key_header);
        agent.seed = file.seed.map(|it| it.0);
        agent.base_url = file.base_url;
        agent.input = file.input.map(|it| folder.join(it));
        agent.file = self.in_code.is_none().then(|| canonical(self.path));
        for (index, tool) in file.tools.into_iter().enumerate() {
            agent.tools.push(self.tool(tool, index, folder)?);
        }
        let mut taken = self.server_tools(file.mcp, folder)?;
        let of_apis = agent.tools.len() + taken.tools.len();
        self.add_api_tools(file.openapi, folder, &mut taken)?;
        agent.tools.extend(taken.tools);
        agent.left_out = taken.left_out;
        self.add_sources(&mut agent, file.sources, folder)?;
        if let Some(flow) = file.flow {
            self.compile_flow(&mut agent, &folder.join(flow))?;
        }
        // A host may still add the tools of a flow file.
        if let Some(fault) = agent.find_fault().filter(|it| it.key != "flow") {
            if let Some(server) = fault.tool.and_then(|it| agent.tools.get(it)?.server.clone()) {
                let is_api = fault.tool.is_some_and(|it| it >= of_apis);
                let (key, what) = if is_api { ("openapi", "API") } else { ("mcp", "MCP server") };
                let error = fault.error(ErrorKind::AgentFile).within(&format!("{what} `{server}`"));
                let error =
                    error.with_help("rename its tools with `prefix`, or leave one out with `deny`");
                return Err(self.locate(error, None, key, "", 0));
            }
            let value = fault.tool.and_then(|it| agent.tools.get(it)).map_or("", |it| &it.name);
            let (tool, key) = (fault.tool, fault.key);
            let error = fault.error(ErrorKind::AgentFile);
            return Err(self.locate(error, tool, key, value, 0));
        }
        Ok(agent)
    }

    /// Reads the agent file that the tool at `index` names.
    pub(super) fn sub_agent(&self, path: &Path, index: usize) -> Result<Agent, Error> {
        let wrong = |message: String| {
            let error = Error::new(ErrorKind::AgentFile, message);
            self.locate(error, Some(index), "agent", "", 0)
        };
        let name = path.display();
        if self.reading.borrow().open.contains(&canonical(path)) {
            return Err(wrong(format!("`{name}` calls itself through its tools"))
                .with_help("`agent = \"self\"` is for an agent that calls itself"));
        }
        let count = {
            let mut reading = self.reading.borrow_mut();
            reading.count += 1;
            reading.count
        };
        if count > MAX_FILES {
            return Err(wrong(format!("the tools refer to more than {MAX_FILES} agent files")));
        }
        if !path.is_file() {
            return Err(wrong(format!("there is no agent file `{name}`")));
        }
        let recorded = self.recorded.and_then(|it| it.tools.get(index)?.sub_agent());
        read_within(path, self.reading, self.servers, recorded)
    }
}
