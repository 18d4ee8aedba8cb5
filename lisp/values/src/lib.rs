//! Values of the language: 16 bytes each, immutable, shared by reference counts.
//!
//! This crate has the value itself, its collections, equality, hashing, ordering, printing and
//! JSON. Spans belong to program nodes and limits to the machine. There is no native recursion over
//! nested values.

#![expect(
    missing_docs,
    clippy::missing_errors_doc,
    clippy::return_self_not_must_use,
    reason = "a part of `ptc-lisp`, which documents what it re-exports"
)]

mod builtin_id;
mod cell;
mod character;
mod class;
#[cfg(feature = "clones")]
pub mod clones;
mod closure;
pub mod code;
mod datum;
mod diagnostic;
mod drop;
mod edit;
mod eq;
mod ext;
mod grown;
mod hash;
mod hidden;
pub mod ir;
pub mod json;
mod keyed;
mod lazy;
pub mod limits;
mod matcher;
pub mod num;
mod order;
mod pattern;
pub mod print;
mod pulled;
pub mod random;
mod range;
mod records;
mod regex;
mod seq;
mod shape;
mod small;
mod sorted;
mod stage;
mod table;
mod text;
mod time;
mod unbuilt;
mod uuid;
mod vector;

use std::fmt;
use std::sync::Arc;

use arcstr::ArcStr;
use num_bigint::BigInt;

pub use builtin_id::{BuiltinId, register_names};
pub use cell::{Cell, CellKind, Progress};
pub use character::{as_character, character};
pub use class::Class;
pub use closure::{Closure, wrong_arity_of, wrong_number};
pub use diagnostic::Diagnostic;
pub use drop::drop_all;
pub use eq::{equal, equal_within, parts, same_key};
pub use ext::{Ext, Thrown, is_var, reduced};
pub use grown::Grown;
pub use hidden::HiddenTexts;
pub use lazy::{Lazy, Link};
pub use matcher::Matcher;
pub use order::{compare_within, difference, is_comparable, order_of};
pub use pattern::{Pattern, after, span};
pub use ptc_signatures::spelling;
pub use pulled::{Numbers, Origin, Pulled};
pub use records::{LastKeys, Places, Shapes};
pub use regex::{bad_regex, compile_regex, regex};
pub use seq::{Seq, SeqIter, Source};
pub use shape::SHORT_NAME;
pub use small::FLAT_MAX;
pub use sorted::Search;
pub use stage::{Stage, StageKind, StageState};
pub use table::{Map, Order, Row, Set, Table, TableIter};
pub use text::{CHARGE_BYTES, Positions, own_name, same_text};
pub use time::{
    DAY, DAYS, MONTHS, Moment, SECOND, Time, Unit, Zone, epoch_day, epoch_nanos, name as time_name,
    nano_of_day,
};
pub use unbuilt::{is_long, is_unbuilt};
pub use uuid::Uuid;
pub use vector::{COPY_MAX, Vector, VectorIter};

/// A value, or the problem of making it.
pub type Res<T = Value> = Result<T, Diagnostic>;

/// A value of the language.
///
/// Cloning copies 16 bytes and increments at most one reference count. Collections are immutable;
/// the machine changes one in place when it holds the only reference.
#[derive(Default)]
// With an eight-byte tag, a copy is two whole words. With a one-byte tag, the other seven bytes are
// copied in overlapping pieces. Each load of one waits for the stores before it: `fib` takes a
// sixth longer.
#[repr(u64)]
pub enum Value {
    /// `nil`.
    #[default]
    Nil,
    /// `true` or `false`.
    Bool(bool),
    /// A 64-bit integer.
    Int(i64),
    /// An IEEE 754 double.
    Float(f64),
    /// An integer outside 64 bits, never one inside.
    Big(Arc<BigInt>),
    /// A Unicode string.
    Str(ArcStr),
    /// A keyword; the text has no leading colon.
    Keyword(ArcStr),
    /// A quoted symbol.
    Symbol(ArcStr),
    /// A sequence: it prints in parentheses, and `conj` adds at the front.
    List(Arc<Seq>),
    /// A vector.
    Vector(Arc<Vector>),
    /// A map, in insertion order.
    Map(Arc<Map>),
    /// A set, in insertion order.
    Set(Arc<Set>),
    /// A function made by a program.
    Function(Arc<Closure>),
    /// A function of the language.
    Builtin(BuiltinId),
    /// A rarer kind of value.
    Ext(Arc<Ext>),
}

// 16 bytes is the cost of each element of a collection and of each operand that the machine moves.
// An eight-byte string handle makes that possible.
const _: () = assert!(size_of::<Value>() == 16 && size_of::<Option<Value>>() == 16);

