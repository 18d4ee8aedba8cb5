//! Functions written in the language itself.
//!
//! The files of `clj/` define them with `defn`, under the names of their rows. `of_lazy.clj` and
//! `of_sorted.clj` define what replaces other builtins: see [`super::lazy_overrides`]. As in
//! Clojure, a definition is known inside itself by its name without the namespace. So
//! `clojure.core/map` in the replacement of `map` is the builtin.

use std::sync::{Arc, LazyLock};

use hashbrown::HashMap;

use super::compile::compile;
use super::table::rows;
use ptc_facts::registry::Registered;
use ptc_facts::registry::facts::LazyInput;
use ptc_machine::{Implementation, Row};
use ptc_reader::{FormKind, read};
use ptc_values::code::Code;
use ptc_values::limits::Limits;
use ptc_values::{BuiltinId, Diagnostic, Program, Res, Value};

/// The use of a definition for the builtin of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Role {
    /// The function itself.
    Own,
    /// Its replacement for lazy sequences.
    OfLazy,
    /// Its replacement for collections that a function sorts.
    OfSorted,
}

static OWN: &[&str] = &[
    include_str!("clj/combinatorics.clj"),
    include_str!("clj/core_more.clj"),
    include_str!("clj/data.clj"),
    include_str!("clj/flow.clj"),
    include_str!("clj/function.clj"),
    include_str!("clj/json.clj"),
    include_str!("clj/lazy.clj"),
    include_str!("clj/random.clj"),
    include_str!("clj/read.clj"),
    include_str!("clj/relation.clj"),
    include_str!("clj/sorted.clj"),
    include_str!("clj/state.clj"),
    include_str!("clj/transduce.clj"),
    include_str!("clj/walk.clj"),
];

impl Role {
    fn sources(self) -> &'static [&'static str] {
        match self {
            Role::Own => OWN,
            Role::OfLazy => &[include_str!("clj/of_lazy.clj")],
            Role::OfSorted => &[include_str!("clj/of_sorted.clj")],
        }
    }

    /// Returns whether the row of a builtin refers to a definition in this role.
    fn is_named_by(self, row: &Row) -> bool {
        let builtin = &row.builtin;
        match self {
            Role::Own => matches!(row.imp, Implementation::Lisp),
            Role::OfLazy => match builtin.facts.lazily {
                LazyInput::Listed | LazyInput::AsValue | LazyInput::Items => false,
                LazyInput::Streams => builtin.max != Some(builtin.min),
                LazyInput::Function | LazyInput::Always | LazyInput::Inside => true,
            },
            Role::OfSorted => builtin.facts.of_sorted.is_some(),
        }
    }

    /// Returns the compiled definitions of the role by their builtins, made once per process.
    fn functions(self) -> &'static HashMap<BuiltinId, Value> {
        static OWN: LazyLock<HashMap<BuiltinId, Value>> = LazyLock::new(|| functions_in(Role::Own));
        static LAZY: LazyLock<HashMap<BuiltinId, Value>> =
            LazyLock::new(|| functions_in(Role::OfLazy));
        static SORTED: LazyLock<HashMap<BuiltinId, Value>> =
            LazyLock::new(|| functions_in(Role::OfSorted));
        match self {
            Role::Own => &OWN,
            Role::OfLazy => &LAZY,
            Role::OfSorted => &SORTED,
        }
    }

    /// Returns the function of a builtin in this role.
    pub(super) fn function(self, id: BuiltinId) -> Option<&'static Value> {
        self.functions().get(&id)
    }
}

/// Returns the function of a builtin written in the language; compiled once per process.
pub(super) fn compiled(id: BuiltinId) -> Res {
    Role::Own.function(id).cloned().ok_or_else(|| {
        let name = id.builtin().name;
        Diagnostic::new(
            Code::InvariantViolated,
            format!("`{name}` does not compile; this is a bug of the language"),
        )
    })
}

/// Every function written in the language, by its builtin's name, with a prefix for replacements.
static NAMED: LazyLock<HashMap<String, Arc<Program>>> = LazyLock::new(|| {
    let named = [(Role::Own, ""), (Role::OfLazy, "lazy "), (Role::OfSorted, "sorted ")];
    let named = named.into_iter().flat_map(|(role, prefix)| {
        let functions = role.functions().iter();
        functions.map(move |(id, function)| (format!("{prefix}{}", id.builtin().name), function))
    });
    let program = |function: &Value| match function {
        Value::Function(closure) => Some(closure.program.clone()),
        _ => None,
    };
    named.filter_map(|(name, function)| Some((name, program(function)?))).collect()
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

/// Compiles the definitions that rows refer to.
fn functions_in(role: Role) -> HashMap<BuiltinId, Value> {
    let named = rows().filter(|(row, _)| role.is_named_by(row));
    let ids: HashMap<&str, BuiltinId> = named.map(|(row, id)| (row.builtin.name, id)).collect();
    let compiled = |source: &&'static str| {
        definitions(source).filter_map(|(name, rest)| {
            let own_name = name.rsplit('/').next().unwrap_or(&name);
            let function = compile(&format!("(fn {own_name} {rest}"), role != Role::Own)?;
            Some((*ids.get(name.as_str())?, function))
        })
    };
    role.sources().iter().flat_map(compiled).collect()
}

/// Returns the names of the definitions in a file, each with the text behind its name.
fn definitions(source: &str) -> impl Iterator<Item = (String, String)> {
    let read = read(source, &Limits::default()).ok();
    let definitions = read.into_iter().flat_map(|read| {
        let definition = |form: &_| {
            let [head, name, rest, ..] = read.forms.kids(*form) else { return None };
            let symbol = |form: &_| match read.forms.get(*form).kind {
                FormKind::Symbol(name) => Some(read.forms.text(name)),
                _ => None,
            };
            let (start, end) = (read.forms.get(*rest).span.start, read.forms.get(*form).span.end);
            let rest = read.text.get(start as usize..end as usize)?;
            (symbol(head)? == "defn").then_some((symbol(name)?.to_owned(), rest.to_owned()))
        };
        read.top.iter().filter_map(definition).collect::<Vec<_>>()
    });
    definitions.collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_row_has_its_definition_and_every_definition_its_row() {
        crate::library::install();
        for role in [Role::Own, Role::OfLazy, Role::OfSorted] {
            let rows: BTreeSet<_> = rows()
                .filter(|(row, _)| role.is_named_by(row))
                .map(|(row, _)| row.builtin.name.to_owned())
                .collect();
            let defined: Vec<_> = role
                .sources()
                .iter()
                .copied()
                .flat_map(definitions)
                .map(|(name, _)| name)
                .collect();
            assert_eq!(rows, defined.iter().cloned().collect(), "{role:?}");
            assert_eq!(rows.len(), defined.len(), "{role:?} defines a name twice");
            let compiled = role.functions().keys().map(|id| id.builtin().name.to_owned());
            assert_eq!(rows, compiled.collect(), "{role:?} has a definition that does not compile");
        }
    }

    #[test]
    fn a_file_has_only_definitions() {
        for role in [Role::Own, Role::OfLazy, Role::OfSorted] {
            for source in role.sources() {
                let forms = read(source, &Limits::default()).map(|read| read.top.len());
                assert_eq!(forms.ok(), Some(definitions(source).count()), "{source}");
            }
        }
    }
}
