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
    /// The kind: the value is wrong, missing or extra.
    pub kind: MismatchKind,
    /// The path to the value, from the root of the checked data.
    pub path: Path,
    /// The expectation of the type in words: `int from 1 to 100`.
    pub expected: String,
    /// The found value in words, cut after about 40 characters: `string "abc"`.
    pub found: String,
    /// Advice on how to fix the value, where there is any.
    pub help: Option<String>,
    /// The form that makes a fitting value of the found one, with `%` in its place, where one does:
    /// `(first %)`.
    pub form: Option<String>,
}

/// The kind of a [`Mismatch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MismatchKind {
    /// The value does not fit its type.
    Wrong,
    /// A required field is absent.
    Missing,
    /// The type has no such field. Only strict checks report this.
    Extra,
}

/// The path from a value to one of its parts. Prints as `results[0].customer.id`; the root prints
/// as nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(pub Vec<Segment>);

/// One step of a [`Path`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// The field of this name. Prints as `.name`, or `["a name"]` if the name is not plain.
    Field(String),
    /// The item at this index, from 0. Prints as `[0]`.
    Index(usize),
}

impl Mismatch {
    /// Returns the mismatch without the value of a hidden field, so that a model may read it.
    #[must_use]
    pub fn redacted(&self) -> Mismatch {
        if !self.path.is_hidden() {
            return self.clone();
        }
        let found = match self.kind {
            MismatchKind::Missing => self.found.clone(),
            MismatchKind::Wrong | MismatchKind::Extra => HIDDEN.into(),
        };
        // The help may quote a word that resembles the hidden value.
        Mismatch { found, help: None, form: None, ..self.clone() }
    }
}

/// The text that a model reads instead of a hidden value.
pub const HIDDEN: &str = "[Hidden]";

impl Path {
    /// Returns whether the path leads into a hidden field, which a model never sees. The name of a
    /// hidden field starts with `_`.
    pub fn is_hidden(&self) -> bool {
        let hidden = |it: &Segment| matches!(it, Segment::Field(name) if name.starts_with('_'));
        self.0.iter().any(hidden)
    }

    /// Returns whether the path is empty and so names the value itself.
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

/// One step of a walk. It borrows names from the type, so only a report pays for a [`Path`].
#[derive(Clone, Copy)]
pub(crate) enum Step<'t> {
    Field(&'t str),
    Index(usize),
}

impl Path {
    pub(crate) fn from_steps(steps: &[Step<'_>]) -> Path {
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
