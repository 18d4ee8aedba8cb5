//! A program outside of a run: its sandbox, its evaluation, and its outcome.

use std::borrow::Cow;
use std::future::pending;
use std::path::Path;

use ptc_lisp::{Admitted, Code, Diagnostic, Kind, Repair, Session, Value, json};
use ptc_subagent::Workflow;
use ptc_subagent::eval::{EvalStatus, EvalTools, Evaluation, Sandbox, plain, readable};
use tokio::runtime::{Builder, Runtime};

use crate::agents;
use crate::args::{ProgramArgs, SeedArgs};
use crate::draw::Text;
use crate::input;
use crate::report::{self, Fault, Result};
use crate::sandbox::{Purpose, sandbox, sandbox_of};
use crate::signals::interrupted;

/// A program with its sandbox.
#[derive(Debug, Default)]
pub(crate) struct Request {
    /// The source of the program.
    pub(crate) source: String,
    /// The memory that earlier programs left.
    pub(crate) memory: Value,
    /// The data, tools and limits.
    pub(crate) sandbox: Sandbox,
    /// Whether delimiters are repaired.
    pub(crate) repair: bool,
    /// The workflow whose program it is.
    pub(crate) workflow: Option<Workflow>,
}

impl Request {
    /// Reads the program and its sandbox from the command line.
    pub(crate) fn of(
        args: &ProgramArgs,
        purpose: Purpose,
        seed: &SeedArgs,
    ) -> Result<(Text, Request)> {
        let sandbox = sandbox(&args.data, purpose, seed)?;
        let memory = match &args.data.memory {
            Some(text) => input::json_option("--memory", text)?,
            None => Value::Nil,
        };
        let memory = input::object("--memory", memory).map_err(|why| Fault::new("usage", why))?;
        let (text, source) =
            input::source(args.file.as_deref().map(Path::new), args.expression.as_deref())?;
        Ok((text, Request { source, memory, sandbox, repair: args.repair, workflow: None }))
    }

    /// Reads the program of a workflow, with its sandbox.
    pub(crate) fn of_workflow(path: &Path, args: &ProgramArgs) -> Result<(Text, Request)> {
        let agent = agents::read(path)?;
        let Some(workflow) = &agent.workflow else {
            let message = format!("agent `{}` has no `program` to check", agent.name);
            return Err(Fault::new("usage", message)
                .with_help("`ptc check --agent AGENT.toml FILE` checks a program for the agent"));
        };
        if args.data.agent.is_some() {
            return Err(Fault::new("usage", "`--agent` is not for the file of an agent"));
        }
        let sandbox =
            sandbox_of(Some(&agent), &args.data, Purpose::Check, &SeedArgs { seed: None })?;
        let name = workflow.file.as_deref().unwrap_or(path).display().to_string();
        let (text, source) = (Text::new(&name, &workflow.program), workflow.program.clone());
        let (workflow, repair) = (Some(workflow.clone()), args.repair);
        Ok((text, Request { source, memory: Value::Nil, sandbox, repair, workflow }))
    }

    /// Returns a problem with its place in what a person wrote: the program, or the flow file that it was made of.
    pub(crate) fn placed<'t>(
        &self,
        problem: &Diagnostic,
        program: &'t Text,
    ) -> (Diagnostic, Cow<'t, Text>) {
        let flow = self.workflow.as_ref().filter(|it| it.written() != it.program);
        let Some(flow) = flow else { return (problem.clone(), Cow::Borrowed(program)) };
        match flow.place(problem) {
            Some(placed) => {
                let name = flow.file.as_deref().unwrap_or(Path::new("flow")).display().to_string();
                (placed, Cow::Owned(Text::new(&name, flow.written())))
            }
            None => (problem.clone(), Cow::Owned(Text::new("program", &self.source))),
        }
    }

    /// Checks the program, and repairs its delimiters first if that was asked for.
    pub(crate) fn admit(
        &self,
        session: &Session,
    ) -> std::result::Result<(Admitted, Option<Repair>), Vec<Diagnostic>> {
        self.sandbox.admit(session, &self.source, self.repair)
    }

    /// Returns a session for the program.
    pub(crate) fn session(&self) -> Session {
        let mut session = self.sandbox.session();
        session.set_memory(self.memory.clone());
        session
    }
}

/// The outcome of a program, as the command shows it.
#[derive(Debug)]
pub(crate) struct Evaluated {
    pub(crate) evaluation: Evaluation,
    /// The memory for later programs.
    memory: Value,
    /// The largest size of a value as JSON, in bytes.
    pub(crate) max_bytes: usize,
}

