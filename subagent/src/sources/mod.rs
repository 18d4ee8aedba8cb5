//! Sources: data that is loaded before a run, from files, databases and tools.
//!
//! A source is untrusted input: what is read has bounds on bytes, rows and time. `run/sources.rs` loads the sources of a
//! run; it alone knows tools and programs.

mod cache;
mod csv;
mod definition;
mod file;
mod merge;
mod sqlite;
mod template;

pub use crate::record::{SourceInto, SourceRecord, SourceState};
pub(crate) use cache::{Kept, Read};
pub use definition::{OnSourceError, SourceCache, SourceDef};
pub(crate) use definition::{Origin, origin_on_record};
pub use file::SourceFormat;
pub(crate) use merge::{at_path, has_no_room, merged};
pub(crate) use template::filled;
