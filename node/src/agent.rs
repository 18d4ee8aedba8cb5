//! Agents and their missions: the native half of `Agent`.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use napi::Result;
use napi_derive::napi;
use ptc_mcp::Servers;
use ptc_prompt::ToolLookup;
use ptc_signatures::Signature;
use ptc_subagent::host::{Asker, Decisions, Model, Running, Start, Task, Watch};
use ptc_subagent::provider::Scripted;
use ptc_subagent::tool::{HostContext, ServerDef, Tool, ToolDef, ToolError, ToolServers};
use ptc_subagent::{Data, Error, Mission, Question, RunSettings};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::{raise, settings, told, type_error};
use crate::model::NodeModel;
use crate::store::Store;
use crate::text::{self, Writer};
use crate::tools::ToolSpec;
use crate::work::{Handle, Port, call};

/// A definition of an agent.
#[napi]
pub struct Agent(Arc<ptc_subagent::Agent>);

/// The parts of an agent beside the keys of agent files.
#[derive(Deserialize)]
struct Extras {
    /// The JSON Schemas of the input and of the output.
    schemas: Option<(Value, Option<Value>)>,
    tools: Vec<ToolSpec>,
}

/// A mission as the JavaScript half describes it. Values are texts of values.
#[derive(Deserialize)]
struct MissionSpec {
    input: Option<String>,
    payload: Option<String>,
    /// The data for tools alone.
    context: Option<String>,
    /// The settings of the run as JSON, with paths relative to a folder.
    settings: Option<(String, String)>,
    model: Option<ModelChoice>,
    base_url: Option<String>,
    /// A whole number as text.
    seed: Option<String>,
    streams: bool,
    observes: bool,
    /// The number of the function that answers questions.
    ask: Option<u32>,
    wait_at_most: Option<f64>,
    /// The run that this one follows in a conversation.
    after: Option<String>,
    conversation: Option<String>,
    resume: Option<ResumeSpec>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum ModelChoice {
    Spec(String),
    Script(Vec<String>),
    Function(NodeModel),
}

/// A run to resume, with the decisions about it.
#[derive(Deserialize)]
struct ResumeSpec {
    run: String,
    /// The id of the question, and the answer; without an id the run has one open question.
    answer: Option<(Option<String>, String)>,
    /// Calls that took effect, with their results.
    done: Vec<(String, String)>,
    /// Calls to make again.
    retry: Vec<String>,
    /// Whether a workflow continues although its program changed.
    accept_change: bool,
    take_over: bool,
}

#[napi]
impl Agent {
    /// Starts to make an agent of the keys of an agent file, which may connect to servers.
    #[napi]
    pub fn make(
        port: &Port,
        id: u32,
        keys: String,
        program: Option<String>,
        folder: String,
    ) -> Result<Handle> {
        port.start_blocking(id, move |work| {
            let servers = Servers::default();
            let made = ptc_subagent::Agent::from_keys(
                &keys,
                program.as_deref(),
                Path::new(&folder),
                &servers,
            );
            work.keep(Agent(Arc::new(made.map_err(|error| told(&error))?)));
            Ok("null".to_owned())
        })
    }

    /// Makes an agent of the keys of an agent file without servers.
    #[napi]
    pub fn make_now(keys: String, program: Option<String>, folder: String) -> Result<Agent> {
        let servers = Servers::default();
        let made =
            ptc_subagent::Agent::from_keys(&keys, program.as_deref(), Path::new(&folder), &servers);
        Ok(Agent(Arc::new(made.map_err(raise)?)))
    }

    /// Starts to read an agent file.
    #[napi]
    pub fn read(port: &Port, id: u32, path: String) -> Result<Handle> {
        port.start_blocking(id, move |work| {
            let servers = Servers::default();
            let read = ptc_subagent::Agent::read_with(Path::new(&path), &servers, None);
            work.keep(Agent(Arc::new(read.map_err(|error| told(&error))?)));
            Ok("null".to_owned())
        })
    }

    /// Takes the agent that was made or read.
    #[napi]
    pub fn made(handle: &Handle) -> Result<Agent> {
        handle.take()
    }

