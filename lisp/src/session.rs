//! What a run keeps between its programs.

pub(crate) mod snapshot;

use std::borrow::Cow;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use arcstr::ArcStr;
use hashbrown::HashMap;
use ptc_signatures::{Field, Signature, SignatureMode, Type};

use crate::admission::{SeenFields, Shape};
use crate::analyze::{Scope, analyze};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::Program;
use crate::limits::Limits;
use crate::machine::{Alive, Ended, Machine, Outcome, Start};
use crate::random::Random;
use crate::repair::Repair;
use crate::report::Report;
use crate::value::{Map, Value, json};

/// What calling a tool may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It only reads: calling it twice is calling it once.
    Read,
    /// It changes something.
    Write,
}

impl Effect {
    /// The word used in files and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Effect::Read => "read",
            Effect::Write => "write",
        }
    }
}

/// What a program may know of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolDecl {
    /// The name it is called by.
    pub name: String,
    /// What it takes and gives.
    pub signature: Option<Signature>,
    /// How it is held to its signature. Without a mode its arguments must fit as they are, and others
    /// are let through.
    pub mode: Option<SignatureMode>,
    /// What it is for.
    pub description: Option<String>,
    /// What calling it may do.
    pub effect: Effect,
    /// Whether a program may call it; a tool for planning is only shown.
    pub callable: bool,
    /// What a call costs, in a unit of the user's choice; none if that does not matter.
    pub cost: Option<f64>,
}

impl ToolDecl {
    /// A tool that programs may call, of which nothing else is known.
    pub fn new(name: impl Into<String>, effect: Effect) -> ToolDecl {
        ToolDecl {
            name: name.into(),
            signature: None,
            mode: None,
            description: None,
            effect,
            callable: true,
            cost: None,
        }
    }

    /// How it is called, and what it gives: `search(query :string, limit :int?) -> [{id :int}]`, without hidden
    /// fields of the result. Without a signature it takes and gives anything.
    pub fn line(&self) -> String {
        match &self.signature {
            Some(signature) => format!("{}{}", self.written(), signature.redacted_for_calls()),
            None => format!("{}(args :map) -> :any", self.written()),
        }
    }

    /// The name alone where it ends by itself, else as the literal string that a call has.
    fn written(&self) -> Cow<'_, str> {
        if self.is_word() { self.name.as_str().into() } else { literal(&self.name).into() }
    }

    /// Whether a program can write `tool/name`.
    pub(crate) fn is_word(&self) -> bool {
        let is_part = |c: char| c.is_alphanumeric() || "_*+!?<>=.$&-/:".contains(c);
        self.name.chars().all(is_part)
    }

    /// The first sentence of its description; empty if there is none.
    pub fn summary(&self) -> &str {
        let text = self.description.as_deref().unwrap_or_default().trim();
        let line = text.lines().next().unwrap_or_default();
        line.split_inclusive(". ").next().unwrap_or_default().trim_end()
    }

    /// All that a model is told of it: its [`ToolDecl::line`], its description, what it may do.
    pub fn entry(&self) -> String {
        let mut text = self.line();
        if let Some(description) = &self.description {
            text.push('\n');
            text.push_str(description.trim());
        }
        text.push_str(match (self.callable, self.effect) {
            (false, _) => "\nFor planning only: a program that calls it is refused",
            (true, Effect::Read) => "\nEffect: read",
            (true, Effect::Write) => "\nEffect: write",
        });
        text
    }
}

/// A text as a program writes it.
pub(crate) fn literal(text: &str) -> String {
    Value::str(text).to_string()
}

/// Names that programs of a run have defined, with their values.
#[derive(Debug, Default)]
pub(crate) struct Globals {
    names: Vec<ArcStr>,
    values: Vec<Option<Value>>,
    ids: HashMap<ArcStr, u32>,
}

impl Globals {
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn id(&self, name: &str) -> Option<u32> {
        self.ids.get(name).copied()
    }

    pub(crate) fn value(&self, id: u32) -> Option<&Value> {
        self.values.get(id as usize)?.as_ref()
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(ArcStr::as_str)
    }
}

