//! Reads of fields, by shape.

use std::sync::Arc;

use arcstr::ArcStr;
use ptc_signatures::Kinds;

use super::data::Found;
use super::missing::{Absence, MissingField};
use super::types::{Fields, Others, Shape};

/// The result of reading a field.
pub struct FieldRead {
    pub shape: Shape,
    pub found: Presence,
}

/// The presence of a field.
pub enum Presence {
    /// It is a field of the record.
    Yes,
    No(MissingField),
    /// The value may have any field, and only data can tell.
    Unknown(ArcStr),
    /// The program may read any field: it made the value itself.
    Perhaps,
}

impl FieldRead {
    /// Returns whether the value has no fields at all.
    pub fn is_impossible(&self) -> bool {
        matches!(&self.found, Presence::No(it) if it.absence == Absence::Impossible)
    }
}

impl Shape {
    /// Returns the result of reading a field.
    pub fn read_field(&self, name: &ArcStr) -> FieldRead {
        FieldRead { shape: self.field_of(name), found: self.find(name) }
    }

    fn find(&self, name: &ArcStr) -> Presence {
        let named = Kinds::KEYWORD | Kinds::STRING;
        match self.collection() {
            Shape::Map(map) if map.has(name) => Presence::Yes,
            Shape::Map(map) if map.others == Others::Allowed || map.fields.is_empty() => {
                if map.open { Presence::Unknown(name.clone()) } else { Presence::Perhaps }
            }
            Shape::Map(map) => Presence::No(MissingField::of(name, names_of(map), map.others)),
            Shape::Data(data) => match data.find(name) {
                Found::There => Presence::Yes,
                Found::Absent(others) => Presence::No(MissingField::of(name, data.names(), others)),
                Found::Unknown => Presence::Unknown(name.clone()),
            },
            Shape::List(list) => match list.0.find(name) {
                Presence::Yes if !matches!(list.0.collection(), Shape::List(_)) => {
                    Presence::No(MissingField::of_list(name))
                }
                // A set has its members as keys.
                _ if list.0.kinds() == Kinds::NONE || list.0.kinds().meets(named) => {
                    Presence::Perhaps
                }
                _ => Presence::No(MissingField::of_items(name, None)),
            },
            Shape::Items(items) => Presence::No(MissingField::of_items(name, Some(items.len()))),
            other => match scalar(other.kinds()) {
                Some(what) => Presence::No(MissingField::of_scalar(name, what)),
                None if other.kinds().meets(Kinds::MAP) => match other {
                    Shape::Kinds(_) => Presence::Unknown(name.clone()),
                    _ => Presence::Perhaps,
                },
                None => Presence::Perhaps,
            },
        }
    }

    /// Returns whether it contains records with known fields.
    pub fn has_record(&self) -> bool {
        match self {
            Shape::Map(map) => map.others > Others::Allowed && !map.fields.is_empty(),
            Shape::List(list) => list.0.has_record(),
            Shape::Items(items) => items.iter().any(Shape::has_record),
            Shape::Entries(entries) => entries.1.has_record(),
            Shape::Maybe(inner) => inner.has_record(),
            Shape::Data(_) => true,
            _ => false,
        }
    }

    /// Returns the shape as program-kept data. A map may be a dictionary that the program fills; the items of a list
    /// are records.
    pub fn kept(self) -> Shape {
        match self {
            Shape::Map(map) => Shape::exact(map.fields.clone()),
            Shape::Data(data) if data.kinds() == Kinds::MAP => Shape::dictionary(),
            Shape::Data(data) => Shape::Kinds(data.kinds()),
            other => other,
        }
    }

    /// Adds undeclared fields that values of it had.
    pub fn with_seen(&self, seen: &[ArcStr]) -> Shape {
        match self {
            Shape::Map(map) => {
                let known = map.fields.iter();
                let mut fields: Vec<_> =
                    known.map(|(name, it)| (name.clone(), it.with_seen(seen))).collect();
                let more = seen.iter().filter(|name| !map.has(name));
                fields.extend(more.map(|name| (name.clone(), Shape::ANY)));
                Shape::Map(Arc::new(Fields { fields, open: map.open, others: map.others }))
            }
            Shape::List(list) => Shape::list(list.0.with_seen(seen), list.1.clone()),
            Shape::Maybe(inner) => inner.with_seen(seen).or_nil(),
            other => other.clone(),
        }
    }
}

/// Returns the name of the kinds if none of them has fields. Nil is left out, since it may be a
/// record that is absent.
fn scalar(kinds: Kinds) -> Option<&'static str> {
    let kinds = kinds.without(Kinds::NIL);
    let within = |all: Kinds| kinds.without(all) == Kinds::NONE;
    match () {
        () if kinds == Kinds::NONE => None,
        () if within(Kinds::NUMBER) => Some("a number"),
        () if within(Kinds::STRING) => Some("a string"),
        () if within(Kinds::KEYWORD) => Some("a keyword"),
        () if within(Kinds::BOOL) => Some("a boolean"),
        () if within(SCALARS) => Some("this value"),
        () => None,
    }
}

/// The kinds of values without fields and items.
const SCALARS: Kinds =
    Kinds::ANY.without(Kinds::NIL).without(Kinds::LIST).without(Kinds::MAP).without(Kinds::OTHER);

fn names_of(map: &Fields<false>) -> Vec<String> {
    map.fields.iter().map(|(name, _)| name.to_string()).collect()
}
