//! Tests whose judges are other projects. They are one binary, with a name of its own: `cargo test --workspace --test
//! judges` builds it with the features that all crates have together, so that no dependency is built a second time.

#[path = "../../../../prompt/tests/it/common/mod.rs"]
mod common;
mod grammar;
mod mcp;
mod schemas;
mod sizes;
mod tokens;
