//! The language reference, in the requested size.

use minijinja::value::Serde;
use minijinja::{Value as Data, context};
use ptc_lisp::vocabulary::{Builtin, builtins, forms};

use crate::Reference;
use crate::examples::Examples;

/// Returns the data of the reference's template.
pub(crate) fn data(size: Reference, examples: &Examples) -> Data {
    let groups = if size == Reference::Full { groups() } else { Vec::new() };
    let forms: Vec<&str> =
        if groups.is_empty() { Vec::new() } else { forms().map(|form| form.name).collect() };
    let examples = Data::from(Serde(examples));
    context! { size => size.as_str(), groups, forms, ..examples }
}

/// Returns the table of builtins: groups in the order of the documentation, each with the calls of
/// its functions.
fn groups() -> Vec<Data> {
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    for (part, builtin) in builtins() {
        let at = groups.iter().position(|(name, _)| *name == part).unwrap_or_else(|| {
            groups.push((part, Vec::new()));
            groups.len() - 1
        });
        if let Some((_, calls)) = groups.get_mut(at) {
            calls.push(call(builtin));
        }
    }
    groups.into_iter().map(|(name, calls)| context! { name, calls }).collect()
}

/// Formats a builtin as `(name a b)`, with `|` between the arguments of several arities. A constant
/// is its name.
fn call(builtin: &Builtin) -> String {
    let name = builtin.name;
    match (builtin.is_constant(), builtin.usage.trim()) {
        (true, _) => name.to_owned(),
        (false, "") => format!("({name})"),
        (false, usage) => format!("({name} {usage})"),
    }
}
