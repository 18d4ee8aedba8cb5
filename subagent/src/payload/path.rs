//! Paths into a payload.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use arcstr::ArcStr;
use ptc_lisp::Value;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::tree::{self, Segment};
use crate::Data;

/// The path from a payload to one of its parts.
///
/// Programs and records write it as a list of keys and indexes, people as a text:
///
/// ```
/// use ptc_subagent::Data;
/// use ptc_subagent::payload::{Path, Segment};
/// use serde_json::json;
///
/// let path: Path = r#"items[0]["unit price"]"#.parse()?;
/// assert_eq!(path.to_data(), json!(["items", 0, "unit price"]));
/// assert_eq!(Path::from_data(&path.to_data())?, path);
/// assert_eq!(path.to_string(), r#"items[0]["unit price"]"#);
///
/// let payload = Data::from(json!({"items": [{"unit price": 5}]}));
/// assert_eq!(path.get(&payload), Some(Data::from(json!(5))));
/// # Ok::<(), ptc_subagent::payload::PathError>(())
/// ```
///
/// In a text, a dot separates keys, brackets contain an index, and brackets with a JSON string contain any key. The
/// root is the empty text.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path(Vec<Segment>);

/// The reason that a text or a value is not a path or a pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found {found}")]
pub struct PathError {
    /// The expectation, with its place.
    pub expected: String,
    /// The rest of the text or the kind of value at that place.
    pub found: String,
}

impl Path {
    /// Returns the path of the payload itself.
    pub fn root() -> Path {
        Path::default()
    }

    /// Returns the steps.
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// Returns whether this is the path of the payload itself.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the path of a direct part of the value at this path.
    #[must_use]
    pub fn child(&self, segment: impl Into<Segment>) -> Path {
        let mut path = self.clone();
        path.0.push(segment.into());
        path
    }

    /// Returns the path that leads from the root of `self` to the end of `rest`.
    #[must_use]
    pub fn join(&self, rest: &Path) -> Path {
        Path(self.0.iter().chain(&rest.0).cloned().collect())
    }

    /// Returns the path without its last step; none for the root.
    pub fn parent(&self) -> Option<Path> {
        self.0.split_last().map(|(_, rest)| Path(rest.to_vec()))
    }

    /// Returns whether the path leads to `base` or to a part of it.
    pub fn starts_with(&self, base: &Path) -> bool {
        self.0.starts_with(&base.0)
    }

    /// Returns the value at this path, if it exists.
    pub fn get(&self, payload: &Data) -> Option<Data> {
        tree::at(payload.value(), &self.0).cloned().map(Data::made)
    }

    /// Reads a list of keys and indexes.
    ///
    /// # Errors
    ///
    /// [`PathError`] if the value is not a list of strings and of integers from 0.
    pub fn from_data(data: &Data) -> Result<Path, PathError> {
        let error = |expected: String, found: &Value| PathError {
            expected,
            found: tree::kind(found).to_owned(),
        };
        let Value::Vector(items) = data.value() else {
            return Err(error("a list of keys and indexes".to_owned(), data.value()));
        };
        let segment = |(at, item): (usize, &Value)| match item {
            Value::Str(key) => Ok(Segment::Key(key.clone())),
            Value::Int(index) => {
                usize::try_from(*index).map(Segment::Index).map_err(|_| PathError {
                    expected: format!("an index from 0 as item {at} of the path"),
                    found: index.to_string(),
                })
            }
            other => Err(error(format!("a key or an index as item {at} of the path"), other)),
        };
        items.iter().enumerate().map(segment).collect::<Result<_, _>>().map(Path)
    }

    /// Returns the list of keys and indexes.
    pub fn to_data(&self) -> Data {
        Data::made(self.to_value())
    }

    pub(super) fn to_value(&self) -> Value {
        let item = |segment: &Segment| match segment {
            Segment::Key(key) => Value::Str(key.clone()),
            Segment::Index(index) => Value::from(i64::try_from(*index).unwrap_or(i64::MAX)),
        };
        Value::vector(self.0.iter().map(item).collect())
    }

    /// Returns the path in the words of messages.
    pub(crate) fn shown(&self) -> String {
        if self.is_root() { "the payload".to_owned() } else { self.to_string() }
    }

    pub(super) fn of(segments: &[Segment]) -> Path {
        Path(segments.to_vec())
    }
}

impl FromIterator<Segment> for Path {
    fn from_iter<I: IntoIterator<Item = Segment>>(segments: I) -> Path {
        Path(segments.into_iter().collect())
    }
}

impl From<&str> for Segment {
    fn from(key: &str) -> Segment {
        Segment::Key(key.into())
    }
}

impl From<ArcStr> for Segment {
    fn from(key: ArcStr) -> Segment {
        Segment::Key(key)
    }
}

impl From<usize> for Segment {
    fn from(index: usize) -> Segment {
        Segment::Index(index)
    }
}

