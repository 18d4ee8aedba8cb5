//! Renders for people: problems as text for a terminal. The crate prints nothing.

mod clean;
mod draw;

pub use clean::{clean, escape_where, is_unsafe};
pub use draw::{Look, Placed, Text};
