//! Labels of values, before a program runs: where each value may come from.
//!
//! A label is a set of marks, such as `untrusted` from `inbox`. A flow is what is known about a value: its label, its
//! parts, and the functions and cells that it may hold. The checker computes flows; a session keeps those of its state.

mod flow;
mod kept;
mod label;
mod reading;
mod sources;
mod text;

pub use flow::{Flow, Held, Key, Site};
pub use kept::Kept;
pub use label::{Label, Mark, Step, Trail};
pub use reading::Reading;
pub use sources::{CallLabels, Flows, Labels, Sources};
pub use text::{OldProgram, read, write};
