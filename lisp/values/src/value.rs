//! The type of all values, and the types that hold values and are parts of one.
//!
//! Collections, functions and cells are below: they know nothing of this type. Operations on values are above.

use std::sync::Arc;

use arcstr::ArcStr;
use num_bigint::BigInt;

use super::builtin_id::BuiltinId;
use super::cell::CellKind;
use super::character::character;
use super::class::Class;
#[cfg(feature = "clones")]
use super::clones;
use super::code::{Code, Span};
use super::item::{GROWN, Holder};
use super::pattern::Pattern;
use super::time::Time;
use super::uuid::Uuid;
use super::{
    cell, closure, grown, ir, lazy, matcher, pulled, records, seq, stage, table, tree, vector,
};

/// A value, or the problem of making it.
pub type Res<T = Value> = Result<T, Diagnostic>;

/// A vector of values.
pub type Vector = vector::Vector<Value>;
pub type VectorIter<'a> = vector::VectorIter<'a, Value>;
/// A sequence of values.
pub type Seq = seq::Seq<Value>;
pub type SeqIter<'a> = seq::SeqIter<'a, Value>;
/// The view of a table's rows.
pub type Source = seq::Source<Value>;
/// A map of values.
pub type Map = table::Map<Value>;
/// A set of values.
pub type Set = table::Set<Value>;
/// The order of the keys of a sorted map or set.
pub type Order = tree::Order<Value>;
pub type Shapes = records::Shapes<Value>;
pub type Places = records::Places<Value>;
/// The keys of maps of one origin.
pub type Shape = super::shape::Shape<Value>;
pub type LastKeys = records::LastKeys<Value>;
/// A checked program with constants.
pub type Program = ir::Program<Value>;
/// A function that a program made.
pub type Closure = closure::Closure<Value>;
/// An atom, a volatile or a delay.
pub type Cell = cell::Cell<Value>;
/// A lazy sequence of values.
pub type Lazy = lazy::Lazy<Value>;
pub type Link = lazy::Link<Value>;
pub type Stage = stage::Stage<Value>;
pub type StageState = stage::StageState<Value>;
pub type Pulled = pulled::Pulled<Value>;
pub type Origin = pulled::Origin<Value>;
pub type Matcher = matcher::Matcher<Value>;
pub type Grown = grown::Grown<Value>;

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

/// The rarer kinds of values.
#[derive(Debug)]
pub enum Ext {
    /// A compiled regular expression; it prints as its source.
    Regex(Arc<Pattern>),
    /// The value that ends a `reduce` early.
    Reduced(Value),
    /// The result of `def`.
    Var(ArcStr),
    /// An atom, a volatile or a delay.
    Cell(Cell),
    /// The exception that `catch` binds and `throw` throws.
    Error(Thrown),
    /// A date, a time or a span between them.
    Time(Time),
    /// A lazy sequence; it lives as long as its session.
    Lazy(Lazy),
    /// A class of the JVM, the value of a class name.
    Class(&'static Class),
    /// An identifier of 128 bits.
    Uuid(Uuid),
    /// A search that continues from match to match.
    Matcher(Matcher),
    /// A transducer, or a reducing function that one made.
    Stage(Stage),
    /// Integers and stages over them, on the way to a builtin.
    Pulled(Pulled),
    /// A text that grew. Programs take it for the plain one.
    Grown(Grown),
}

/// An exception as a value.
#[derive(Debug, Clone)]
pub struct Thrown {
    /// The JVM's name for its class, without the package.
    pub class: ArcStr,
    /// The message; none if it was made without one.
    pub message: Option<ArcStr>,
    /// The map given to `ex-info`, or nil.
    pub data: Value,
    /// The exception that caused this one, or nil.
    pub cause: Value,
    /// The problem it represents, if the language itself raised it.
    pub problem: Option<Diagnostic>,
    depth: u32,
}

/// One problem: code, message, place, help.
///
/// One word wide, so that results of the machine stay small. A message is lower case without a final dot. It names the
/// cause, the expectation and the value found.
#[derive(Clone)]
pub struct Diagnostic(pub(crate) Box<Problem>);

#[derive(Clone)]
pub(crate) struct Problem {
    pub(crate) code: Code,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    /// An action for the mission's author, impossible for a program.
    pub(crate) advice: Option<String>,
    /// The form that mends the value of the marked `return`, with `%` in its place.
    pub(crate) form: Option<String>,
    pub(crate) span: Option<Span>,
    pub(crate) source: Option<Arc<str>>,
    /// The names of the functions being called, innermost first.
    pub(crate) trace: Vec<String>,
    /// The JVM class of the exception, if the code alone does not determine it.
    pub(crate) class: Option<&'static str>,
    /// The JVM message of the exception, which a `catch` may compare.
    pub(crate) jvm_message: Option<String>,
    /// The exception that a program threw, with the JVM's name of its class.
    pub(crate) thrown: Option<(ArcStr, Value)>,
    /// The value of `ex-data` in a `catch`.
    pub(crate) data: Value,
    /// The index of the argument that is nil instead of a number.
    pub(crate) nil_number: Option<usize>,
}

// 16 bytes is the cost of each element of a collection and of each operand that the machine moves.
// An eight-byte string handle makes that possible.
const _: () = assert!(size_of::<Value>() == 16 && size_of::<Option<Value>>() == 16);

// The head of each record in a list of records.
const _: () = assert!(size_of::<Map>() <= 32 && size_of::<Set>() <= 32);

// The head of each pair in a list of pairs.
const _: () = assert!(size_of::<Vector>() <= 48);

impl Value {
    /// Makes a string.
    pub fn str(text: impl Into<ArcStr>) -> Value {
        Value::Str(text.into())
    }

