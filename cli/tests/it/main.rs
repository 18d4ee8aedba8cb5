//! The command as a user meets it: real processes, whole outputs.

mod batch;
mod cases;
mod concurrent;
mod corpus;
mod example_server;
mod examples;
mod extremes;
mod prompt;
mod quickstart;
mod server;
mod support;
