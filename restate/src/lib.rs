//! Runs of agents on [Restate](https://restate.dev): workflows that survive the end of any process, on several machines.
//!
//! - [`Worker`] serves agents to a Restate server, which calls it. Any number of workers may serve the same agents.
//! - [`Client`] starts, answers and cancels runs, and reads their record.
//!
//! A run is a workflow with the run's id. Its record is the log that a store has too, in the state of an object with the
//! same id: `log.rs` reads it. `record.rs` lets the run go on, a stretch at a time, and `stretch.rs` is the run in this
//! process, with a store in memory. `errands.rs` has
//! its sub-agents, which work elsewhere, and `gate.rs` holds the run before each step outside, until the server has its events.

mod agents;
mod client;
mod decide;
mod errands;
mod gate;
mod identity;
mod log;
mod names;
mod record;
mod runs;
mod stretch;
mod text;
mod worker;

pub use agents::{Agents, Recall};
pub use client::Client;
pub use decide::{Begin, Begun, Decide};
pub use worker::Worker;
