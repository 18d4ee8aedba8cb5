//! The checker: forms to a program, its admission, and the nodes that the machine runs faster.

#![expect(missing_docs, reason = "a part of `ptc-lisp`, which documents what it re-exports")]

pub mod admission;
pub mod analyze;
mod sites;
