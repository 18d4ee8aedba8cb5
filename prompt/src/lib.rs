//! Placeholder replaced by the first commit of the crate.
