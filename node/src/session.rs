//! Programs without a run: the native half of `Session`.

use std::sync::Arc;

use napi::Result;
use napi_derive::napi;
use ptc_lisp::{Limits, Repair, Value, json};
use ptc_subagent::eval::{EvalStatus, EvalTools, Evaluation, Sandbox, changed_limits};
use ptc_subagent::{Agent, fresh_seed};
use ptc_view::Text;
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex, TryLockError};

use crate::error::{plain_error, raise, settings, thrown, type_error};
use crate::problem::{Problem, without_form};
use crate::runtime::runtime;
use crate::text::{self, Writer};
use crate::tools::ToolSpec;
use crate::work::{Handle, Port};

/// The name of a program in renderings.
const PROGRAM: &str = "program";

/// The data, the tools and the state of programs.
#[napi]
pub struct Session {
    state: Arc<Mutex<State>>,
    seed: u64,
    /// The largest value that leaves a program, in bytes.
    max: usize,
}

struct State {
    sandbox: Sandbox,
    session: ptc_lisp::Session,
    /// The data and the memory as text, until the first use: they are read on the thread of the program.
    given: Option<(String, String)>,
}

/// A session as the JavaScript half describes it.
#[derive(Deserialize)]
struct SessionSpec {
    tools: Vec<ToolSpec>,
    /// The changed limits, as a text of values.
    limits: String,
    /// A whole number as text.
    seed: Option<String>,
}

/// The outcome of a program, without values.
#[derive(Serialize)]
struct Outcome {
    status: &'static str,
    prints: Vec<String>,
    fuel: u64,
    warnings: Vec<Problem>,
    errors: Vec<Problem>,
    reason: Option<String>,
    message: Option<String>,
    repair: Option<String>,
    is_cancelled: bool,
}

/// The findings about a program that does not run.
#[derive(Serialize)]
struct Checked {
    report: Option<serde_json::Value>,
    warnings: Vec<Problem>,
    errors: Vec<Problem>,
    repair: Option<String>,
}

#[napi]
impl Session {
    #[napi(constructor)]
    pub fn new(spec: String, ctx: String, memory: String) -> Result<Session> {
        let spec: SessionSpec = settings(&spec)?;
        let tools = if spec.tools.is_empty() {
            EvalTools::default()
        } else {
            // The prompt is never read: an agent checks and holds the tools.
            let mut agent = Agent::new("Run programs.");
            for tool in spec.tools {
                agent = agent.with_tool(tool.define()?);
            }
            agent.check().map_err(raise)?;
            EvalTools::of_agent(&agent, true)
        };
        let limits = limits_of(&spec.limits)?;
        let max = limits.result_bytes as usize;
        let seed = match spec.seed {
            Some(text) => text
                .parse()
                .map_err(|_| type_error(format!("`seed` must be a whole number, and is {text}")))?,
            None => fresh_seed(),
        };
        let sandbox = Sandbox { tools, limits, seed, ..Sandbox::default() };
        let session = sandbox.session();
        let state = State { sandbox, session, given: Some((ctx, memory)) };
        Ok(Session { state: Arc::new(Mutex::new(state)), seed, max })
    }

    /// The seed of random functions, as text.
    #[napi(getter)]
    pub fn seed(&self) -> String {
        self.seed.to_string()
    }

    /// Starts to read the values that programs have kept.
    #[napi]
    pub fn memory(&self, port: &Port, id: u32) -> Result<Handle> {
        let mut state = self.state.clone().try_lock_owned().map_err(busy)?;
        port.start(id, |_| async move {
            state.begin()?;
            let mut writer = Writer::default();
            let written = writer.value(&state.session.memory(), usize::MAX);
            match written {
                Ok(()) => Ok(writer.finish()),
                Err(why) => Err(crate::error::plain(without_form(&why, usize::MAX).message())),
            }
        })
    }

    /// Starts a program. With `whole`, the outcome has its calls.
    #[napi]
    pub fn run(
        &self,
        port: &Port,
        id: u32,
        source: String,
        repair: bool,
        whole: bool,
    ) -> Result<Handle> {
        let mut state = self.state.clone().try_lock_owned().map_err(busy)?;
        let max = self.max;
        port.start(id, |work| async move {
            state.begin()?;
            let State { sandbox, session, .. } = &mut *state;
            let evaluation = sandbox.evaluate(session, &source, repair, work.stopped()).await;
            Ok(outcome(&source, evaluation, max, whole))
        })
    }

    /// Runs a program on the thread of Node, which waits for it. It can call no tools.
    #[napi]
    pub fn run_now(&self, source: String, repair: bool) -> Result<String> {
        let mut state = self.state.clone().try_lock_owned().map_err(busy)?;
        state.begin().map_err(thrown)?;
        let State { sandbox, session, .. } = &mut *state;
        let evaluated = sandbox.evaluate(session, &source, repair, std::future::pending());
        let evaluation = runtime()?.block_on(evaluated);
        Ok(outcome(&source, evaluation, self.max, false))
    }

