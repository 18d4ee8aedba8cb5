//! The parts of the JVM that programs expect: classes, methods, `format`, hashes, dates and times.

pub mod dates;
pub mod format;
pub mod hash;
pub mod interop;
pub mod tagged;
pub mod time;
