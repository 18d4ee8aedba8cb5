//! Compiles functions written in the language.

use std::sync::Arc;

use crate::admission::Environment;
use crate::analyze::{Scope, analyze};
use crate::globals::Globals;
use crate::limits::Limits;
use crate::value::{Closure, Value};

/// Compiles a source of one `fn` form. For `lazy_aware` see [`Scope::lazy_aware`].
pub(super) fn compile(source: &str, lazy_aware: bool) -> Option<Value> {
    let globals = Globals::default();
    let scope = Scope {
        env: Environment::of(&[], &globals),
        lazy_aware,
        tool_calls: 0,
        builtin: true,
        names: false,
        again: None,
    };
    let read = crate::reader::read(source, &Limits::default()).ok()?;
    let analyzed = analyze(read, &scope).ok()?;
    // The first function is the program, the second its `fn` form.
    let program = analyzed.program;
    (program.lambdas.len() > 1)
        .then(|| Value::Function(Arc::new(Closure::new(program, 1, Box::default()))))
}
