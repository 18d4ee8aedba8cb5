//! The revision of the protocol that a client speaks.

use rmcp::model::ProtocolVersion;
use rmcp::service::{RequestContext, RoleServer};

/// Returns whether a request is of the newest revision of the protocol, in which servers send no requests.
pub(super) fn is_newest(cx: &RequestContext<RoleServer>) -> bool {
    // Versions are dates.
    let newest = ProtocolVersion::V_2026_07_28;
    cx.protocol_version().is_some_and(|it| it.as_str() >= newest.as_str())
}
