//! Agents and their missions: the native half of `ptc.Agent`.

use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ptc_lisp::json;
use ptc_mcp::Servers;
use ptc_subagent::host::{Asker, Decisions, Model, Running, Start, Task, Watch};
use ptc_subagent::provider::{KeyResolver, Scripted};
use ptc_subagent::tool::{HostContext, ServerDef, Tool, ToolDef, ToolError, ToolServers};
use ptc_subagent::{Data, Error, ErrorKind, Mission, Question, RunSettings};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::callback::{Arguments, Callback, Place};
use crate::error::raise;
use crate::model::ModelFn;
use crate::run::{Run, patience};
use crate::runtime::spawn;
use crate::store::Store;
use crate::to_value::to_value;
use crate::tools::{ToolSpec, signature_of};

/// A definition of an agent.
#[pyclass(module = "ptc._ptc", frozen)]
pub(crate) struct Agent {
    agent: Arc<ptc_subagent::Agent>,
    /// The process that has the connections to its MCP servers, if it has any.
    connected: Option<u32>,
}

/// A mission as the Python half describes it.
#[derive(FromPyObject)]
pub(crate) struct MissionSpec {
    input: Option<Py<PyAny>>,
    model: Option<ModelChoice>,
    base_url: Option<String>,
    store: Option<Py<Store>>,
    seed: Option<u64>,
    payload: Option<Py<PyAny>>,
    /// The data for tools alone.
    host: Option<Py<PyAny>>,
    streams: bool,
    observes: bool,
    /// A function or a coroutine that answers questions.
    ask: Option<(Py<PyAny>, bool)>,
    wait_at_most: Option<f64>,
    settings: Option<SettingsChoice>,
    /// The run that this one follows in a conversation.
    after: Option<String>,
    conversation: Option<String>,
    resume: Option<ResumeSpec>,
    /// The event loop of coroutines.
    event_loop: Option<Py<PyAny>>,
    /// The variables of the context of the caller.
    context: Py<PyAny>,
    notify: Option<Py<PyAny>>,
}

#[derive(FromPyObject)]
enum ModelChoice {
    Spec(String),
    Script(Vec<String>),
    Function(ModelFn),
}

/// The settings of a run: the path of a file, or their keys.
#[derive(FromPyObject)]
enum SettingsChoice {
    File(PathBuf),
    Keys(SettingsSpec),
}

/// The keys of settings. Each tool of Python has the number of the change that adds it.
#[derive(FromPyObject)]
struct SettingsSpec {
    changes: Py<PyAny>,
    folder: PathBuf,
    tools: Vec<(usize, ToolSpec)>,
    agents: Vec<(usize, Py<Agent>)>,
}

/// A run to resume, with the decisions about it.
#[derive(FromPyObject)]
struct ResumeSpec {
    run: String,
    /// The answer, and the id of its question; without an id the run has one open question.
    answer: Option<(Option<String>, Py<PyAny>)>,
    /// Calls that took effect, with their results.
    done: Vec<(String, Py<PyAny>)>,
    /// Calls to make again.
    retry: Vec<String>,
    /// Whether a workflow continues although its program changed.
    accept_change: bool,
    take_over: bool,
}

#[pymethods]
impl Agent {
    /// Makes an agent of the keys of an agent file.
    #[staticmethod]
    fn make(
        py: Python<'_>,
        keys: &Bound<'_, PyDict>,
        program: Option<&str>,
        folder: PathBuf,
    ) -> PyResult<Agent> {
        let keys = to_value(keys, "the settings of the agent")?;
        let keys = json::write(&keys)
            .map_err(|why| raise(Error::new(ErrorKind::Agent, format!("the settings: {why}"))))?;
        Agent::connect(py, |servers| {
            ptc_subagent::Agent::from_keys(&keys, program, &folder, servers)
        })
    }

