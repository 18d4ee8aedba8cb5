//! The types of shapes. They hold one another, so they are in one file.

use std::sync::Arc;

use arcstr::ArcStr;
use ptc_signatures::{Kinds, Type};

use ptc_values::Value;

/// The facts about a value. `JSON` marks the value as a tool receives it, with keywords as strings.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape<const JSON: bool = false> {
    /// A value of one of these kinds.
    Kinds(Kinds),
    /// A text with a date.
    Datetime,
    /// Any value that the program makes itself, such as that of an atom. It may be a dictionary, which has any key.
    Made,
    /// This value, which is not a collection.
    Known(Value),
    /// One of at least two values: strings or keywords, and perhaps nil.
    OneOf(Arc<[Value]>),
    /// A list of items of one shape.
    List(Arc<(Shape<JSON>, Length)>),
    /// A list of exactly these items.
    Items(Arc<[Shape<JSON>]>),
    /// A map with these fields, and others if it is open. A field that may be nil may be absent.
    Map(Arc<Fields<JSON>>),
    /// A map with computed keys: all keys have the first shape, all values the second.
    Entries(Arc<(Shape<JSON>, Shape<JSON>)>),
    /// Nil, or a collection of this shape.
    Maybe(Arc<Shape<JSON>>),
    /// A place in data that is too large to inspect in advance.
    Data(Arc<Data>),
    /// A known function.
    Function(Callee),
    /// A function made of keywords.
    Reader(Arc<Reader>),
}

/// The facts about the fields of a map.
#[derive(Debug, PartialEq)]
pub struct Fields<const JSON: bool> {
    pub fields: Vec<(ArcStr, Shape<JSON>)>,
    /// Whether the map may have other fields.
    pub open: bool,
    /// The reason why a program may not read another field, even if the map is open.
    pub others: Others,
}

/// The knowledge about fields that a map does not name. A map that may be one of two has the lesser knowledge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Others {
    /// A program may read any field.
    Allowed,
    /// No value in the data has another field.
    Unseen,
    /// The type declares no other field.
    Undeclared,
}

/// A function that `juxt` or `comp` makes of keywords.
#[derive(Debug, Clone, PartialEq)]
pub enum Reader {
    /// Returns a list of the results of these functions.
    Juxt(Vec<Shape>),
    /// Calls the last function first.
    Comp(Vec<Shape>),
}

/// A known function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Callee {
    /// A function of the program, by its lambda.
    Lambda(u32),
    /// A function of an earlier program.
    Kept,
}

/// The number of items of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Length {
    pub least: u64,
    pub most: Option<u64>,
    /// The name of the collection that bounds the length.
    pub of: Option<Arc<str>>,
}

/// The values at one place of the data; there are several after a step into a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Data {
    pub(super) whole: Value,
    pub(super) steps: Vec<Step>,
    /// The declared type of the place.
    pub(super) declared: Option<Arc<Type>>,
    pub(super) kinds: Kinds,
}

/// A step into data.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    /// To every item of a list.
    Items,
    /// To the value of every entry of a map.
    Values,
    /// To the value of a field.
    Field(ArcStr),
}
