//! Runs on a real Restate server. `PTC_RESTATE_SERVER` names its program; `.ci/restate` fetches it.

#![expect(clippy::print_stderr, reason = "totals, and what was skipped, are for people")]

#[expect(dead_code, reason = "these tests need a part of it")]
#[path = "../it/support.rs"]
mod support;

mod below;
mod cluster;
mod crowd;
mod identity;
mod kills;
mod life;
mod steps;
