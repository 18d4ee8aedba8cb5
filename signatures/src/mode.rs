//! The four ways to enforce a type on data: coerce, refuse, warn, ignore.

use std::borrow::Borrow as _;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use serde_json::Value;

use crate::check::{check, check_fields, check_strict};
use crate::coerce::{Coercion, Options, coerce};
use crate::datum::{Coercible, Datum};
use crate::mismatch::{Mismatch, Segment};
use crate::types::{Signature, Type};
use crate::words;

/// The treatment of data that does not fit its type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SignatureMode {
    /// What can be made to fit without loss is made to fit, with a warning; the rest is refused.
    /// Fields that the type does not name are kept.
    #[default]
    Coerce,
    /// Nothing is changed. What does not fit is refused, and so are fields that the type does not
    /// name.
    Strict,
    /// Nothing is changed and nothing refused; what does not fit is a warning.
    Warn,
    /// Nothing is looked at.
    Off,
}

impl SignatureMode {
    /// All modes.
    pub const ALL: [SignatureMode; 4] =
        [SignatureMode::Coerce, SignatureMode::Strict, SignatureMode::Warn, SignatureMode::Off];

    /// Returns `coerce`, `strict`, `warn` or `off`.
    pub fn as_str(self) -> &'static str {
        match self {
            SignatureMode::Coerce => "coerce",
            SignatureMode::Strict => "strict",
            SignatureMode::Warn => "warn",
            SignatureMode::Off => "off",
        }
    }

    /// Whether data that does not fit may be refused.
    pub fn refuses(self) -> bool {
        matches!(self, SignatureMode::Coerce | SignatureMode::Strict)
    }
}

impl Display for SignatureMode {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for SignatureMode {
    type Err = UnknownMode;

    fn from_str(text: &str) -> Result<SignatureMode, UnknownMode> {
        let mode = SignatureMode::ALL.into_iter().find(|mode| mode.as_str() == text);
        mode.ok_or_else(|| UnknownMode(text.to_owned()))
    }
}

/// A text that does not name a [`SignatureMode`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown mode `{0}`: expected `coerce`, `strict`, `warn` or `off`")]
pub struct UnknownMode(String);

/// The outcome of enforcing a type on data. It is refused if there are mismatches.
#[derive(Clone, Debug, PartialEq)]
#[must_use = "data with mismatches is refused"]
pub struct Enforced<D = Value> {
    /// The data, coerced if that is the mode and it made the data fit; else as it was.
    pub value: D,
    /// The changes, and the misfits that are let through.
    pub warnings: Vec<Warning>,
    /// Why the data is refused.
    pub mismatches: Vec<Mismatch>,
}

impl<D> Enforced<D> {
    /// Data that fits.
    fn unchanged(value: D) -> Enforced<D> {
        Enforced { value, warnings: Vec::new(), mismatches: Vec::new() }
    }
}

/// Something that was changed, or let through although it does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// A value was changed to fit.
    Coerced(Coercion),
    /// A value does not fit and was let through.
    Mismatch(Mismatch),
}

impl Warning {
    /// Returns the stable code: `coerced` or `mismatch`.
    pub fn code(&self) -> &'static str {
        match self {
            Warning::Coerced(_) => "coerced",
            Warning::Mismatch(_) => "mismatch",
        }
    }

    /// Returns the warning without what is in a hidden field.
    #[must_use]
    pub fn redacted(&self) -> Warning {
        match self {
            Warning::Coerced(coercion) => Warning::Coerced(coercion.redacted()),
            Warning::Mismatch(mismatch) => Warning::Mismatch(mismatch.redacted()),
        }
    }
}

impl Display for Warning {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Coerced(coercion) => coercion.fmt(f),
            Warning::Mismatch(mismatch) => mismatch.fmt(f),
        }
    }
}

