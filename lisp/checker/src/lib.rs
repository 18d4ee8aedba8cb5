//! The checker: forms to a program, and its admission. [`check::check`] shows the passes.

#![expect(missing_docs, reason = "a part of `ptc-lisp`, which documents what it re-exports")]

mod admission;
pub mod analyze;
pub mod check;
pub mod flows;
mod lowered;
pub mod prepare;
mod resolve;
pub mod scope;
mod sites;
