//! Tests of the type language.

mod check;
mod coerce;
mod laws;
mod mode;
mod parse;
mod schema;
mod support;
