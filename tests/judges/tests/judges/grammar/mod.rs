//! Tests of the grammar of the allowed programs, in both notations.

mod corpora;
mod gbnf;
mod samples;
mod scope;
mod wrong;