    /// Returns the agent with further tools, and with a signature from JSON Schemas if they are given.
    #[napi]
    pub fn extended(&self, extras: String) -> Result<Agent> {
        let extras: Extras = settings(&extras)?;
        let mut agent = ptc_subagent::Agent::clone(&self.0);
        if let Some((input, output)) = &extras.schemas {
            agent.signature = Some(Signature::from_schemas(input, output.as_ref()).0);
        }
        for tool in extras.tools {
            agent = agent.with_tool(tool.define()?);
        }
        agent.check().map_err(raise)?;
        Ok(Agent(Arc::new(agent)))
    }

    /// Returns the agent with another one as a tool.
    #[napi]
    pub fn with_agent(&self, name: Option<String>, other: &Agent) -> Result<Agent> {
        let mut tool = ToolDef::agent(ptc_subagent::Agent::clone(&other.0));
        if let Some(name) = name {
            tool.name = name;
        }
        let agent = ptc_subagent::Agent::clone(&self.0).with_tool(tool);
        agent.check().map_err(raise)?;
        Ok(Agent(Arc::new(agent)))
    }

    /// Returns the name.
    #[napi(getter)]
    pub fn name(&self) -> String {
        self.0.name.clone()
    }

    /// Returns the types of the input and the output.
    #[napi(getter)]
    pub fn signature(&self) -> Option<String> {
        self.0.signature.as_ref().map(ToString::to_string)
    }

    /// Returns the names of its tools.
    #[napi(getter)]
    pub fn tools(&self) -> Vec<String> {
        self.0.tools.iter().map(|it| it.name.clone()).collect()
    }

    /// Returns the system prompt and the first message of a mission.
    #[napi]
    pub fn prompt(&self, input: String) -> Result<Vec<String>> {
        let mission = Mission::new(&self.0, text::data(&input).map_err(type_error)?);
        let system = mission.system_prompt().map_err(raise)?;
        let opening = mission.opening().map_err(raise)?;
        Ok(vec![system.text(), opening])
    }

    /// Returns the description of a tool that runs programs over the tools of the agent.
    #[napi]
    pub fn program_tool(&self) -> String {
        let tools = ptc_subagent::eval::EvalTools::of_agent(&self.0, false);
        ptc_prompt::program_tool(&tools.declarations(), ToolLookup::Program)
    }

    /// Starts a mission. Its events follow messages `event`, and its report is the text of its end.
    #[napi]
    pub fn start(&self, port: &Port, id: u32, spec: String, store: Option<&Store>) -> Result<Run> {
        let spec: MissionSpec = settings(&spec)?;
        let agent = Arc::clone(&self.0);
        let context = data(spec.context.as_deref())?;
        let context = context.map(HostContext::new).transpose().map_err(raise)?;
        let task = match spec.resume {
            Some(resume) => resume.task(context)?,
            None => {
                let mut start = Start::default();
                start.input = data(spec.input.as_deref())?;
                if start.input.is_none() {
                    start.input = agent.default_input().map_err(raise)?;
                }
                start.payload = data(spec.payload.as_deref())?;
                start.after = spec.after;
                start.conversation = spec.conversation;
                start.context = context;
                if let Some((keys, folder)) = &spec.settings {
                    let settings = RunSettings::from_keys(keys, Path::new(folder), &NoNewServers);
                    start.settings = settings.map_err(raise)?;
                }
                start.seed = spec.seed.map(|text| seed(&text)).transpose()?;
                Task::Start(start)
            }
        };
        let model = model(&task, &agent, spec.model, spec.base_url)?;
        let mut watch = Watch::default();
        watch.keeps_events = spec.observes;
        watch.streams = spec.streams;
        watch.asker = spec.ask.map(asker);
        watch.wait_at_most = spec.wait_at_most.map(patience).transpose()?;
        let waker = Arc::new(std::sync::OnceLock::<Arc<crate::work::Work>>::new());
        if spec.observes {
            let waker = Arc::clone(&waker);
            watch.wake = Some(Box::new(move || {
                if let Some(work) = waker.get() {
                    work.tell();
                }
            }));
        }
        let (running, work) = Running::new(agent, model, store.map(Store::own), task, watch);
        let run = running.clone();
        let handle = port.start(id, move |told_to| {
            // The run starts later, so nothing happens before this.
            drop(waker.set(Arc::clone(&told_to)));
            async move {
                let mut work = std::pin::pin!(work);
                tokio::select! {
                    () = &mut work => {}
                    () = told_to.stopped() => {
                        run.cancel();
                        work.await;
                    }
                }
                report(&run)
            }
        })?;
        Ok(Run { running, handle: Some(handle) })
    }
}

/// A run in progress, or its end.
#[napi]
pub struct Run {
    running: Running,
    handle: Option<Handle>,
}

#[napi]
impl Run {
    /// Takes the work of the run, once.
    #[napi]
    pub fn work(&mut self) -> Option<Handle> {
        self.handle.take()
    }

