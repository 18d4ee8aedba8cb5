//! The library of the language: the table of all builtins, and the functions written in the language.

mod compile;
mod documentation;
mod functions;
mod lazy_overrides;
mod table;

pub(crate) use functions::{own_function, own_name_of};

use ptc_builtins::jvm;
use ptc_facts::registry::{self, Builtin};
use ptc_machine::{self as machine, Functions};
use table::{PARTS, rows};

/// Registers all builtins. Every way into the crate that reads names or runs programs calls it; only the first call
/// takes time.
pub(crate) fn install() {
    registry::register(|| {
        PARTS.iter().flat_map(|(part, rows)| rows.iter().map(|row| (*part, &row.builtin))).collect()
    });
    machine::register_steps(|| rows().map(|(row, _)| row.step).collect());
    machine::register(|| Functions {
        imps: rows().map(|(row, _)| row.imp).collect(),
        compiled: functions::compiled,
        lazy_override: lazy_overrides::lazy_override,
        time_op: jvm::dates::time_op,
        time_order: jvm::dates::time_order,
    });
}

/// Returns all functions with their part of the table, in the order of the documentation. Names
/// that start with `ptc/` serve the language itself and are omitted.
pub fn builtins() -> impl Iterator<Item = (&'static str, &'static Builtin)> {
    install();
    registry::builtins()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptc_facts::registry::Registered;
    use ptc_facts::registry::facts::How;
    use ptc_facts::registry::find;
    use ptc_values::BuiltinId;

    #[test]
    fn a_constant_has_the_value_of_its_row() {
        install();
        let value = |name| find(name).map(BuiltinId::value).unwrap_or_default().to_string();
        assert_eq!(value("Math/PI"), "3.141592653589793");
        assert_eq!(value("clojure.math/E"), "2.718281828459045");
        assert_eq!(value("java.lang.Long/MAX_VALUE"), "9223372036854775807");
        assert_eq!(
            value("java.time.temporal.ChronoUnit/DAYS"),
            "#object[java.time.temporal.ChronoUnit \"Days\"]"
        );
        assert_eq!(value("inc"), "#function[inc]");
    }

    #[test]
    fn facts_name_functions_of_the_table() {
        install();
        for (row, _) in rows() {
            let facts = &row.builtin.facts;
            let others = facts.others.iter().map(|(.., other)| *other).chain(facts.same_as);
            let calls = facts.calls.iter().filter_map(|calls| match calls.how {
                How::Args(other) => Some(other),
                _ => None,
            });
            for other in others.chain(calls) {
                assert!(find(other).is_some(), "`{}` names `{other}`", row.builtin.name);
            }
        }
    }

    #[test]
    fn every_name_is_in_the_table_once() {
        let mut names: Vec<_> =
            PARTS.iter().flat_map(|(_, rows)| *rows).map(|row| row.builtin.name).collect();
        names.sort_unstable();
        let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
