//! Expressions of decisions and of flow files, read as expressions of the language.

mod condition;
mod paths;
mod references;

pub use condition::{Condition, Helper, condition};
pub use paths::{Step, Writing, literal, path_of};
pub use references::{Expressions, Names, TEXT};