impl Display for Path {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (at, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Index(index) => write!(f, "[{index}]")?,
                Segment::Key(key) if !is_plain(key) => write!(f, "[{}]", quoted(key))?,
                Segment::Key(key) if at == 0 => f.write_str(key)?,
                Segment::Key(key) => write!(f, ".{key}")?,
            }
        }
        Ok(())
    }
}

impl FromStr for Path {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Path, PathError> {
        let segment = |piece| match piece {
            Piece::Key(key) => Ok(Segment::Key(key)),
            Piece::Index(index) => Ok(Segment::Index(index)),
            Piece::AnyKey | Piece::AnyIndex | Piece::Deep => Err(PathError {
                expected: "a path without wildcards".to_owned(),
                found: quoted(text),
            }),
        };
        pieces(text)?.into_iter().map(segment).collect()
    }
}

impl Serialize for Path {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|segment| match segment {
            Segment::Key(key) => Recorded::Key(key.to_string()),
            Segment::Index(index) => Recorded::Index(*index),
        }))
    }
}

impl<'de> Deserialize<'de> for Path {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Path, D::Error> {
        let segments = Vec::<Recorded>::deserialize(from)?.into_iter();
        Ok(Path(segments.map(Segment::from).collect()))
    }
}

/// A step as it is recorded.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Recorded {
    Key(String),
    Index(usize),
}

impl From<Recorded> for Segment {
    fn from(recorded: Recorded) -> Segment {
        match recorded {
            Recorded::Key(key) => Segment::Key(key.into()),
            Recorded::Index(index) => Segment::Index(index),
        }
    }
}

/// A step of a text: of a path, or of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    Key(ArcStr),
    Index(usize),
    /// `*` between dots.
    AnyKey,
    /// `[*]`.
    AnyIndex,
    /// `**`.
    Deep,
}

/// Splits the text of a path or of a pattern.
pub(super) fn pieces(text: &str) -> Result<Vec<Piece>, PathError> {
    let mut pieces = Vec::new();
    let mut rest = text;
    let error = |expected: &str, rest: &str| PathError {
        expected: format!(
            "{expected} at character {} of the path {}",
            text.chars().count() - rest.chars().count() + 1,
            quoted(text)
        ),
        found: if rest.is_empty() { "its end".to_owned() } else { quoted(rest) },
    };
    while !rest.is_empty() {
        let (piece, after) = match rest.strip_prefix('[') {
            Some(inner) => {
                bracketed(inner).ok_or_else(|| error("`[index]`, `[*]` or `[\"key\"]`", rest))?
            }
            None => {
                let key = match rest.strip_prefix('.') {
                    Some(key) if !pieces.is_empty() => key,
                    None if pieces.is_empty() => rest,
                    _ => return Err(error("a key, `.` or `[`", rest)),
                };
                let end = key.find(['.', '[', ']', '"']).unwrap_or(key.len());
                let (key, after) = key.split_at(end);
                match key {
                    "" => return Err(error("a key", after)),
                    "*" => (Piece::AnyKey, after),
                    "**" => (Piece::Deep, after),
                    key => (Piece::Key(key.into()), after),
                }
            }
        };
        pieces.push(piece);
        rest = after;
    }
    Ok(pieces)
}

/// Reads the content of brackets, and returns the text behind them.
fn bracketed(inner: &str) -> Option<(Piece, &str)> {
    if let Some(after) = inner.strip_prefix("*]") {
        return Some((Piece::AnyIndex, after));
    }
    if !inner.starts_with('"') {
        let (index, after) = inner.split_once(']')?;
        // The index has one spelling, so that a text has one meaning and a path one text.
        let number = index.parse().ok().filter(|number: &usize| number.to_string() == index)?;
        return i64::try_from(number).ok().map(|_| (Piece::Index(number), after));
    }
    let mut escaped = false;
    let end = inner.char_indices().skip(1).find(|(_, c)| {
        let ends = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    });
    let (string, after) = inner.split_at(end?.0 + 1);
    let key: String = serde_json::from_str(string).ok()?;
    Some((Piece::Key(key.into()), after.strip_prefix(']')?))
}

/// Returns whether a key needs no quotes in a path.
fn is_plain(key: &str) -> bool {
    !key.is_empty()
        && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '@'))
}

pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The places of a walk. A path is made only for a report.
pub(super) struct Trail {
    base: Path,
    /// The step that leads to each place, and the place that it starts from.
    places: Vec<(usize, Segment)>,
}

/// A place of a [`Trail`].
pub(super) type Place = usize;

impl Trail {
    /// The place where the walk starts.
    pub(super) const START: Place = 0;

    pub(super) fn new(base: Path) -> Trail {
        Trail { base, places: Vec::new() }
    }

    pub(super) fn step(&mut self, from: Place, segment: Segment) -> Place {
        self.places.push((from, segment));
        self.places.len()
    }

    pub(super) fn path(&self, mut place: Place) -> Path {
        let mut steps = Vec::new();
        while let Some((from, segment)) = place.checked_sub(1).and_then(|at| self.places.get(at)) {
            steps.push(segment.clone());
            place = *from;
        }
        steps.reverse();
        self.base.join(&steps.into_iter().collect())
    }
}