/// The language side of a run: the mission's data, what programs keep, what they may call.
///
/// A turn is a transaction: [`Session::commit`] takes what a program that ended with a value or
/// `return` wants to keep, as a whole, and nothing of any other.
#[derive(Debug)]
pub struct Session {
    ctx: Arc<Map>,
    /// Keys of it that the host put in or took out since the session began.
    changed_ctx: Vec<String>,
    memory: Arc<Map>,
    globals: Globals,
    history: [Value; 3],
    tools: Arc<[ToolDecl]>,
    /// What the run has left, for programs that ask.
    budget: Arc<Map>,
    limits: Limits,
    /// Whether a program that was kept needed frames: its functions may give such values to later
    /// ones.
    lazy_aware: bool,
    /// What a mission declares its data to be.
    input: Option<Arc<[Field]>>,
    /// Fields that results of tools had besides those that are declared.
    seen: SeenFields,
    /// What a mission wants back.
    output: Option<(Type, SignatureMode)>,
    /// Tools that functions of its programs can call.
    kept_tools: Vec<ArcStr>,
    /// Lazy sequences that its programs made.
    lazies: OnceLock<Arc<Mutex<Alive>>>,
    /// Bytes that its programs allocated since live bytes were counted: what is kept from turn to
    /// turn counts towards the limit, however little each turn adds.
    uncounted: u64,
    /// Whether programs remember what their sources call things.
    names: bool,
    seed: u64,
    /// How many programs ended in it.
    ended: u64,
    /// What the next program draws from.
    random: Random,
}

/// What an expression sees that is evaluated in the middle of a program.
pub(crate) struct Seen {
    pub(crate) ctx: Arc<Map>,
    pub(crate) input: Option<Arc<[Field]>>,
    pub(crate) memory: Arc<Map>,
    /// Names that programs defined; without a value where that is still to come.
    pub(crate) globals: Vec<(ArcStr, Option<Value>)>,
    pub(crate) history: [Value; 3],
    pub(crate) tools: Arc<[ToolDecl]>,
    pub(crate) budget: Arc<Map>,
    pub(crate) limits: Limits,
    pub(crate) random: Random,
    pub(crate) lazy_aware: bool,
}

/// A program that was admitted.
#[derive(Clone)]
pub struct Admitted {
    program: Arc<Program>,
    new_globals: Vec<ArcStr>,
    report: Report,
    warnings: Vec<Diagnostic>,
    value: Option<Shape>,
    lazy_aware: bool,
}

impl Admitted {
    pub(crate) fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// What the program can touch.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// What the checker made of it: its functions and nodes, a line each. For tests of the checker and
    /// for the curious; what stands in a line may change with every version.
    pub fn listing(&self) -> String {
        crate::listing::of(&self.program)
    }

    /// Whether the program's value may be this one: false only of a mistake in the check.
    pub fn may_give(&self, value: &Value) -> bool {
        self.value.as_ref().is_none_or(|shape| shape.admits(value))
    }

    /// What looks wrong and is not certain to be.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }
}

impl std::fmt::Debug for Admitted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Admitted").field("report", &self.report).finish_non_exhaustive()
    }
}

/// Why a program was not admitted; nothing of it ran.
#[derive(Debug, Clone)]
pub struct Rejection {
    /// The problems, most useful first; at least one, at most five.
    pub diagnostics: Vec<Diagnostic>,
}

impl std::fmt::Display for Rejection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.diagnostics.as_slice() {
            [] => f.write_str("the program was refused"),
            [first] => first.fmt(f),
            [first, more @ ..] => write!(f, "{first}, and {} more problems", more.len()),
        }
    }
}

impl std::error::Error for Rejection {}

impl Session {
    /// A session with its data. `ctx` is a map; anything else counts as an empty one.
    pub fn new(ctx: Value, tools: Vec<ToolDecl>, limits: Limits) -> Session {
        Session {
            ctx: as_map(ctx),
            changed_ctx: Vec::new(),
            memory: NOTHING.clone(),
            globals: Globals::default(),
            history: [Value::Nil, Value::Nil, Value::Nil],
            tools: tools.into(),
            budget: NOTHING.clone(),
            limits,
            lazy_aware: false,
            input: None,
            seen: SeenFields::new(),
            output: None,
            kept_tools: Vec::new(),
            lazies: OnceLock::new(),
            uncounted: 0,
            names: false,
            seed: 0,
            ended: 0,
            random: Random::of_program(0, 0),
        }
    }

