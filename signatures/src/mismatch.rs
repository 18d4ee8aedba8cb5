//! The reports of the checker.

use std::fmt::{self, Display, Formatter};

use crate::cursor::is_name;
use crate::render::Quoted;

/// One place where data does not fit its type.
///
/// Prints as `results[0].customer.id: expected int, found string "abc"`, and without the path at
/// the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Whether the value is wrong, missing or one too many.
    pub kind: MismatchKind,
    /// Where the value is, from the value that was checked.
    pub path: Path,
    /// The expectation of the type, in words: `int from 1 to 100`.
    pub expected: String,
    /// The found value, in words, cut after about 40 characters: `string "abc"`.
    pub found: String,
    /// How to mend it, when that is known.
    pub help: Option<String>,
}

/// The kind of the mismatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MismatchKind {
    /// The value is not what the type asks for.
    Wrong,
    /// A field that is not optional is absent.
    Missing,
    /// The type has no such field; reported by strict checks only.
    Extra,
}

/// The way from a value to a part of it; prints as `results[0].customer.id`, the root as nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(pub Vec<Segment>);

/// One step of a [`Path`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// Into the field of this name; prints as `.name`, or `["a name"]` if it is no plain name.
    Field(String),
    /// Into the item at this index, from 0; prints as `[0]`.
    Index(usize),
}

impl Mismatch {
    /// Returns the mismatch without what is in a hidden field: what a model may read.
    #[must_use]
    pub fn redacted(&self) -> Mismatch {
        if !self.path.is_hidden() {
            return self.clone();
        }
        let found = match self.kind {
            MismatchKind::Missing => self.found.clone(),
            MismatchKind::Wrong | MismatchKind::Extra => HIDDEN.into(),
        };
        // Help may name the value that comes closest to what is there.
        Mismatch { found, help: None, ..self.clone() }
    }
}

/// The text in a model's view instead of a hidden value.
pub const HIDDEN: &str = "[Hidden]";

impl Path {
    /// Whether the path leads into a field that is hidden from the model: one whose name starts
    /// with `_`.
    pub fn is_hidden(&self) -> bool {
        let hidden = |it: &Segment| matches!(it, Segment::Field(name) if name.starts_with('_'));
        self.0.iter().any(hidden)
    }

    /// Whether the path leads nowhere: to the value itself.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }
}

impl Display for Mismatch {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.path.fmt_prefix(f)?;
        write!(f, "expected {}, found {}", self.expected, self.found)
    }
}

impl Display for Path {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Index(index) => write!(f, "[{index}]")?,
                Segment::Field(name) if !is_name(name) => write!(f, "[{}]", Quoted(name))?,
                Segment::Field(name) if i == 0 => f.write_str(name)?,
                Segment::Field(name) => write!(f, ".{name}")?,
            }
        }
        Ok(())
    }
}

/// One step of a walk. It borrows names from the type: only what is reported pays for a path.
#[derive(Clone, Copy)]
pub(crate) enum Step<'t> {
    Field(&'t str),
    Index(usize),
}

impl Path {
    pub(crate) fn of(steps: &[Step<'_>]) -> Path {
        let segments = steps.iter().map(|step| match step {
            Step::Field(name) => Segment::Field((*name).to_owned()),
            Step::Index(index) => Segment::Index(*index),
        });
        Path(segments.collect())
    }

    /// Writes the path and a colon, or nothing at the root.
    pub(crate) fn fmt_prefix(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.is_root() { Ok(()) } else { write!(f, "{self}: ") }
    }
}
