//! Run settings: what a caller sets for one run and the runs below it. The agent stays as it is.

mod change;
mod effective;
mod keys;

pub use change::{RunChange, RunSettings, Scope, SourceSwitches, ToolChange};
