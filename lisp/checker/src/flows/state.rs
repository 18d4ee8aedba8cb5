//! The state of the walk in a function: its slots, its loops, and the calls whose results are known.

use std::sync::Arc;

use ptc_facts::flows::{Flow, Label, Site};
use ptc_values::Program;

/// A running function.
pub(super) struct Frame {
    pub(super) program: Arc<Program>,
    pub(super) number: u32,
    pub(super) lambda: u32,
    pub(super) slots: Vec<Flow>,
    pub(super) turns: Vec<Turns>,
}

impl Frame {
    pub(super) fn site(&self, at: u32) -> Site {
        Site { program: self.number, at }
    }

    pub(super) fn set(&mut self, slot: u32, value: Flow) {
        let slot = slot as usize;
        if slot >= self.slots.len() {
            self.slots.resize(slot + 1, Flow::default());
        }
        self.slots[slot] = value;
    }
}

/// The variables of a loop, over all its turns.
pub(super) struct Turns {
    /// The node of the loop; none for a function.
    pub(super) node: Option<u32>,
    pub(super) first: u32,
    pub(super) heads: Vec<Flow>,
    /// The label of the tests before a next turn.
    pub(super) control: Label,
    pub(super) has_grown: bool,
}

impl Turns {
    pub(super) fn new(node: Option<u32>, first: u32) -> Turns {
        Turns { node, first, heads: Vec::new(), control: Label::default(), has_grown: false }
    }
}

/// A call of a function, with its result.
pub(super) struct Known {
    pub(super) args: Vec<Flow>,
    pub(super) place: Label,
    pub(super) is_tried: bool,
    pub(super) result: Flow,
    pub(super) risk: Label,
    pub(super) presence: Label,
    /// Whether its body is being walked, and whether that has asked for its result.
    pub(super) is_open: bool,
    pub(super) is_asked: bool,
}
