//! The meanings of local names.

use ptc_reader::Name;

/// The meaning of a local name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Binding {
    /// The nesting depth of the function it belongs to; 0 is the program.
    pub(super) depth: u32,
    pub(super) what: Bound,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Bound {
    Slot(u32),
    /// The running function itself.
    Myself,
    /// A function of the same `letfn`.
    Sibling(u32),
}

/// A stack of bindings per name; the last one hides the others.
#[derive(Default)]
pub(super) struct Bindings {
    /// Bindings, each with the index from 1 of the one it hides.
    all: Vec<(Binding, u32)>,
    /// The index from 1 of the current binding, by name.
    last: Vec<u32>,
}

impl Bindings {
    /// Creates an empty table with room for `names` names.
    pub(super) fn with_capacity(names: usize) -> Bindings {
        // A few names are mostly names of functions.
        let names = if names > 4 { names } else { 0 };
        Bindings { all: Vec::with_capacity(names), last: Vec::with_capacity(names) }
    }

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

    /// Restores the previous binding of a name.
    pub(super) fn pop(&mut self, name: Name) {
        let Some(last) = self.last.get_mut(name.index()) else { return };
        let Some((_, before)) = last.checked_sub(1).and_then(|at| self.all.get(at as usize)) else {
            return;
        };
        *last = *before;
    }
}
