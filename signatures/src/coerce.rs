//! Coerces data to its type where that loses nothing, and reports each change.

use std::fmt::{self, Display, Formatter};

use crate::check::{check, matches};
use crate::cursor::is_name;
use crate::datum::{Coercible, View};
use crate::mismatch::{HIDDEN, Mismatch, Path, Step};
use crate::types::{Field, Signature, Type};
use crate::words;

/// The optional changes that [`coerce`] may make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether a float without a fraction becomes an integer where the type asks for one: `42.0` to
    /// `42`.
    pub whole_floats: bool,
}

/// One change to the data.
///
/// Prints as `limit: coerced string "10" to int 10`, and without the path at the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coercion {
    /// The path to the value, from the root of the coerced data.
    pub path: Path,
    /// The old value in words, cut after about 40 characters: `string "10"`.
    pub from: String,
    /// The new value in words: `int 10`.
    pub to: String,
}

impl Coercion {
    /// Returns the report without the values of hidden fields, so that a model may read it.
    #[must_use]
    pub fn redacted(&self) -> Coercion {
        if !self.path.is_hidden() {
            return self.clone();
        }
        Coercion { path: self.path.clone(), from: HIDDEN.into(), to: HIDDEN.into() }
    }
}

impl Display for Coercion {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.path.fmt_prefix(f)?;
        write!(f, "coerced {} to {}", self.from, self.to)
    }
}

/// Returns the value coerced to `ty`, the changes made, and the remaining mismatches.
///
/// | from | to |
/// |---|---|
/// | `"42"` | `:int`: `42` |
/// | `"3.14"`, `"42"` | `:float`: `3.14`, `42.0` |
/// | `"true"`, `"false"` | `:bool` |
/// | `":low"` | `:keyword`, `:enum`: `"low"` |
/// | `42.0` | `:int`: `42`, with [`Options::whole_floats`] |
///
/// Nothing else changes, and every change is reported. A union prefers a member that accepts the
/// value unchanged to one that accepts it only after a change.
///
/// ```
/// use ptc_signatures::coerce::{Options, coerce};
/// use serde_json::json;
///
/// let ty = "{limit :int, rate :float}".parse()?;
/// let (value, coercions, mismatches) =
///     coerce(&ty, json!({"limit": "10", "rate": 2}), Options::default());
/// assert_eq!(value, json!({"limit": 10, "rate": 2}));
/// assert_eq!(coercions[0].to_string(), r#"limit: coerced string "10" to int 10"#);
/// assert!(mismatches.is_empty());
/// # Ok::<(), ptc_signatures::Error>(())
/// ```
pub fn coerce<D: Coercible>(
    ty: &Type,
    value: D,
    options: Options,
) -> (D, Vec<Coercion>, Vec<Mismatch>) {
    let mut walk = Walk::new(options);
    let value = walk.node(ty, value);
    let mismatches = check(ty, &value);
    (value, walk.done, mismatches)
}

impl Signature {
    /// Returns a map of arguments coerced to the parameters, as [`coerce`] does for a type.
    pub fn coerce_input<D: Coercible>(
        &self,
        input: D,
        options: Options,
    ) -> (D, Vec<Coercion>, Vec<Mismatch>) {
        let mut walk = Walk::new(options);
        let input = walk.fields(&self.params, input);
        let mismatches = self.check_input(&input);
        (input, walk.done, mismatches)
    }

    /// Returns an input with a float for each integer whose parameter is a float. In JSON they are
    /// one number, and a writer may leave a fraction of zero out. An integer beyond the floats that
    /// are exact stays as it is.
    pub(crate) fn with_floats<D: Coercible>(&self, input: D) -> D {
        fields_with_floats(&self.params, input)
    }
}

/// Types nest at most [`MAX_NESTING`](crate::MAX_NESTING) levels deep, which bounds the recursion.
fn with_floats<D: Coercible>(ty: &Type, value: D) -> D {
    match ty {
        Type::Float(_) => match value.view() {
            View::Int(it) if it.unsigned_abs() <= EXACT.unsigned_abs() => D::float(it as f64),
            _ => value,
        },
        Type::Optional(inner) => with_floats(inner, value),
        Type::Union(members) => match members.iter().find(|member| matches(member, &value)) {
            Some(member) => with_floats(member, value),
            None => value,
        },
        Type::List(item, _) if value.view() == View::List && has_float(item) => {
            value.with_items(|_, it| with_floats(item, it))
        }
        Type::Record(fields) if value.view() == View::Map => fields_with_floats(fields, value),
        _ => value,
    }
}

