//! The knowledge that checker and machine share: the facts about builtins and tools, the shapes of values, and the texts of
//! problems.

#![expect(
    missing_docs,
    clippy::missing_errors_doc,
    clippy::return_self_not_must_use,
    reason = "a part of `ptc-lisp`, which documents what it re-exports"
)]

pub mod access;
pub mod field_watch;
pub mod flows;
pub mod globals;
pub mod lookup;
pub mod messages;
pub mod payload;
pub mod registry;
pub mod report;
pub mod seen;
pub mod shape;
pub mod times;
pub mod tool;
