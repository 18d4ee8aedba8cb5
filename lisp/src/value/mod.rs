//! Values of the language: sixteen bytes each, immutable, shared by reference counts.
//!
//! What lives here: the value itself, its collections, equality, hashing, ordering, printing and
//! JSON. What never will: spans (they live beside program nodes), limits (the machine's), and
//! native recursion over nested values.

mod cell;
mod class;
mod drop;
mod eq;
mod ext;
mod hash;
pub mod json;
mod lazy;
mod matcher;
mod order;
mod pattern;
pub mod print;
mod seq;
mod sorted;
mod stage;
mod table;
mod text;
mod time;
mod uuid;
mod vector;

use std::fmt;
use std::sync::Arc;

use arcstr::ArcStr;
use num_bigint::BigInt;

pub(crate) use cell::Progress;
pub use cell::{Cell, CellKind};
pub use class::Class;
pub use ext::{Ext, Thrown};
pub use lazy::Lazy;
pub use matcher::Matcher;
pub use pattern::Pattern;
pub(crate) use pattern::after;
pub use seq::{Seq, SeqIter};
pub use stage::Stage;
pub use table::{Map, Set, TableIter};
pub use time::Time;
pub use uuid::Uuid;
pub(crate) use vector::COPY_MAX;
pub use vector::{Vector, VectorIter};

pub(crate) use drop::drop_all;
pub(crate) use eq::{equal, equal_within, parts, same_key};
pub(crate) use lazy::Link;
pub(crate) use order::{compare_within, difference, is_comparable};
pub(crate) use seq::Source;
pub(crate) use sorted::{Order, Search};
pub(crate) use stage::{StageKind, StageState};
pub(crate) use table::{FLAT_MAX, Row, Table};
pub(crate) use text::Positions;
pub(crate) use time::{
    DAY, DAYS, MONTHS, Moment, SECOND, Unit, Zone, epoch_day, epoch_nanos, name as time_name,
    nano_of_day,
};

use crate::builtins::BuiltinId;
use crate::machine::Closure;

/// A value of the language.
///
/// Cloning copies sixteen bytes and bumps at most one reference count. Collections are immutable;
/// the machine changes one in place when it holds the only reference.
#[derive(Default)]
// A tag of eight bytes makes a copy two whole words. With one of a byte the seven bytes beside it are
// copied in pieces that overlap, and each load of one waits for the stores before it: `fib` takes a
// sixth longer.
#[repr(u64)]
pub enum Value {
    /// `nil`.
    #[default]
    Nil,
    /// `true` or `false`.
    Bool(bool),
    /// An integer of 64 bits.
    Int(i64),
    /// An IEEE 754 double.
    Float(f64),
    /// An integer that does not fit 64 bits; never one that does.
    Big(Arc<BigInt>),
    /// A string of Unicode text.
    Str(ArcStr),
    /// A keyword; the text has no leading colon.
    Keyword(ArcStr),
    /// A quoted symbol.
    Symbol(ArcStr),
    /// A sequence: prints in parentheses, `conj` puts in front.
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
    /// The rarer kinds.
    Ext(Arc<Ext>),
}

// Sixteen bytes is what a collection pays per element and what the machine moves per operand;
// an eight-byte string handle is what makes it possible.
const _: () = assert!(size_of::<Value>() == 16 && size_of::<Option<Value>>() == 16);

impl Value {
    /// A string.
    pub fn str(text: impl Into<ArcStr>) -> Value {
        Value::Str(text.into())
    }

    /// A keyword; `text` has no leading colon.
    pub fn keyword(text: impl Into<ArcStr>) -> Value {
        Value::Keyword(text.into())
    }

    /// A vector of these items.
    pub fn vector(items: Vec<Value>) -> Value {
        Value::Vector(Arc::new(Vector::new(items)))
    }

    /// An entry of a map.
    pub(crate) fn entry(key: Value, value: Value) -> Value {
        Value::Vector(Arc::new(Vector::entry(key, value)))
    }

    /// The key and the value of an entry of a map.
    pub(crate) fn as_entry(&self) -> Option<(&Value, &Value)> {
        match self {
            Value::Vector(vector) => vector.as_entry(),
            _ => None,
        }
    }

    /// A sequence of these items.
    pub fn list(items: Vec<Value>) -> Value {
        Value::List(Arc::new(Seq::new(items)))
    }

    /// The list without items.
    pub(crate) fn empty_list() -> Value {
        Value::List(Arc::new(Seq::default().into_list()))
    }

