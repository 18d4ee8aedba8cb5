//! Compiles functions written in the language.

use std::sync::Arc;

use ptc_checker::check::check;
use ptc_checker::scope::{Environment, Scope};
use ptc_facts::globals::Globals;
use ptc_values::limits::Limits;
use ptc_values::{Closure, Value};

/// Compiles a source of one `fn` form. For `lazy_aware` see [`Scope::lazy_aware`].
pub(super) fn compile(source: &str, lazy_aware: bool) -> Option<Value> {
    let globals = Globals::default();
    let scope = Scope {
        env: Environment::of(&[], &globals),
        lazy_aware,
        tool_calls: 0,
        builtin: true,
        names: false,
        known_reads: None,
    };
    let program = check(source, &Limits::default(), &scope).ok()?.program;
    // The first function is the program, the second its `fn` form.
    (program.lambdas.len() > 1)
        .then(|| Value::Function(Arc::new(Closure::new(program, 1, Box::default()))))
}
