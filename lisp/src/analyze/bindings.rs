//! What the local names of a program stand for.

use super::Binding;
use crate::reader::Name;

/// The meanings of names, of which the one given last hides the others.
#[derive(Default)]
pub(super) struct Bindings {
    /// Each with the place, from 1, of the one that it hides.
    all: Vec<(Binding, u32)>,
    /// The place, from 1, of the one that holds, by the number of the name.
    last: Vec<u32>,
}

impl Bindings {
    /// None, with room for those of so many names.
    pub(super) fn with_room(names: usize) -> Bindings {
        // A few names are mostly those of functions.
        let names = if names > 4 { names } else { 0 };
        Bindings { all: Vec::with_capacity(names), last: Vec::with_capacity(names) }
    }

    /// What a name stands for now.
    pub(super) fn get(&self, name: Name) -> Option<Binding> {
        let place = self.last.get(name.index())?.checked_sub(1)?;
        self.all.get(place as usize).map(|(binding, _)| *binding)
    }

    pub(super) fn push(&mut self, name: Name, binding: Binding) {
        let name = name.index();
        if self.last.len() <= name {
            self.last.resize(name + 1, 0);
        }
        self.all.push((binding, self.last[name]));
        self.last[name] = self.all.len() as u32;
    }

    /// Lets a name stand for what it stood for before.
    pub(super) fn pop(&mut self, name: Name) {
        let Some(last) = self.last.get_mut(name.index()) else { return };
        let Some((_, before)) = last.checked_sub(1).and_then(|at| self.all.get(at as usize)) else {
            return;
        };
        *last = *before;
    }
}
