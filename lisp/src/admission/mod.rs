//! What a checked program can do, found out before it runs: how often it can call each tool, whether
//! what it passes to them and returns can fit, whether it always ends in `return` or `fail`.
//!
//! The nodes of a program stand in the order in which the checker made them: parts before the whole,
//! a value before the body that uses it. So one look at each, in order, is enough, with what is known
//! of the slots kept beside; nothing recurs. What functions are given is known behind their bodies,
//! so the look is repeated while it adds something.
//!
//! Everything here is true of every run: shapes hold the values there can be, bounds the calls there
//! can be. Where nothing is known, everything may be.

mod calls;
mod certain;
mod data;
mod dealt;
mod fields;
mod functions;
pub(crate) mod gives;
mod loops;
mod named;
mod nodes;
mod options;
mod order;
mod problems;
mod scan;
mod seen;
mod shape;
mod through;
mod times;

pub(crate) use fields::bare;
pub(crate) use gives::Input;
pub(crate) use order::thread_help;
pub use times::{Collection, Term, Times};

use std::collections::BTreeMap;

use arcstr::ArcStr;
use ptc_signatures::{Field, SignatureMode, Type};

use crate::diagnostic::Diagnostic;
use crate::ir::Program;
use crate::session::{Globals, ToolDecl};
use crate::value::{Map, Value};
pub(crate) use seen::{SeenFields, note, note_names};
pub(crate) use shape::{Reader, Shape};

/// What the checker noted of the bodies of functions while it made their nodes. The program itself is
/// the body around them all.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    /// In the order they came up, each with the number of the node that came next.
    marks: Vec<(u32, Mark)>,
    /// Bodies that are not over, by their marks.
    open: Vec<usize>,
}

/// A place between two nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// The body of an arity of a function begins.
    Enter { lambda: u32, params: u32, variadic: bool },
    /// The innermost body is over.
    Leave,
    /// A `catch` puts a value into a slot.
    Catch { slot: u32 },
    /// The body of a `try` begins.
    Try,
    /// It is over.
    EndTry,
}

impl Outline {
    /// Nothing, with room for so many marks.
    pub(crate) fn with_room(marks: usize) -> Outline {
        Outline { marks: Vec::with_capacity(marks), open: Vec::with_capacity(marks / 4) }
    }

    pub(crate) fn enter(&mut self, node: usize, lambda: u32, params: usize) {
        self.open.push(self.marks.len());
        let mark = Mark::Enter { lambda, params: params as u32, variadic: false };
        self.marks.push((node as u32, mark));
    }

    pub(crate) fn leave(&mut self, node: usize, is_variadic: bool) {
        let Some(at) = self.open.pop() else { return };
        if let Some((_, Mark::Enter { variadic, .. })) = self.marks.get_mut(at) {
            *variadic = is_variadic;
        }
        self.marks.push((node as u32, Mark::Leave));
    }

    pub(crate) fn mark(&mut self, node: usize, mark: Mark) {
        self.marks.push((node as u32, mark));
    }
}

/// What a program stands in.
pub(crate) struct World<'a> {
    pub(crate) tools: &'a [ToolDecl],
    pub(crate) ctx: &'a Map,
    /// What the mission declares its data to be; none if it declares nothing.
    pub(crate) input: Option<&'a [Field]>,
    /// Fields that results of tools had in this run besides those that are declared.
    pub(crate) seen: &'a SeenFields,
    pub(crate) memory: &'a Map,
    pub(crate) globals: &'a Globals,
    pub(crate) history: &'a [Value; 3],
    /// What the mission wants back, if the program's value is held against it.
    pub(crate) output: Option<&'a (Type, SignatureMode)>,
    /// What each name is that this program defines.
    pub(crate) defined: &'a BTreeMap<u32, Defined>,
    /// Whether nil stands where the program has what was refused already.
    pub(crate) has_gaps: bool,
    /// Whether the program reads data that has fields.
    pub(crate) reads_data: bool,
    /// Whether the program puts something into memory.
    pub(crate) writes_memory: bool,
    /// Tools that functions of earlier programs can call.
    pub(crate) kept_tools: &'a [ArcStr],
}

/// What a name is that a program defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Defined {
    /// This function, by its lambda.
    Function(u32),
    /// Another value.
    Value,
    /// It is defined several times.
    Several,
}

/// What was found out.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// For each tool of the program, how often it is called at most.
    pub(crate) tools: Vec<(ArcStr, Times)>,
    /// Tools of calls by computed names, one for each place and tool.
    pub(crate) places: Vec<ArcStr>,
    /// Tools that functions of the program can call by computed names, in later programs too.
    pub(crate) named: Vec<ArcStr>,
    /// Whether it never ends in a plain value.
    pub(crate) ends: bool,
    /// What its value is.
    pub(crate) value: Option<Shape>,
    /// What is certain to be wrong.
    pub(crate) problems: Vec<Diagnostic>,
    /// What may be.
    pub(crate) warnings: Vec<Diagnostic>,
    /// Functions that a `try` calls, so that what fails in them may be caught.
    pub(crate) guarded: Vec<u32>,
    /// Nodes that read a field of a record, and whether the record has it.
    pub(crate) reads: Vec<(u32, bool)>,
}

/// Looks at a program whose names are all known.
pub(crate) fn examine(program: &Program, outline: &Outline, world: &World<'_>) -> Findings {
    scan::examine(program, &outline.marks, world)
}
