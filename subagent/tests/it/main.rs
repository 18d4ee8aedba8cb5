//! Tests of the crate against real things: sockets, processes, files.

mod agent_file;
mod concurrent;
mod hidden;
mod http_tool;
mod modes;
mod policy;
mod provider;
mod run;
mod store;
mod support;
mod tool;
#[cfg(feature = "schemars")]
mod typed;
