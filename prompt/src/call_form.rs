//! Calls as a program writes them, with the types of arguments and results in their places.

use std::fmt::Write;

use ptc_lisp::{ToolDecl, Value, print};
use ptc_signatures::{Record, Type};

use crate::sample::{is_hidden, is_plain_name};

/// Returns the call of a tool as a program writes it, and the form of its result:
/// `(call "orders" {:customer <int>}) -> [{:id int, :state "open"|"shipped"}]`.
pub fn call_form(tool: &ToolDecl) -> String {
    let name = literal(&tool.name);
    let Some(signature) = &tool.signature else {
        return format!("(call {name} {{…}}) -> any");
    };
    let shown = signature.params.iter().filter(|it| !is_hidden(&it.name));
    let params = shown.map(|param| {
        let mut text = key(&param.name) + " <";
        write_type(&mut text, &param.ty);
        text + ">"
    });
    let params: Vec<String> = params.collect();
    let mut text = format!("(call {name} {{{}}}) -> ", params.join(", "));
    write_type(&mut text, &signature.output);
    text
}

/// Writes a type. It recurses on the type, whose nesting bounds the recursion.
fn write_type(text: &mut String, ty: &Type) {
    let word = match ty {
        Type::Any => "any",
        Type::Bool => "bool",
        Type::Int(_) => "int",
        Type::Float(_) => "float",
        Type::String(_) => "string",
        Type::Keyword => "keyword",
        Type::Datetime => "datetime",
        Type::Map => "map",
        Type::Enum(words) => {
            let words: Vec<String> = words.iter().map(|it| literal(it)).collect();
            return text.push_str(&words.join("|"));
        }
        Type::List(item, _) => {
            text.push('[');
            write_type(text, item);
            return text.push(']');
        }
        Type::Record(fields) => return write_fields(text, fields),
        Type::Union(members) => {
            for (index, member) in members.iter().enumerate() {
                if index > 0 {
                    text.push('|');
                }
                write_type(text, member);
            }
            return;
        }
        Type::Optional(inner) => {
            write_type(text, inner);
            return text.push('?');
        }
    };
    text.push_str(word);
}

fn write_fields(text: &mut String, fields: &Record) {
    text.push('{');
    let shown = fields.iter().filter(|it| !is_hidden(&it.name));
    for (index, field) in shown.enumerate() {
        let _ = write!(text, "{}{} ", if index > 0 { ", " } else { "" }, key(&field.name));
        write_type(text, &field.ty);
    }
    text.push_str(if fields.open { ", ..}" } else { "}" });
}

/// Returns the key of a map: a keyword, or else a string.
pub(crate) fn key(name: &str) -> String {
    if is_plain_name(name) { format!(":{name}") } else { literal(name) }
}

pub(crate) fn literal(text: &str) -> String {
    print::readable(&Value::str(text))
}

#[cfg(test)]
mod tests {
    use ptc_lisp::Effect;

    use super::*;

    #[test]
    fn calls_have_the_types_in_their_places() {
        let check = |name: &str, signature: Option<&str>, expected: &str| {
            let mut tool = ToolDecl::new(name, Effect::Read);
            tool.signature = signature.map(|it| it.parse().unwrap());
            assert_eq!(call_form(&tool), expected);
        };
        check("a/b", None, "(call \"a/b\" {…}) -> any");
        check("a", Some("() -> [:string]"), "(call \"a\" {}) -> [string]");
        check(
            "it's \"x\"",
            Some(
                "(id :int[1..], from :datetime?, _key :string) -> [{id :int, state :enum[open done], \
                 _key :string, tags [:string|:int], at {x :float, y :any}}]?",
            ),
            "(call \"it's \\\"x\\\"\" {:id <int>, :from <datetime?>}) -> \
             [{:id int, :state \"open\"|\"done\", :tags [string|int], :at {:x float, :y any}}]?",
        );
    }
}
