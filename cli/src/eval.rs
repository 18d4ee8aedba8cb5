//! `ptc eval`: one program, without a model.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use ptc_lisp::print::{Preview, preview};
use ptc_lisp::{
    Admitted, Budget, CallId, Code, Diagnostic, Failure, Kind, Machine, Outcome, Rejection, Repair,
    Session, Step, Value, json,
};

use crate::args::{EvalArgs, ProgramArgs};
use crate::draw::{Placed, Text};
use crate::input::{self, AllLimits};
use crate::report::{self, Fault, Result};
use crate::tools_file::{self, Tools};

/// One program with everything it may see.
#[derive(Debug, Default)]
pub(crate) struct Request {
    /// The program.
    pub(crate) source: String,
    /// The data.
    pub(crate) ctx: Value,
    /// What earlier programs kept.
    pub(crate) memory: Value,
    /// What it may call.
    pub(crate) tools: Tools,
    /// What it may use.
    pub(crate) limits: AllLimits,
    /// Whether its delimiters are mended.
    pub(crate) repair: bool,
}

impl Request {
    /// Takes everything but the program from the command line.
    pub(crate) fn of(args: &ProgramArgs) -> Result<(Text, Request)> {
        let usage = |message: String| Fault::new("usage", message);
        let option = |name: &str, text: &Option<String>| match text {
            Some(text) => input::json_option(name, text),
            None => Ok(Value::Nil),
        };
        let ctx = input::object("--ctx", option("--ctx", &args.ctx)?).map_err(usage)?;
        let memory = input::object("--memory", option("--memory", &args.memory)?).map_err(usage)?;
        let limits = AllLimits::of(&option("--limits", &args.limits)?).map_err(usage)?;
        let tools = match &args.tools {
            None => Tools::default(),
            Some(path) => Tools::of(&input::json_file("--tools", path)?).map_err(|why| {
                Fault::new("malformed-tools", format!("{}: {why}", path.display()))
            })?,
        };
        let (text, source) =
            input::source(args.file.as_deref().map(Path::new), args.expression.as_deref())?;
        Ok((text, Request { source, ctx, memory, tools, limits, repair: args.repair }))
    }

    /// Admits the program, mended if that is wished.
    pub(crate) fn admit(
        &self,
        session: &Session,
    ) -> std::result::Result<(Admitted, Option<Repair>), Rejection> {
        if self.repair {
            session.admit_repaired(&self.source)
        } else {
            session.admit(&self.source).map(|admitted| (admitted, None))
        }
    }

    /// A session for the program.
    pub(crate) fn session(&self) -> Session {
        let declarations = self.tools.declarations();
        let mut session = Session::new(self.ctx.clone(), declarations, self.limits.program.clone());
        session.set_memory(self.memory.clone());
        session
    }
}

/// How a program came out, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// The value of its last form.
    Value,
    /// `(return v)`.
    Return,
    /// `(fail v)`.
    Fail,
    /// It ended in an error.
    Error,
    /// Admission refused it; nothing ran.
    Rejected,
    /// It ended at a limit.
    Limit,
}

impl Status {
    /// The word used in JSON.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Status::Value => "value",
            Status::Return => "return",
            Status::Fail => "fail",
            Status::Error => "error",
            Status::Rejected => "rejected",
            Status::Limit => "limit",
        }
    }
}

/// A tool call that a program made.
#[derive(Debug)]
struct Call {
    name: String,
    args: Value,
    outcome: std::result::Result<Value, String>,
}

/// What came of a program.
#[derive(Debug)]
pub(crate) struct Evaluation {
    status: Status,
    /// The value, or what was given to `fail`.
    value: Option<Value>,
    failure: Option<Failure>,
    prints: Vec<String>,
    calls: Vec<Call>,
    memory: Value,
    fuel: u64,
    /// What is wrong with it, most useful first.
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    /// What was changed in the program before it ran.
    repair: Option<Repair>,
    max_bytes: usize,
}

