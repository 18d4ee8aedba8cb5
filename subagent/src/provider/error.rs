//! Why there is no reply, and what to do about it.

use std::time::Duration;

/// Why there is no reply. Never holds a key: what a server says is scrubbed before it gets here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ProviderError {
    /// What kind of failure it is.
    pub kind: ProviderErrorKind,
    /// What happened, in lower case, naming the server or file.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// How long the server asks to wait before the next attempt.
    pub retry_after: Option<Duration>,
}

impl ProviderError {
    /// Makes an error without help and without a wait.
    #[cold]
    pub fn new(kind: ProviderErrorKind, message: impl Into<String>) -> ProviderError {
        ProviderError { kind, message: message.into(), help: None, retry_after: None }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> ProviderError {
        self.help = Some(help.into());
        self
    }
}

/// The kinds of [`ProviderError`]. Codes are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProviderErrorKind {
    /// The key is missing, wrong or not allowed to do this.
    Auth,
    /// The account has no credit left.
    Quota,
    /// Too many requests at the moment.
    Rate,
    /// The server does not know the model, or nothing answers at that address.
    Model,
    /// The conversation is longer than the model can take.
    Context,
    /// The server's content filter holds the request back.
    Filtered,
    /// The server refuses the request as it is.
    Rejected,
    /// No complete reply within the time of one request.
    Timeout,
    /// No connection, or one that broke.
    Network,
    /// The server failed.
    Server,
    /// The reply is not what a server of this protocol says.
    Malformed,
    /// A recording has no further reply, or cannot be written.
    Recording,
}

impl ProviderErrorKind {
    /// All of them.
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

    /// Says whether the same request may succeed a moment later.
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
