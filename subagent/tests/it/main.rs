//! Tests of the crate against real things: sockets, processes, files.

mod agent_file;
mod concurrent;
mod hidden;
mod http_tool;
mod live;
mod modes;
mod policy;
mod provider;
mod provider_errors;
mod provider_guide;
mod provider_protocols;
mod provider_streams;
mod run;
mod store;
mod support;
mod tool;
#[cfg(feature = "schemars")]
mod typed;