/// Checks and runs a program.
pub(crate) fn evaluate(request: &Request) -> Evaluation {
    let mut session = request.session();
    let mut evaluation = Evaluation {
        status: Status::Rejected,
        value: None,
        failure: None,
        prints: Vec::new(),
        calls: Vec::new(),
        memory: session.memory(),
        fuel: 0,
        errors: Vec::new(),
        warnings: Vec::new(),
        repair: None,
        max_bytes: request.limits.program.result_bytes as usize,
    };
    let admitted = match request.admit(&session) {
        Ok((admitted, repair)) => {
            evaluation.repair = repair;
            admitted
        }
        Err(rejection) => {
            evaluation.errors = rejection.diagnostics;
            return evaluation;
        }
    };
    evaluation.warnings = admitted.warnings().to_vec();
    let mut machine = session.start(&admitted);
    let mut calls = BTreeMap::new();
    let stopped = drive(&mut machine, request, &mut calls);
    let mut ended = machine.finish();
    if let Some(stopped) = stopped {
        ended.outcome = Outcome::Error(stopped);
    }
    evaluation.calls = calls.into_values().collect();
    evaluation.fuel = ended.fuel;
    let kept = session.commit(&ended);
    evaluation.memory = session.memory();
    evaluation.prints = ended.prints;
    match (kept, ended.outcome) {
        (Err(problem), _) | (Ok(()), Outcome::Error(problem)) => {
            let limit = problem.kind() == Kind::Limit;
            evaluation.status = if limit { Status::Limit } else { Status::Error };
            evaluation.errors = vec![problem];
        }
        (Ok(()), Outcome::Value(value)) => {
            evaluation.status = Status::Value;
            evaluation.value = Some(value);
        }
        (Ok(()), Outcome::Return(value)) => {
            evaluation.status = Status::Return;
            evaluation.value = Some(value);
        }
        (Ok(()), Outcome::Fail(failure)) => {
            evaluation.status = Status::Fail;
            evaluation.value = Some(failure.details.clone());
            evaluation.failure = Some(failure);
        }
    }
    evaluation
}

/// Runs a machine to its end and answers its calls; returns why it was stopped, if it was.
fn drive(
    machine: &mut Machine,
    request: &Request,
    made: &mut BTreeMap<CallId, Call>,
) -> Option<Diagnostic> {
    let mut budget = Budget::new(&request.limits.program);
    let mut computed = Duration::ZERO;
    loop {
        let started = Instant::now();
        let step = machine.run(&mut budget);
        computed += started.elapsed();
        match step {
            Step::Done => return None,
            _ if computed >= request.limits.time => {
                let limit = request.limits.time;
                let message = format!("the program computed for longer than {limit:?}");
                return Some(
                    Diagnostic::new(Code::TimeLimit, message).with_help(
                        "do less work in one program, or raise the limit `program_time`",
                    ),
                );
            }
            Step::Yield => {}
            Step::Calls(calls) if calls.is_empty() => {
                let message = "the program waits for a call that was never made";
                return Some(Diagnostic::new(Code::Unsupported, message));
            }
            Step::Calls(calls) => {
                for call in calls {
                    let max = request.limits.program.result_bytes as usize;
                    let args = tools_file::arguments(&call.args, max);
                    let (args, outcome) = match args {
                        Ok(args) => (args.clone(), request.tools.answer(&call.name, &args)),
                        Err(failure) => (Value::Nil, Err(failure)),
                    };
                    let shown = outcome.clone().map_err(|it| it.message);
                    let name = call.name.to_string();
                    made.insert(call.id.clone(), Call { name, args, outcome: shown });
                    machine.resume(&call.id, outcome);
                }
            }
        }
    }
}

/// A value as JSON, or why it has no such form. A value that shares its parts can be short in
/// memory and longer than any machine can hold as text, so that its length is looked at first.
pub(crate) fn plain(value: &Value, max_bytes: usize) -> std::result::Result<String, String> {
    if !readable(value, max_bytes).1 {
        return Err(format!("is longer than {max_bytes} characters"));
    }
    json::write(value).map_err(|error| format!("has no JSON form: {error}"))
}

/// A value as text that could be typed in, and whether that is all of it.
fn readable(value: &Value, max_bytes: usize) -> (String, bool) {
    let bounds = Preview {
        // Readable text is longer than JSON by a colon here and a hash there.
        max_chars: max_bytes.saturating_mul(2).max(64 << 10),
        max_items: usize::MAX,
        max_depth: usize::MAX,
        hide_private: false,
    };
    let (text, cut) = preview(value, &bounds);
    (text, !cut)
}

impl Evaluation {
    /// The exit code of a command that evaluated it.
    pub(crate) fn exit_code(&self) -> u8 {
        match self.status {
            Status::Value | Status::Return => report::DONE,
            Status::Fail => report::FAILED,
            Status::Limit => report::LIMIT,
            Status::Error | Status::Rejected => exit_of(&self.errors),
        }
    }

