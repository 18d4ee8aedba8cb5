//! Runs programs with data and test tools.

use crate::promise::broken_promise;
use ptc_lisp::{
    Budget, Diagnostic, Effect, Ended, Limits, Outcome, Payload, Session, ToolDecl, ToolFailure,
    Value, Yielded, json,
};

/// A tool call that a program made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The id of the call.
    pub id: String,
    /// The tool and its arguments, as `name args`.
    pub text: String,
}

/// The outcome of a program as text, so that whole results are compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ran {
    /// `=> value`, `return value`, `fail value`, or `! code message` for each problem.
    pub shown: String,
    /// The printed lines.
    pub prints: Vec<String>,
    /// The fuel used.
    pub fuel: u64,
    /// The tool calls, in order.
    pub calls: Vec<Call>,
}

/// A test tool: a function from arguments to an answer.
type Tool = Box<dyn Fn(&Value) -> Result<Value, String>>;

/// A session, and the tools that its programs may call.
pub struct World {
    /// The session.
    pub session: Session,
    /// The fuel after which the machine yields.
    pub slice: u64,
    tools: Vec<(String, Tool)>,
}

impl World {
    /// Creates a world with data and the usual tools: `echo` returns its `:v`, `add` adds `:a` and
    /// `:b`, `boom` fails, `items` returns `[1 2 3]`, and `plan` is for planning only.
    pub fn new(ctx: &str, limits: Limits) -> World {
        let mut world = World::without_tools(ctx, limits);
        world.tool("echo", |args| Ok(args.get("v").cloned().unwrap_or_default()));
        world.tool("add", |args| {
            let part = |key| args.get(key).and_then(Value::as_int).unwrap_or(0);
            Ok(Value::from(part("a") + part("b")))
        });
        world.tool("boom", |_| Err("the service is down".to_owned()));
        world.tool("items", |_| Ok(Value::vector((1..=3).map(Value::from).collect())));
        world.declare("plan", false);
        world
    }

    /// Creates a world with data only.
    ///
    /// # Panics
    /// Panics if `ctx` is not JSON.
    pub fn without_tools(ctx: &str, limits: Limits) -> World {
        let ctx = json::parse(ctx).unwrap_or_else(|problem| panic!("ctx {ctx}: {problem}"));
        World { session: Session::new(ctx, Vec::new(), limits), slice: 100_000, tools: Vec::new() }
    }

    /// Gives programs a payload.
    #[must_use]
    pub fn with_payload(mut self, payload: Payload) -> World {
        self.session.set_payload(payload);
        self
    }

    /// Gives programs the messages of a conversation, as JSON.
    ///
    /// # Panics
    /// Panics if it is not a list in JSON.
    #[must_use]
    pub fn with_conversation(mut self, messages: &str) -> World {
        let list = json::parse(messages).unwrap_or_else(|problem| panic!("{messages}: {problem}"));
        let list = list.items().unwrap_or_else(|| panic!("{messages} is not a list"));
        self.session.set_conversation(list.cloned().collect());
        self
    }

    /// Adds a tool.
    pub fn tool(&mut self, name: &str, answer: impl Fn(&Value) -> Result<Value, String> + 'static) {
        self.tools.push((name.to_owned(), Box::new(answer)));
        self.declare(name, true);
    }

    /// Declares a tool. One that is not callable is for planning only.
    pub fn declare(&mut self, name: &str, callable: bool) {
        let mut decls = self.session.tools().to_vec();
        decls.push(ToolDecl { callable, ..ToolDecl::new(name, Effect::Read) });
        // A session takes its tools when it is created.
        let session = Session::new(self.session.ctx(), decls, self.session.limits().clone());
        self.session = session;
    }

    /// Runs a program to its end, and commits its memory and definitions.
    pub fn run(&mut self, source: &str) -> Ran {
        match self.run_raw(source) {
            Err(ran) => ran,
            Ok((ended, calls)) => {
                let mut shown = show(&ended);
                if let Err(problem) = self.session.commit(&ended) {
                    shown = show_problem(&problem);
                }
                Ran { shown, prints: ended.prints, fuel: ended.fuel, calls }
            }
        }
    }

    /// Runs a program to its end without committing anything.
    ///
    /// # Errors
    /// Returns the rejection as text.
    ///
    /// # Panics
    /// Panics if the machine waits for a call that it never made.
    pub fn run_raw(&mut self, source: &str) -> Result<(Ended, Vec<Call>), Ran> {
        let admitted = self.session.admit(source).map_err(|rejection| {
            let shown: Vec<String> = rejection.diagnostics.iter().map(show_problem).collect();
            Ran { shown: shown.join("\n"), ..Ran::default() }
        })?;
        let mut machine = self.session.start(&admitted);
        let mut budget = Budget::new(self.session.limits());
        budget.slice = self.slice;
        let mut calls: Vec<Call> = Vec::new();
        loop {
            match machine.run(&mut budget) {
                Yielded::Done => {
                    let ended = machine.finish();
                    let tools = calls.iter().filter_map(|call| call.text.split(" {").next());
                    let tools = tools
                        .filter(|name| !name.starts_with("flow/") && *name != "transcript/expand");
                    let broken = broken_promise(&admitted, &ended, tools);
                    assert_eq!(broken, None, "{source}");
                    return Ok((ended, calls));
                }
                Yielded::SliceUsed => {}
                Yielded::Calls(new) => {
                    assert!(!new.is_empty(), "the machine waits for nothing");
                    for call in new {
                        let text = format!("{} {}", call.name, call.args);
                        calls.push(Call { id: call.id.to_string(), text });
                        let tool = self.tools.iter().find(|(name, _)| *name == call.name);
                        let answer = match tool {
                            _ if call.wait().is_some() => Ok(Value::Nil),
                            _ if call.expansion().is_some() => Ok(Value::str("whole")),
                            _ if call.is_question() => Ok(call.args.clone()),
                            Some((_, tool)) => tool(&call.args),
                            None => Err(format!("no tool {}", call.name)),
                        };
                        machine.resume(&call.id, answer.map_err(ToolFailure::new));
                    }
                }
            }
        }
    }

    /// Returns the problems with which a program is rejected or ends.
    pub fn problems(&mut self, source: &str) -> Vec<Diagnostic> {
        match self.session.admit(source) {
            Err(rejection) => rejection.diagnostics,
            Ok(_) => match self.run_raw(source) {
                Ok((Ended { outcome: Outcome::Error(problem), .. }, _)) => vec![problem],
                _ => Vec::new(),
            },
        }
    }
}

fn show(ended: &Ended) -> String {
    match &ended.outcome {
        Outcome::Value(value) => format!("=> {value}"),
        Outcome::Return(value) => format!("return {value}"),
        Outcome::Continue(value) => format!("continue {value}"),
        Outcome::Fail(failure) => format!("fail {}", failure.details),
        Outcome::Error(problem) => show_problem(problem),
    }
}

fn show_problem(problem: &Diagnostic) -> String {
    format!("! {} {}", problem.code(), problem.message())
}

/// Runs a program in a new world without data.
pub fn eval(source: &str) -> Ran {
    World::new("{}", Limits::default()).run(source)
}
