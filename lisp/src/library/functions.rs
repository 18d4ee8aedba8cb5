//! Functions written in the language itself.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use super::rows;
use crate::admission::SeenFields;
use crate::analyze::{Scope, analyze};
use crate::code::Code;
use crate::globals::Globals;
use crate::limits::Limits;
use crate::machine::{Imp, Row};
use crate::value::ir::Program;
use crate::value::{BuiltinId, Closure, Diagnostic, Map, Res, Value};

static FUNCTIONS: LazyLock<HashMap<BuiltinId, Value>> = LazyLock::new(|| {
    let function = |(row, id): (&Row, BuiltinId)| match row.imp {
        Imp::Lisp(source) => Some((id, compile(source, false)?)),
        _ => None,
    };
    rows().filter_map(function).collect()
});

/// Every function written in the language, by its builtin's name, with a prefix for overrides.
static NAMED: LazyLock<HashMap<String, Arc<Program>>> = LazyLock::new(|| {
    let own =
        FUNCTIONS.iter().map(|(id, function)| (id.builtin().name.to_owned(), function.clone()));
    let named = own.chain(super::lazy_overrides::functions());
    let program = |function: &Value| match function {
        Value::Function(closure) => Some(closure.program.clone()),
        _ => None,
    };
    named.filter_map(|(name, function)| Some((name, program(&function)?))).collect()
});

/// Returns the program of a function written in the language, by its name.
pub(crate) fn own_function(name: &str) -> Option<&'static Arc<Program>> {
    NAMED.get(name)
}

/// Returns the name by which [`own_function`] finds a program.
pub(crate) fn own_name_of(program: &Arc<Program>) -> Option<&'static str> {
    static NAMES: LazyLock<HashMap<usize, &'static str>> = LazyLock::new(|| {
        let place = |program: &Arc<Program>| Arc::as_ptr(program).addr();
        NAMED.iter().map(|(name, program)| (place(program), name.as_str())).collect()
    });
    NAMES.get(&Arc::as_ptr(program).addr()).copied()
}

/// Returns the function of a builtin written in the language; compiled once per process.
pub(super) fn compiled(id: BuiltinId) -> Res {
    FUNCTIONS.get(&id).cloned().ok_or_else(|| {
        let name = id.builtin().name;
        Diagnostic::new(
            Code::InvariantViolated,
            format!("`{name}` does not compile; this is a bug of the language"),
        )
    })
}

/// Compiles a source of one `fn` form. For `lazy_aware` see [`Scope::lazy_aware`].
pub(super) fn compile(source: &str, lazy_aware: bool) -> Option<Value> {
    let scope = Scope {
        lazy_aware,
        tools: &[],
        ctx: &Map::default(),
        input: None,
        seen: &SeenFields::new(),
        memory: &Map::default(),
        globals: &Globals::default(),
        tool_calls: 0,
        history: &[const { Value::Nil }; 3],
        output: None,
        kept_tools: &[],
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_of_the_library_compiles() {
        super::super::install();
        for (row, _) in rows() {
            if let Imp::Lisp(source) = row.imp {
                assert!(compile(source, false).is_some(), "{}", row.builtin.name);
            }
        }
    }
}
