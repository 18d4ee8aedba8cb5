//! The rules of names: builtins and plain forms by arity, own functions, keys of data.

use std::collections::{BTreeMap, BTreeSet};

use ptc_lisp::Map;
use ptc_lisp::values::Class;
use ptc_lisp::vocabulary::{Builtin, Parts, builtins, forms, unsupported_names};

use super::options::{Functions, GrammarOptions};
use super::rule::{Part, Rule, all, any, rule, text};
use super::words::{exclusion_rules, is_plain, none_of, one_of};
use crate::sample::is_plain_name;
use crate::{MissionMode, PromptSpec};

/// The minimum number of arguments, and the maximum if there is one.
pub(super) type Arity = (usize, Option<usize>);

/// Names that a program cannot give to its own functions.
const TAKEN: &[&str] = &["nil", "true", "false", "ctx", "memory"];

/// Returns the callable names by arity.
pub(super) fn arities(mode: MissionMode) -> BTreeMap<Arity, BTreeSet<String>> {
    let mut arities: BTreeMap<Arity, BTreeSet<String>> = BTreeMap::new();
    let functions = builtins()
        .map(|(_, builtin)| builtin)
        .filter(|builtin| !builtin.is_constant())
        .flat_map(|builtin| spellings(builtin).map(|name| (name, (builtin.min, builtin.max))));
    // Some forms are written like calls of functions.
    let forms = forms().filter(|form| !form.is_of_mission || mode == MissionMode::Agent);
    let forms = forms.filter_map(|form| match form.parts {
        Parts::Count(min, max) => Some((form.name.to_owned(), (min, max))),
        Parts::Shape(_) | Parts::Own => None,
    });
    for (name, arity) in functions.chain(forms) {
        arities.entry(arity).or_default().insert(name);
    }
    arities
}

/// Returns the names of a builtin. Functions of Clojure's libraries also have their full names.
fn spellings(builtin: &Builtin) -> impl Iterator<Item = String> + use<> {
    let library = ["str/", "set/", "walk/"].iter().any(|space| builtin.name.starts_with(space));
    let full = library.then(|| builtin.full_name());
    std::iter::once(builtin.name.to_owned()).chain(full)
}

/// Returns the name of the rule for functions of an arity.
pub(super) fn arity_rule((min, max): Arity) -> String {
    match max {
        Some(max) if max == min => format!("takes-{min}"),
        Some(max) => format!("takes-{min}-to-{max}"),
        None => format!("takes-{min}-or-more"),
    }
}

/// Returns the rules of names.
pub(super) fn rules(spec: &PromptSpec<'_>, options: &GrammarOptions) -> Vec<Rule> {
    let token = |name: &str, body: Part| Rule { name: name.to_owned(), token: true, body };
    let mut rules = Vec::new();
    for (arity, names) in arities(spec.mode) {
        rules.push(token(&arity_rule(arity), one_of(names.iter().map(String::as_str))));
    }
    // Builtins whose names are not plain. Plain names are covered by the rule `name`.
    let values: Vec<String> = builtins()
        .flat_map(|(_, builtin)| spellings(builtin))
        .filter(|name| !is_plain(name))
        .collect();
    rules.push(token("value-name", one_of(values.iter().map(String::as_str))));
    rules.push(token(
        "class",
        one_of(Class::exceptions().flat_map(|class| [class.name, class.full_name])),
    ));
    rules.push(token("own", own_functions(&options.functions)));
    rules.extend(exclusion_rules());
    let data = ctx_keys(spec);
    if !data.is_empty() {
        rules.push(token("ctx-key", one_of(data.iter().map(String::as_str))));
    }
    // Any key of memory, except the functions in the namespace `memory`.
    let functions = builtins().filter_map(|(_, builtin)| builtin.name.strip_prefix("memory/"));
    rules.push(token("memory-key", all([text("memory/"), none_of(functions)])));
    let words = ["number", "string", "keyword", "name", "value-name", "ctx-key", "memory-key"];
    let more = ["regex", "char", "float-name"];
    let words = words.into_iter().chain(more).filter(|word| *word != "ctx-key" || !data.is_empty());
    rules.push(token("atom", any(words.map(rule))));
    rules
}

/// Returns the keys of the data as programs write them. `ctx/fail` exists after a failed turn.
pub(super) fn ctx_keys(spec: &PromptSpec<'_>) -> Vec<String> {
    let keys = spec.ctx.as_map().into_iter().flat_map(Map::iter);
    let keys = keys.filter_map(|(key, _)| key.name()).filter(|name| is_plain_name(name));
    let fail = Some("fail").filter(|_| spec.mode == MissionMode::Agent);
    let names: BTreeSet<&str> = keys.chain(fail).collect();
    names.into_iter().map(|name| format!("ctx/{name}")).collect()
}

fn own_functions(functions: &Functions) -> Part {
    match functions {
        Functions::Named(names) => one_of(names.iter().map(String::as_str)),
        Functions::Any => {
            let known = builtins().map(|(_, builtin)| builtin.name);
            none_of(
                known
                    .chain(forms().map(|form| form.name))
                    .chain(unsupported_names())
                    .chain(TAKEN.iter().copied())
                    .filter(|name| is_plain(name)),
            )
        }
    }
}