impl Type {
    /// Holds data to the type.
    ///
    /// ```
    /// use ptc_signatures::{SignatureMode, Type};
    /// use serde_json::json;
    ///
    /// let ty: Type = "{limit :int}".parse()?;
    /// let enforced = ty.enforce(json!({"limit": "10", "more": true}), SignatureMode::Coerce);
    /// assert_eq!(enforced.value, json!({"limit": 10, "more": true}));
    /// assert_eq!(enforced.warnings[0].to_string(), r#"limit: coerced string "10" to int 10"#);
    ///
    /// let enforced = ty.enforce(json!({"limit": "10"}), SignatureMode::Strict);
    /// assert_eq!(enforced.mismatches[0].to_string(), r#"limit: expected int, found string "10""#);
    /// # Ok::<(), ptc_signatures::Error>(())
    /// ```
    pub fn enforce<D: Coercible>(&self, value: D, mode: SignatureMode) -> Enforced<D> {
        let found = match mode {
            SignatureMode::Off => Vec::new(),
            SignatureMode::Strict => check_strict(self, &value),
            SignatureMode::Coerce | SignatureMode::Warn => check(self, &value),
        };
        settle(self, value, found, mode, Options::default())
    }

    /// Holds data to the type that leaves a program as `json`. What fits only as JSON, such as a
    /// keyword for a string, counts as coerced.
    pub fn enforce_data<J: Coercible>(
        &self,
        data: &impl Datum,
        json: J,
        mode: SignatureMode,
    ) -> Enforced<J> {
        let found = match mode {
            SignatureMode::Off => Vec::new(),
            SignatureMode::Strict => check_strict(self, data),
            SignatureMode::Coerce | SignatureMode::Warn => check(self, data),
        };
        settle(self, json, found, mode, Options::default())
    }
}

impl Signature {
    /// Holds a map of arguments to the parameters. A float without a fraction may become an integer: programs
    /// compute with floats, and `1.0` and `1` are one number to them.
    pub fn enforce_input<D: Coercible>(&self, input: D, mode: SignatureMode) -> Enforced<D> {
        let found = match mode {
            SignatureMode::Off => Vec::new(),
            SignatureMode::Strict => check_fields(&self.params, &input, true),
            SignatureMode::Coerce | SignatureMode::Warn => self.check_input(&input),
        };
        if found.is_empty() {
            return Enforced::unchanged(input);
        }
        settle(&self.params_type(), input, found, mode, Options { whole_floats: true })
    }
}

fn settle<D: Coercible>(
    ty: &Type,
    value: D,
    found: Vec<Mismatch>,
    mode: SignatureMode,
    options: Options,
) -> Enforced<D> {
    let enforced = |value, warnings, mismatches| Enforced { value, warnings, mismatches };
    if found.is_empty() {
        return Enforced::unchanged(value);
    }
    match mode {
        SignatureMode::Off => Enforced::unchanged(value),
        SignatureMode::Warn => {
            enforced(value, found.into_iter().map(Warning::Mismatch).collect(), Vec::new())
        }
        SignatureMode::Strict => enforced(value, Vec::new(), found),
        SignatureMode::Coerce => {
            let (new, done, left) = coerce(ty, value.clone(), options);
            if left.is_empty() {
                let warnings = reported(done, found, &new);
                return enforced(new, warnings, Vec::new());
            }
            // What could be mended is no reason to refuse. Where the data and its JSON differ, the
            // mismatches of the data say more: they know how a program mends them.
            let stays = |it: &Mismatch| left.iter().any(|left| left.path == it.path);
            let kept: Vec<Mismatch> = found.into_iter().filter(stays).collect();
            enforced(value, Vec::new(), if kept.is_empty() { left } else { kept })
        }
    }
}

/// Returns what was changed, and what fits only since it is JSON.
fn reported<D: Datum>(done: Vec<Coercion>, found: Vec<Mismatch>, new: &D) -> Vec<Warning> {
    let elsewhere = found.into_iter().filter(|it| !done.iter().any(|done| done.path == it.path));
    let as_json: Vec<Coercion> = elsewhere
        .map(|it| {
            let to = found_at(new, &it.path.0).unwrap_or_else(|| "nothing".into());
            Coercion { path: it.path, from: it.found, to }
        })
        .collect();
    done.into_iter().chain(as_json).map(Warning::Coerced).collect()
}

/// Returns what is at a path, which is as deep as the type at most.
fn found_at<D: Datum>(value: &D, path: &[Segment]) -> Option<String> {
    match path.split_first() {
        None => Some(words::found(value)),
        Some((Segment::Field(name), rest)) => found_at(value.field(name)?, rest),
        Some((Segment::Index(index), rest)) => {
            let item = value.items().nth(*index)?;
            found_at::<D>(item.borrow(), rest)
        }
    }
}