impl Value {
    /// Makes a string.
    pub fn str(text: impl Into<ArcStr>) -> Value {
        Value::Str(text.into())
    }

    /// Makes a character: a string of length one (D3) that [`as_character`] tells from text of the same length.
    pub fn character(c: char) -> Value {
        Value::Str(character(c))
    }

    /// Makes a keyword; `text` has no leading colon.
    pub fn keyword(text: impl Into<ArcStr>) -> Value {
        Value::Keyword(text.into())
    }

    /// Makes a vector of these items.
    pub fn vector(items: Vec<Value>) -> Value {
        Value::Vector(Arc::new(Vector::new(items)))
    }

    pub fn entry(key: Value, value: Value) -> Value {
        Value::Vector(Arc::new(Vector::entry(key, value)))
    }

    /// Returns the key and the value of a map entry.
    pub fn as_entry(&self) -> Option<(&Value, &Value)> {
        match self {
            Value::Vector(vector) => vector.as_entry(),
            _ => None,
        }
    }

    /// Makes a sequence of these items.
    pub fn list(items: Vec<Value>) -> Value {
        Value::List(Arc::new(Seq::new(items)))
    }

    pub fn empty_list() -> Value {
        Value::List(Arc::new(Seq::default().into_list()))
    }

    pub fn empty_queue() -> Value {
        Value::List(Arc::new(Seq::empty_queue()))
    }

    /// Makes a map of these pairs; a later pair replaces the value of an earlier equal key.
    pub fn map(pairs: impl IntoIterator<Item = (Value, Value)>) -> Value {
        Value::Map(Arc::new(Map::of_pairs(pairs)))
    }

    /// Makes a set of these members.
    pub fn set(members: impl IntoIterator<Item = Value>) -> Value {
        let mut set = Set::default();
        for member in members {
            set.insert(member);
        }
        Value::Set(Arc::new(set))
    }

    /// Makes an integer of any size, in its canonical form.
    pub fn big(value: BigInt) -> Value {
        match i64::try_from(&value) {
            Ok(small) => Value::Int(small),
            Err(_) => Value::Big(Arc::new(value)),
        }
    }

    /// Returns whether the value is truthy: anything but `nil` and `false`.
    pub fn truthy(&self) -> bool {
        !matches!(self, Value::Nil | Value::Bool(false))
    }

    /// Returns whether this is `nil`.
    pub fn is_nil(&self) -> bool {
        matches!(self, Value::Nil)
    }

