//! Patches: lists of changes to a payload.

use std::fmt::{self, Display, Formatter};

use ptc_lisp::Value;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::path::{Path, PathError};
use super::tree::{self, MAX_LEVELS, Segment};
use crate::Data;

/// A list of operations that change a payload, in order.
///
/// ```
/// use ptc_subagent::Data;
/// use ptc_subagent::payload::{Op, Patch};
/// use serde_json::json;
///
/// let patch = Patch::new([
///     Op::put("order.total".parse()?, json!(40)),
///     Op::push("order.notes".parse()?, json!("paid")),
/// ]);
/// let before = Data::from(json!({"order": {"total": 0}}));
/// let after = patch.apply(&before)?;
/// assert_eq!(after, json!({"order": {"total": 40, "notes": ["paid"]}}));
/// assert_eq!(before, json!({"order": {"total": 0}}));
///
/// let error = patch.apply(&Data::from(json!({"order": {"notes": "none"}}))).unwrap_err();
/// assert_eq!(error.to_string(), "payload/push order.notes: expected a list, found string");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// It is recorded as a list of objects with `op`, `path` and, except for a deletion, `value`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Patch {
    ops: Vec<Op>,
}

/// One operation of a [`Patch`]. It prints as the form of a program that performs it.
///
/// On its way to a path, an operation creates the maps and lists that are absent or nil. An index may be one past the
/// end of a list, which appends.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// Sets the value at a path: `payload/put`.
    Put {
        /// The path of the value.
        path: Path,
        /// The new value.
        value: Data,
    },
    /// Appends an item to the list at a path: `payload/push`.
    Push {
        /// The path of the list.
        path: Path,
        /// The new item.
        value: Data,
    },
    /// Removes a key of a map, or an item of a list: `payload/delete`. It does nothing if there is none.
    Delete {
        /// The path of the value.
        path: Path,
    },
    /// Sets each key of `value` in the map at a path, like Clojure's `merge`: `payload/merge`.
    Merge {
        /// The path of the map.
        path: Path,
        /// The map whose keys are set.
        value: Data,
    },
}

/// The reason that an operation does not fit a payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatchError {
    /// The name of the operation, such as `payload/push`.
    pub op: &'static str,
    /// The path of the operation.
    pub path: Path,
    /// The path of the value that does not fit, which may be a part of the way.
    pub at: Path,
    /// The expectation in words.
    pub expected: String,
    /// The finding in words.
    pub found: String,
}

/// The reason that data is not a recorded patch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("operation {at} of the patch: expected {expected}, found {found}")]
pub struct RecordError {
    /// The number of the operation, from 0.
    pub at: usize,
    /// The expectation in words.
    pub expected: String,
    /// The finding in words.
    pub found: String,
}

impl Patch {
    /// Returns a patch of these operations.
    pub fn new(ops: impl IntoIterator<Item = Op>) -> Patch {
        Patch { ops: ops.into_iter().collect() }
    }

    /// Appends an operation.
    pub fn push(&mut self, op: Op) {
        self.ops.push(op);
    }

    /// Appends the operations of another patch.
    pub fn append(&mut self, other: Patch) {
        self.ops.extend(other.ops);
    }

    /// Returns the operations.
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// Returns whether the patch has no operations.
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    /// Returns the changed payload. It shares the unchanged parts with `payload`, which stays as it is.
    ///
    /// # Errors
    ///
    /// [`PatchError`] for the first operation that does not fit.
    pub fn apply(&self, payload: &Data) -> Result<Data, PatchError> {
        let mut payload = payload.clone();
        self.ops.iter().try_for_each(|op| op.apply_to(&mut payload))?;
        Ok(payload)
    }

    /// Reads a recorded patch.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if the data is not a list of operations.
    pub fn from_data(data: &Data) -> Result<Patch, RecordError> {
        let Value::Vector(items) = data.value() else {
            let found = tree::kind(data.value()).to_owned();
            return Err(RecordError { at: 0, expected: "a list of operations".to_owned(), found });
        };
        items.iter().enumerate().map(|(at, item)| Op::recorded(at, item)).collect()
    }

