//! The names that programs define for later ones.

use std::sync::{Arc, LazyLock};

use arcstr::ArcStr;
use hashbrown::HashMap;

use ptc_values::Value;

/// The names that programs of a run have defined, with their values.
#[derive(Debug, Clone)]
pub struct Globals {
    names: Arc<Names>,
    /// The values by number; none for a name that was only declared.
    pub values: Vec<Option<Value>>,
}

#[derive(Debug, Clone, Default)]
struct Names {
    all: Vec<ArcStr>,
    ids: HashMap<ArcStr, u32>,
}

impl Default for Globals {
    fn default() -> Globals {
        /// Shared, so that a session without names allocates none.
        static NO_NAMES: LazyLock<Arc<Names>> = LazyLock::new(Arc::default);
        Globals { names: NO_NAMES.clone(), values: Vec::new() }
    }
}

impl Globals {
    /// Returns the number of names.
    pub fn count(&self) -> usize {
        self.names.all.len()
    }

    pub fn id(&self, name: &str) -> Option<u32> {
        self.names.ids.get(name).copied()
    }

    pub fn value(&self, id: u32) -> Option<&Value> {
        self.values.get(id as usize)?.as_ref()
    }

    pub fn name(&self, id: u32) -> Option<&ArcStr> {
        self.names.all.get(id as usize)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.all.iter().map(ArcStr::as_str)
    }

    /// Returns the names with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&ArcStr, Option<&Value>)> + Clone {
        self.names.all.iter().zip(self.values.iter().map(Option::as_ref))
    }

    /// Makes ranges of this copy of the names apart from those of others, so that a program that pays for the items of
    /// one pays for nobody else. Its fuel then depends on no other run of it.
    pub fn separate_ranges(&mut self) {
        for value in self.values.iter_mut().flatten() {
            if let Value::List(seq) = value
                && let Some(copy) = seq.unpaid_copy()
            {
                *seq = Arc::new(copy);
            }
        }
    }

    /// Makes programs find only the names that have a value.
    pub fn hide_undefined(&mut self) {
        let values = &self.values;
        let is_defined = |id: u32| values.get(id as usize).is_some_and(Option::is_some);
        Arc::make_mut(&mut self.names).ids.retain(|_, id| is_defined(*id));
    }

    /// Adds names, which get the next numbers. A later name hides an equal one.
    pub fn define(&mut self, names: impl Iterator<Item = (ArcStr, Option<Value>)>) {
        let mut names = names.peekable();
        if names.peek().is_none() {
            return;
        }
        let all = Arc::make_mut(&mut self.names);
        for (name, value) in names {
            all.ids.insert(name.clone(), all.all.len() as u32);
            all.all.push(name);
            self.values.push(value);
        }
    }
}
