//! The types as data.

use crate::check::{self, check};
use crate::datum::{Datum, Kinds};
use crate::mismatch::Mismatch;

/// The typed contract of a mission or a tool: named inputs and one output.
///
/// Read it with [`str::parse`], print it with [`ToString::to_string`].
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// The inputs, in the order written; empty for the shorthand that has only an output.
    pub params: Vec<Field>,
    /// The type of the answer of the mission or tool.
    pub output: Type,
}

/// A named, typed place: a parameter of a signature or a field of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The name, without a colon.
    pub name: String,
    /// The type; [`Type::Optional`] makes the field optional.
    pub ty: Type,
    /// The author's description, for people and models; checks ignore it.
    pub description: Option<String>,
}

/// One type.
///
/// Reading text gives one shape per meaning: no optional inside an optional or as the member of a
/// union, no union directly inside a union, at least two members in a union, at least one value in
/// an enum. Types built by hand in other shapes work, and print in the shape that text gives.
/// Whoever builds types by hand keeps their nesting small: all walks recurse on it.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// Everything, nil too: `:any`.
    Any,
    /// `:bool`.
    Bool,
    /// An integer within bounds: `:int`, `:int[1..100]`.
    Int(Bounds<i64>),
    /// A float or an integer within bounds: `:float`, `:float[0..1]`.
    Float(Bounds<f64>),
    /// A string with a length in code points: `:string`, `:string[1..]`.
    String(Length),
    /// `:keyword`.
    Keyword,
    /// `:datetime`.
    Datetime,
    /// Any map: `:map`.
    Map,
    /// One of some words, as a string or a keyword: `:enum[low mid high]`.
    Enum(Vec<String>),
    /// A list with a number of items: `[:int]`, `[:int][3..]`.
    List(Box<Type>, Length),
    /// A map with known fields: `{id :int, name :string?}`; without fields, any map.
    Record(Vec<Field>),
    /// One of several types: `:string|:int`.
    Union(Vec<Type>),
    /// The type or nil: `:int?`.
    Optional(Box<Type>),
}

/// An optional least and an optional greatest value, both included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds<T> {
    /// The least value allowed.
    pub min: Option<T>,
    /// The greatest value allowed.
    pub max: Option<T>,
}

/// How many code points a string, or how many items a list may have.
pub type Length = Bounds<u64>;

impl Signature {
    /// Returns every mismatch between the parameters and a map of arguments.
    pub fn check_input<D: Datum>(&self, input: &D) -> Vec<Mismatch> {
        check::check_fields(&self.params, input, false)
    }

    /// Returns what [`Signature::check_input`] does, and every argument that is no parameter.
    pub fn check_input_strict<D: Datum>(&self, input: &D) -> Vec<Mismatch> {
        check::check_fields(&self.params, input, true)
    }

    /// Returns every mismatch between the output type and a value.
    pub fn check_output<D: Datum>(&self, output: &D) -> Vec<Mismatch> {
        check(&self.output, output)
    }

    /// Returns the parameters as one record type.
    pub fn params_type(&self) -> Type {
        Type::Record(self.params.clone())
    }

    /// Returns the signature without hidden parameters and fields.
    #[must_use]
    pub fn redacted(&self) -> Signature {
        let params = redacted_fields(&self.params, Kept::Nothing);
        Signature { params, output: self.output.redacted() }
    }

    /// Returns what a program has to know that calls this: the signature without hidden fields, but
    /// for those of the inputs that have to be given.
    #[must_use]
    pub fn redacted_for_calls(&self) -> Signature {
        let params = redacted_fields(&self.params, Kept::Required);
        Signature { params, output: self.output.redacted() }
    }
}

impl Field {
    /// Returns a field without a description.
    pub fn new(name: impl Into<String>, ty: Type) -> Field {
        Field { name: name.into(), ty, description: None }
    }

    /// Whether the field is kept from the model: its name starts with `_`.
    pub fn is_hidden(&self) -> bool {
        self.name.starts_with('_')
    }