    /// Starts to check a program.
    #[napi]
    pub fn check(&self, port: &Port, id: u32, source: String, repair: bool) -> Result<Handle> {
        let mut state = self.state.clone().try_lock_owned().map_err(busy)?;
        port.start(id, |_| async move {
            state.begin()?;
            let admitted = state.sandbox.admit(&state.session, &source, repair);
            let text = Text::new(PROGRAM, &source);
            let checked = match admitted {
                Ok((admitted, repair)) => Checked {
                    report: Some(admitted.report().to_json()),
                    warnings: admitted
                        .warnings()
                        .iter()
                        .map(|it| Problem::warning(it, &text))
                        .collect(),
                    errors: Vec::new(),
                    repair: message_of(repair),
                },
                Err(errors) => Checked {
                    report: None,
                    warnings: Vec::new(),
                    errors: errors.iter().map(|it| Problem::error(it, &text)).collect(),
                    repair: None,
                },
            };
            serde_json::to_string(&checked).map_err(|error| crate::error::plain(error.to_string()))
        })
    }
}

impl State {
    /// Reads the data and the memory, once.
    fn begin(&mut self) -> std::result::Result<(), String> {
        let Some((ctx, memory)) = self.given.take() else { return Ok(()) };
        let read = |text: &str| text::read(text).map_err(crate::error::plain);
        self.sandbox.ctx = read(&ctx)?;
        let memory = read(&memory)?;
        self.session = self.sandbox.session();
        if !memory.is_nil() {
            self.session.set_memory(memory);
        }
        Ok(())
    }
}

fn outcome(source: &str, evaluation: Evaluation, max: usize, whole: bool) -> String {
    let mut writer = Writer::default();
    let mut status = evaluation.status;
    let mut problems = evaluation.errors;
    writer.raw("{\"value\":");
    let written = match evaluation.value.filter(|_| problems.is_empty()) {
        None => Ok(false),
        Some(value) => writer.value(&value, max).map(|()| true),
    };
    match written {
        Ok(true) => {}
        Ok(false) => writer.raw("null"),
        Err(why) => {
            writer.raw("null");
            if evaluation.failure.is_none() {
                status = EvalStatus::Error;
                problems.push(without_form(&why, max));
            }
        }
    }
    let failure = evaluation.failure.map(|failure| {
        writer.raw(",\"details\":");
        if writer.value(&failure.details, max).is_err() {
            writer.raw("null");
        }
        (failure.reason, failure.message)
    });
    writer.raw(",\"calls\":[");
    let mut is_first = true;
    for call in evaluation.calls.into_values().filter(|_| whole) {
        writer.raw(if is_first { "{\"name\":" } else { ",{\"name\":" });
        is_first = false;
        writer.raw(&text::quoted(&call.name));
        let (result, error) = match call.outcome {
            Ok(result) => (result, None),
            Err(error) => (Value::Nil, Some(error)),
        };
        for (key, value) in [(",\"args\":", &call.args), (",\"result\":", &result)] {
            writer.raw(key);
            if writer.value(value, usize::MAX).is_err() {
                writer.raw("null");
            }
        }
        writer.raw(",\"error\":");
        writer.raw(&error.map_or("null".into(), |it| text::quoted(&it)));
        writer.raw("}");
    }
    let (warnings, errors) = if evaluation.warnings.is_empty() && problems.is_empty() {
        (Vec::new(), Vec::new())
    } else {
        let text = Text::new(PROGRAM, source);
        let warnings = evaluation.warnings.iter().map(|it| Problem::warning(it, &text));
        let errors = problems.iter().map(|it| Problem::error(it, &text));
        (warnings.collect(), errors.collect())
    };
    let (reason, message) = failure.unzip();
    let rest = Outcome {
        status: status.as_str(),
        prints: evaluation.prints,
        fuel: evaluation.fuel,
        warnings,
        errors,
        reason,
        message,
        repair: message_of(evaluation.repair),
        is_cancelled: evaluation.is_cancelled,
    };
    writer.raw("],\"rest\":");
    writer.raw(&serde_json::to_string(&rest).unwrap_or_default());
    writer.raw("}");
    writer.finish()
}

fn busy(_: TryLockError) -> napi::Error {
    plain_error("the session is running another program")
}

fn message_of(repair: Option<Repair>) -> Option<String> {
    repair.map(|it| it.message().to_owned())
}

/// Reads limits by their names.
fn limits_of(limits: &str) -> Result<Limits> {
    let changes = json::parse(limits).map_err(|error| type_error(error.to_string()))?;
    let changes = changes.as_map().into_iter().flat_map(ptc_lisp::Map::iter);
    changed_limits(&Limits::default(), changes).map_err(type_error)
}
