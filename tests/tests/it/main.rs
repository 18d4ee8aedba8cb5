//! Tests across crates, through their public interfaces.

mod admission;
mod appends;
mod branches;
mod builtins;
mod capabilities;
mod cliffs;
mod conformance;
mod coverage;
mod debugger;
mod deep;
mod diagnostics;
mod docs;
mod fields;
mod growth;
mod hostile;
mod items;
mod language;
mod limits;
mod listing;
mod machine;
mod missions;
mod payload;
mod prompts;
mod props;
mod prose;

mod ranges;
mod repair;
mod replay;
mod resumed;
mod signatures;
mod solved;
mod tidy;
mod tools;
mod unframed;
