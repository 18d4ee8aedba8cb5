//! The answer in the example of the output format: an expression of the type that the mission wants,
//! made of the mission's data.

use ptc_signatures::{Bounds, Field, Type};

use crate::example_value::of_type;
use crate::sample::{is_plain_name, is_shown};

/// The places of the data that an answer uses, as programs read them.
#[derive(Clone, Copy)]
pub(crate) struct Places<'a> {
    /// A list.
    pub(crate) list: Option<&'a str>,
    /// Any value.
    pub(crate) any: Option<&'a str>,
    /// A list of records, or one of its records.
    pub(crate) rows: Option<Rows<'a>>,
}

/// A list of records in the data, with at least one of them.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) path: &'a str,
    /// The fields of each record.
    pub(crate) fields: &'a [Field],
    /// Whether the place is a record of the list, named `x`.
    pub(crate) is_item: bool,
}

impl<'a> Rows<'a> {
    /// Returns the field of a type, if possible the one with this name.
    fn field(&self, ty: &Type, name: &str) -> Option<&'a str> {
        let mut fits = self.fields.iter().filter(|it| it.ty == *ty && is_shown(&it.name));
        let named = fits.clone().find(|it| it.name == name);
        named.or_else(|| fits.next()).map(|it| it.name.as_str())
    }

    /// Returns an expression for a field of a type: that of the record, or of the first one of the list.
    fn value(&self, ty: &Type, name: &str) -> Option<String> {
        let (field, path) = (self.field(ty, name)?, self.path);
        Some(if self.is_item {
            format!("(:{field} x)")
        } else {
            format!("(:{field} (first {path}))")
        })
    }
}

/// Returns an expression of a type. Where the type allows it, the expression reads the data, so that
/// a model which copies it copies no invented value. Returns `None` if the expression is too long.
pub(crate) fn answer(ty: &Type, places: Places<'_>) -> Option<String> {
    let text = expression(ty, "", places, DEPTH)?;
    (text.chars().count() <= LONGEST).then_some(text)
}

/// The maximum length of an answer, in characters.
const LONGEST: usize = 200;

/// The depth of the records and lists that are made field by field.
const DEPTH: u32 = 4;

/// `name` is the field of the answer, if any.
fn expression(ty: &Type, name: &str, places: Places<'_>, depth: u32) -> Option<String> {
    let of_rows = places.rows.and_then(|rows| rows.value(ty, name));
    match (ty, places.list, places.any) {
        (Type::Int(Bounds { min: None | Some(..=0), max: None }), Some(list), _) => {
            Some(format!("(count {list})"))
        }
        (Type::Float(Bounds { min: None, max: None }), Some(list), _) => {
            Some(format!("(* 1.5 (count {list}))"))
        }
        (Type::Bool, Some(list), _) => Some(format!("(empty? {list})")),
        _ if of_rows.is_some() => of_rows,
        (Type::String(Bounds { min: None | Some(0), max: None }), _, Some(any)) => {
            Some(format!("(str {any})"))
        }
        (Type::List(item, Bounds { min: None | Some(0), max: None }), Some(list), _)
            if depth > 0 && matches!(**item, Type::Record(_) | Type::String(_)) =>
        {
            if let Some(rows) = places.rows
                && let Some(field) = rows.field(item, "")
            {
                return Some(format!("(mapv :{field} {})", rows.path));
            }
            let rows = places.rows.filter(|_| matches!(**item, Type::Record(_)));
            let list = rows.map_or(list, |it| it.path);
            let rows = rows.map(|rows| Rows { is_item: true, ..rows });
            let inner = Places { list: None, any: Some("x"), rows };
            let item = expression(item, "", inner, depth - 1)?;
            Some(format!("(mapv (fn [x] {item}) {list})"))
        }
        (Type::Record(fields), ..) if depth > 0 && fields.iter().all(has_plain_name) => {
            let fields = fields.iter().filter(|field| !field.is_optional()).map(|field| {
                let value = expression(&field.ty, &field.name, places, depth - 1)?;
                Some(format!(":{} {value}", field.name))
            });
            let fields: Vec<String> = fields.collect::<Option<_>>()?;
            Some(format!("{{{}}}", fields.join(" ")))
        }
        (Type::Optional(inner), ..) => expression(inner, name, places, depth),
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
            let places = Places { list: Some("ctx/rows"), any: Some("ctx/name"), rows: None };
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
        let none = Places { list: None, any: None, rows: None };
        assert_eq!(answer(&ty, none).as_deref(), Some("{:n 1 :names [\"text\"]}"));
    }
    #[test]
    fn answers_take_fields_of_records() {
        let record: Type =
            "{id :int, customer :string, _mail :string, day :datetime, total :float, note :string?}"
                .parse()
                .unwrap();
        let Type::Record(fields) = &record else { panic!("{record}") };
        let rows = Some(Rows { path: "ctx/orders", fields, is_item: false });
        let places = Places { list: Some("ctx/ids"), any: Some("ctx/name"), rows };
        for (ty, expected) in [
            (":string", "(:customer (first ctx/orders))"),
            (":datetime", "(:day (first ctx/orders))"),
            (":keyword", ":word"),
            ("[:string]", "(mapv :customer ctx/orders)"),
            (
                "{n :int, _mail :string}",
                "{:n (count ctx/ids) :_mail (:customer (first ctx/orders))}",
            ),
            ("[{total :float, name :string, of :int}]", {
                "(mapv (fn [x] {:total (:total x) :name (:customer x) :of (:id x)}) ctx/orders)"
            }),
            ("[{names [:string]}]", "(mapv (fn [x] {:names [\"text\"]}) ctx/orders)"),
        ] {
            let ty: Type = ty.parse().unwrap();
            assert_eq!(answer(&ty, places).as_deref(), Some(expected), "{ty}");
        }
    }
}
