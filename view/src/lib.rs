//! Renders for people: problems as text for a terminal, runs as a page of HTML. The crate prints nothing.

mod draw;
mod page;

pub use draw::{Look, Placed, Text};
pub use page::{RunsPage, modules, style};
