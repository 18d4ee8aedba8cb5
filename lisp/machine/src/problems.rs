//! Problems that several parts of the machine raise.

use ptc_values::Diagnostic;
use ptc_values::code::Code;

/// Returns the error of an impossible state of the stacks or the program. It is a bug of the
/// machine, never of a program. No `catch` catches it, and no model is asked to fix it.
#[cold]
pub(crate) fn invariant_violated() -> Diagnostic {
    Diagnostic::new(
        Code::InvariantViolated,
        "the machine lost its place; this is a bug of the language",
    )
}

/// Returns the error of using a cell of an earlier program.
#[cold]
pub fn over() -> Diagnostic {
    Diagnostic::new(
        Code::Unsupported,
        "this atom or delay belongs to an earlier program, which has ended",
    )
    .with_class("IllegalStateException")
    .with_help("keep the value instead: `(memory/put :key @atom)`")
}

/// Returns the error of a task that waits for a value that no other task computes.
#[cold]
pub(super) fn circular() -> Diagnostic {
    Diagnostic::new(
        Code::Unsupported,
        "a delay or a lazy sequence needs its own value to compute it",
    )
    .with_class("IllegalStateException")
    .with_help("compute it from another value")
}