    /// The queue without items.
    pub(crate) fn empty_queue() -> Value {
        Value::List(Arc::new(Seq::empty_queue()))
    }

    /// A map of these pairs; a later pair replaces the value of an earlier equal key.
    pub fn map(pairs: impl IntoIterator<Item = (Value, Value)>) -> Value {
        let mut map = Map::default();
        for (key, value) in pairs {
            map.insert((key, value));
        }
        Value::Map(Arc::new(map))
    }

    /// A set of these members.
    pub fn set(members: impl IntoIterator<Item = Value>) -> Value {
        let mut set = Set::default();
        for member in members {
            set.insert(member);
        }
        Value::Set(Arc::new(set))
    }

    /// An integer of any size, in its one canonical form.
    pub(crate) fn big(value: BigInt) -> Value {
        match i64::try_from(&value) {
            Ok(small) => Value::Int(small),
            Err(_) => Value::Big(Arc::new(value)),
        }
    }

    /// Whether a test takes this for true: all but `nil` and `false`.
    pub fn truthy(&self) -> bool {
        !matches!(self, Value::Nil | Value::Bool(false))
    }

    /// Whether this is `nil`.
    pub fn is_nil(&self) -> bool {
        matches!(self, Value::Nil)
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Str(text) => Some(text),
            _ => None,
        }
    }

    /// The text of a string, or the name of a keyword or symbol.
    pub fn name(&self) -> Option<&str> {
        match self {
            Value::Str(text) | Value::Keyword(text) | Value::Symbol(text) => Some(text),
            _ => None,
        }
    }

    /// Whether another constant is this one again, in another spelling perhaps: they are equal, and of one kind or a
    /// keyword and a string.
    pub(crate) fn is_written_again(&self, other: &Value) -> bool {
        let is_name = |it: &Value| matches!(it, Value::Str(_) | Value::Keyword(_));
        let alike = self.type_name() == other.type_name() || is_name(self) && is_name(other);
        alike && self == other
    }

    /// Whether both are one keyword, or one string, in the same place of memory.
    pub(crate) fn is_the_name(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Str(a), Value::Str(b)) | (Value::Keyword(a), Value::Keyword(b)) => {
                ArcStr::ptr_eq(a, b)
            }
            _ => false,
        }
    }

    /// An integer that fits 64 bits.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(int) => Some(*int),
            _ => None,
        }
    }

    /// A map.
    pub fn as_map(&self) -> Option<&Map> {
        match self {
            Value::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The value under a key of a map; a keyword key and a string key of one name are one key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_map()?.get_name(key)
    }

    /// The items of a list, a vector or a set.
    pub fn items(&self) -> Option<Items<'_>> {
        match self {
            Value::List(seq) => Some(Items::Seq(seq.iter())),
            Value::Vector(vector) => Some(Items::Vector(vector.iter())),
            Value::Set(set) => Some(Items::Set(set.iter())),
            _ => None,
        }
    }

    /// What kind of value this is, in the words that messages use.
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

    /// Ends a value. Of most there is nothing to free, and no call is made to find that out.
    #[inline]
    pub(crate) fn done(self) {
        if self.is_plain() { std::mem::forget(self) } else { drop(self) }
    }

    /// Whether it takes no memory but its own sixteen bytes, and counts no references.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self, Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Float(_))
    }

    /// A copy of a value that may be counted.
    #[inline(never)]
    fn share(&self) -> Value {
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

    /// How deep containers nest here: 0 for anything that holds no value.
    pub(crate) fn depth(&self) -> u32 {
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

/// One more than the deepest of these values.
pub(crate) fn depth_above<'a>(values: impl IntoIterator<Item = &'a Value>) -> u32 {
    let mut deepest = 0;
    for value in values {
        // Most hold nothing, and there may be many.
        if !matches!(value, Value::Int(_) | Value::Str(_) | Value::Float(_)) {
            deepest = deepest.max(value.depth());
        }
    }
    deepest + 1
}

/// Iterator over the items of a list, a vector or a set.
#[derive(Clone)]
pub enum Items<'a> {
    /// Of a list.
    Seq(SeqIter<'a>),
    /// Of a vector.
    Vector(VectorIter<'a>),
    /// Of a set.
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
    /// Most values that are copied are integers, for which no table of kinds is looked at.
    #[inline]
    fn clone(&self) -> Value {
        match self {
            Value::Int(int) => Value::Int(*int),
            other => other.share(),
        }
    }
}

impl PartialEq for Value {
    /// The language's `=`.
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
