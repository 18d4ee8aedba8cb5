//! The parts of the JVM that programs expect: classes, methods, `format`, hashes, dates and times.

pub(crate) mod dates;
pub(crate) mod format;
pub(crate) mod hash;
pub(crate) mod interop;
pub(crate) mod tagged;
pub(crate) mod time;
