//! The functions of Clojure, and those of our own: a table of rows for each subject.
//!
//! A row has the function of a builtin and every fact about it. A builtin that loops pays fuel per
//! element. One that can make a large result from a small argument pays beforehand.

pub(crate) mod bits;
pub(crate) mod branch;
pub(crate) mod cast;
pub(crate) mod cell;
pub(crate) mod collection;
pub(crate) mod combinatorics;
pub(crate) mod conversation;
pub(crate) mod core_more;
pub(crate) mod data;
pub(crate) mod decimal;
pub(crate) mod describe;
pub(crate) mod documentation;
pub(crate) mod each;
pub(crate) mod flow;
pub(crate) mod function;
pub(crate) mod json;
pub(crate) mod lazy;
mod lazy_cells;
pub(crate) mod map;
pub(crate) mod math;
pub(crate) mod number;
pub(crate) mod order;
pub(crate) mod pattern;
pub(crate) mod payload;
pub(crate) mod precise;
pub(crate) mod predicate;
pub(crate) mod random;
pub(crate) mod read;
pub(crate) mod rearrange;
pub(crate) mod regex;
pub(crate) mod relation;
pub(crate) mod replace;
pub(crate) mod sequence;
pub(crate) mod set;
pub(crate) mod sorted;
pub(crate) mod state;
pub(crate) mod statistics;
pub(crate) mod string;
pub(crate) mod tools;
pub(crate) mod tower;
pub(crate) mod transduce;
pub(crate) mod transient;
pub(crate) mod walk;

use crate::access::lookup;
use crate::machine::{PROBLEM, Row, act, callback, fork, lisp, pure, step};
use crate::messages::{class_name, describe, no_seq, not_a_number, wrong_type};
use crate::registry::{facts, find};
use crate::value::Value;

/// Moves an argument out of its place.
pub(crate) fn take(args: &mut [Value], index: usize) -> Value {
    args.get_mut(index).map(std::mem::take).unwrap_or_default()
}
