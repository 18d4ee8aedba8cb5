//! The ids of builtins, and their names.

use std::fmt;
use std::sync::OnceLock;

/// The id of a builtin: the number of its row in the registry.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BuiltinId(pub u16);

static NAMES: OnceLock<Box<[&'static str]>> = OnceLock::new();

/// Registers the names of all builtins, by their ids; later calls change nothing.
pub fn register_names(names: Box<[&'static str]>) {
    NAMES.get_or_init(|| names);
}

impl BuiltinId {
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the name of the builtin; values print with it.
    pub fn name(self) -> &'static str {
        NAMES.get().and_then(|names| names.get(self.index()).copied()).unwrap_or_default()
    }
}

impl fmt::Debug for BuiltinId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
