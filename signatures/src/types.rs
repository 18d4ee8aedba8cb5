//! The data structures of signatures and types.

use crate::datetime::is_datetime;
use crate::datum::{Kinds, View};

/// The typed contract of a mission or a tool: named inputs and one output.
///
/// Parse it with [`str::parse`] and print it with [`ToString::to_string`].
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// The inputs in source order. Empty for the shorthand that has only an output.
    pub params: Vec<Field>,
    /// The type of the output.
    pub output: Type,
}

/// A name with a type: a parameter of a signature or a field of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The name, without a colon.
    pub name: String,
    /// The type; [`Type::Optional`] makes the field optional.
    pub ty: Type,
    /// Whether nil says no more than that the field is absent: `name? :int`. The type is then
    /// [`Type::Optional`]. In `name :int?`, nil is a value of its own.
    pub nil_is_absent: bool,
    /// The author's description, for people and models; checks ignore it.
    pub description: Option<String>,
}

/// One type.
///
/// Parsing gives one shape per meaning:
///
/// - An optional is neither inside an optional nor a member of a union.
/// - A union is not directly inside a union, and has at least two members.
/// - An enum has at least one value.
///
/// Types built by hand in other shapes work, and print in the shape that parsing gives. Keep the
/// nesting of hand-built types small: all walks recurse on it.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// Any value, including nil: `:any`.
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
    /// One of a set of words, as a string or a keyword: `:enum[low mid high]`.
    Enum(Vec<String>),
    /// A list with a number of items: `[:int]`, `[:int][3..]`.
    List(Box<Type>, Length),
    /// A map with known fields: `{id :int, name :string?}`. Without fields, any map.
    Record(Record),
    /// One of several types: `:string|:int`.
    Union(Vec<Type>),
    /// The type or nil: `:int?`.
    Optional(Box<Type>),
}

/// The fields of a record type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// The fields, in the order of their declaration.
    pub fields: Vec<Field>,
    /// Whether values have fields of other names by intention: `{id :int, ..}`. Other fields of a
    /// closed record are kept too, but a program that reads one is refused.
    pub open: bool,
}

/// An optional minimum and an optional maximum, both inclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds<T> {
    /// The minimum, if there is one.
    pub min: Option<T>,
    /// The maximum, if there is one.
    pub max: Option<T>,
}

/// The allowed length of a string in code points, or of a list in items.
pub type Length = Bounds<u64>;

impl Signature {
    /// Returns the parameters as one record type.
    pub fn params_type(&self) -> Type {
        Type::Record(self.params.clone().into())
    }

    /// Returns the signature without hidden parameters and fields.
    #[must_use]
    pub fn redacted(&self) -> Signature {
        let params = redacted_fields(&self.params, Kept::Nothing);
        Signature { params, output: self.output.redacted() }
    }

    /// Returns the signature without descriptions of parameters and fields.
    #[must_use]
    pub fn without_descriptions(&self) -> Signature {
        let params = fields_without_descriptions(&self.params);
        Signature { params, output: without_descriptions(&self.output) }
    }

    /// Returns the signature that a calling program reads. It has no hidden fields, except those of
    /// the inputs that are required.
    #[must_use]
    pub fn redacted_for_calls(&self) -> Signature {
        let params = redacted_fields(&self.params, Kept::Required);
        Signature { params, output: self.output.redacted() }
    }
}

impl From<Vec<Field>> for Record {
    /// Returns the closed record of these fields.
    fn from(fields: Vec<Field>) -> Record {
        Record { fields, open: false }
    }
}

impl FromIterator<Field> for Record {
    fn from_iter<I: IntoIterator<Item = Field>>(fields: I) -> Record {
        Record::from(fields.into_iter().collect::<Vec<_>>())
    }
}

impl std::ops::Deref for Record {
    type Target = [Field];

    fn deref(&self) -> &[Field] {
        &self.fields
    }
}

impl Field {
    /// Returns a field without a description.
    pub fn new(name: impl Into<String>, ty: Type) -> Field {
        Field { name: name.into(), ty, nil_is_absent: false, description: None }
    }

    /// Returns the field as one that may be absent, and that is absent where it is nil:
    /// `name? :int`.
    #[must_use]
    pub fn absent_if_nil(mut self) -> Field {
        (self.ty, self.nil_is_absent) = (self.ty.optional(), true);
        self
    }

    /// Returns whether the field is hidden from the model: whether its name starts with `_`.
    pub fn is_hidden(&self) -> bool {
        self.name.starts_with('_')
    }

