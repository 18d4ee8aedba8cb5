//! Errors of providers.

use std::time::Duration;

/// The reason that a request has no reply. It never contains a key, because the texts of servers
/// are scrubbed first.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ProviderError {
    /// The kind of the failure.
    pub kind: ProviderErrorKind,
    /// The message, in lower case. It names the server or the file.
    pub message: String,
    /// The advice on how to fix the error.
    pub help: Option<String>,
    /// The wait before the next attempt that the server asks for.
    pub retry_after: Option<Duration>,
}

impl ProviderError {
    /// Creates an error without help and without a wait.
    #[cold]
    pub fn new(kind: ProviderErrorKind, message: impl Into<String>) -> ProviderError {
        ProviderError { kind, message: message.into(), help: None, retry_after: None }
    }

    /// Sets the advice on how to fix the error.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> ProviderError {
        self.help = Some(help.into());
        self
    }
}

/// The kinds of [`ProviderError`]. Their codes are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProviderErrorKind {
    /// The key is missing, invalid or not authorized.
    Auth,
    /// The account has no credit left.
    Quota,
    /// The server received too many requests.
    Rate,
    /// The server does not know the model, or there is no such server.
    Model,
    /// The conversation is too long for the model.
    Context,
    /// The content filter of the server blocked the request.
    Filtered,
    /// The server considers the request invalid.
    Rejected,
    /// The reply was not complete within the time limit of a request.
    Timeout,
    /// There was no connection, or it broke.
    Network,
    /// The server failed.
    Server,
    /// The reply does not follow the protocol.
    Malformed,
    /// A recording has no further reply, or cannot be written.
    Recording,
}

impl ProviderErrorKind {
    /// All kinds.
    pub const ALL: [ProviderErrorKind; 12] = [
        ProviderErrorKind::Auth,
        ProviderErrorKind::Quota,
        ProviderErrorKind::Rate,
        ProviderErrorKind::Model,
        ProviderErrorKind::Context,
        ProviderErrorKind::Filtered,
        ProviderErrorKind::Rejected,
        ProviderErrorKind::Timeout,
        ProviderErrorKind::Network,
        ProviderErrorKind::Server,
        ProviderErrorKind::Malformed,
        ProviderErrorKind::Recording,
    ];

    /// Returns the stable kebab-case code.
    pub fn code(self) -> &'static str {
        match self {
            ProviderErrorKind::Auth => "provider-auth",
            ProviderErrorKind::Quota => "provider-quota",
            ProviderErrorKind::Rate => "provider-rate",
            ProviderErrorKind::Model => "provider-model",
            ProviderErrorKind::Context => "provider-context",
            ProviderErrorKind::Filtered => "provider-filtered",
            ProviderErrorKind::Rejected => "provider-rejected",
            ProviderErrorKind::Timeout => "provider-timeout",
            ProviderErrorKind::Network => "provider-network",
            ProviderErrorKind::Server => "provider-server",
            ProviderErrorKind::Malformed => "provider-malformed",
            ProviderErrorKind::Recording => "provider-recording",
        }
    }

    /// Returns whether another model may reply although this one does not. A wrong key is a mistake of the caller, a
    /// refused request would be refused everywhere, and no other model gets what a content filter blocked.
    pub fn may_pass_elsewhere(self) -> bool {
        match self {
            ProviderErrorKind::Quota
            | ProviderErrorKind::Rate
            | ProviderErrorKind::Model
            | ProviderErrorKind::Context
            | ProviderErrorKind::Timeout
            | ProviderErrorKind::Network
            | ProviderErrorKind::Server
            | ProviderErrorKind::Malformed => true,
            ProviderErrorKind::Auth
            | ProviderErrorKind::Filtered
            | ProviderErrorKind::Rejected
            | ProviderErrorKind::Recording => false,
        }
    }

    /// Returns whether the same request may succeed a moment later.
    pub fn is_transient(self) -> bool {
        matches!(
            self,
            ProviderErrorKind::Rate
                | ProviderErrorKind::Timeout
                | ProviderErrorKind::Network
                | ProviderErrorKind::Server
        )
    }
}
