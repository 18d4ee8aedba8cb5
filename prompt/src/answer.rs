//! The answer in the example of the output format: an expression of the type that the mission wants,
//! made of the mission's data.

use ptc_signatures::{Bounds, Field, Type};

use crate::example_value::of_type;
use crate::sample::is_plain_name;

/// The places of the data that an answer uses, as programs read them.
#[derive(Clone, Copy)]
pub(crate) struct Places<'a> {
    /// A list.
    pub(crate) list: Option<&'a str>,
    /// Any value.
    pub(crate) any: Option<&'a str>,
}

/// Returns an expression of a type. Where the type allows it, the expression reads the data, so that
/// a model which copies it copies no invented value. Returns `None` if the expression is too long.
pub(crate) fn answer(ty: &Type, places: Places<'_>) -> Option<String> {
    let text = expression(ty, places, DEPTH)?;
    (text.chars().count() <= LONGEST).then_some(text)
}

/// The maximum length of an answer, in characters.
const LONGEST: usize = 200;

/// The depth of the records and lists that are made field by field.
const DEPTH: u32 = 4;

fn expression(ty: &Type, places: Places<'_>, depth: u32) -> Option<String> {
    match (ty, places.list, places.any) {
        (Type::Int(Bounds { min: None | Some(..=0), max: None }), Some(list), _) => {
            Some(format!("(count {list})"))
        }
        (Type::Float(Bounds { min: None, max: None }), Some(list), _) => {
            Some(format!("(* 1.5 (count {list}))"))
        }
        (Type::Bool, Some(list), _) => Some(format!("(empty? {list})")),
        (Type::String(Bounds { min: None | Some(0), max: None }), _, Some(any)) => {
            Some(format!("(str {any})"))
        }
        (Type::List(item, Bounds { min: None | Some(0), max: None }), Some(list), _)
            if depth > 0 && matches!(**item, Type::Record(_) | Type::String(_)) =>
        {
            let item = expression(item, Places { list: None, any: Some("x") }, depth - 1)?;
            Some(format!("(mapv (fn [x] {item}) {list})"))
        }
        (Type::Record(fields), ..) if depth > 0 && fields.iter().all(has_plain_name) => {
            let fields = fields.iter().filter(|field| !field.is_optional()).map(|field| {
                Some(format!(":{} {}", field.name, expression(&field.ty, places, depth - 1)?))
            });
            let fields: Vec<String> = fields.collect::<Option<_>>()?;
            Some(format!("{{{}}}", fields.join(" ")))
        }
        (Type::Optional(inner), ..) => expression(inner, places, depth),
        _ => of_type(ty),
    }
}

fn has_plain_name(field: &Field) -> bool {
    is_plain_name(&field.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_have_the_type_and_read_the_data() {
        let check = |ty: &str, expected: Option<&str>| {
            let ty: Type = ty.parse().unwrap();
            let places = Places { list: Some("ctx/rows"), any: Some("ctx/name") };
            assert_eq!(answer(&ty, places).as_deref(), expected, "{ty}");
        };
        check(":int", Some("(count ctx/rows)"));
        check(":int[1..5]", Some("1"));
        check(":float", Some("(* 1.5 (count ctx/rows))"));
        check(":bool?", Some("(empty? ctx/rows)"));
        check("[:int]", Some("[1]"));
        check(":string", Some("(str ctx/name)"));
        check(":string[..9]", Some("\"text\""));
        check(":enum[low high]", Some("\"low\""));
        check("{n :int, names [:string], note :string?}", {
            Some("{:n (count ctx/rows) :names (mapv (fn [x] (str x)) ctx/rows)}")
        });
        check("[{id :int, total :float}]", Some("(mapv (fn [x] {:id 1 :total 1.5}) ctx/rows)"));
        check("[:int][2..]", Some("[1 1]"));
        check("{:\"a b\" :int}", Some("{\"a b\" 1}"));
        check(&format!("[{{{} :bool}}]", "x".repeat(200)), None);
        let ty: Type = "{n :int, names [:string]}".parse().unwrap();
        let none = Places { list: None, any: None };
        assert_eq!(answer(&ty, none).as_deref(), Some("{:n 1 :names [\"text\"]}"));
    }
}
