//! The functions of Clojure, and those of our own: a table of rows for each subject.
//!
//! A row has the function of a builtin and every fact about it. A builtin that loops pays fuel per
//! element. One that can make a large result from a small argument pays beforehand.

#![expect(
    missing_docs,
    clippy::missing_errors_doc,
    reason = "a part of `ptc-lisp`, which documents what it re-exports"
)]

pub mod artifact;
pub mod bits;
pub mod branch;
pub mod cast;
pub mod cell;
pub mod collection;
pub mod combinatorics;
pub mod conversation;
pub mod core_more;
pub mod data;
pub mod decimal;
pub mod describe;
pub mod each;
pub mod flow;
pub mod function;
pub mod json;
pub mod jvm;
pub mod lazy;
mod lazy_cells;
pub mod map;
pub mod math;
pub mod number;
pub mod order;
pub mod pattern;
pub mod payload;
pub mod precise;
pub mod predicate;
pub mod random;
pub mod read;
pub mod rearrange;
pub mod regex;
pub mod relation;
pub mod replace;
pub mod sequence;
pub mod set;
pub mod sorted;
pub mod state;
pub mod statistics;
pub mod string;
pub mod tools;
pub mod tower;
pub mod transduce;
pub mod transient;
pub mod walk;

use arcstr::ArcStr;
use ptc_facts::access::lookup;
use ptc_facts::messages::{class_name, describe, no_seq, not_a_number, wrong_type};
use ptc_facts::registry::{facts, find};
use ptc_machine::{PROBLEM, Row, act, callback, fork, lisp, pure, step};
use ptc_values::{Res, Value, as_character};

/// Returns the code point of a character. A string of one digit may be data, so it is refused.
#[cold]
pub(crate) fn code_point(who: &str, text: &ArcStr) -> Res<i64> {
    as_character(text).map(|c| i64::from(u32::from(c))).ok_or_else(|| {
        let problem = wrong_type(who, "a number", &Value::Str(text.clone()));
        match text.chars().count() {
            1 => problem.with_help(
                "write `(parse-long s)` for the number, and `(int (first s))` for the code point",
            ),
            _ => problem.with_help("write `(parse-long s)` or `(parse-double s)`"),
        }
    })
}

/// Moves an argument out of its place.
pub fn take(args: &mut [Value], index: usize) -> Value {
    args.get_mut(index).map(std::mem::take).unwrap_or_default()
}