    /// Returns whether the field may be absent.
    pub fn is_optional(&self) -> bool {
        self.ty.is_optional()
    }
}

impl Type {
    /// Returns whether the type accepts a value, apart from the parts of either.
    pub(crate) fn accepts(&self, view: View<'_>) -> bool {
        match (self, view) {
            (Type::Bool, View::Bool(_)) => true,
            (Type::Int(range), View::Int(int)) => range.contains(&int),
            // An integer beyond 64 bits is above or below every possible bound.
            (Type::Int(range), View::BigInt(near)) if near < 0.0 => range.min.is_none(),
            (Type::Int(range), View::BigInt(_)) => range.max.is_none(),
            (Type::Float(range), View::Int(int)) => range.contains(&(int as f64)),
            (Type::Float(range), View::BigInt(float) | View::Float(float)) => {
                range.contains(&float)
            }
            // A keyword and a string with the same text are equal, and JSON has no keywords.
            (Type::String(length), View::Str(text) | View::Keyword(text)) => {
                length.is_open() || length.contains(&(text.chars().count() as u64))
            }
            (Type::Keyword, View::Keyword(_) | View::Str(_)) => true,
            (Type::Datetime, View::Datetime) => true,
            (Type::Datetime, View::Str(text)) => is_datetime(text),
            (Type::Enum(words), View::Str(text) | View::Keyword(text)) => {
                words.iter().any(|word| word == text)
            }
            _ => false,
        }
    }

    /// Any integer.
    pub const INT: Type = Type::Int(Bounds::OPEN);
    /// Any number.
    pub const FLOAT: Type = Type::Float(Bounds::OPEN);
    /// Any string.
    pub const STRING: Type = Type::String(Bounds::OPEN);

    /// Returns the possible kinds of the type's values.
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

    /// Returns this type extended to accept nil.
    #[must_use]
    pub fn optional(self) -> Type {
        if self.is_optional() { self } else { Type::Optional(Box::new(self)) }
    }

    /// Returns whether a field of this type may be absent.
    pub fn is_optional(&self) -> bool {
        match self {
            Type::Optional(_) => true,
            Type::Union(members) => members.iter().any(Type::is_optional),
            _ => false,
        }
    }

    /// Returns the type without hidden fields, at every depth.
    ///
    /// The name of a hidden field starts with `_`.
    #[must_use]
    pub fn redacted(&self) -> Type {
        redacted(self, Kept::Nothing)
    }
}

impl<T> Bounds<T> {
    /// No bounds.
    pub const OPEN: Bounds<T> = Bounds { min: None, max: None };

    /// Returns whether there is neither a minimum nor a maximum.
    pub fn is_open(&self) -> bool {
        self.min.is_none() && self.max.is_none()
    }
}

impl<T: PartialOrd> Bounds<T> {
    /// Returns whether `value` is within the bounds. A `NaN` is within open bounds only.
    pub fn contains(&self, value: &T) -> bool {
        self.min.as_ref().is_none_or(|min| min <= value)
            && self.max.as_ref().is_none_or(|max| value <= max)
    }
}

/// The hidden fields that a redacted type keeps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    Nothing,
    Required,
}

fn redacted(ty: &Type, kept: Kept) -> Type {
    match ty {
        Type::List(item, length) => Type::List(Box::new(redacted(item, kept)), *length),
        Type::Record(record) => {
            Type::Record(Record { fields: redacted_fields(record, kept), open: record.open })
        }
        Type::Union(members) => {
            // Members that differ in hidden fields only become one member.
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

fn without_descriptions(ty: &Type) -> Type {
    match ty {
        Type::List(item, length) => Type::List(Box::new(without_descriptions(item)), *length),
        Type::Record(record) => {
            let fields = fields_without_descriptions(record);
            Type::Record(Record { fields, open: record.open })
        }
        Type::Union(members) => Type::Union(members.iter().map(without_descriptions).collect()),
        Type::Optional(inner) => Type::Optional(Box::new(without_descriptions(inner))),
        _ => ty.clone(),
    }
}

fn fields_without_descriptions(fields: &[Field]) -> Vec<Field> {
    let bare = |it: &Field| {
        let ty = without_descriptions(&it.ty);
        Field { ty, description: None, ..it.clone() }
    };
    fields.iter().map(bare).collect()
}

fn redacted_fields(fields: &[Field], kept: Kept) -> Vec<Field> {
    fields
        .iter()
        .filter(|field| !field.is_hidden() || kept == Kept::Required && !field.is_optional())
        .map(|field| Field { ty: redacted(&field.ty, kept), ..field.clone() })
        .collect()
}