    /// Whether the field may be absent.
    pub fn is_optional(&self) -> bool {
        self.ty.is_optional()
    }
}

impl Type {
    /// Any integer.
    pub const INT: Type = Type::Int(Bounds::OPEN);
    /// Any number.
    pub const FLOAT: Type = Type::Float(Bounds::OPEN);
    /// Any string.
    pub const STRING: Type = Type::String(Bounds::OPEN);

    /// Returns the kinds that values of the type can be of.
    pub fn kinds(&self) -> Kinds {
        match self {
            Type::Any => Kinds::ANY,
            Type::Bool => Kinds::BOOL,
            Type::Int(_) => Kinds::INT,
            Type::Float(_) => Kinds::NUMBER,
            Type::Datetime => Kinds::STRING,
            Type::String(_) | Type::Keyword | Type::Enum(_) => Kinds::KEYWORD | Kinds::STRING,
            Type::Map | Type::Record(_) => Kinds::MAP,
            Type::List(..) => Kinds::LIST,
            Type::Union(members) => {
                members.iter().fold(Kinds::NONE, |kinds, member| kinds | member.kinds())
            }
            Type::Optional(inner) => inner.kinds() | Kinds::NIL,
        }
    }

    /// Returns the type of lists of any length whose items are of type `item`.
    pub fn list(item: Type) -> Type {
        Type::List(Box::new(item), Length::OPEN)
    }

    /// Returns the type that also accepts nil.
    #[must_use]
    pub fn optional(self) -> Type {
        if self.is_optional() { self } else { Type::Optional(Box::new(self)) }
    }

    /// Whether a field of this type may be absent.
    pub fn is_optional(&self) -> bool {
        match self {
            Type::Optional(_) => true,
            Type::Union(members) => members.iter().any(Type::is_optional),
            _ => false,
        }
    }

    /// Returns the type without the fields that are hidden from the model, at every depth.
    ///
    /// A hidden field is one whose name starts with `_`.
    #[must_use]
    pub fn redacted(&self) -> Type {
        redacted(self, Kept::Nothing)
    }
}

impl<T> Bounds<T> {
    /// No bounds at all.
    pub const OPEN: Bounds<T> = Bounds { min: None, max: None };

    /// Whether there is neither a least nor a greatest value.
    pub fn is_open(&self) -> bool {
        self.min.is_none() && self.max.is_none()
    }
}

impl<T: PartialOrd> Bounds<T> {
    /// Whether `value` is within the bounds. A `NaN` is only within open bounds.
    pub fn contains(&self, value: &T) -> bool {
        self.min.as_ref().is_none_or(|min| min <= value)
            && self.max.as_ref().is_none_or(|max| value <= max)
    }
}

/// Which hidden fields are shown all the same.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    Nothing,
    Required,
}

fn redacted(ty: &Type, kept: Kept) -> Type {
    match ty {
        Type::List(item, length) => Type::List(Box::new(redacted(item, kept)), *length),
        Type::Record(fields) => Type::Record(redacted_fields(fields, kept)),
        Type::Union(members) => {
            // Members that differ in hidden fields only are one.
            let mut shown: Vec<Type> = Vec::with_capacity(members.len());
            for member in members.iter().map(|member| redacted(member, kept)) {
                if !shown.contains(&member) {
                    shown.push(member);
                }
            }
            if shown.len() == 1 { shown.remove(0) } else { Type::Union(shown) }
        }
        Type::Optional(inner) => Type::Optional(Box::new(redacted(inner, kept))),
        _ => ty.clone(),
    }
}

fn redacted_fields(fields: &[Field], kept: Kept) -> Vec<Field> {
    fields
        .iter()
        .filter(|field| !field.is_hidden() || kept == Kept::Required && !field.is_optional())
        .map(|field| Field { ty: redacted(&field.ty, kept), ..field.clone() })
        .collect()
}
