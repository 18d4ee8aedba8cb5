//! Values of the language: 16 bytes each, immutable, shared by reference counts.
//!
//! This crate has the value itself, its collections, equality, hashing, ordering, printing and
//! JSON. Collections know only the traits `Item` and `Key`, and are below the type of values
//! (`value.rs`). Spans belong to program nodes and limits to the machine. There is no native recursion over
//! nested values.

#![expect(
    missing_docs,
    clippy::missing_errors_doc,
    clippy::return_self_not_must_use,
    reason = "a part of `ptc-lisp`, which documents what it re-exports"
)]

mod arity;
mod as_item;
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
mod grown;
mod hash;
mod hidden;
mod index;
pub mod ir;
mod item;
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
mod row;
mod seq;
mod shape;
mod small;
mod sorted;
mod stage;
mod table;
mod text;
mod time;
mod tree;
mod unbuilt;
mod uuid;
mod value;
mod value_parts;
mod vector;

pub use arity::{wrong_arity_of, wrong_number};
pub use builtin_id::{BuiltinId, register_names};
pub use cell::{CellKind, Progress};
pub use character::{as_character, character};
pub use class::Class;
pub use eq::{equal, equal_within, parts, same_key};
pub use hidden::HiddenTexts;
pub use item::{GROWN, UNBUILT};
pub use order::{brief_difference, compare_within, difference, is_comparable, order_of};
pub use pattern::{Pattern, after, span};
pub use ptc_signatures::spelling;
pub use pulled::Numbers;
pub use regex::{bad_regex, compile_regex, regex};
pub use row::Row;
pub use seq::Base;
pub use shape::SHORT_NAME;
pub use small::FLAT_MAX;
pub use sorted::Search;
pub use stage::StageKind;
pub use table::{Table, TableIter};
pub use text::{CHARGE_BYTES, Positions, own_name, same_text};
pub use time::{
    DAY, DAYS, MONTHS, Moment, SECOND, Time, Unit, Zone, epoch_day, epoch_nanos, name as time_name,
    nano_of_day,
};
pub use unbuilt::{holds_grown, is_long, is_unbuilt};
pub use uuid::Uuid;
pub use value::{
    Cell, Closure, Diagnostic, Ext, Grown, Items, LastKeys, Lazy, Link, Map, Matcher, Order,
    Origin, Places, Program, Pulled, Res, Seq, SeqIter, Set, Shape, Shapes, Source, Stage,
    StageState, Thrown, Value, Vector, VectorIter, pairs,
};
pub use value_parts::{is_var, reduced};
pub use vector::COPY_MAX;
