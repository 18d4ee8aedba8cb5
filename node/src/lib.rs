//! The native module of the Node package `ptc`.
//!
//! Values, settings and results cross the border as JSON text. The data of a program is read and written on its own
//! thread, so the event loop does no more than `JSON.stringify` and `JSON.parse`.

#![expect(clippy::needless_pass_by_value, reason = "functions that Node calls own their arguments")]

mod agent;
mod error;
mod model;
mod problem;
mod runtime;
mod session;
mod store;
mod text;
mod tools;
mod work;

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;