    /// Takes the events since the last call.
    #[napi]
    pub fn take(&self) -> String {
        let mut writer = Writer::default();
        let mut separator = "[";
        for (run, event) in self.running.take_events() {
            writer.raw(separator);
            separator = ",";
            if writer.value(event.to_json(&run).value(), usize::MAX).is_err() {
                writer.raw("null");
            }
        }
        writer.raw(if separator == "[" { "[]" } else { "]" });
        writer.finish()
    }
}

/// Refuses servers in the settings of a run: the event loop would wait for their start.
struct NoNewServers;

impl ToolServers for NoNewServers {
    fn list(&self, server: &ServerDef) -> std::result::Result<Vec<ToolDef>, ToolError> {
        let message =
            format!("the settings of a run cannot start the MCP server `{}`", server.name);
        Err(ToolError::failed(message).with_help("make an agent with it: `Agent.connect`"))
    }

    fn recall(&self, server: &ServerDef, name: &str) -> Box<dyn Tool> {
        Servers::default().recall(server, name)
    }
}

impl ResumeSpec {
    /// Returns the task to resume the run.
    fn task(self, context: Option<HostContext>) -> Result<Task> {
        let plain = |text: &str| text::data(text).map_err(type_error);
        let mut decisions = Decisions::default();
        if let Some((question, answer)) = self.answer {
            decisions.answers.push((question, plain(&answer)?));
        }
        for (call, result) in self.done {
            decisions.done.push((call, plain(&result)?));
        }
        decisions.retry = self.retry;
        decisions.accepts_change = self.accept_change;
        decisions.takes_over = self.take_over;
        decisions.context = context;
        Ok(Task::Resume(self.run, decisions))
    }
}

/// Returns the report of a run that ended.
fn report(run: &Running) -> std::result::Result<String, String> {
    let end = run.take_report();
    let end = end.ok_or_else(|| crate::error::plain("the run has no report"))?;
    let report = end.map_err(|error: Error| told(&error))?;
    let fields = report.to_json().with("exit_code", json!(report.exit_code()));
    let fields = fields.with("partial", json!(report.partial));
    Ok(text::of_data(&fields.with("feedback", json!(report.feedback))))
}

/// Returns the model of a mission: the chosen one, else that of the agent.
fn model(
    task: &Task,
    agent: &ptc_subagent::Agent,
    choice: Option<ModelChoice>,
    base_url: Option<String>,
) -> Result<Model> {
    let named = match choice {
        Some(ModelChoice::Function(function)) => return Ok(function.into()),
        Some(ModelChoice::Script(replies)) => return Ok(Scripted::new(replies).into()),
        Some(ModelChoice::Spec(text)) => Some(text.parse().map_err(raise)?),
        None => None,
    };
    let help = "give one, such as `model: \"openai:NAME\"`, or a function";
    task.model(agent, named, base_url, help).map_err(raise)
}

/// Answers questions through a function.
fn asker(function: u32) -> Asker {
    Box::new(move |question: Question<'_>| {
        let problems: Vec<String> = question.problems.iter().map(ToString::to_string).collect();
        let fields = json!({
            "question": question.open,
            "program": question.program.map(|it| it.0),
            "problems": problems,
        });
        Box::pin(async move {
            // A function that fails leaves the question open.
            let answer = call(function, "", &text::of_data(&Data::from(fields))).await.ok()?;
            text::data(&answer).ok().filter(|it| !it.is_null())
        })
    })
}

fn data(given: Option<&str>) -> Result<Option<Data>> {
    given.map(|text| text::data(text).map_err(type_error)).transpose()
}

fn seed(text: &str) -> Result<u64> {
    text.parse().map_err(|_| type_error(format!("`seed` must be a whole number, and is {text}")))
}

/// The longest time that a run waits in the process for a time of its program.
fn patience(seconds: f64) -> Result<Duration> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| type_error("`wait_at_most` must be a number of seconds"))
}
