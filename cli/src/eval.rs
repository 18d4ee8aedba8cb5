//! `ptc eval`: one program, without a model.

use std::path::Path;

use ptc_lisp::print::{Preview, preview};
use ptc_lisp::{
    Admitted, Budget, Code, Diagnostic, Failure, Kind, Machine, Outcome, Repair, Session, Value,
    json,
};

use crate::args::{EvalArgs, ProgramArgs};
use crate::draw::{Placed, Text};
use crate::drive::{Calls, Stopped, Tools, drive};
use crate::input;
use crate::report::{self, Fault, Result};
use crate::run::interrupted;
use crate::scope::{Scope, ScopeArgs};

/// One program with everything it may see.
#[derive(Debug, Default)]
pub(crate) struct Request {
    /// The program.
    pub(crate) source: String,
    /// What earlier programs kept.
    pub(crate) memory: Value,
    /// Data, tools and limits.
    pub(crate) scope: Scope,
    /// Whether its delimiters are mended.
    pub(crate) repair: bool,
}

impl Request {
    /// Takes everything but the program from the command line; `live` lets tools of an agent reach outside, and
    /// `seed` is what it draws from.
    pub(crate) fn of(args: &ProgramArgs, live: bool, seed: Option<u64>) -> Result<(Text, Request)> {
        let scope = Scope::of(&ScopeArgs {
            agent: args.agent.as_deref(),
            ctx: args.ctx.as_deref(),
            tools: args.tools.as_deref(),
            limits: args.limits.as_deref(),
            live,
            seed,
        })?;
        let memory = match &args.memory {
            Some(text) => input::json_option("--memory", text)?,
            None => Value::Nil,
        };
        let memory = input::object("--memory", memory).map_err(|why| Fault::new("usage", why))?;
        let (text, source) =
            input::source(args.file.as_deref().map(Path::new), args.expression.as_deref())?;
        Ok((text, Request { source, memory, scope, repair: args.repair }))
    }

    /// Admits the program, mended if that is wished.
    pub(crate) fn admit(
        &self,
        session: &Session,
    ) -> std::result::Result<(Admitted, Option<Repair>), Vec<Diagnostic>> {
        self.scope.admit(session, &self.source, self.repair)
    }

    /// A session for the program.
    pub(crate) fn session(&self) -> Session {
        let mut session = self.scope.session();
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

/// What came of a program.
#[derive(Debug)]
pub(crate) struct Evaluation {
    status: Status,
    /// The value, or what was given to `fail`.
    value: Option<Value>,
    failure: Option<Failure>,
    prints: Vec<String>,
    calls: Calls,
    memory: Value,
    fuel: u64,
    /// What is wrong with it, most useful first.
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    /// What a mission would warn of in the returned value.
    notes: Vec<String>,
    /// What was changed in the program before it ran.
    repair: Option<Repair>,
    max_bytes: usize,
}

/// Checks and runs a program.
pub(crate) fn evaluate(request: &Request) -> Result<Evaluation> {
    let mut session = request.session();
    let mut evaluation = Evaluation {
        status: Status::Rejected,
        value: None,
        failure: None,
        prints: Vec::new(),
        calls: Calls::new(),
        memory: session.memory(),
        fuel: 0,
        errors: Vec::new(),
        warnings: Vec::new(),
        notes: Vec::new(),
        repair: None,
        max_bytes: request.scope.limits.program.result_bytes as usize,
    };
    let admitted = match request.admit(&session) {
        Ok((admitted, repair)) => {
            evaluation.repair = repair;
            admitted
        }
        Err(problems) => {
            evaluation.errors = problems;
            return Ok(evaluation);
        }
    };
    evaluation.warnings = admitted.warnings().to_vec();
    let mut machine = session.start(&admitted);
    let stopped = run(&mut machine, &request.scope, &mut evaluation.calls)?;
    let mut ended = machine.finish();
    if let Some(stopped) = stopped {
        ended.outcome = Outcome::Error(stopped);
    }
    evaluation.fuel = ended.fuel;
    let is_answer = match ended.outcome {
        Outcome::Return(_) => true,
        Outcome::Value(_) => request.scope.is_single_turn,
        _ => false,
    };
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
    if let Some(value) = evaluation.value.as_ref().filter(|_| is_answer) {
        match request.scope.judge(value) {
            Ok(notes) => evaluation.notes = notes,
            Err(problem) => {
                evaluation.status = Status::Error;
                evaluation.errors = vec![problem];
            }
        }
    }
    Ok(evaluation)
}

/// Runs a machine to its end and answers its calls; returns why it was stopped, if it was.
fn run(machine: &mut Machine, scope: &Scope, made: &mut Calls) -> Result<Option<Diagnostic>> {
    let mut budget = Budget::new(&scope.limits.program);
    let reaches_outside = matches!(&scope.tools, Tools::Agent { live: true, .. });
    let stopped = scope.tools.runtime()?.block_on(async {
        tokio::select! {
            biased;
            stopped = drive(machine, &mut budget, &scope.tools, &scope.limits, made) => stopped,
            // Elsewhere the signal ends the process: there is nothing to stop besides it.
            () = interrupted(), if reaches_outside => Some(Stopped::Interrupted),
        }
    });
    Ok(match stopped {
        None => None,
        Some(Stopped::Problem(problem)) => Some(*problem),
        Some(Stopped::Interrupted) => {
            Some(Diagnostic::new(Code::TimeLimit, "the program was interrupted"))
        }
    })
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
        let calls = self.calls.values().map(|call| {
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
    let Some(first) = errors.first() else { return report::NO_PROGRAM };
    match first.kind() {
        _ if first.code_value() == Code::InvariantViolated => report::BUG,
        Kind::Limit => report::LIMIT,
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
    let (text, request) = Request::of(&args.program, args.live, args.seed)?;
    let evaluation = evaluate(&request)?;
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
    for note in &evaluation.notes {
        report::say(&format!("warning: answer: {}\n", report::clean(note)));
    }
    if let Some(Failure { reason, message, .. }) = &evaluation.failure {
        report::say_failed(reason, message);
    } else if let Some(value) = &evaluation.value
        && evaluation.status != Status::Error
    {
        // A pipe gets the value as it is.
        report::print_raw(&format!("{}\n", readable(value, evaluation.max_bytes).0))?;
    }
    Ok(())
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