    /// Returns the text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Str(text) => Some(text),
            other => Grown::of(other)?.plain().as_str(),
        }
    }

    /// Returns the text of a string, or the name of a keyword or symbol.
    pub fn name(&self) -> Option<&str> {
        match self {
            Value::Str(text) | Value::Keyword(text) | Value::Symbol(text) => Some(text),
            other => other.as_str(),
        }
    }

    /// Returns whether another constant duplicates this one, perhaps in another spelling. They are
    /// equal, and of the same kind or a keyword and a string.
    pub fn is_written_again(&self, other: &Value) -> bool {
        let is_name = |it: &Value| matches!(it, Value::Str(_) | Value::Keyword(_));
        let alike = self.type_name() == other.type_name() || is_name(self) && is_name(other);
        alike && self == other
    }

    /// Returns whether both are the same keyword or string at the same address.
    pub fn is_the_name(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Str(a), Value::Str(b)) | (Value::Keyword(a), Value::Keyword(b)) => {
                ArcStr::ptr_eq(a, b)
            }
            _ => false,
        }
    }

    /// Returns an integer that fits 64 bits.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(int) => Some(*int),
            _ => None,
        }
    }

    /// Returns a map.
    pub fn as_map(&self) -> Option<&Map> {
        match self {
            Value::Map(map) => Some(map),
            _ => None,
        }
    }

    /// Returns the value under a key of a map. A keyword and a string of one name are the same key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_map()?.get_name(key)
    }

    /// Returns the items of a list, a vector or a set.
    pub fn items(&self) -> Option<Items<'_>> {
        match self {
            Value::List(seq) => Some(Items::Seq(seq.iter())),
            Value::Vector(vector) => Some(Items::Vector(vector.iter())),
            Value::Set(set) => Some(Items::Set(set.iter())),
            _ => None,
        }
    }

    /// Returns the kind of value, in the words of messages.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Nil => "nil",
            Value::Bool(_) => "boolean",
            Value::Int(_) | Value::Big(_) => "integer",
            Value::Float(_) => "float",
            Value::Str(_) => "string",
            Value::Keyword(_) => "keyword",
            Value::Symbol(_) => "symbol",
            Value::List(_) => "list",
            Value::Vector(_) => "vector",
            Value::Map(_) => "map",
            Value::Set(_) => "set",
            Value::Function(_) | Value::Builtin(_) => "function",
            Value::Ext(ext) => ext.type_name(),
        }
    }

    /// Drops a value, without a call for the plain ones, which are the most common.
    #[inline]
    pub fn done(self) {
        if self.is_plain() { std::mem::forget(self) } else { drop(self) }
    }

    /// Returns whether it takes only its own 16 bytes and counts no references.
    #[inline]
    pub fn is_plain(&self) -> bool {
        matches!(self, Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Float(_))
    }

    /// Clones a value that may count references.
    #[inline(never)]
    fn share(&self) -> Value {
        #[cfg(feature = "clones")]
        clones::note(self);
        match self {
            Value::Nil => Value::Nil,
            Value::Bool(bool) => Value::Bool(*bool),
            Value::Int(int) => Value::Int(*int),
            Value::Float(float) => Value::Float(*float),
            Value::Big(big) => Value::Big(big.clone()),
            Value::Str(text) => Value::Str(text.clone()),
            Value::Keyword(text) => Value::Keyword(text.clone()),
            Value::Symbol(text) => Value::Symbol(text.clone()),
            Value::List(seq) => Value::List(seq.clone()),
            Value::Vector(vector) => Value::Vector(vector.clone()),
            Value::Map(map) => Value::Map(map.clone()),
            Value::Set(set) => Value::Set(set.clone()),
            Value::Function(closure) => Value::Function(closure.clone()),
            Value::Builtin(id) => Value::Builtin(*id),
            Value::Ext(ext) => Value::Ext(ext.clone()),
        }
    }

    /// Returns the nesting of containers in levels: 0 for a value that holds none.
    pub fn depth(&self) -> u32 {
        match self {
            Value::List(seq) => seq.depth(),
            Value::Vector(vector) => vector.depth(),
            Value::Map(map) => map.depth(),
            Value::Set(set) => set.depth(),
            Value::Function(closure) => closure.depth(),
            Value::Ext(ext) => ext.depth(),
            _ => 0,
        }
    }
}

/// The nesting of what holds a range for whose items nobody has paid, or a text that grew. It is above each limit.
pub const UNBUILT: u32 = 1 << 30;

/// Returns one more than the depth of the deepest value.
pub fn depth_above<'a>(values: impl IntoIterator<Item = &'a Value>) -> u32 {
    let mut deepest = 0;
    for value in values {
        // Most hold nothing, and there may be many.
        if !matches!(value, Value::Int(_) | Value::Str(_) | Value::Float(_)) {
            deepest = deepest.max(value.depth());
        }
    }
    deepest + 1
}

/// An iterator over the items of a list, a vector or a set.
#[derive(Clone)]
pub enum Items<'a> {
    /// The items of a list.
    Seq(SeqIter<'a>),
    /// The items of a vector.
    Vector(VectorIter<'a>),
    /// The items of a set.
    Set(TableIter<'a, Value>),
}

impl<'a> Iterator for Items<'a> {
    type Item = &'a Value;

    fn next(&mut self) -> Option<&'a Value> {
        match self {
            Items::Seq(iter) => iter.next(),
            Items::Vector(iter) => iter.next(),
            Items::Set(iter) => iter.next(),
        }
    }
}

impl Clone for Value {
    /// Most copied values are integers, for which no jump table is read.
    #[inline]
    fn clone(&self) -> Value {
        match self {
            Value::Int(int) => Value::Int(*int),
            other => other.share(),
        }
    }
}

impl PartialEq for Value {
    /// Compares with the language's `=`.
    fn eq(&self, other: &Value) -> bool {
        equal(self, other)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print::readable(self))
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print::readable(self))
    }
}

impl From<i64> for Value {
    fn from(int: i64) -> Value {
        Value::Int(int)
    }
}

impl From<f64> for Value {
    fn from(float: f64) -> Value {
        Value::Float(float)
    }
}

impl From<bool> for Value {
    fn from(bool: bool) -> Value {
        Value::Bool(bool)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Str(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Str(text.into())
    }
}

/// Groups values into pairs; a last single value is dropped.
pub fn pairs(values: impl IntoIterator<Item = Value>) -> impl Iterator<Item = (Value, Value)> {
    let mut values = values.into_iter();
    std::iter::from_fn(move || Some((values.next()?, values.next()?)))
}