    /// Makes a character: a string of length one (D3) that [`as_character`](crate::as_character) tells from text of the
    /// same length.
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

    /// Returns the number of items that [`Value::items`] gives, without a look at them.
    pub fn items_len(&self) -> Option<usize> {
        match self {
            Value::List(seq) => Some(seq.len()),
            Value::Vector(vector) => Some(vector.len()),
            Value::Set(set) => Some(set.len()),
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
        if !self.is_plain() && !matches!(self, Value::Builtin(_)) {
            clones::note();
        }
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

impl Thrown {
    pub fn new(class: ArcStr, message: Option<ArcStr>, data: Value, cause: Value) -> Thrown {
        let depth = data.depth().max(cause.depth()) + 1;
        Thrown { class, message, data, cause, problem: None, depth }
    }

    /// Returns the nesting of its containers and causes, in levels.
    pub fn depth(&self) -> u32 {
        self.depth
    }
}

impl Ext {
    /// Returns the name of its class on the JVM.
    fn class_name(&self) -> &str {
        match self {
            Ext::Regex(_) => "Pattern",
            Ext::Reduced(_) => "Reduced",
            Ext::Var(_) => "Var",
            Ext::Cell(cell) => match cell.kind() {
                CellKind::Atom => "Atom",
                CellKind::Volatile => "Volatile",
                CellKind::Delay => "Delay",
            },
            Ext::Error(thrown) => &thrown.class,
            Ext::Time(time) => time.class(),
            Ext::Class(_) => "Class",
            Ext::Lazy(_) | Ext::Pulled(_) => "LazySeq",
            Ext::Uuid(_) => "UUID",
            Ext::Matcher(_) => "Matcher",
            Ext::Stage(_) => "AFunction",
            Ext::Grown(_) => "String",
        }
    }

    /// Returns the nesting of its containers, in levels.
    fn depth(&self) -> u32 {
        match self {
            Ext::Reduced(inner) => inner.depth() + 1,
            Ext::Error(thrown) => thrown.depth,
            Ext::Stage(step) => step.depth(),
            // So the check of the nesting finds it in a collection.
            Ext::Grown(_) => GROWN,
            // The contents of a cell or a lazy sequence change; a drop unpacks them separately.
            _ => 0,
        }
    }

    /// Returns the kind of value, in the words of messages.
    fn type_name(&self) -> &'static str {
        match self {
            Ext::Regex(_) => "regular expression",
            Ext::Reduced(_) => "reduced value",
            Ext::Var(_) => "var",
            Ext::Cell(cell) => match cell.kind() {
                CellKind::Atom => "atom",
                CellKind::Volatile => "volatile",
                CellKind::Delay => "delay",
            },
            Ext::Error(_) => "exception",
            Ext::Time(time) => time.type_name(),
            Ext::Lazy(_) | Ext::Pulled(_) => "lazy sequence",
            Ext::Class(_) => "class",
            Ext::Uuid(_) => "UUID",
            Ext::Matcher(_) => "matcher",
            Ext::Stage(_) => "function",
            Ext::Grown(_) => "string",
        }
    }

    pub fn into_value(self) -> Value {
        Value::Ext(Arc::new(self))
    }
}

impl Holder<Value> for Ext {
    fn drain_into(&mut self, work: &mut Vec<Value>) {
        match self {
            Ext::Reduced(inner) => work.push(std::mem::take(inner)),
            Ext::Cell(cell) => work.extend(cell.close()),
            Ext::Error(thrown) => {
                work.push(std::mem::take(&mut thrown.data));
                work.push(std::mem::take(&mut thrown.cause));
            }
            Ext::Lazy(lazy) => lazy.set(Link::Over).into_values(work),
            Ext::Stage(step) => step.drain_into(work),
            _ => {}
        }
    }
}

impl Class {
    /// Returns the class of a value; none for nil.
    pub fn of(value: &Value) -> Option<&'static Class> {
        Class::find(match value {
            Value::Nil => return None,
            Value::Bool(_) => "Boolean",
            Value::Int(_) => "Long",
            Value::Float(_) => "Double",
            Value::Big(_) => "BigInt",
            Value::Str(_) => "String",
            Value::Keyword(_) => "Keyword",
            Value::Symbol(_) => "Symbol",
            Value::List(seq) if seq.is_list() => "PersistentList",
            Value::List(seq) if seq.is_queue() => "PersistentQueue",
            Value::List(_) => "LazySeq",
            Value::Vector(vector) if vector.as_entry().is_some() => "MapEntry",
            Value::Vector(_) => "PersistentVector",
            Value::Map(map) if map.order().is_some() => "PersistentTreeMap",
            Value::Set(set) if set.order().is_some() => "PersistentTreeSet",
            // Larger maps have another class on the JVM.
            Value::Map(map) if map.len() > 8 => "PersistentHashMap",
            Value::Map(_) => "PersistentArrayMap",
            Value::Set(_) => "PersistentHashSet",
            Value::Function(_) | Value::Builtin(_) => "AFunction",
            Value::Ext(ext) => ext.class_name(),
        })
    }
}

/// An iterator over the items of a list, a vector or a set.
#[derive(Clone)]
pub enum Items<'a> {
    /// The items of a list.
    Seq(SeqIter<'a>),
    /// The items of a vector.
    Vector(VectorIter<'a>),
    /// The items of a set.
    Set(table::TableIter<'a, Value>),
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

impl From<Vector> for Value {
    fn from(vector: Vector) -> Value {
        Value::Vector(Arc::new(vector))
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
