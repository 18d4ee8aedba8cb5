//! Values that live until their owner closes them.

use std::sync::{Arc, Weak};

use ptc_values::{Ext, Link};

/// Live values that change. One may hold itself, so their owner closes them, which frees them.
#[derive(Debug, Default)]
pub struct Alive {
    alive: Vec<Weak<Ext>>,
    /// The number of entries at which dead ones are removed.
    due: usize,
}

impl Alive {
    pub fn add(&mut self, cell: &Arc<Ext>) {
        if self.alive.len() >= self.due {
            self.alive.retain(|cell| cell.strong_count() > 0);
            self.due = self.alive.len() * 2 + 64;
        }
        self.alive.push(Arc::downgrade(cell));
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        for cell in std::mem::take(&mut self.alive) {
            match cell.upgrade().as_deref() {
                Some(Ext::Cell(cell)) => drop(cell.close()),
                Some(Ext::Lazy(lazy)) => drop(lazy.set(Link::Over)),
                Some(Ext::Stage(step)) => drop(step.forget()),
                _ => {}
            }
        }
    }
}
