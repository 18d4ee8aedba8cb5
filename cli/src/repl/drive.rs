//! Runs one machine to its end, and makes the calls it asks for.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ptc_lisp::{
    Budget, CallId, Code, Diagnostic, Machine, Step, ToolCall, ToolFailure, Value, json,
};
use ptc_subagent::RunId;
use ptc_subagent::tool::{CallContext, ToolDef};
use tokio::task::JoinSet;

use crate::eval::plain;
use crate::input::AllLimits;
use crate::tools_file;

/// What programs may call.
pub(super) enum Tools {
    /// Answers from a table.
    Table(tools_file::Tools),
    /// The tools of an agent.
    Real(Vec<Arc<ToolDef>>),
}

/// Why a program was not run to its end.
pub(super) enum Stopped {
    /// By whoever watches.
    Interrupted,
    /// By a limit that the machine does not know of.
    Problem(Box<Diagnostic>),
}

type Answer = Result<Value, ToolFailure>;

/// Runs a machine until it is done. When this is dropped, calls that are being made are cancelled.
pub(super) async fn drive(
    machine: &mut Machine,
    budget: &mut Budget,
    tools: &Tools,
    limits: &AllLimits,
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
            match start(call, tools, &program, max, &mut tasks) {
                Started::Flying(id, task) => drop(flying.insert(task, id)),
                Started::Answered(id, answer) => {
                    machine.resume(&id, answer);
                    is_answered = true;
                }
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
                machine.resume(&id, answer);
            }
        }
    }
}

enum Started {
    Answered(CallId, Answer),
    Flying(CallId, tokio::task::Id),
}

fn start(
    call: ToolCall,
    tools: &Tools,
    program: &RunId,
    max: usize,
    tasks: &mut JoinSet<Answer>,
) -> Started {
    let answered = |answer| Started::Answered(call.id.clone(), answer);
    let name = call.name.to_string();
    match tools {
        Tools::Table(table) => answered(
            tools_file::arguments(&call.args, max).and_then(|args| table.answer(&name, &args)),
        ),
        Tools::Real(all) => {
            let Some(tool) = all.iter().find(|it| it.name == name) else {
                return answered(Err(ToolFailure::new("is not there")));
            };
            let args = plain(&call.args, max).and_then(|_| {
                json::to_serde(&call.args).map_err(|error| format!("have no JSON form: {error}"))
            });
            let args: serde_json::Value = match args {
                Ok(args) => args,
                Err(why) => {
                    let mut failure = ToolFailure::new(format!("the arguments {why}"));
                    failure.code = Code::ToolArguments;
                    return answered(Err(failure));
                }
            };
            let tool = Arc::clone(tool);
            let key = format!("{program}.{}", call.id);
            let handle = tasks.spawn(async move {
                let result = tool.call(args, &CallContext::new(key)).await;
                result.map(|it| json::from_serde(&it)).map_err(|error| ToolFailure::from(&error))
            });
            Started::Flying(call.id, handle.id())
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
