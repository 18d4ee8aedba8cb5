//! The requests of builtins that call functions of the program.

use ptc_values::Value;

/// The next request of a builtin that calls back.
pub enum Next {
    /// Call the function below this number of values.
    Call(usize),
    /// Finish with this value.
    Done(Value),
    /// Wait until another task has computed the value with this key: see `waiting.rs`.
    Hold(usize),
    /// Wait until the machine has counted live bytes or yielded.
    Pause,
}

/// The result of a look for the next item.
pub(crate) enum Looked {
    Item(Value),
    End,
    /// The machine must do this first, and give the result to the next look.
    Wait(Next),
}
