//! The names that programs define for later ones.

use arcstr::ArcStr;
use hashbrown::HashMap;

use crate::value::Value;

/// The names that programs of a run have defined, with their values.
#[derive(Debug, Default)]
pub(crate) struct Globals {
    pub(crate) names: Vec<ArcStr>,
    pub(crate) values: Vec<Option<Value>>,
    pub(crate) ids: HashMap<ArcStr, u32>,
}

impl Globals {
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn id(&self, name: &str) -> Option<u32> {
        self.ids.get(name).copied()
    }

    pub(crate) fn value(&self, id: u32) -> Option<&Value> {
        self.values.get(id as usize)?.as_ref()
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(ArcStr::as_str)
    }
}
