//! The ways on from an operation.

use std::sync::Arc;

use super::action::Action;
use super::codes::Kind;
use ptc_values::Program;

/// The reason the loop ended.
pub(super) enum Exit {
    Action(Action),
    /// Lower this function, and go on.
    Link(Arc<Program>, u32),
    /// Count live bytes or yield, and go on.
    Pause,
}

/// How the loop goes on.
#[derive(Clone, Copy)]
pub(super) enum Then {
    Request,
    Jump(u32),
    Enter {
        entry: u32,
        first: u8,
        to: u8,
        count: u8,
        kind: Kind,
    },
    /// Leave the loop; the machine holds the reason.
    Exit,
}

const _: () = assert!(size_of::<Then>() <= 16);
