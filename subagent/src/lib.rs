//! Agents that answer with programs.

mod error;
pub mod provider;

pub use error::{Error, ErrorKind};