    /// Returns the patch as it is recorded.
    pub fn to_data(&self) -> Data {
        Data::made(Value::vector(self.ops.iter().map(Op::to_value).collect()))
    }
}

impl FromIterator<Op> for Patch {
    fn from_iter<I: IntoIterator<Item = Op>>(ops: I) -> Patch {
        Patch::new(ops)
    }
}

/// Reads JSON text, with every digit of its integers.
impl<'de> Deserialize<'de> for Patch {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Patch, D::Error> {
        let text = Box::<RawValue>::deserialize(from)?;
        let data = Data::recorded(text.get()).map_err(serde::de::Error::custom)?;
        Patch::from_data(&data).map_err(serde::de::Error::custom)
    }
}

/// Prints one operation a line.
impl Display for Patch {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (at, op) in self.ops.iter().enumerate() {
            write!(f, "{}{op}", if at > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

impl Op {
    /// Returns the operation that sets the value at a path.
    pub fn put(path: Path, value: impl Into<Data>) -> Op {
        Op::Put { path, value: value.into() }
    }

    /// Returns the operation that appends an item to the list at a path.
    pub fn push(path: Path, value: impl Into<Data>) -> Op {
        Op::Push { path, value: value.into() }
    }

    /// Returns the operation that removes the value at a path.
    pub fn delete(path: Path) -> Op {
        Op::Delete { path }
    }

    /// Returns the operation that sets each key of a map in the map at a path.
    pub fn merge(path: Path, value: impl Into<Data>) -> Op {
        Op::Merge { path, value: value.into() }
    }

    /// Returns the name of the function that performs the operation, such as `payload/put`.
    pub fn name(&self) -> &'static str {
        match self {
            Op::Put { .. } => "payload/put",
            Op::Push { .. } => "payload/push",
            Op::Delete { .. } => "payload/delete",
            Op::Merge { .. } => "payload/merge",
        }
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        match self {
            Op::Put { path, .. }
            | Op::Push { path, .. }
            | Op::Delete { path }
            | Op::Merge { path, .. } => path,
        }
    }

    /// Returns the value, item or map; none for a deletion.
    pub fn value(&self) -> Option<&Data> {
        match self {
            Op::Put { value, .. } | Op::Push { value, .. } | Op::Merge { value, .. } => Some(value),
            Op::Delete { .. } => None,
        }
    }

    /// Changes a payload in place. An operation that does not fit changes nothing.
    ///
    /// # Errors
    ///
    /// [`PatchError`] if the operation does not fit the payload, or the result nests over 126 levels.
    pub fn apply_to(&self, payload: &mut Data) -> Result<(), PatchError> {
        if self.fits(payload.value())? {
            let root = std::mem::take(payload).into_value();
            *payload = Data::made(edited(root, self.path().segments(), |old| self.changed(old)));
        }
        Ok(())
    }

    /// Returns the operation on the part of a larger payload that `base` leads to.
    #[must_use]
    pub fn under(&self, base: &Path) -> Op {
        let mut op = self.clone();
        match &mut op {
            Op::Put { path, .. }
            | Op::Push { path, .. }
            | Op::Delete { path }
            | Op::Merge { path, .. } => *path = base.join(path),
        }
        op
    }

    /// Returns the value inside of a map for each key of the path, such as `{"order": {"_key": 1}}`. So a search for
    /// hidden fields finds it.
    pub(crate) fn shaped(&self) -> Data {
        let value = self.value().map(|value| value.value().clone()).unwrap_or_default();
        let keys = self.path().segments().iter().rev();
        Data::made(keys.fold(value, |inner, segment| match segment {
            Segment::Key(key) => Value::map([(Value::Str(key.clone()), inner)]),
            Segment::Index(_) => inner,
        }))
    }

    /// Returns the operation with the value in a changed copy of [`Op::shaped`]. A part of the way may have become a
    /// text, which then is the value.
    pub(crate) fn reshaped(&self, shaped: &Data) -> Op {
        let keys = self.path().segments().iter().filter(|it| matches!(it, Segment::Key(_)));
        let mut found = shaped.value();
        for key in keys {
            found = tree::child(found, key).unwrap_or(found);
        }
        let mut op = self.clone();
        if let Op::Put { value, .. } | Op::Push { value, .. } | Op::Merge { value, .. } = &mut op {
            *value = Data::made(found.clone());
        }
        op
    }

    /// Checks the operation and returns whether it has anything to do.
    fn fits(&self, root: &Value) -> Result<bool, PatchError> {
        let segments = self.path().segments();
        let mut current = Some(root);
        for (depth, segment) in segments.iter().enumerate() {
            let wrong = |expected: &str, value: &Value| {
                self.error(depth, expected.to_owned(), tree::kind(value).to_owned())
            };
            current = match (segment, current) {
                (Segment::Key(_), None | Some(Value::Nil | Value::Map(_))) => current,
                (Segment::Key(_), Some(other)) => return Err(wrong("a map", other)),
                (Segment::Index(index), None | Some(Value::Nil | Value::Vector(_))) => {
                    let len = current.map_or(0, tree::len);
                    if *index > len && !matches!(self, Op::Delete { .. }) {
                        let expected = format!("an index from 0 to {len}");
                        return Err(self.error(depth, expected, index.to_string()));
                    }
                    current
                }
                (Segment::Index(_), Some(other)) => return Err(wrong("a list", other)),
            }
            .and_then(|value| tree::child(value, segment));
        }
        let wrong = |expected: &str, value: &Value| {
            Err(self.error(segments.len(), expected.to_owned(), tree::kind(value).to_owned()))
        };
        let (own, value) = match (self, current) {
            (Op::Delete { .. }, _) if segments.is_empty() => {
                return Err(self.error(0, "a path of a part".to_owned(), "the root".to_owned()));
            }
            (Op::Delete { .. }, found) => return Ok(found.is_some()),
            (Op::Put { value, .. }, _) => (0, value.value()),
            (Op::Push { value, .. }, None | Some(Value::Nil | Value::Vector(_))) => {
                (1, value.value())
            }
            (Op::Push { .. }, Some(other)) => return wrong("a list", other),
            (Op::Merge { .. }, Some(other)) if !matches!(other, Value::Nil | Value::Map(_)) => {
                return wrong("a map", other);
            }
            (Op::Merge { value, .. }, _) => match value.value() {
                Value::Map(_) => (0, value.value()),
                other => {
                    let expected = "a map to merge".to_owned();
                    let found = tree::kind(other).to_owned();
                    return Err(self.error(segments.len(), expected, found));
                }
            },
        };
        let room = MAX_LEVELS.checked_sub(segments.len() + own);
        if room.is_none_or(|room| tree::levels(value, room) > room) {
            let expected = format!("at most {MAX_LEVELS} levels");
            return Err(self.error(segments.len(), expected, "more".to_owned()));
        }
        Ok(true)
    }

    /// Returns the new value at the path.
    fn changed(&self, old: Option<Value>) -> Option<Value> {
        match self {
            Op::Put { value, .. } => Some(value.value().clone()),
            Op::Delete { .. } => None,
            Op::Push { value, .. } => {
                let mut list = old.filter(|it| !it.is_nil()).unwrap_or_else(empty_list);
                list.push_item(value.value().clone());
                Some(list)
            }
            Op::Merge { value, .. } => {
                let mut map = old.filter(|it| !it.is_nil()).unwrap_or_else(empty_map);
                for (key, value) in tree::children(value.value()) {
                    if let Segment::Key(key) = key {
                        map.set_field(key, value.clone());
                    }
                }
                Some(map)
            }
        }
    }

    /// Returns the error about the value that the first steps of the path lead to.
    fn error(&self, steps: usize, expected: String, found: String) -> PatchError {
        let path = self.path();
        let at = Path::of(path.segments().get(..steps).unwrap_or_default());
        PatchError { op: self.name(), path: path.clone(), at, expected, found }
    }

    fn recorded(at: usize, item: &Value) -> Result<Op, RecordError> {
        let error =
            |expected: String, found: &str| RecordError { at, expected, found: found.to_owned() };
        let part = |name: &str| {
            let expected = || error(format!("an object with `{name}`"), tree::kind(item));
            item.get(name).cloned().map(Data::made).ok_or_else(expected)
        };
        let path = Path::from_data(&part("path")?)
            .map_err(|PathError { expected, found }| error(expected, &found))?;
        match part("op")?.value().as_str() {
            Some("put") => Ok(Op::Put { path, value: part("value")? }),
            Some("push") => Ok(Op::Push { path, value: part("value")? }),
            Some("delete") => Ok(Op::Delete { path }),
            Some("merge") => Ok(Op::Merge { path, value: part("value")? }),
            other => {
                let expected = "`op` to be put, push, delete or merge".to_owned();
                Err(error(expected, other.unwrap_or("another value")))
            }
        }
    }

    /// Returns the word of the record.
    fn word(&self) -> &'static str {
        self.name().trim_start_matches("payload/")
    }