    /// A session for an expression in the middle of a program, with the names that are in scope there.
    pub(crate) fn inside(seen: Seen, locals: Vec<(ArcStr, Value)>) -> Session {
        let mut session = Session::new(Value::Nil, Vec::new(), seen.limits);
        (session.ctx, session.memory, session.budget) = (seen.ctx, seen.memory, seen.budget);
        session.input = seen.input;
        (session.history, session.tools, session.lazy_aware) =
            (seen.history, seen.tools, seen.lazy_aware);
        // It draws what the program would draw next, which the program still draws.
        session.random = seen.random;
        // Functions of the program know globals by their numbers; a local comes behind them and takes
        // the name.
        let locals = locals.into_iter().map(|(name, value)| (name, Some(value)));
        for (name, value) in seen.globals.into_iter().chain(locals) {
            let globals = &mut session.globals;
            let id = globals.names.len() as u32;
            if value.is_some() {
                globals.ids.insert(name.clone(), id);
            }
            globals.names.push(name);
            globals.values.push(value);
        }
        session
    }

    /// Lets programs that are admitted from now on remember what their sources call things, so that a
    /// [`Debugger`](crate::Debugger) can say it.
    pub fn remember_names(&mut self) {
        self.names = true;
    }

    /// Sets what `rand` and its kin draw from: each program draws from a stream that is derived from the seed and
    /// the number of the program in the session. The same seed gives the same numbers on any machine. Without one
    /// it is 0.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
        self.random = Random::of_program(seed, self.ended);
    }

    /// The mission's data.
    pub fn ctx(&self) -> Value {
        Value::Map(self.ctx.clone())
    }

    /// Puts a value under a key of the mission's data.
    pub fn set_ctx_key(&mut self, key: &str, value: Value) {
        self.changed(key);
        Map::make_mut(&mut self.ctx).insert((Value::str(key), value));
    }

    /// Takes a key out of the mission's data.
    pub fn remove_ctx_key(&mut self, key: &str) {
        self.changed(key);
        Map::make_mut(&mut self.ctx).remove(&Value::str(key));
    }

    fn changed(&mut self, key: &str) {
        if !self.changed_ctx.iter().any(|changed| changed == key) {
            self.changed_ctx.push(key.to_owned());
        }
    }

    /// What programs have kept with `memory/put`.
    pub fn memory(&self) -> Value {
        Value::Map(self.memory.clone())
    }

    /// Replaces what programs have kept. Anything but a map counts as an empty one.
    pub fn set_memory(&mut self, memory: Value) {
        self.memory = as_map(memory);
    }

    /// Says what the mission declares its data to be, so that a program may read a field that is declared and not
    /// there. Without that, fields are those of the data.
    pub fn declare(&mut self, input: &[Field]) {
        self.input = Some(input.into());
    }

    /// Says what the mission wants back and how it is held to that, so that a program is refused whose
    /// `return` cannot give it.
    pub fn expect(&mut self, output: Type, mode: SignatureMode) {
        self.output = mode.refuses().then_some((output, mode));
    }

    /// Says what the run has left besides the fuel and the calls of a program: a map of keywords, which `(budget)`
    /// shows to the next program. Anything but a map counts as an empty one.
    pub fn set_budget(&mut self, left: Value) {
        self.budget = as_map(left);
    }

    /// The tools programs may know of.
    pub fn tools(&self) -> &[ToolDecl] {
        &self.tools
    }

    /// The limits of each program.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Checks a program before it runs.
    ///
    /// # Errors
    /// Every problem that makes it certain to fail.
    pub fn admit(&self, source: &str) -> Result<Admitted, Rejection> {
        let reject = |diagnostics| Rejection { diagnostics };
        let read = crate::reader::read(source, &self.limits).map_err(reject)?;
        let scope = Scope {
            tools: &self.tools,
            ctx: &self.ctx,
            input: self.input.as_deref(),
            seen: &self.seen,
            memory: &self.memory,
            globals: &self.globals,
            tool_calls: self.limits.tool_calls,
            history: &self.history,
            output: self.output.as_ref(),
            kept_tools: &self.kept_tools,
            builtin: false,
            lazy_aware: self.lazy_aware,
            names: self.names,
            again: None,
        };
        let analyzed = analyze(read, &scope).map_err(reject)?;
        Ok(Admitted {
            program: analyzed.program,
            new_globals: analyzed.new_globals,
            report: analyzed.report,
            warnings: analyzed.warnings,
            value: analyzed.value,
            lazy_aware: analyzed.lazy_aware,
        })
    }

    /// Checks a program as [`Session::admit`] does. If its delimiters do not match and it is certain
    /// how they were meant, they are mended: at most three are put in, taken out or replaced, and
    /// nothing else is changed. Says what was changed.
    ///
    /// # Errors
    /// Every problem of the program as it was written.
    pub fn admit_repaired(&self, source: &str) -> Result<(Admitted, Option<Repair>), Rejection> {
        crate::repair::admit(self, source)
    }

    /// A machine about to run a program that this session admitted.
    pub fn start(&self, admitted: &Admitted) -> Machine {
        Machine::new(self.beginning(admitted))
    }

    /// What a machine begins with that is to run a program.
    pub(crate) fn beginning(&self, admitted: &Admitted) -> Start {
        let mut globals = self.globals.values.clone();
        globals.resize(self.globals.len() + admitted.new_globals.len(), None);
        let global_names =
            self.globals.names.iter().chain(&admitted.new_globals).cloned().collect();
        Start {
            program: admitted.program.clone(),
            limits: self.limits.clone(),
            ctx: self.ctx.clone(),
            input: self.input.clone(),
            memory: self.memory.clone(),
            tools: self.tools.clone(),
            budget: self.budget.clone(),
            globals,
            global_names,
            old_globals: self.globals.len(),
            history: self.history.clone(),
            random: self.random,
            lazy_aware: admitted.lazy_aware,
            // Only a program with frames can make one.
            lazies: admitted.lazy_aware.then(|| self.lazies.get_or_init(Arc::default).clone()),
            uncounted: self.uncounted,
        }
    }

    /// Keeps what a program leaves behind, if it ended with a value or `return`. Of any program the session keeps
    /// which fields the results of tools had.
    ///
    /// # Errors
    /// What is to be kept is too large or has no JSON form; then nothing is kept.
    pub fn commit(&mut self, ended: &Ended) -> Result<(), Diagnostic> {
        self.ended += 1;
        self.random = Random::of_program(self.seed, self.ended);
        // What a program saw of its tools it saw, whatever became of it.
        for (tool, names) in &ended.seen {
            let known = self.seen.entry(tool.clone()).or_default();
            for name in names {
                if !known.contains(name) {
                    known.push(name.clone());
                }
            }
        }
        let (Outcome::Value(value) | Outcome::Return(value)) = &ended.outcome else {
            return Ok(());
        };
        let max = self.limits.memory_bytes as usize;
        match json::size(&Value::Map(ended.memory.clone()), max) {
            Ok(size) if size <= max => {}
            Ok(_) => {
                return Err(Diagnostic::new(
                    Code::KeptMemoryLimit,
                    format!(
                        "what is kept in memory is larger as JSON than the limit of {max} bytes"
                    ),
                )
                .with_help("keep less: ids, counts or the rows still needed")
                .with_advice("raise the limit `memory_bytes`"));
            }
            Err(not_json) => {
                return Err(Diagnostic::new(
                    Code::NotJson,
                    format!("memory cannot be kept: {not_json}"),
                )
                .with_help("keep data in memory; define functions with `defn`"));
            }
        }
        self.memory = ended.memory.clone();
        self.lazy_aware |= ended.lazy_aware;
        self.uncounted = ended.uncounted;
        for tool in &ended.kept_tools {
            if !self.kept_tools.contains(tool) {
                self.kept_tools.push(tool.clone());
            }
        }
        for name in &ended.new_globals {
            let id = self.globals.names.len() as u32;
            self.globals.names.push(name.clone());
            self.globals.ids.insert(name.clone(), id);
        }
        self.globals.values.clone_from(&ended.globals);
        self.history.rotate_right(1);
        self.history[0] = value.clone();
        Ok(())
    }
}

/// The map without entries, which most sessions begin with.
static NOTHING: LazyLock<Arc<Map>> = LazyLock::new(Arc::default);

fn as_map(value: Value) -> Arc<Map> {
    match value {
        Value::Map(map) => map,
        _ => NOTHING.clone(),
    }
}
