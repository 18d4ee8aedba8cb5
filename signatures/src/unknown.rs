//! Finds keys of an input that the signature does not name.

use std::borrow::Borrow as _;
use std::fmt::{self, Display, Formatter};

use crate::check::MAX_MISMATCHES;
use crate::datum::{Datum, View};
use crate::mismatch::{Path, Segment};
use crate::suggest;
use crate::types::{Field, Signature, Type};
use crate::words;

/// A key of an input that the signature does not name.
///
/// Prints as `leastt: the signature has no such key`. The value is not part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownKey {
    /// The path to the key, from the input.
    pub path: Path,
    /// The absent field most similar to the key, if a misspelling can explain the difference.
    pub near: Option<String>,
    /// The fields that the signature names at this place.
    pub known: Vec<String>,
}

impl UnknownKey {
    /// Returns advice on what to write instead.
    pub fn help(&self) -> String {
        match &self.near {
            Some(near) => format!("did you mean `{near}`?"),
            None if self.known.is_empty() => "it has no inputs".into(),
            None => format!("the known keys are {}", self.known.join(", ")),
        }
    }

    /// Returns whether the key is at the top level of the input, not in a record below it.
    pub fn is_input(&self) -> bool {
        self.path.0.len() == 1
    }
}

impl Display for UnknownKey {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: the signature has no such key", self.path)
    }
}

impl Signature {
    /// Returns the keys of an input, and of the records in it, that the signature does not name. It
    /// returns at most [`MAX_MISMATCHES`] keys, and of a list it checks only the first item.
    ///
    /// ```
    /// use ptc_signatures::Signature;
    /// use serde_json::json;
    ///
    /// let signature: Signature = "(least :int?, near {city :string?}?) -> :int".parse()?;
    /// let unknown = signature.unknown_keys(&json!({"leastt": 3, "near": {"town": "Bonn"}}));
    /// let unknown: Vec<String> = unknown.iter().map(|it| format!("{it}; {}", it.help())).collect();
    /// assert_eq!(
    ///     unknown,
    ///     [
    ///         "leastt: the signature has no such key; did you mean `least`?",
    ///         "near.town: the signature has no such key; the known keys are city",
    ///     ]
    /// );
    /// # Ok::<(), ptc_signatures::Error>(())
    /// ```
    pub fn unknown_keys<D: Datum>(&self, input: &D) -> Vec<UnknownKey> {
        let mut found = Vec::new();
        check_map(&mut found, None, &[&self.params], input);
        found
    }
}

/// A place in an input, linked to its parent. Only a report pays for a [`Path`].
struct Place<'a> {
    within: Option<&'a Place<'a>>,
    step: Step<'a>,
}

enum Step<'a> {
    Field(&'a str),
    Index(usize),
}

impl Place<'_> {
    fn path(&self) -> Path {
        let up = |place: &&Self| place.within;
        let places = std::iter::successors(Some(self), up);
        let mut path: Vec<Segment> = places
            .map(|place| match place.step {
                Step::Field(name) => Segment::Field(name.to_owned()),
                Step::Index(index) => Segment::Index(index),
            })
            .collect();
        path.reverse();
        Path(path)
    }
}

/// Checks a map that may be one of several records. A key is known if one of them names it.
fn check_map<D: Datum>(
    found: &mut Vec<UnknownKey>,
    within: Option<&Place<'_>>,
    records: &[&[Field]],
    map: &D,
) {
    for (key, value) in map.entries() {
        if found.len() >= MAX_MISMATCHES {
            return;
        }
        let place = Place { within, step: Step::Field(&key) };
        let named: Vec<&Type> = records
            .iter()
            .filter_map(|fields| fields.iter().find(|field| field.name == key))
            .map(|field| &field.ty)
            .collect();
        if named.is_empty() {
            found.push(unknown(&place, records, &key, map));
        } else {
            check_value(found, &place, &named, value);
        }
    }
}

/// Checks a value that may be of one of several types.
fn check_value<D: Datum>(
    found: &mut Vec<UnknownKey>,
    place: &Place<'_>,
    types: &[&Type],
    value: &D,
) {
    let mut members = Vec::new();
    for ty in types {
        members_of(ty, &mut members);
    }
    match value.view() {
        View::Map => {
            let mut records = Vec::new();
            for member in members {
                match member {
                    // These types allow any key.
                    Type::Any | Type::Map => return,
                    Type::Record(record) if record.is_empty() || record.open => return,
                    Type::Record(record) => records.push(&**record),
                    _ => {}
                }
            }
            if !records.is_empty() {
                check_map(found, Some(place), &records, value);
            }
        }
        View::List => {
            let Some(first) = value.items().next() else { return };
            let items = members.iter().filter_map(|member| match member {
                Type::List(item, _) => Some(&**item),
                _ => None,
            });
            let items: Vec<&Type> = items.collect();
            if !items.is_empty() && !members.contains(&&Type::Any) {
                let place = Place { within: Some(place), step: Step::Index(0) };
                check_value::<D>(found, &place, &items, first.borrow());
            }
        }
        _ => {}
    }
}

fn unknown<D: Datum>(place: &Place<'_>, records: &[&[Field]], key: &str, map: &D) -> UnknownKey {
    let names = || records.iter().flat_map(|fields| fields.iter()).map(|it| it.name.as_str());
    let near = suggest::nearest(key, names().filter(|name| map.field(name).is_none()));
    let mut path = place.path();
    if let Some(Segment::Field(name)) = path.0.last_mut() {
        *name = words::cut(name);
    }
    let known = names().take(MAX_KNOWN).map(str::to_owned).collect();
    UnknownKey { path, near: near.map(str::to_owned), known }
}

/// The maximum number of known fields in one report.
const MAX_KNOWN: usize = 20;

/// Collects the alternatives of a type, with unions and optionals flattened.
fn members_of<'a>(ty: &'a Type, members: &mut Vec<&'a Type>) {
    match ty {
        Type::Optional(inner) => members_of(inner, members),
        Type::Union(all) => {
            for member in all {
                members_of(member, members);
            }
        }
        _ => members.push(ty),
    }
}
