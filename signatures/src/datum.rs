//! The interface of data that can be checked and coerced.

use std::borrow::{Borrow, Cow};

use serde_json::Value;

/// Data that can be checked against a type without a conversion.
///
/// The checker calls [`Datum::view`] on every value it visits, so that method has to be cheap. It
/// calls the other methods for lists and maps only. This crate implements the trait for
/// [`serde_json::Value`].
///
/// ```
/// use std::borrow::{Borrow, Cow};
/// use ptc_signatures::{Datum, View, check};
///
/// enum Lisp {
///     Keyword(String),
///     Vector(Vec<Lisp>),
/// }
///
/// impl Datum for Lisp {
///     const HAS_FORMS: bool = true;
///
///     fn view(&self) -> View<'_> {
///         match self {
///             Lisp::Keyword(name) => View::Keyword(name),
///             Lisp::Vector(_) => View::List,
///         }
///     }
///     fn items(&self) -> impl Iterator<Item = impl Borrow<Lisp>> {
///         let items = match self {
///             Lisp::Vector(items) => Some(items),
///             Lisp::Keyword(_) => None,
///         };
///         items.into_iter().flatten()
///     }
///     fn field(&self, _name: &str) -> Option<&Lisp> {
///         None
///     }
///     fn entries(&self) -> impl Iterator<Item = (Cow<'_, str>, &Lisp)> {
///         std::iter::empty()
///     }
/// }
///
/// let value = Lisp::Vector(vec![Lisp::Keyword("a".into())]);
/// let mismatches = check(&"[:int]".parse()?, &value);
/// assert_eq!(mismatches[0].to_string(), "[0]: expected int, found keyword :a");
/// # Ok::<(), ptc_signatures::Error>(())
/// ```
pub trait Datum: Sized {
    /// Whether the data belongs to a program, so that a mismatch may suggest a form.
    const HAS_FORMS: bool;

    /// Returns the kind of the value, and the content of a scalar.
    fn view(&self) -> View<'_>;

    /// Returns the items of a list in order. Any other value has no items.
    ///
    /// Items may be owned, for lists that create their items on demand.
    fn items(&self) -> impl Iterator<Item = impl Borrow<Self>>;

    /// Returns the number of items of a list, or `None` if it is unknown. The checker does not
    /// check an unknown length.
    fn length(&self) -> Option<u64> {
        Some(self.items().count() as u64)
    }

    /// Returns the value under the key `name` of a map. Any other value has no fields.
    fn field(&self, name: &str) -> Option<&Self>;

    /// Returns the entries of a map in order, with keys as text. Any other value has no entries.
    fn entries(&self) -> impl Iterator<Item = (Cow<'_, str>, &Self)>;

    /// Returns the value as text, for the message of a mismatch.
    ///
    /// The checker calls this only for a [`View::BigInt`], a [`View::Datetime`] or a
    /// [`View::Other`]. Without a text, the message names only the kind. It cuts the text after 40
    /// characters.
    fn literal(&self) -> Option<String> {
        None
    }
}

/// Data that can be coerced to a type. This crate implements the trait for [`serde_json::Value`].
pub trait Coercible: Datum + Clone {
    /// Creates a boolean.
    fn bool(value: bool) -> Self;

    /// Creates a float.
    fn float(value: f64) -> Self;

    /// Creates a string.
    fn text(text: &str) -> Self;

    /// Creates an integer from its digits, with or without a minus sign in front. Returns `None` if
    /// the data cannot represent an integer of that size.
    fn integer(digits: &str) -> Option<Self>;

    /// Changes each item of a list, in order. Any other value stays unchanged.
    #[must_use]
    fn with_items(self, change: impl FnMut(usize, Self) -> Self) -> Self;

    /// Changes the value under one key of a map. Without that key, the map stays unchanged.
    #[must_use]
    fn with_field(self, name: &str, change: impl FnOnce(Self) -> Self) -> Self;

