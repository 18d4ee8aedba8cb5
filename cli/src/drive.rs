//! Runs one machine to its end outside of a run, and makes the calls it asks for.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ptc_lisp::{
    Budget, CallId, Code, Diagnostic, Machine, Step, ToolCall, ToolDecl, ToolFailure, Value, json,
};
use ptc_subagent::tool::{CallContext, ToolDef, ToolError, ToolErrorKind};
use ptc_subagent::{Agent, RunId};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

use crate::input::AllLimits;
use crate::report::{Fault, Result};
use crate::tools_file;

/// What programs may call.
#[derive(Clone, Debug)]
pub(crate) enum Tools {
    /// Answers from a table.
    Table(tools_file::Tools),
    /// The tools of an agent.
    Agent {
        /// As the agent's programs know them.
        all: Vec<Arc<ToolDef>>,
        /// Whether those that reach outside are called.
        live: bool,
    },
}

impl Default for Tools {
    fn default() -> Tools {
        Tools::Table(tools_file::Tools::default())
    }
}

/// A call that a program made.
#[derive(Debug)]
pub(crate) struct Call {
    /// The tool.
    pub(crate) name: String,
    /// What it was given, as JSON has it.
    pub(crate) args: Value,
    /// Its result, or why there is none.
    pub(crate) outcome: std::result::Result<Value, String>,
}

/// The calls that a program made, in its order.
pub(crate) type Calls = BTreeMap<CallId, Call>;

/// Why a program was not run to its end.
pub(crate) enum Stopped {
    /// By the user.
    Interrupted,
    /// By a limit that the machine does not know of.
    Problem(Box<Diagnostic>),
}

/// What came of a call.
pub(crate) type Answer = std::result::Result<Value, ToolFailure>;

/// What the author of an agent can do where a tool is not called.
const ANSWER: &str = "give the tool an answer in the agent file, with `returns` or `cases`";

impl Tools {
    /// The tools of an agent.
    pub(crate) fn of(agent: &Agent, live: bool) -> Tools {
        Tools::Agent { all: agent.tools_of_programs().into_iter().map(Arc::new).collect(), live }
    }

    /// What programs may know of them.
    pub(crate) fn declarations(&self) -> Vec<ToolDecl> {
        match self {
            Tools::Table(table) => table.declarations(),
            Tools::Agent { all, .. } => all.iter().map(|tool| tool.declaration()).collect(),
        }
    }

    /// What waits for calls of them.
    pub(crate) fn runtime(&self) -> Result<Runtime> {
        let mut builder = Builder::new_current_thread();
        if let Tools::Agent { .. } = self {
            builder.enable_all();
        }
        builder
            .build()
            .map_err(|error| Fault::new("threads", format!("cannot wait for calls: {error}")))
    }

    /// Makes a call, or refuses it; `key` is the same for the same call. `args` are those of [`tools_file::arguments`].
    pub(crate) async fn answer(&self, name: &str, args: &Value, key: String) -> Answer {
        let missing = || Err(ToolFailure::new("is not there"));
        match self {
            Tools::Table(table) => table.answer(name, args),
            Tools::Agent { all, live } => {
                let Some(tool) = all.iter().find(|it| it.name == name) else { return missing() };
                if !live && tool.place().is_some() {
                    let message = "reaches outside, and is called only with `--live`";
                    let mut failure = ToolFailure::new(message);
                    failure.advice = Some(ANSWER.to_owned());
                    return Err(failure);
                }
                let args = json::to_serde(args).map_err(|error| {
                    let message = format!("the arguments have no JSON form: {error}");
                    ToolFailure::from(&ToolError::new(ToolErrorKind::Arguments, message))
                })?;
                let result = tool.call(args, &CallContext::new(key)).await;
                result.map(|it| json::from_serde(&it)).map_err(|error| {
                    let mut failure = ToolFailure::from(&error);
                    if error.kind == ToolErrorKind::NotCallable {
                        failure.advice.get_or_insert_with(|| ANSWER.to_owned());
                    }
                    failure
                })
            }
        }
    }
}

/// Runs a machine until it is done. When this is dropped, calls that are being made are cancelled.
pub(crate) async fn drive(
    machine: &mut Machine,
    budget: &mut Budget,
    tools: &Tools,
    limits: &AllLimits,
    made: &mut Calls,
) -> Option<Stopped> {
    let max = limits.program.result_bytes as usize;
    let most = limits.program.calls_in_flight as usize;
    // No two programs make the same call.
    let program = RunId::generate();
    let (mut queue, mut flying) = (VecDeque::new(), HashMap::new());
    let mut tasks: JoinSet<Answer> = JoinSet::new();
    let mut computed = Duration::ZERO;
    loop {
        let started = Instant::now();
        let step = machine.run(budget);
        computed += started.elapsed();
        match step {
            Step::Done => return None,
            _ if computed >= limits.time => {
                let limit = limits.time;
                let message = format!("the program computed for longer than {limit:?}");
                let help = "do less work in one program, or raise the limit `program_time`";
                return problem(Code::TimeLimit, message, Some(help));
            }
            Step::Yield => {
                tokio::task::yield_now().await;
                continue;
            }
            Step::Calls(calls) => queue.extend(calls),
        }
        if queue.is_empty() && flying.is_empty() {
            let message = "the program waits for a call that was never made".to_owned();
            return problem(Code::Unsupported, message, None);
        }
        let mut is_answered = false;
        while tasks.len() < most
            && let Some(call) = queue.pop_front()
        {
            let ToolCall { id, name, args, .. } = call;
            let given = tools_file::arguments(&args, max);
            let call = |args, outcome: &Answer| {
                let outcome = outcome.clone().map_err(|it| it.message);
                Call { name: name.to_string(), args, outcome }
            };
            let answer = match (given, tools) {
                (Err(failure), _) => Some((Value::Nil, Err(failure))),
                (Ok(args), Tools::Table(table)) => {
                    let answer = table.answer(&name, &args);
                    Some((args, answer))
                }
                (Ok(args), Tools::Agent { .. }) => {
                    let key = format!("{program}.{id}");
                    let (tools, name, given) = (tools.clone(), name.to_string(), args.clone());
                    let task =
                        tasks.spawn(async move { tools.answer(&name, &given, key).await }).id();
                    let pending = Err(ToolFailure::new("was not over when the program was"));
                    made.insert(id.clone(), call(args, &pending));
                    flying.insert(task, id.clone());
                    None
                }
            };
            if let Some((args, answer)) = answer {
                made.insert(id.clone(), call(args, &answer));
                machine.resume(&id, answer);
                is_answered = true;
            }
        }
        // The machine may have more to ask for before anybody waits.
        if is_answered || flying.is_empty() {
            continue;
        }
        if let Some(joined) = tasks.join_next_with_id().await {
            let (task, answer) = match joined {
                Ok((task, answer)) => (task, answer),
                Err(error) => (error.id(), Err(ToolFailure::new("broke down"))),
            };
            if let Some(id) = flying.remove(&task) {
                if let Some(call) = made.get_mut(&id) {
                    call.outcome = answer.clone().map_err(|it| it.message);
                }
                machine.resume(&id, answer);
            }
        }
    }
}

fn problem(code: Code, message: String, help: Option<&str>) -> Option<Stopped> {
    let mut problem = Diagnostic::new(code, message);
    if let Some(help) = help {
        problem = problem.with_help(help);
    }
    Some(Stopped::Problem(Box::new(problem)))
}
