//! Infers the type of data without a signature.

use std::collections::BTreeSet;

use ptc_lisp::{Map, Value};
use ptc_signatures::{Field, Type};

/// Returns the type of a value. The types of list items are merged. A field is optional if it is
/// missing or nil in some record, and mixed kinds become a union.
///
/// Maps whose keys are data rather than names are `:map`. Containers deeper than `depth` levels are
/// not visited, which also bounds the recursion.
pub(crate) fn infer(value: &Value, depth: usize) -> Type {
    let mut shape = Shape::default();
    shape.add(value, depth);
    shape.into_type()
}

/// Returns the type that all values have. `None` if there are no values, or if they are of different
/// kinds.
///
/// ```
/// use ptc_lisp::json::parse;
/// use ptc_prompt::type_of_all;
///
/// let check = |values: &[&str]| {
///     let values: Vec<_> = values.iter().map(|it| parse(it).unwrap()).collect();
///     type_of_all(&values, 4).map(|it| it.to_string())
/// };
/// let rows = check(&[r#"[{"id": 1}]"#, r#"[{"id": 2, "note": "x"}]"#]);
/// assert_eq!(rows.as_deref(), Some("[{id :int, note :string?}]"));
/// assert_eq!(check(&["1", r#""x""#]), None);
/// assert_eq!(check(&[]), None);
/// ```
pub fn type_of_all(values: &[Value], depth: usize) -> Option<Type> {
    let mut shape = Shape::default();
    for value in values {
        shape.add(value, depth);
    }
    match shape.into_type() {
        Type::Any | Type::Union(_) | Type::Optional(_) => None,
        one => Some(one),
    }
}

/// The maximum number of fields of a record. A map with more keys is a table.
const MAX_FIELDS: usize = 32;

/// Returns whether the name is a plain name of the type language.
fn is_field_name(name: &str) -> bool {
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    begins && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

/// The kinds of values found at one place of the data.
#[derive(Default)]
struct Shape {
    kinds: BTreeSet<Kind>,
    list: Option<Box<Shape>>,
    record: Option<Record>,
}

/// The kinds, in the order in which a union names them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Bool,
    Int,
    Float,
    String,
    Keyword,
    /// A map that is not a record.
    Map,
    Nil,
    /// A value that only `:any` accepts.
    Other,
}

#[derive(Default)]
struct Record {
    /// The fields in the order of first occurrence, each with the number of records that have it.
    fields: Vec<(String, Shape, usize)>,
    seen: usize,
}

impl Shape {
    fn add(&mut self, value: &Value, depth: usize) {
        if let Some(items) = value.items() {
            let list = self.list.get_or_insert_default();
            if let Some(depth) = depth.checked_sub(1) {
                items.for_each(|item| list.add(item, depth));
            }
            return;
        }
        let kind = match value {
            Value::Nil => Kind::Nil,
            Value::Bool(_) => Kind::Bool,
            Value::Float(_) => Kind::Float,
            Value::Str(_) => Kind::String,
            Value::Keyword(_) => Kind::Keyword,
            Value::Map(map) if self.add_record(map, depth) => return,
            Value::Map(_) => Kind::Map,
            // Both 64-bit and big integers.
            value if value.type_name() == "integer" => Kind::Int,
            _ => Kind::Other,
        };
        self.kinds.insert(kind);
    }

    /// Merges a map as a record, and returns whether it is one.
    fn add_record(&mut self, map: &Map, depth: usize) -> bool {
        let named = |(key, _): (&Value, _)| key.name().is_some_and(is_field_name);
        let Some(depth) = depth.checked_sub(1) else { return false };
        if map.len() > MAX_FIELDS || !map.iter().all(named) {
            return false;
        }
        let record = self.record.get_or_insert_default();
        record.seen += 1;
        for (i, (key, value)) in map.iter().enumerate() {
            let name = key.name().unwrap_or_default();
            // Records of one kind mostly have their fields in the same order.
            let at = match record.fields.get(i) {
                Some((field, ..)) if field == name => Some(i),
                _ => record.fields.iter().position(|(field, ..)| field == name),
            };
            let at = at.unwrap_or_else(|| {
                record.fields.push((name.to_owned(), Shape::default(), 0));
                record.fields.len() - 1
            });
            if let Some((_, shape, count)) = record.fields.get_mut(at) {
                *count += 1;
                shape.add(value, depth);
            }
        }
        record.fields.len() <= MAX_FIELDS
    }

    fn into_type(mut self) -> Type {
        let nil = self.kinds.remove(&Kind::Nil);
        if self.kinds.contains(&Kind::Float) {
            self.kinds.remove(&Kind::Int);
        }
        let mut members = Vec::new();
        for kind in &self.kinds {
            members.push(match kind {
                Kind::Bool => Type::Bool,
                Kind::Int => Type::INT,
                Kind::Float => Type::FLOAT,
                Kind::String => Type::STRING,
                Kind::Keyword => Type::Keyword,
                Kind::Map => Type::Map,
                Kind::Nil | Kind::Other => return Type::Any,
            });
        }
        if let Some(record) = self.record.filter(|_| !self.kinds.contains(&Kind::Map)) {
            members.push(record.into_type());
        }
        members.extend(self.list.map(|item| Type::list(item.into_type())));
        let ty = match members.len() {
            0 | 1 => members.pop().unwrap_or(Type::Any),
            _ => Type::Union(members),
        };
        if nil && ty != Type::Any { ty.optional() } else { ty }
    }
}

impl Record {
    fn into_type(self) -> Type {
        let seen = self.seen;
        let field = |(name, shape, count): (String, Shape, usize)| {
            let ty = shape.into_type();
            Field::new(name, if count < seen { ty.optional() } else { ty })
        };
        if self.fields.is_empty() {
            return Type::Map;
        }
        Type::Record(self.fields.into_iter().map(field).collect())
    }
}
