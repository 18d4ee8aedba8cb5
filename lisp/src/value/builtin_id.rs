//! The id of a builtin.

/// The id of a builtin: its part of the table and its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BuiltinId(pub(crate) u8, pub(crate) u8);
