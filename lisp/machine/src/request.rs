//! Builtins that call functions of the program: the interface of their states, and their requests.

use super::cx::Cx;
use ptc_values::{Res, Value};

/// A builtin that calls back, between two calls.
///
/// A step wants a function called, and has pushed the function and its arguments, or is done. So a tool call inside the
/// function suspends the program and resumes it.
pub(crate) trait CallsBack {
    /// Takes the result of the call that it asked for, and returns its next request. The first step gets no result.
    fn step(&mut self, cx: &mut Cx, stack: &mut Vec<Value>, got: Option<Value>) -> Res<Request>;

    /// Takes the result `got` and replaces the last arguments by the next ones. Returns false if `got` needs a full step.
    #[inline]
    fn again(&mut self, _cx: &mut Cx, _args: &mut [Value], _got: &mut Value) -> Res<bool> {
        Ok(false)
    }

    /// Visits every value that it holds.
    fn each_value(&self, visit: &mut impl FnMut(&Value));

    /// Visits the keys of values that it computes for other tasks too: see `waiting.rs`.
    fn computes(&self, _visit: &mut impl FnMut(usize)) {}
}

/// The next request of a builtin that calls back.
pub enum Request {
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
    Wait(Request),
}