fn fields_with_floats<D: Coercible>(fields: &[Field], value: D) -> D {
    let fields = fields.iter().filter(|it| has_float(&it.ty));
    fields
        .fold(value, |value, field| value.with_field(&field.name, |it| with_floats(&field.ty, it)))
}

fn has_float(ty: &Type) -> bool {
    match ty {
        Type::Float(_) => true,
        Type::Optional(inner) | Type::List(inner, _) => has_float(inner),
        Type::Union(members) => members.iter().any(has_float),
        Type::Record(fields) => fields.iter().any(|it| has_float(&it.ty)),
        _ => false,
    }
}

struct Walk<'t> {
    options: Options,
    steps: Vec<Step<'t>>,
    done: Vec<Coercion>,
}

impl<'t> Walk<'t> {
    fn new(options: Options) -> Walk<'t> {
        Walk { options, steps: Vec::new(), done: Vec::new() }
    }

    fn node<D: Coercible>(&mut self, ty: &'t Type, value: D) -> D {
        let view = value.view();
        match ty {
            Type::Optional(_) if view == View::Nil => value,
            Type::Optional(inner) => self.node(inner, value),
            Type::Union(members) => self.union(members, value),
            Type::Record(fields) if view == View::Map => self.fields(fields, value),
            Type::List(item, _) if view == View::List => value.with_items(|index, it| {
                self.steps.push(Step::Index(index));
                let it = self.node(item, it);
                self.steps.pop();
                it
            }),
            ty => match scalar(ty, view, self.options) {
                Some(new) => {
                    self.report(ty, &value, &new);
                    new
                }
                None => value,
            },
        }
    }

    fn fields<D: Coercible>(&mut self, fields: &'t [Field], value: D) -> D {
        fields.iter().fold(value, |value, field| {
            value.with_field(&field.name, |it| {
                self.steps.push(Step::Field(&field.name));
                let it = self.node(&field.ty, it);
                self.steps.pop();
                it
            })
        })
    }

    /// Coerces to the first member that accepts the unchanged value, or else to the first that
    /// accepts the changed value.
    fn union<D: Coercible>(&mut self, members: &'t [Type], value: D) -> D {
        if let Some(fitting) = members.iter().find(|member| matches(member, &value)) {
            return self.node(fitting, value);
        }
        for member in members {
            let mut walk =
                Walk { options: self.options, steps: self.steps.clone(), done: Vec::new() };
            let new = walk.node(member, value.clone());
            if matches(member, &new) {
                self.done.append(&mut walk.done);
                return new;
            }
        }
        value
    }

    fn report<D: Coercible>(&mut self, ty: &Type, from: &D, to: &D) {
        let to = match (ty, to.view()) {
            (Type::Keyword | Type::Enum(_), View::Str(name)) => {
                format!("keyword :{}", words::cut(name))
            }
            _ => words::found(to),
        };
        self.done.push(Coercion {
            path: Path::from_steps(&self.steps),
            from: words::found(from),
            to,
        });
    }
}

fn scalar<D: Coercible>(ty: &Type, view: View<'_>, options: Options) -> Option<D> {
    Some(match (ty, view) {
        (Type::Int(_), View::Str(text)) => integer(text)?,
        (Type::Int(_), View::Float(float)) if options.whole_floats => {
            D::integer(&whole(float)?.to_string())?
        }
        (Type::Float(_), View::Str(text)) => D::float(float(text)?),
        (Type::Bool, View::Str("true")) => D::bool(true),
        (Type::Bool, View::Str("false")) => D::bool(false),
        (Type::Keyword, View::Str(text)) => {
            D::text(text.strip_prefix(':').filter(|name| is_name(name))?)
        }
        (Type::Enum(words), View::Str(text)) if !words.iter().any(|it| it == text) => {
            let name = text.strip_prefix(':')?;
            D::text(words.iter().find(|word| *word == name)?)
        }
        _ => return None,
    })
}

/// Parses an integer: an optional minus sign and digits.
fn integer<D: Coercible>(text: &str) -> Option<D> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_plain = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
    is_plain.then(|| D::integer(text))?
}

/// Parses a decimal number. Words such as `inf` are not numbers here.
fn float(text: &str) -> Option<f64> {
    let first = text.strip_prefix('-').unwrap_or(text).chars().next()?;
    let number: f64 = text.parse().ok()?;
    (first.is_ascii_digit() && number.is_finite()).then_some(number)
}

/// The largest magnitude up to which a float represents every integer exactly.
const EXACT: i64 = 1 << 53;

fn whole(float: f64) -> Option<i64> {
    let fits = float.fract() == 0.0 && float.abs() <= EXACT as f64;
    fits.then_some(float as i64)
}
