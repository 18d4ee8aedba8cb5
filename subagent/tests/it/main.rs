//! Tests of the crate against real things: sockets, processes, files.

mod agent_file;
mod arguments;
mod concurrent;
mod hidden;
mod http_tool;
mod modes;
mod names;
mod policy;
mod provider;
mod run;
mod store;
mod support;
mod tool;
#[cfg(feature = "schemars")]
mod typed;
