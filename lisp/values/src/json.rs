//! JSON in both directions, without native recursion and with every digit.
//!
//! `serde_json` recurs on nesting and reads integers over 64 bits as doubles. Data from tools may
//! be deep or hold such integers, so this module reads and writes JSON itself.

pub mod marks;
mod plain;
mod read;
mod serde;
mod write;

pub use read::parse;
pub use read::{Error, MAX_DIGITS, parse_within};
pub use serde::{from_serde, plain, to_serde};
pub use write::{NotJson, key_text, size, write_within};
pub use write::{write, write_pretty};