    fn to_value(&self) -> Value {
        let rows = [("op", Some(Value::str(self.word()))), ("path", Some(self.path().to_value()))];
        let value = ("value", self.value().map(|data| data.value().clone()));
        let rows = rows.into_iter().chain([value]);
        Value::map(rows.filter_map(|(key, value)| Some((Value::str(key), value?))))
    }
}

impl Display for Op {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "({} {}", self.name(), self.path().to_value())?;
        if let Some(value) = self.value() {
            write!(f, " {}", value.value())?;
        }
        f.write_str(")")
    }
}

impl Serialize for Op {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("op", self.word())?;
        map.serialize_entry("path", self.path())?;
        if let Some(value) = self.value() {
            map.serialize_entry("value", value)?;
        }
        map.end()
    }
}

impl Display for PatchError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.op)?;
        if !self.path.is_root() {
            write!(f, " {}", self.path)?;
        }
        write!(f, ": expected {}", self.expected)?;
        match (self.at == self.path, self.at.is_root()) {
            (true, _) => {}
            (false, true) => f.write_str(" as the payload")?,
            (false, false) => write!(f, " at {}", self.at)?,
        }
        write!(f, ", found {}", self.found)
    }
}

impl std::error::Error for PatchError {}

fn empty_list() -> Value {
    Value::vector(Vec::new())
}

