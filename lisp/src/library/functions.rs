//! Functions written in the language itself.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use super::compile::compile;
use super::rows;
use crate::code::Code;
use crate::machine::{Imp, Row};
use crate::value::ir::Program;
use crate::value::{BuiltinId, Diagnostic, Res, Value};

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
