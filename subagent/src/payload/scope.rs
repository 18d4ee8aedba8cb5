//! The part of a payload that a sub-agent works on.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use ptc_lisp::Value;

use super::grants::Grants;
use super::path::{Path, PathError};
use super::tree::{self, Segment};
use crate::Data;

/// The path of the part of a payload that is the whole payload of a sub-agent.
///
/// It is written as a [`Path`], or with slashes: `/project/requirements`. The empty text and `/` mean everything.
///
/// ```
/// use ptc_subagent::Data;
/// use ptc_subagent::payload::{Grants, Scope, View};
/// use serde_json::json;
///
/// let payload = Data::from(json!({"project": {"requirements": ["fast"]}, "owner": "Ada"}));
/// let scope: Scope = "/project/requirements".parse()?;
/// let view = View::new(&payload, &Grants::all(), &scope)?;
/// assert_eq!(*view.payload(), json!(["fast"]));
///
/// let scope: Scope = "/project/design".parse()?;
/// assert_eq!(
///     View::new(&payload, &Grants::all(), &scope).unwrap_err().to_string(),
///     "the scope /project/design: expected a value, found nothing at project.design",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scope {
    text: String,
    path: Path,
}

/// The part of a payload that a sub-agent sees: what its `reads` cover, of that its scope.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    whole: Data,
    start: Data,
    base: Path,
}

/// A scope that leads to no value in the part of the payload that the sub-agent may read. The sub-agent is not started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the scope {scope}: expected a value, found {found} at {at}")]
pub struct ScopeError {
    /// The scope.
    pub scope: String,
    /// The finding: `nothing` or `nil`.
    pub found: &'static str,
    /// The path of the first value that is absent.
    pub at: Path,
}

impl Scope {
    /// Returns the scope of the whole payload.
    pub fn root() -> Scope {
        Scope::default()
    }
}

impl FromStr for Scope {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Scope, PathError> {
        let path = match text.strip_prefix('/') {
            None => text.parse()?,
            Some("") => Path::root(),
            Some(steps) => steps.split('/').map(Segment::from).collect(),
        };
        Ok(Scope { text: text.to_owned(), path })
    }
}

impl Display for Scope {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl View {
    /// Makes the view of a payload.
    ///
    /// # Errors
    ///
    /// [`ScopeError`] if the scope leads to no value, or to nil, in the part that `reads` covers.
    pub fn new(payload: &Data, reads: &Grants, scope: &Scope) -> Result<View, ScopeError> {
        let readable = reads.read(payload);
        let mut value = readable.value();
        let mut base = Path::root();
        for segment in scope.path.segments() {
            let segment = resolved(value, segment);
            base = base.child(segment.clone());
            match tree::child(value, &segment) {
                Some(Value::Nil) => return Err(scope.error("nil", base)),
                Some(part) => value = part,
                None => return Err(scope.error("nothing", base)),
            }
        }
        Ok(View { whole: payload.clone(), start: Data::made(value.clone()), base })
    }

    /// Makes the view of a sub-agent whose grants begin at its scope.
    ///
    /// # Errors
    ///
    /// [`ScopeError`] as in [`View::new`].
    pub(crate) fn within(
        payload: &Data,
        reads: &Grants,
        scope: &Scope,
    ) -> Result<View, ScopeError> {
        let view = View::new(payload, &Grants::all(), scope)?;
        let start = reads.read(&view.start);
        Ok(View { start, ..view })
    }

    /// Returns the payload of the sub-agent at its start.
    pub fn payload(&self) -> &Data {
        &self.start
    }

    /// Returns the path of the view in the whole payload.
    pub fn base(&self) -> &Path {
        &self.base
    }

    /// Returns the whole payload.
    pub fn whole(&self) -> &Data {
        &self.whole
    }
}

impl Scope {
    fn error(&self, found: &'static str, at: Path) -> ScopeError {
        ScopeError { scope: self.text.clone(), found, at }
    }
}

/// Returns the step into a value. Slashes do not tell a key from an index, so a number leads into a list.
fn resolved(value: &Value, segment: &Segment) -> Segment {
    match (value, segment) {
        (Value::Vector(_), Segment::Key(key)) => match key.parse() {
            Ok(index) => Segment::Index(index),
            Err(_) => segment.clone(),
        },
        _ => segment.clone(),
    }
}
