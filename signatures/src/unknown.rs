//! Keys of an input that the signature does not name.

use std::fmt::{self, Display, Formatter};

use serde_json::Value;

use crate::check::MAX_MISMATCHES;
use crate::mismatch::{Path, Step};
use crate::suggest;
use crate::types::{Field, Signature, Type};
use crate::words;

/// A key of an input that the signature does not name.
///
/// Prints as `leastt: the signature has no such key`. It says nothing of the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownKey {
    /// Where the key is, from the input.
    pub path: Path,
    /// The absent field that the key is most like, if it is like enough to be a slip.
    pub near: Option<String>,
    /// The fields that the signature has there.
    pub known: Vec<String>,
}

impl UnknownKey {
    /// Says what to write instead.
    pub fn help(&self) -> String {
        match &self.near {
            Some(near) => format!("did you mean `{near}`?"),
            None if self.known.is_empty() => "it takes no input".into(),
            None => format!("known are {}", self.known.join(", ")),
        }
    }

    /// Whether the key names an input, and not a field of a record in one.
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
    /// Returns the keys of an input that the signature does not name, and those of the records in it;
    /// the first [`MAX_MISMATCHES`] of them. Of a list, the first item is looked at.
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
    ///         "near.town: the signature has no such key; known are city",
    ///     ]
    /// );
    /// # Ok::<(), ptc_signatures::Error>(())
    /// ```
    pub fn unknown_keys(&self, input: &Value) -> Vec<UnknownKey> {
        let mut walk = Walk { steps: Vec::new(), found: Vec::new() };
        walk.map(&[&self.params], input);
        walk.found
    }
}

struct Walk<'a> {
    steps: Vec<Step<'a>>,
    found: Vec<UnknownKey>,
}

impl<'a> Walk<'a> {
    /// Looks at a map that is one of several records: a key is known if one of them names it.
    fn map(&mut self, records: &[&'a [Field]], value: &'a Value) {
        let Value::Object(map) = value else { return };
        for (key, value) in map {
            if self.found.len() >= MAX_MISMATCHES {
                return;
            }
            self.steps.push(Step::Field(key));
            let named: Vec<&Type> = records
                .iter()
                .filter_map(|fields| fields.iter().find(|field| field.name == *key))
                .map(|field| &field.ty)
                .collect();
            if named.is_empty() {
                self.report(records, key, map);
            } else {
                self.value(&named, value);
            }
            self.steps.pop();
        }
    }

    /// Looks at a value that is of one of several types.
    fn value(&mut self, types: &[&'a Type], value: &'a Value) {
        let mut members = Vec::new();
        for ty in types {
            members_of(ty, &mut members);
        }
        match value {
            Value::Object(_) => {
                let mut records = Vec::new();
                for member in members {
                    match member {
                        // Any key may be in it.
                        Type::Any | Type::Map => return,
                        Type::Record(fields) if fields.is_empty() => return,
                        Type::Record(fields) => records.push(fields.as_slice()),
                        _ => {}
                    }
                }
                if !records.is_empty() {
                    self.map(&records, value);
                }
            }
            Value::Array(items) => {
                let Some(first) = items.first() else { return };
                let items = members.iter().filter_map(|member| match member {
                    Type::List(item, _) => Some(&**item),
                    _ => None,
                });
                let items: Vec<&Type> = items.collect();
                if !items.is_empty() && !members.contains(&&Type::Any) {
                    self.steps.push(Step::Index(0));
                    self.value(&items, first);
                    self.steps.pop();
                }
            }
            _ => {}
        }
    }

    fn report(&mut self, records: &[&[Field]], key: &str, map: &serde_json::Map<String, Value>) {
        let names = || records.iter().flat_map(|fields| fields.iter()).map(|it| it.name.as_str());
        let near = suggest::nearest(key, names().filter(|name| !map.contains_key(*name)));
        let mut path = Path::of(&self.steps);
        if let Some(crate::mismatch::Segment::Field(name)) = path.0.last_mut() {
            *name = words::cut(name);
        }
        let known = names().take(MAX_KNOWN).map(str::to_owned).collect();
        self.found.push(UnknownKey { path, near: near.map(str::to_owned), known });
    }
}

/// More names than these in one message help nobody.
const MAX_KNOWN: usize = 20;

/// The types that a value of the type may have, without unions and options.
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
