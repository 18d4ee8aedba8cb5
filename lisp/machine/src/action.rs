//! The next action of the machine.

use ptc_values::{Diagnostic, Value};

/// The next action of the machine.
pub(super) enum Action {
    /// Run the code of the task.
    Go,
    /// Put a value where the task waits for it.
    Value(Value),
    Raise(Diagnostic),
    /// Start the next branch, or continue when all branches have ended.
    Fork,
    /// Step the innermost builtin, which waited for a value that another task computes.
    Retry,
    /// End the program, or the branch that ends it.
    Leave,
    /// A tool call or a branch is in flight.
    Waiting,
    Over,
}

// Each step passes on an action, so it must not be larger than the value it carries.
const _: () = assert!(size_of::<Action>() == 16);