fn empty_map() -> Value {
    Value::map([])
}

/// Changes the value at a path, with the containers on the way. The change must fit.
fn edited(
    root: Value,
    path: &[Segment],
    change: impl FnOnce(Option<Value>) -> Option<Value>,
) -> Value {
    let mut current = Some(root);
    let mut opened = Vec::with_capacity(path.len());
    for segment in path {
        let mut container = match (current.filter(|it| !it.is_nil()), segment) {
            (Some(container), _) => container,
            (None, Segment::Key(_)) => empty_map(),
            (None, Segment::Index(_)) => empty_list(),
        };
        current = match segment {
            Segment::Key(key) => container.take_field(key),
            Segment::Index(index) => container.take_item(*index),
        };
        opened.push((segment, container));
    }
    let mut new = change(current);
    while let Some((segment, mut container)) = opened.pop() {
        match (segment, new) {
            (Segment::Key(key), Some(value)) => {
                container.set_field(key.clone(), value);
            }
            (Segment::Key(key), None) => {
                container.remove_field(key);
            }
            (Segment::Index(index), Some(value)) => {
                if *index < tree::len(&container) {
                    container.set_item(*index, value);
                } else {
                    container.push_item(value);
                }
            }
            (Segment::Index(index), None) => {
                container.remove_item(*index);
            }
        }
        new = Some(container);
    }
    new.unwrap_or_default()
}
