//! The rules of calls of tools: by literal names, with the names of their arguments, or by computed
//! names.

use ptc_lisp::{ToolDecl, Value};
use ptc_signatures::{Field, Type};

use super::rule::{Part, Rule, all, any, list, maybe, plain, rule, text, within};
use crate::sample::is_plain_name;

/// The maximum number of parameters for which the rule lists all permutations: each argument occurs at
/// most once, and the required ones are there. With more parameters there are too many permutations, so
/// any known argument may follow any other.
const ANY_ORDER: usize = 3;

/// Returns the rules of calls whose arguments are of a level.
pub(super) fn rules(tools: &[ToolDecl], level: usize, has_ctx: bool) -> Vec<Rule> {
    let callable: Vec<&ToolDecl> = tools.iter().filter(|tool| tool.callable).collect();
    let mut rules = Vec::new();
    let mut calls = Vec::new();
    for (at, tool) in callable.iter().enumerate() {
        let arguments = format!("tool-{level}-arguments-{}", at + 1);
        let by_text = all([text("call"), rule("ws"), text(quoted(&tool.name))]);
        let by_name = is_plain_name(&tool.name).then(|| text(format!("tool/{}", tool.name)));
        let head = any(std::iter::once(by_text).chain(by_name));
        let given = all([rule("ws"), rule(&arguments)]);
        let required = tool.signature.iter().flat_map(|it| &it.params).any(|it| !is_optional(it));
        calls.push(all([head, if required { given } else { maybe(given) }]));
        rules.push(plain(arguments, map(tool, level)));
    }
    calls.push(by_computed_name(level, has_ctx));
    rules.push(plain(format!("tool-{level}"), any(calls)));
    rules
}

/// Returns a call of a tool by a computed name: the value of a form that is not a literal.
fn by_computed_name(level: usize, has_ctx: bool) -> Part {
    let ctx_key = has_ctx.then(|| rule("ctx-key"));
    let call = (level > 0).then(|| all([text("("), rule(format!("call-{level}"))]));
    let bound_name = all([maybe(text("@")), rule("name")]);
    let name = any([bound_name].into_iter().chain(ctx_key).chain(call));
    all([text("call"), rule("ws"), name, maybe(rule(format!("item-{level}")))])
}

/// Returns the map of a tool's arguments.
fn map(tool: &ToolDecl, level: usize) -> Part {
    let item = || rule(format!("item-{level}"));
    let Some(signature) = &tool.signature else {
        return within("{", list(all([rule(format!("form-{level}")), item()])), "}");
    };
    let entry = |field: &Field| {
        let keyword = is_plain_name(&field.name).then(|| text(format!(":{}", field.name)));
        let key = any(std::iter::once(text(quoted(&field.name))).chain(keyword));
        all([key, item()])
    };
    let fields: Vec<&Field> = signature.params.iter().collect();
    if fields.is_empty() {
        return all([text("{"), maybe(rule("ws")), text("}")]);
    }
    if fields.len() > ANY_ORDER {
        return within("{", list(any(fields.into_iter().map(entry))), "}");
    }
    let blank = || maybe(rule("ws"));
    let inside = permutations(&fields, &entry, false);
    all([text("{"), blank(), inside, blank(), text("}")])
}

/// Returns the fields in any order, where optional ones may be absent. `follows` tells whether
/// another field precedes them.
fn permutations(fields: &[&Field], entry: &dyn Fn(&Field) -> Part, follows: bool) -> Part {
    let starts = fields.iter().map(|field| {
        let others: Vec<&Field> =
            fields.iter().filter(|it| it.name != field.name).copied().collect();
        let blank = follows.then(|| rule("ws"));
        let rest = (!others.is_empty()).then(|| permutations(&others, entry, true));
        all(blank.into_iter().chain([entry(field)]).chain(rest))
    });
    let part = any(starts);
    if fields.iter().all(|field| is_optional(field)) { maybe(part) } else { part }
}

fn is_optional(field: &Field) -> bool {
    matches!(field.ty, Type::Optional(_))
}

/// Returns a text as a string literal of the language.
fn quoted(text: &str) -> String {
    Value::str(text).to_string()
}
