//! The four ways to enforce a type on data: coerce, refuse, warn, ignore.

use std::borrow::Borrow as _;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::check::{check, check_fields, check_strict};
use crate::coerce::{Coercion, Options, coerce};
use crate::datum::{Coercible, Datum};
use crate::mismatch::{Mismatch, Segment};
use crate::types::{Signature, Type};
use crate::words;

/// The treatment of data that does not fit its type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SignatureMode {
    /// Coerces data where that loses nothing, with a warning, and refuses other misfits. Fields
    /// that the type does not name are kept.
    #[default]
    Coerce,
    /// Changes nothing. Refuses data that does not fit, and fields that the type does not name.
    Strict,
    /// Changes and refuses nothing. Each mismatch becomes a warning.
    Warn,
    /// Checks nothing.
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

    /// Returns whether the mode may refuse data that does not fit.
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

/// The outcome of enforcing a type on data. The data is refused if there are mismatches.
#[derive(Clone, Debug, PartialEq)]
#[must_use = "data with mismatches is refused"]
pub struct Enforced<D = Value> {
    /// The data: coerced if the mode coerces and the result fits, and otherwise unchanged.
    pub value: D,
    /// The changes, and the mismatches that are accepted.
    pub warnings: Vec<Warning>,
    /// The reasons to refuse the data.
    pub mismatches: Vec<Mismatch>,
}

impl<D> Enforced<D> {
    /// Returns the outcome for data that fits.
    fn unchanged(value: D) -> Enforced<D> {
        Enforced { value, warnings: Vec::new(), mismatches: Vec::new() }
    }
}

/// A change, or a mismatch that is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// A value was changed to fit.
    Coerced(Coercion),
    /// A value does not fit and was accepted.
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

    /// Returns the warning without the values of hidden fields.
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
    /// Enforces the type on data.
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

    /// Enforces the type on data that leaves a program as `json`. A value that fits only as JSON,
    /// such as a keyword for a string, counts as coerced.
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
    /// Enforces the parameters on a map of arguments. A float without a fraction may become an
    /// integer: programs compute with floats, and `1.0` and `1` are one number to them.
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

    /// Enforces the parameters on the input of a mission. Where data is coerced, an integer also becomes
    /// a float if its parameter is one, without a warning: JSON may leave out a fraction of zero.
    ///
    /// ```
    /// use ptc_signatures::{Signature, SignatureMode};
    /// use serde_json::json;
    ///
    /// let signature: Signature = "(rates [:float], n :int) -> :any".parse()?;
    /// let input = json!({"rates": [1, 2.5], "n": 1});
    /// let enforced = signature.enforce_mission(input, SignatureMode::Coerce);
    /// assert_eq!(enforced.value, json!({"rates": [1.0, 2.5], "n": 1}));
    /// assert!(enforced.warnings.is_empty());
    /// # Ok::<(), ptc_signatures::Error>(())
    /// ```
    pub fn enforce_mission<D: Coercible>(&self, input: D, mode: SignatureMode) -> Enforced<D> {
        let enforced = self.enforce_input(input, mode);
        if mode != SignatureMode::Coerce || !enforced.mismatches.is_empty() {
            return enforced;
        }
        Enforced { value: self.with_floats(enforced.value), ..enforced }
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
            // A value that coercion fixed is not a reason to refuse. Where the data and its JSON
            // differ, the mismatches of the data are better: their help tells how a program fixes
            // them.
            let stays = |it: &Mismatch| left.iter().any(|left| left.path == it.path);
            let kept: Vec<Mismatch> = found.into_iter().filter(stays).collect();
            enforced(value, Vec::new(), if kept.is_empty() { left } else { kept })
        }
    }
}

/// Returns a warning for each change, and for each value that fits only as JSON.
fn reported<D: Datum>(done: Vec<Coercion>, found: Vec<Mismatch>, new: &D) -> Vec<Warning> {
    let unchanged = found.into_iter().filter(|it| !done.iter().any(|done| done.path == it.path));
    let as_json: Vec<Coercion> = unchanged
        .map(|it| {
            let to = found_at(new, &it.path.0).unwrap_or_else(|| "nothing".into());
            Coercion { path: it.path, from: it.found, to }
        })
        .collect();
    done.into_iter().chain(as_json).map(Warning::Coerced).collect()
}

/// Describes the value at a path. A path is at most as deep as the type, which bounds the
/// recursion.
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
