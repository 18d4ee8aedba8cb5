//! Inspects values: their shapes as constants of a program and as data.

use std::sync::Arc;

use super::combine::kinds_of;
use super::types::{Data, Length, Shape};
use ptc_signatures::Kinds;
use ptc_values::{Map, Value};

/// The parts of a value that are inspected; beyond them only kinds are known.
const LOOKED_AT: usize = 256;

/// The items of a list and fields of a map that are inspected one by one.
const ITEMS: usize = 32;

/// The depth to which data and types are inspected.
const DEEP: u32 = 6;

impl Shape {
    /// Returns the shape of a constant of the program.
    pub fn of_constant(value: &Value) -> Shape {
        match value {
            Value::Str(_) | Value::Keyword(_) | Value::Int(_) => Shape::Known(value.clone()),
            _ => data(value, None, &mut LOOKED_AT.clone(), Source::Program),
        }
    }

    /// Returns the value that has this shape, if all of its parts are known. The keys of maps become keywords.
    pub fn literal(&self) -> Option<Value> {
        self.literal_within(DEEP)
    }

    fn literal_within(&self, levels: u32) -> Option<Value> {
        let inner = levels.checked_sub(1);
        match self {
            Shape::Known(value) => Some(value.clone()),
            Shape::Items(items) => {
                let items = items.iter().map(|it| it.literal_within(inner?));
                Some(Value::vector(items.collect::<Option<Vec<Value>>>()?))
            }
            Shape::Map(map) if !map.open => {
                let rows = map.fields.iter().map(|(name, it)| {
                    Some((Value::keyword(name.as_str()), it.literal_within(inner?)?))
                });
                Some(Value::map(rows.collect::<Option<Vec<_>>>()?))
            }
            _ => None,
        }
    }

    /// Returns the shape of named data such as `ctx/orders`. Lengths refer to the name.
    pub fn of_data(value: &Value, place: &str, key: &str) -> Shape {
        let place = Name { text: place, up: None };
        let name = Name { text: key, up: Some(&place) };
        data(value, Some(&name), &mut LOOKED_AT.clone(), Source::Data)
    }

    /// Returns the shape of data without a name.
    pub fn of_part(value: &Value) -> Shape {
        data(value, None, &mut LOOKED_AT.clone(), Source::Data)
    }

    /// Returns the shape of all data in a map such as `ctx`.
    pub fn of_map(map: &Map, place: &str) -> Shape {
        let place = Name { text: place, up: None };
        let known = fields(map, Some(&place), &mut LOOKED_AT.clone(), Source::Data);
        known.unwrap_or(Shape::Kinds(Kinds::MAP))
    }
}

/// The name of a part of data: a key within its parent. It is rendered for lists only.
struct Name<'n> {
    text: &'n str,
    up: Option<&'n Name<'n>>,
}

impl std::fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Some(up) = self.up else { return f.write_str(self.text) };
        let between = match up {
            Name { text: "", .. } => "",
            Name { up: None, .. } => "/",
            Name { .. } => ", ",
        };
        // The recursion is as deep as data is inspected.
        write!(f, "{up}{between}{}", self.text)
    }
}

/// The origin of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// A constant of the program: every item is inspected, and any field may be read.
    Program,
    /// Data: reading an absent field is an error.
    Data,
}

/// Returns the shape of data. `left` is the number of parts that may still be inspected.
fn data(value: &Value, name: Option<&Name<'_>>, left: &mut usize, source: Source) -> Shape {
    *left = left.saturating_sub(1);
    if *left == 0 {
        return Shape::Kinds(kinds_of(value));
    }
    match value {
        // A look at its items would make them.
        Value::List(seq) if seq.is_unbuilt() => {
            let of = name.map(|name| name.to_string().into());
            let length = Length { of, ..Length::exactly(seq.len() as u64) };
            Shape::list(Shape::Kinds(Kinds::INT), length)
        }
        Value::List(_) | Value::Vector(_) | Value::Set(_) => {
            let len = value.items_len().unwrap_or(0);
            let items = value.items().into_iter().flatten();
            let few = len <= ITEMS && value.depth() <= DEEP;
            // Programs look up members of a set, not positions. A sequence may be keys and values.
            if source == Source::Program && few && matches!(value, Value::Vector(_)) {
                return Shape::Items(items.map(|item| data(item, None, left, source)).collect());
            }
            let item = if few {
                let shapes = items.map(|item| data(item, None, left, source));
                shapes.reduce(|a, b| a.or(&b)).unwrap_or(Shape::Kinds(Kinds::NONE))
            } else {
                Shape::ANY
            };
            let of = name.map(|name| name.to_string().into());
            let length = Length { of, ..Length::exactly(len as u64) };
            let item = match source {
                // Some of its items were not inspected.
                Source::Data if !few || *left == 0 => Data::of(value).item(),
                _ => item,
            };
            Shape::list(item, length)
        }
        Value::Map(map)
            if value.depth() <= DEEP
                && let Some(shape) = fields(map, name, left, source) =>
        {
            shape
        }
        Value::Map(_) if source == Source::Data => Shape::Data(Arc::new(Data::of(value))),
        Value::Map(_) | Value::Function(_) | Value::Builtin(_) => Shape::Kinds(kinds_of(value)),
        other => Shape::Known(other.clone()),
    }
}

/// Returns the shape of a map with few keys, all of them names.
fn fields(map: &Map, name: Option<&Name<'_>>, left: &mut usize, source: Source) -> Option<Shape> {
    if map.len() > ITEMS {
        return None;
    }
    let mut all = Vec::with_capacity(map.len());
    for (key, value) in map.iter() {
        let (Value::Str(text) | Value::Keyword(text)) = key else { return None };
        let name = name.map(|up| Name { text, up: Some(up) });
        all.push((text.clone(), data(value, name.as_ref(), left, source)));
    }
    Some(match source {
        Source::Program => Shape::exact(all),
        Source::Data => Shape::record(all, false),
    })
}
