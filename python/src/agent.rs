//! Agents and their missions: the native half of `ptc.Agent`.

use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ptc_lisp::json;
use ptc_mcp::Servers;
use ptc_subagent::provider::{BoxFuture, ModelSpec, NoModel, Provider, Scripted};
use ptc_subagent::replay::Resume;
use ptc_subagent::tool::{ServerDef, Tool, ToolDef, ToolError, ToolServers};
use ptc_subagent::{Data, Earlier, Error, ErrorKind, Mission, Question};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::callback::{Arguments, Callback, Place};
use crate::error::raise;
use crate::model::ModelFn;
use crate::run::{Progress, Run, patience};
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
    streams: bool,
    observes: bool,
    /// A function or a coroutine that answers questions.
    ask: Option<(Py<PyAny>, bool)>,
    wait_at_most: Option<f64>,
    /// The run that this one follows in a conversation.
    after: Option<String>,
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
        let (agent, is_connected) = (self.agent.clone(), self.connected.is_some());
        let input = match &spec.input {
            Some(input) => Data::of(&to_value(input.bind(py), "input")?).map_err(raise)?,
            None => agent
                .default_input()
                .map_err(raise)?
                .unwrap_or_else(|| serde_json::json!({}).into()),
        };
        let provider = provider(&agent, spec.model, spec.base_url)?;
        let store = spec.store.map(|it| it.get().own().cloned()).transpose()?;
        let payload = data(py, spec.payload.as_ref(), "payload")?;
        let patience = spec.wait_at_most.map(patience).transpose()?;
        let decisions = spec.resume.map(|it| Decisions::of(py, it)).transpose()?;
        let ask = spec.ask.map(|(function, is_async)| Callback::new(function, is_async));
        let progress = Arc::new(Progress::new(spec.notify));
        let run = Run(progress.clone());
        let place = Place {
            threads: true,
            event_loop: spec.event_loop.map(Arc::new),
            context: Some(Arc::new(spec.context)),
            stop: None,
        };
        let mission = async move {
            let agent = match &store {
                Some(store) if is_connected && decisions.is_none() => {
                    let mut agent = ptc_subagent::Agent::clone(&agent);
                    agent.learn(store)?;
                    Arc::new(agent)
                }
                _ => agent,
            };
            let mut mission = match (decisions, &store) {
                (None, _) => Mission::new(&agent, input),
                (Some(decisions), Some(store)) => decisions.resume(store)?.mission(&agent)?,
                (Some(_), None) => {
                    let message = "a run is resumed from a store, and none is given";
                    return Err(Error::new(ErrorKind::Replay, message));
                }
            };
            if let Some(store) = &store {
                mission = mission.record_in(store);
            }
            if let Some(run) = &spec.after {
                let Some(store) = &store else {
                    let message = "a run follows one of a store, and none is given";
                    return Err(Error::new(ErrorKind::Input, message));
                };
                mission = mission.after(Earlier::of(store, run, &agent).await?);
            }
            if let Some(seed) = spec.seed {
                mission = mission.with_seed(seed);
            }
            if let Some(payload) = payload {
                mission = mission.with_payload(payload);
            }
            if let Some(patience) = patience {
                mission = mission.wait_at_most(patience);
            }
            if spec.observes {
                let progress = progress.clone();
                mission = mission.observe(move |run, event| progress.event(event.to_json(run)));
            }
            if let Some(ask) = &ask {
                mission = mission.ask_with(move |question| answer(ask, &question));
            }
            let cancelled = progress.clone();
            let cancelled = async move { cancelled.cancelled().await };
            mission.stream(spec.streams).cancel_on(cancelled).run(&*provider).await
        };
        let over = run.0.clone();
        spawn(async move { over.end(place.scope(mission).await) })?;
        Ok(run)
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

/// The decisions about a run to resume, converted.
struct Decisions {
    run: String,
    answer: Option<(Option<String>, Data)>,
    done: Vec<(String, Data)>,
    retry: Vec<String>,
    take_over: bool,
}

impl Decisions {
    fn of(py: Python<'_>, spec: ResumeSpec) -> PyResult<Decisions> {
        let plain = |value: &Py<PyAny>, name| {
            let value = to_value(value.bind(py), name)?;
            Data::of(&value)
                .map_err(|why| raise(Error::new(ErrorKind::Input, format!("{name}: {why}"))))
        };
        let answer = spec.answer.map(|(id, it)| Ok::<_, PyErr>((id, plain(&it, "the answer")?)));
        let done = spec.done.into_iter().map(|(call, it)| Ok((call, plain(&it, "the result")?)));
        Ok(Decisions {
            run: spec.run,
            answer: answer.transpose()?,
            done: done.collect::<PyResult<_>>()?,
            retry: spec.retry,
            take_over: spec.take_over,
        })
    }

    fn resume(self, store: &ptc_subagent::store::Store) -> Result<Resume<'_>, Error> {
        let mut resume = Resume::of(store, &self.run)?;
        if let Some((question, answer)) = self.answer {
            resume = resume.answer(question.as_deref(), answer)?;
        }
        for (call, result) in self.done {
            resume = resume.assume_done(&call, result)?;
        }
        for call in self.retry {
            resume = resume.retry(&call)?;
        }
        Ok(if self.take_over { resume.take_over() } else { resume })
    }
}

/// Opens the model of a mission: the chosen one, else that of the agent.
fn provider(
    agent: &ptc_subagent::Agent,
    chosen: Option<ModelChoice>,
    base_url: Option<String>,
) -> PyResult<Box<dyn Provider>> {
    let spec = match chosen {
        Some(ModelChoice::Function(function)) => return Ok(Box::new(function.provider())),
        Some(ModelChoice::Script(replies)) => return Ok(Box::new(Scripted::new(replies))),
        Some(ModelChoice::Spec(text)) => text.parse().map_err(raise)?,
        None => match &agent.model {
            Some(spec) => spec.clone(),
            None if agent.workflow.is_some() => return Ok(Box::new(NoModel)),
            None => {
                let message = format!("agent `{}` names no model", agent.name);
                return Err(raise(
                    Error::new(ErrorKind::Model, message)
                        .with_help("give one, such as `model=\"openai:NAME\"`, or a function"),
                ));
            }
        },
    };
    let spec: ModelSpec = spec;
    let mut options = agent.provider_options();
    if base_url.is_some() {
        options.base_url = base_url;
    }
    spec.open(&options).map_err(raise)
}

/// Asks a question through a callback.
fn answer<'a>(ask: &'a Callback, question: &Question<'_>) -> BoxFuture<'a, Option<Data>> {
    let problems: Vec<String> = question.problems.iter().map(ToString::to_string).collect();
    let fields = serde_json::json!({
        "question": question.open,
        "program": question.program.map(|it| it.0),
        "problems": problems,
    });
    Box::pin(async move {
        let read = |answer: &Bound<'_, PyAny>| to_value(answer, "the answer");
        // A callback that fails leaves the question open.
        let answer = ask.call(Arguments::Object(fields.into()), read).await.ok()?;
        if answer.is_nil() { None } else { Data::of(&answer).ok() }
    })
}

fn data(py: Python<'_>, given: Option<&Py<PyAny>>, name: &str) -> PyResult<Option<Data>> {
    let convert = |it: &Py<PyAny>| Data::of(&to_value(it.bind(py), name)?).map_err(raise);
    given.map(convert).transpose()
}
