//! Tests of the command with real processes and whole outputs.

mod answer;
mod batch;
mod blobs;
mod cases;
mod completions;
mod concurrent;
mod consoles;
mod corpus;
mod docs;
mod doctor;
mod events;
mod example_server;
mod examples;
mod extremes;
mod hidden;
mod hostile;
mod init;
mod inputs;
mod live;
mod man;
mod mcp;
mod owner;
mod prompt;
mod quickstart;
mod read_only;
mod records;
mod secrets;
mod serve;
mod server;
mod signals;
mod stores;
mod stuck;
mod support;
#[cfg(feature = "otlp")]
mod telemetry;
mod terminal;
mod trial;
mod view;
#[cfg(unix)]
mod work;
#[cfg(unix)]
mod workflow_examples;
