//! Reports of tools about their progress.

use ptc_lisp::CallId;

use crate::record::CallProgress;
use crate::tool::Reports;

/// Waits for the next report of a tool.
pub(super) async fn next_report(reports: &mut Option<Reports<CallId>>) -> (CallId, CallProgress) {
    match reports {
        Some(reports) => reports.next().await,
        None => std::future::pending().await,
    }
}