    /// Reads an agent file.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Agent> {
        Agent::connect(py, |servers| {
            ptc_subagent::Agent::read_with(Path::new(&path), servers, None)
        })
    }

    /// Returns the agent with further tools, and with a signature from JSON Schemas if they are given.
    fn extended(
        &self,
        schemas: Option<(String, Option<String>)>,
        tools: Vec<ToolSpec>,
        agents: Vec<(Option<String>, Py<Agent>)>,
    ) -> PyResult<Agent> {
        let mut agent = ptc_subagent::Agent::clone(&self.agent);
        let mut connected = self.connected;
        if let Some((input, output)) = &schemas {
            agent.signature = Some(signature_of(input, output.as_deref())?);
        }
        for tool in tools {
            agent = agent.with_tool(tool.define()?);
        }
        for (name, other) in agents {
            let other = other.get();
            connected = connected.or(other.connected);
            let mut tool = ToolDef::agent(ptc_subagent::Agent::clone(&other.agent));
            if let Some(name) = name {
                tool.name = name;
            }
            agent = agent.with_tool(tool);
        }
        agent.check().map_err(raise)?;
        Ok(Agent { agent: Arc::new(agent), connected })
    }

    /// Returns the agent with a function that has the keys that no variable has.
    fn with_key_resolver(&self, function: Py<PyAny>) -> Agent {
        let resolver = KeyResolver::new(move |wanted| {
            Python::attach(|py| {
                let call = || {
                    let fields = PyDict::new(py);
                    fields.set_item("model", wanted.model)?;
                    fields.set_item("variable", wanted.variable)?;
                    fields.set_item("server", wanted.server)?;
                    function.bind(py).call((), Some(&fields))?.extract::<Option<String>>()
                };
                // A function that fails has no key, and Python shows its exception.
                call().unwrap_or_else(|error: PyErr| {
                    error.write_unraisable(py, None);
                    None
                })
            })
        });
        let agent = ptc_subagent::Agent::clone(&self.agent).with_key_resolver(resolver);
        Agent { agent: Arc::new(agent), connected: self.connected }
    }

    #[getter]
    fn name(&self) -> &str {
        &self.agent.name
    }

    #[getter]
    fn signature(&self) -> Option<String> {
        self.agent.signature.as_ref().map(ToString::to_string)
    }

    /// The names of its tools.
    #[getter]
    fn tools(&self) -> Vec<String> {
        self.agent.tools.iter().map(|it| it.name.clone()).collect()
    }

    /// Returns the system prompt and the first message of a mission.
    fn prompt(&self, input: &Bound<'_, PyAny>) -> PyResult<(String, String)> {
        let input = Data::of(&to_value(input, "input")?).map_err(raise)?;
        let mission = Mission::new(&self.agent, input);
        let system = mission.system_prompt().map_err(raise)?;
        let opening = mission.opening().map_err(raise)?;
        Ok((system.text(), opening))
    }

    /// Starts a mission.
    fn start(&self, py: Python<'_>, spec: MissionSpec) -> PyResult<Run> {
        if self.connected.is_some_and(|it| it != process::id()) {
            let message = "the agent was connected to its MCP servers before a fork: make it again";
            return Err(PyRuntimeError::new_err(message));
        }
        let agent = self.agent.clone();
        let settings = spec.settings.map(|it| it.read(py)).transpose()?;
        let host = data(py, spec.host.as_ref(), "context")?;
        let host = host.map(HostContext::new).transpose().map_err(raise)?;
        let task = match spec.resume {
            Some(resume) => resume.task(py, settings, host)?,
            None => {
                let mut start = Start::default();
                start.input = data(py, spec.input.as_ref(), "input")?;
                if start.input.is_none() {
                    start.input = agent.default_input().map_err(raise)?;
                }
                start.payload = data(py, spec.payload.as_ref(), "payload")?;
                start.after = spec.after;
                start.conversation = spec.conversation;
                start.seed = spec.seed;
                start.settings = settings.unwrap_or_default();
                start.context = host;
                Task::Start(start)
            }
        };
        let model = model(&task, &agent, spec.model, spec.base_url)?;
        let store = spec.store.map(|it| it.get().own().cloned()).transpose()?;
        let mut watch = Watch::default();
        watch.keeps_events = spec.observes;
        watch.streams = spec.streams;
        watch.asker = spec.ask.map(|(function, is_async)| asker(Callback::new(function, is_async)));
        watch.wait_at_most = spec.wait_at_most.map(patience).transpose()?;
        watch.wake = spec.notify.map(|notify| {
            // An event loop that is closed needs no news.
            let wake = move || drop(Python::try_attach(|py| notify.call0(py)));
            Box::new(wake) as Box<dyn Fn() + Send + Sync>
        });
        let place = Place {
            threads: true,
            event_loop: spec.event_loop.map(Arc::new),
            context: Some(Arc::new(spec.context)),
            stop: None,
        };
        let (running, work) = Running::new(agent, model, store, task, watch);
        spawn(place.scope(work))?;
        Ok(Run(running))
    }
}

impl Agent {
    /// Makes an agent that may have MCP servers.
    fn connect(
        py: Python<'_>,
        make: impl FnOnce(&dyn ToolServers) -> Result<ptc_subagent::Agent, Error> + Send,
    ) -> PyResult<Agent> {
        let servers = KnownServers::default();
        let agent = py.detach(|| make(&servers)).map_err(raise)?;
        let connected = servers.any.load(Ordering::Relaxed).then(process::id);
        Ok(Agent { agent: Arc::new(agent), connected })
    }
}