    /// Removes one key of a map, and keeps the order of the others. Any other value stays unchanged.
    #[must_use]
    fn without_field(self, name: &str) -> Self;
}

/// The kind of a value, with the content of a scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum View<'a> {
    /// Nil; `null` in JSON.
    Nil,
    /// A boolean.
    Bool(bool),
    /// An integer of 64 bits.
    Int(i64),
    /// An integer that does not fit in 64 bits, as the nearest float. Infinite if it is beyond all
    /// finite floats.
    BigInt(f64),
    /// A float.
    Float(f64),
    /// A string.
    Str(&'a str),
    /// The name of a keyword, without the colon.
    Keyword(&'a str),
    /// A date, or a date with a time.
    Datetime,
    /// A list; see [`Datum::items`].
    List,
    /// A map; see [`Datum::field`] and [`Datum::entries`].
    Map,
    /// Something that only `:any` accepts, by its kind: `function`.
    Other(&'static str),
    /// A value that is not known yet but is of one of these kinds. It fits a type that accepts one
    /// of them.
    Unknown(Kinds),
}

/// A set of kinds of values.
///
/// ```
/// use ptc_signatures::Kinds;
///
/// let kinds = Kinds::INT | Kinds::NIL;
/// assert!(kinds.meets(Kinds::INT) && !kinds.meets(Kinds::STRING));
/// assert_eq!(kinds.to_string(), "int or nil");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Kinds(u16);

impl Kinds {
    /// Nil.
    pub const NIL: Kinds = Kinds(1);
    /// A boolean.
    pub const BOOL: Kinds = Kinds(1 << 1);
    /// An integer of any size.
    pub const INT: Kinds = Kinds(1 << 2);
    /// A float.
    pub const FLOAT: Kinds = Kinds(1 << 3);
    /// A string.
    pub const STRING: Kinds = Kinds(1 << 4);
    /// A keyword.
    pub const KEYWORD: Kinds = Kinds(1 << 5);
    /// A list of any form.
    pub const LIST: Kinds = Kinds(1 << 6);
    /// A map.
    pub const MAP: Kinds = Kinds(1 << 7);
    /// Something that only `:any` accepts, such as a function.
    pub const OTHER: Kinds = Kinds(1 << 8);
    /// The empty set: no value is of such a kind.
    pub const NONE: Kinds = Kinds(0);
    /// Every kind.
    pub const ANY: Kinds = Kinds((1 << 9) - 1);
    /// A number.
    pub const NUMBER: Kinds = Kinds(Kinds::INT.0 | Kinds::FLOAT.0);

    const NAMES: [&str; 9] =
        ["nil", "bool", "int", "float", "string", "keyword", "list", "map", "no data"];

    /// Returns whether the two sets have a kind in common.
    #[must_use]
    pub const fn meets(self, other: Kinds) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the kinds that are in both sets.
    #[must_use]
    pub const fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 & other.0)
    }

    /// Returns the kinds of this set that are not in the other.
    #[must_use]
    pub const fn without(self, other: Kinds) -> Kinds {
        Kinds(self.0 & !other.0)
    }
}

impl std::ops::BitOr for Kinds {
    type Output = Kinds;

    fn bitor(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }
}

impl std::ops::BitOrAssign for Kinds {
    fn bitor_assign(&mut self, other: Kinds) {
        self.0 |= other.0;
    }
}

/// Prints as `int or nil`, with nil last.
impl std::fmt::Display for Kinds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if *self == Kinds::ANY {
            return f.write_str("anything");
        }
        let named = (1..9).chain([0]).filter(|bit| self.0 >> bit & 1 == 1);
        for (at, bit) in named.enumerate() {
            let name = Kinds::NAMES.get(bit).copied().unwrap_or_default();
            write!(f, "{}{name}", if at > 0 { " or " } else { "" })?;
        }
        Ok(())
    }
}

impl Datum for Value {
    const HAS_FORMS: bool = false;

    fn view(&self) -> View<'_> {
        match self {
            Value::Null => View::Nil,
            Value::Bool(value) => View::Bool(*value),
            Value::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
                (Some(int), ..) => View::Int(int),
                (None, Some(int), _) => View::BigInt(int as f64),
                (None, None, Some(float)) => View::Float(float),
                (None, None, None) => View::Other("number"),
            },
            Value::String(text) => View::Str(text),
            Value::Array(_) => View::List,
            Value::Object(_) => View::Map,
        }
    }

    fn items(&self) -> impl Iterator<Item = impl Borrow<Value>> {
        self.as_array().into_iter().flatten()
    }

    fn field(&self, name: &str) -> Option<&Value> {
        self.as_object()?.get(name)
    }

    fn entries(&self) -> impl Iterator<Item = (Cow<'_, str>, &Value)> {
        let entries = self.as_object().into_iter().flatten();
        entries.map(|(key, value)| (Cow::Borrowed(key.as_str()), value))
    }

    fn literal(&self) -> Option<String> {
        match self {
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }
}

impl Coercible for Value {
    fn bool(value: bool) -> Value {
        value.into()
    }

    fn float(value: f64) -> Value {
        value.into()
    }

    fn text(text: &str) -> Value {
        text.into()
    }

    fn integer(digits: &str) -> Option<Value> {
        let int: i64 = digits.parse().ok()?;
        Some(int.into())
    }

    fn with_items(self, mut change: impl FnMut(usize, Value) -> Value) -> Value {
        let Value::Array(items) = self else { return self };
        let items = items.into_iter().enumerate();
        Value::Array(items.map(|(index, it)| change(index, it)).collect())
    }

    fn with_field(mut self, name: &str, change: impl FnOnce(Value) -> Value) -> Value {
        if let Some(slot) = self.as_object_mut().and_then(|it| it.get_mut(name)) {
            *slot = change(slot.take());
        }
        self
    }

    fn without_field(mut self, name: &str) -> Value {
        if let Some(map) = self.as_object_mut() {
            map.shift_remove(name);
        }
        self
    }
}
