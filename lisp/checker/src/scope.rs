//! The environment in which a program is checked.

use std::sync::LazyLock;

use arcstr::ArcStr;
use ptc_signatures::{Field, SignatureMode, Type};

use ptc_facts::flows::{Label, Labels};
use ptc_facts::globals::Globals;
use ptc_facts::payload::Payload;
use ptc_facts::seen::SeenFields;
use ptc_facts::tool::ToolDecl;
use ptc_values::ir::KnownRead;
use ptc_values::{Diagnostic, Map, Value};

/// The environment of a program, and the way to check it.
pub struct Scope<'a> {
    pub env: Environment<'a>,
    /// The limit of tool calls.
    pub tool_calls: u32,
    /// Whether the source is a part of the language.
    pub builtin: bool,
    /// Whether every builtin is called with frames. It costs time, and lets builtins receive values whose use calls
    /// functions: lazy sequences, and collections sorted by a function. A program that can make such values is
    /// lazy-aware in any case.
    pub lazy_aware: bool,
    /// Whether the program keeps the names of its source.
    pub names: bool,
    /// For a program that was accepted before, the facts found about its reads. Then only its nodes are made anew. They
    /// depend on nothing but the source and the names defined before it.
    pub known_reads: Option<&'a [KnownRead]>,
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
    /// The labels of the state, if the author of programs does not read all values. Problems then quote none of those.
    pub labels: Option<&'a Labels>,
}

/// Checks the argument of `ask`: a text or a map.
pub type FormCheck = fn(&Value) -> Result<(), Diagnostic>;

impl<'a> Environment<'a> {
    /// Returns whether `ctx` may have any key.
    pub fn has_unknown_keys(&self) -> bool {
        self.assumes_input && self.input.is_none()
    }

    /// Returns whether the author of programs does not read the value with this label.
    pub fn withholds(&self, label: impl FnOnce(&Labels) -> Label) -> bool {
        self.labels.is_some_and(|labels| labels.sources.withholds(&label(labels)))
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
            labels: None,
        }
    }
}
