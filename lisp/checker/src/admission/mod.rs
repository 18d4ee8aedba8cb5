//! Infers a program's abilities before it runs: the bounds of its tool calls, the shapes of arguments and results, and
//! whether it always ends in `return` or `fail`.
//!
//! Nodes are in the order in which the checker made them: parts before the whole, a value before its uses. So one pass
//! in order is enough, with the shapes of slots kept beside it; nothing recurs. The arguments of a function are known
//! only after its body, so the pass repeats while it finds more.
//!
//! All findings hold for every run: shapes cover all possible values, bounds all possible calls. An unknown value may
//! be anything.

mod calls;
mod certain;
mod dealt;
mod equal;
mod expected;
mod fields;
mod functions;
mod loops;
mod named;
mod nodes;
mod options;
mod order;
mod problems;
mod scan;
mod through;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use arcstr::ArcStr;
use ptc_signatures::{Field, SignatureMode, Type};

use ptc_facts::field_watch::WatchedField;
use ptc_facts::globals::Globals;
use ptc_facts::payload::Payload;
use ptc_facts::seen::SeenFields;
use ptc_facts::shape::Shape;
use ptc_facts::times::Times;
use ptc_facts::tool::ToolDecl;
use ptc_values::ir::Program;
use ptc_values::{Diagnostic, Map, Value};

/// The checker's record of function bodies, made while it made their nodes. The program is the outermost body.
#[derive(Debug, Default)]
pub struct Outline {
    /// The marks in order, each with the number of the node after it.
    marks: Vec<(u32, Mark)>,
    /// The open bodies, by their marks.
    open: Vec<usize>,
}

/// A place between two nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// The body of a function's arity begins.
    Enter { lambda: u32, params: u32, variadic: bool },
    /// The innermost body ends.
    Leave,
    /// A `catch` puts a value into a slot.
    Catch { slot: u32 },
    /// The body of a `try` begins.
    Try,
    /// The body of a `try` ends.
    EndTry,
}

impl Outline {
    /// Creates an empty outline with room for `marks` marks.
    pub fn with_room(marks: usize) -> Outline {
        Outline { marks: Vec::with_capacity(marks), open: Vec::with_capacity(marks / 4) }
    }

    pub fn enter(&mut self, node: usize, lambda: u32, params: usize) {
        self.open.push(self.marks.len());
        let mark = Mark::Enter { lambda, params: params as u32, variadic: false };
        self.marks.push((node as u32, mark));
    }

    pub fn leave(&mut self, node: usize, is_variadic: bool) {
        let Some(at) = self.open.pop() else { return };
        if let Some((_, Mark::Enter { variadic, .. })) = self.marks.get_mut(at) {
            *variadic = is_variadic;
        }
        self.marks.push((node as u32, Mark::Leave));
    }

    pub fn mark(&mut self, node: usize, mark: Mark) {
        self.marks.push((node as u32, mark));
    }
}

/// The environment of a program.
#[derive(Clone, Copy)]
pub struct Environment<'a> {
    pub tools: &'a [ToolDecl],
    pub ctx: &'a Map,
    /// The declared types of the mission's data, if any.
    pub input: Option<&'a [Field]>,
    /// Whether the values of `ctx` are unknown: its keys have their declared types.
    pub assumes_input: bool,
    /// Whether a field that is nowhere is a warning only.
    pub tolerates_fields: bool,
    /// The undeclared fields seen in results of tools in this run.
    pub seen: &'a SeenFields,
    pub memory: &'a Map,
    pub payload: Option<&'a Payload>,
    pub globals: &'a Globals,
    /// The values of earlier turns, the latest first.
    pub history: &'a [Value; 3],
    /// The expected type of the mission's result, if results are checked.
    pub output: Option<&'a (Type, SignatureMode)>,
    /// The tools that functions of earlier programs can call.
    pub kept_tools: &'a [ArcStr],
    /// The check of the argument of `ask`, if the host has one.
    pub form_check: Option<FormCheck>,
}

/// Checks the argument of `ask`: a text or a map.
pub type FormCheck = fn(&Value) -> Result<(), Diagnostic>;

impl<'a> Environment<'a> {
    /// Returns whether `ctx` may have any key.
    pub fn has_unknown_keys(&self) -> bool {
        self.assumes_input && self.input.is_none()
    }

    /// Makes an environment with nothing but tools and the names of earlier programs.
    pub fn of(tools: &'a [ToolDecl], globals: &'a Globals) -> Environment<'a> {
        static NOTHING: LazyLock<(Map, SeenFields)> = LazyLock::new(Default::default);
        let (nothing, seen) = &*NOTHING;
        Environment {
            tools,
            ctx: nothing,
            input: None,
            assumes_input: false,
            tolerates_fields: false,
            seen,
            memory: nothing,
            payload: None,
            globals,
            history: &[const { Value::Nil }; 3],
            output: None,
            kept_tools: &[],
            form_check: None,
        }
    }
}

/// A program's environment, with what its forms told about it.
#[expect(clippy::struct_excessive_bools, reason = "one for each fact")]
pub struct World<'a> {
    pub env: Environment<'a>,
    /// The definition of each name that this program defines.
    pub defined: &'a BTreeMap<u32, Defined>,
    /// Whether nil may be a placeholder for a refused form.
    pub has_gaps: bool,
    /// Whether the program reads data that has fields.
    pub reads_data: bool,
    /// Whether the program writes memory.
    pub writes_memory: bool,
    /// Whether the payload can change while the program runs.
    pub changes_payload: bool,
}

/// The kind of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Defined {
    /// A function, by its lambda.
    Function(u32),
    /// Another value.
    Value,
    /// A name with several definitions.
    Several,
}

/// The findings about a program.
#[derive(Debug, Default)]
pub struct Findings {
    /// The bound of calls of each tool of the program.
    pub tools: Vec<(ArcStr, Times)>,
    /// The tools of calls by computed names, one for each place and tool.
    pub places: Vec<ArcStr>,
    /// The tools that its functions can call by computed names, in later programs too.
    pub named: Vec<ArcStr>,
    /// Whether it never ends in a plain value.
    pub ends: bool,
    /// The shape of its value.
    pub value: Option<Shape>,
    /// The certain failures.
    pub problems: Vec<Diagnostic>,
    /// The possible failures.
    pub warnings: Vec<Diagnostic>,
    /// The functions that a `try` calls, so that their failures may be caught.
    pub guarded: Vec<u32>,
    /// Nodes that read a field of a record, and whether the record has it.
    pub reads: Vec<(u32, bool)>,
    /// The reads that are watched while the program runs, each with its node.
    pub watched: Vec<(u32, WatchedField)>,
}

/// Examines a program whose names are all resolved.
pub fn examine(program: &Program, outline: &Outline, world: &World<'_>) -> Findings {
    scan::examine(program, &outline.marks, world)
}