    /// What to do about its first problem.
    pub(crate) fn help(&self) -> Option<&str> {
        self.errors.first()?.help()
    }

    /// What it printed, if it came to a value.
    pub(crate) fn into_prints(self) -> Option<String> {
        let print = |line: String| line + "\n";
        (self.status == Status::Value).then(|| self.prints.into_iter().map(print).collect())
    }

    /// The fields of the response to a batch request, but for its id.
    pub(crate) fn fields(&self) -> Vec<(&'static str, Value)> {
        let value = self.value.as_ref();
        let data = value.filter(|it| plain(it, self.max_bytes).is_ok());
        let edn = value.map(|it| Value::from(readable(it, self.max_bytes).0));
        let calls = self.calls.iter().map(|call| {
            let (key, outcome) = match &call.outcome {
                Ok(result) => ("result", result.clone()),
                Err(message) => ("error", message.as_str().into()),
            };
            let name = call.name.as_str().into();
            map(vec![("name", name), ("args", call.args.clone()), (key, outcome)])
        });
        let prints = self.prints.iter().map(|line| line.as_str().into());
        let error = self.errors.first().map(|it| json::from_serde(&it.to_json()));
        vec![
            ("status", self.status.as_str().into()),
            ("value", data.cloned().unwrap_or_default()),
            ("edn", edn.unwrap_or_default()),
            ("prints", Value::vector(prints.collect())),
            ("tool_calls", Value::vector(calls.collect())),
            ("memory", self.memory.clone()),
            ("fuel", (self.fuel as i64).into()),
            ("error", error.unwrap_or_default()),
        ]
    }
}

/// The exit code for a program with these errors.
pub(crate) fn exit_of(errors: &[Diagnostic]) -> u8 {
    match errors.first().map(Diagnostic::kind) {
        Some(Kind::Limit) => report::LIMIT,
        _ => report::NO_PROGRAM,
    }
}

/// An object to be written as JSON.
pub(crate) fn map(fields: Vec<(&'static str, Value)>) -> Value {
    Value::map(fields.into_iter().map(|(key, value)| (key.into(), value)))
}

/// One line of JSON.
pub(crate) fn line(value: &Value) -> Result<String> {
    let text = json::write(value)
        .map_err(|error| Fault::new("output", format!("cannot write the result: {error}")))?;
    // Escapes change no value.
    Ok(report::clean(&text) + "\n")
}

/// Runs `ptc eval`.
pub(crate) fn command(args: &EvalArgs) -> Result<u8> {
    if args.batch {
        return crate::batch::command();
    }
    let (text, request) = Request::of(&args.program)?;
    let evaluation = evaluate(&request);
    if args.program.json {
        let mut fields = evaluation.fields();
        if args.program.repair {
            fields.push(("repair", repair_field(evaluation.repair.as_ref())));
        }
        report::print(&line(&map(fields))?)?;
        return Ok(evaluation.exit_code());
    }
    show(&evaluation, &text)?;
    Ok(evaluation.exit_code())
}

/// What was changed in a program, as JSON; null if nothing was.
pub(crate) fn repair_field(repair: Option<&Repair>) -> Value {
    repair.map(|it| json::from_serde(&it.to_json())).unwrap_or_default()
}

/// Says what was changed in a program.
pub(crate) fn say_repaired(repair: Option<&Repair>) {
    if let Some(repair) = repair {
        report::say(&format!("repaired: {}\n", report::clean(repair.message())));
    }
}

/// The value on stdout, everything else on stderr.
fn show(evaluation: &Evaluation, source: &Text) -> Result<()> {
    say_repaired(evaluation.repair.as_ref());
    for warning in &evaluation.warnings {
        Placed::warning(warning, source).show();
    }
    for print in &evaluation.prints {
        report::say(&format!("{}\n", report::clean(print)));
    }
    for error in &evaluation.errors {
        Placed::error(error, source).show();
    }
    if let Some(Failure { reason, message, .. }) = &evaluation.failure {
        report::say_failed(reason, message);
    } else if let Some(value) = &evaluation.value {
        // A pipe gets the value as it is.
        report::print_raw(&format!("{}\n", readable(value, evaluation.max_bytes).0))?;
    }
    Ok(())
}
