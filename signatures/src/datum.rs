//! Data as the checker sees it.

use std::borrow::{Borrow, Cow};

use serde_json::Value;

/// Data that can be checked against a type without being converted first.
///
/// The checker calls [`Datum::view`] on every value it looks at, so that has to be cheap; the
/// other methods are called for lists and maps only. Implemented here for [`serde_json::Value`].
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
///     const HAS_KEYWORDS: bool = true;
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
/// let mismatches = check(&"[:string]".parse()?, &value);
/// assert_eq!(mismatches[0].to_string(), "[0]: expected string, found keyword :a");
/// # Ok::<(), ptc_signatures::Error>(())
/// ```
pub trait Datum: Sized {
    /// Whether this kind of data has keywords. Where it has none, a string stands for one.
    ///
    /// It also says that the data belongs to a program, so that a mismatch may suggest a form.
    const HAS_KEYWORDS: bool;

    /// Returns what the value is.
    fn view(&self) -> View<'_>;

    /// Returns the items of a list in order; nothing for any other value.
    ///
    /// Items may be owned, for lists that make their items when asked.
    fn items(&self) -> impl Iterator<Item = impl Borrow<Self>>;

    /// Returns the value under the key of this name in a map; none for any other value.
    fn field(&self, name: &str) -> Option<&Self>;

    /// Returns the entries of a map in order, keys as text; nothing for any other value.
    fn entries(&self) -> impl Iterator<Item = (Cow<'_, str>, &Self)>;

    /// Returns how the value is written, for the message of a mismatch.
    ///
    /// Asked only of a [`View::BigInt`], a [`View::Datetime`] and a [`View::Other`], which the
    /// message otherwise calls by their kind alone. Texts are cut after 40 characters.
    fn literal(&self) -> Option<String> {
        None
    }
}

/// What a value is; scalars come with their content.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum View<'a> {
    /// Nil, in JSON `null`.
    Nil,
    /// A truth value.
    Bool(bool),
    /// An integer of 64 bits.
    Int(i64),
    /// An integer that does not fit in 64 bits, as its nearest float; infinite if there is none.
    BigInt(f64),
    /// A float.
    Float(f64),
    /// A string.
    Str(&'a str),
    /// A keyword by its name, without the colon.
    Keyword(&'a str),
    /// A date, or a date with a time.
    Datetime,
    /// A list; see [`Datum::items`].
    List,
    /// A map; see [`Datum::field`] and [`Datum::entries`].
    Map,
    /// Something that only `:any` accepts, by what it is: `function`.
    Other(&'static str),
}

impl Datum for Value {
    const HAS_KEYWORDS: bool = false;

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
