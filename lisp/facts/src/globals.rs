//! The names that programs define for later ones.

use arcstr::ArcStr;
use hashbrown::HashMap;

use ptc_values::Value;

/// The names that programs of a run have defined, with their values.
#[derive(Debug, Default)]
pub struct Globals {
    pub names: Vec<ArcStr>,
    pub values: Vec<Option<Value>>,
    pub ids: HashMap<ArcStr, u32>,
}

impl Globals {
    /// Returns the number of names.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    pub fn id(&self, name: &str) -> Option<u32> {
        self.ids.get(name).copied()
    }

    pub fn value(&self, id: u32) -> Option<&Value> {
        self.values.get(id as usize)?.as_ref()
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(ArcStr::as_str)
    }
}
