//! Shapes: the facts about a value before the program runs.

mod combine;
mod data;
mod fields;
pub mod gives;
mod inspect;
mod missing;
mod types;

pub use combine::{Coerced, kinds_of};
pub use data::Found;
pub use fields::{FieldRead, Presence};
pub use gives::Input;
pub(crate) use missing::Names;
pub use missing::{Absence, MissingField};
pub use types::{Callee, Data, Fields, Length, Others, Reader, Shape};