/// Checks and runs a program.
pub(crate) fn evaluate(request: &Request) -> Result<Evaluated> {
    let Request { sandbox, source, repair, .. } = request;
    let mut session = request.session();
    // Without live tools only the process must stop, and the signal ends it.
    let cancel =
        async { if sandbox.tools.are_live() { interrupted().await } else { pending().await } };
    let evaluation =
        runtime(&sandbox.tools)?.block_on(sandbox.evaluate(&mut session, source, *repair, cancel));
    let max_bytes = sandbox.limits.result_bytes as usize;
    Ok(Evaluated { evaluation, memory: session.memory(), max_bytes })
}

/// Makes a runtime that waits for calls of these tools.
pub(crate) fn runtime(tools: &EvalTools) -> Result<Runtime> {
    let mut builder = Builder::new_current_thread();
    if !tools.are_constants() {
        builder.enable_all();
    }
    builder
        .build()
        .map_err(|error| Fault::new("threads", format!("cannot wait for calls: {error}")))
}

impl Evaluated {
    /// Returns the exit code of the command.
    pub(crate) fn exit_code(&self) -> u8 {
        match self.evaluation.status {
            EvalStatus::Value | EvalStatus::Return => report::DONE,
            EvalStatus::Fail => report::FAILED,
            EvalStatus::Limit | EvalStatus::Error | EvalStatus::Rejected => {
                exit_of(&self.evaluation.errors)
            }
        }
    }

    /// Returns the help of the first problem.
    pub(crate) fn help(&self) -> Option<&str> {
        self.evaluation.errors.first()?.help()
    }

    /// Returns the printed text, if the program ended with a value.
    pub(crate) fn into_prints(self) -> Option<String> {
        let print = |line: String| line + "\n";
        (self.evaluation.status == EvalStatus::Value)
            .then(|| self.evaluation.prints.into_iter().map(print).collect())
    }

    /// Returns the fields of the response to a batch request, without its id.
    pub(crate) fn fields(&self) -> Vec<(&'static str, Value)> {
        let value = self.evaluation.value.as_ref();
        let data = value.filter(|it| plain(it, self.max_bytes).is_ok());
        let edn = value.map(|it| Value::from(readable(it, self.max_bytes).0));
        let calls = self.evaluation.calls.values().map(|call| {
            let (key, outcome) = match &call.outcome {
                Ok(result) => ("result", result.clone()),
                Err(message) => ("error", message.as_str().into()),
            };
            let name = call.name.as_str().into();
            map(vec![("name", name), ("args", call.args.clone()), (key, outcome)])
        });
        let prints = self.evaluation.prints.iter().map(|line| line.as_str().into());
        let error = self.evaluation.errors.first().map(|it| json::from_serde(&it.to_json()));
        vec![
            ("status", self.evaluation.status.as_str().into()),
            ("value", data.cloned().unwrap_or_default()),
            ("edn", edn.unwrap_or_default()),
            ("prints", Value::vector(prints.collect())),
            ("tool_calls", Value::vector(calls.collect())),
            ("memory", self.memory.clone()),
            ("fuel", (self.evaluation.fuel as i64).into()),
            ("error", error.unwrap_or_default()),
        ]
    }
}

/// Returns the exit code for a program with these errors.
pub(crate) fn exit_of(errors: &[Diagnostic]) -> u8 {
    let Some(first) = errors.first() else { return report::NO_PROGRAM };
    match first.kind() {
        _ if first.code_value() == Code::InvariantViolated => report::BUG,
        Kind::Limit => report::LIMIT,
        _ => report::NO_PROGRAM,
    }
}

/// Makes a map that prints as a JSON object.
pub(crate) fn map(fields: Vec<(&'static str, Value)>) -> Value {
    Value::map(fields.into_iter().map(|(key, value)| (key.into(), value)))
}

/// Writes a value as one line of JSON.
pub(crate) fn line(value: &Value) -> Result<String> {
    let text = json::write(value)
        .map_err(|error| Fault::new("output", format!("cannot write the result: {error}")))?;
    // Escapes change no value.
    Ok(report::clean(&text) + "\n")
}

/// Returns the repair of a program as JSON; null if there was none.
pub(crate) fn repair_field(repair: Option<&Repair>) -> Value {
    repair.map(|it| json::from_serde(&it.to_json())).unwrap_or_default()
}

/// Reports the repair of a program on stderr.
pub(crate) fn say_repaired(repair: Option<&Repair>) {
    if let Some(repair) = repair {
        report::say(&format!("repaired: {}\n", report::clean(repair.message())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bug_of_the_language_has_an_exit_code_of_its_own() {
        let of = |code| exit_of(&[Diagnostic::new(code, "wrong")]);
        assert_eq!(of(Code::InvariantViolated), 70);
        assert_eq!(of(Code::FuelLimit), report::LIMIT);
        assert_eq!(of(Code::WrongType), report::NO_PROGRAM);
    }
}
