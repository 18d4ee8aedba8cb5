//! The messages of a host to another server about a run.

use serde::{Deserialize, Serialize};

/// A host told another server that the run had ended or waited, or gave up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct WebhookSent {
    /// The id of the message, which is the same at each attempt.
    pub id: String,
    /// The URL without a password or a key.
    pub to: String,
    /// The number of attempts.
    pub attempts: u32,
    /// The reason that the host gave up; `None` if the server took the message.
    pub error: Option<String>,
}

impl WebhookSent {
    /// Makes the data of a message that a server took.
    pub fn new(id: impl Into<String>, to: impl Into<String>, attempts: u32) -> WebhookSent {
        WebhookSent { id: id.into(), to: to.into(), attempts, error: None }
    }
}