/// MCP servers, and whether there is any.
#[derive(Default)]
struct KnownServers {
    servers: Servers,
    any: AtomicBool,
}

impl ToolServers for KnownServers {
    fn list(&self, server: &ServerDef) -> Result<Vec<ToolDef>, ToolError> {
        self.any.store(true, Ordering::Relaxed);
        self.servers.list(server)
    }

    fn recall(&self, server: &ServerDef, name: &str) -> Box<dyn Tool> {
        self.any.store(true, Ordering::Relaxed);
        self.servers.recall(server, name)
    }
}

impl SettingsChoice {
    /// Makes the settings.
    fn read(self, py: Python<'_>) -> PyResult<RunSettings> {
        let spec = match self {
            SettingsChoice::File(path) => {
                let read = || RunSettings::read_with(&path, &Servers::new());
                return py.detach(read).map_err(raise);
            }
            SettingsChoice::Keys(spec) => spec,
        };
        let keys = to_value(spec.changes.bind(py), "the settings of the run")?;
        let keys = json::write(&keys).map_err(|why| {
            raise(Error::new(ErrorKind::Settings, format!("the settings of the run: {why}")))
        })?;
        let read = || RunSettings::from_keys(&keys, &spec.folder, &Servers::new());
        let mut settings = py.detach(read).map_err(raise)?;
        let mut add = |number: usize, tool: ToolDef| {
            let change = settings.changes.get_mut(number);
            change.map(|it| it.tools.add.push(tool)).unwrap_or_default();
        };
        for (number, tool) in spec.tools {
            add(number, tool.define()?);
        }
        for (number, agent) in spec.agents {
            add(number, ToolDef::agent(ptc_subagent::Agent::clone(&agent.get().agent)));
        }
        Ok(settings)
    }
}

impl ResumeSpec {
    /// Returns the task to resume the run.
    fn task(
        self,
        py: Python<'_>,
        settings: Option<RunSettings>,
        host: Option<HostContext>,
    ) -> PyResult<Task> {
        let plain = |value: &Py<PyAny>, name| {
            let value = to_value(value.bind(py), name)?;
            Data::of(&value)
                .map_err(|why| raise(Error::new(ErrorKind::Input, format!("{name}: {why}"))))
        };
        let mut decisions = Decisions::default();
        if let Some((question, answer)) = self.answer {
            decisions.answers.push((question, plain(&answer, "the answer")?));
        }
        for (call, result) in self.done {
            decisions.done.push((call, plain(&result, "the result")?));
        }
        decisions.retry = self.retry;
        decisions.accepts_change = self.accept_change;
        decisions.takes_over = self.take_over;
        decisions.settings = settings;
        decisions.context = host;
        Ok(Task::Resume(self.run, decisions))
    }
}

/// Returns the model of a mission: the chosen one, else that of the agent.
fn model(
    task: &Task,
    agent: &ptc_subagent::Agent,
    choice: Option<ModelChoice>,
    base_url: Option<String>,
) -> PyResult<Model> {
    let named = match choice {
        Some(ModelChoice::Function(function)) => return Ok(function.provider().into()),
        Some(ModelChoice::Script(replies)) => return Ok(Scripted::new(replies).into()),
        Some(ModelChoice::Spec(text)) => Some(text.parse().map_err(raise)?),
        None => None,
    };
    let help = "give one, such as `model=\"openai:NAME\"`, or a function";
    task.model(agent, named, base_url, help).map_err(raise)
}

/// Answers questions through a callback.
fn asker(callback: Callback) -> Asker {
    let callback = Arc::new(callback);
    Box::new(move |question: Question<'_>| {
        let problems: Vec<String> = question.problems.iter().map(ToString::to_string).collect();
        let fields = serde_json::json!({
            "question": question.open,
            "program": question.program.map(|it| it.0),
            "problems": problems,
        });
        let callback = Arc::clone(&callback);
        Box::pin(async move {
            let read = |answer: &Bound<'_, PyAny>| to_value(answer, "the answer");
            // A callback that fails leaves the question open.
            let answer = callback.call(Arguments::Object(fields.into()), read).await.ok()?;
            if answer.is_nil() { None } else { Data::of(&answer).ok() }
        })
    })
}

fn data(py: Python<'_>, given: Option<&Py<PyAny>>, name: &str) -> PyResult<Option<Data>> {
    let convert = |it: &Py<PyAny>| Data::of(&to_value(it.bind(py), name)?).map_err(raise);
    given.map(convert).transpose()
}
