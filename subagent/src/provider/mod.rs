//! What completes a conversation: a model behind HTTP, a recording, or a script.
//!
//! Nothing here knows what a program is; nothing here keeps state between runs.

mod openai;
mod recorded;
mod spec;
mod usage;

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

pub use openai::OpenAi;
pub use recorded::{Recorded, Recorder, Scripted};
pub use spec::{ModelSpec, ProviderOptions};
pub use usage::{Cost, Usage};

/// A future that a trait object can return.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Completes a conversation with one reply.
pub trait Provider: Send + Sync {
    /// Asks for the next reply. Retrying what is worth retrying is the provider's own business.
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>>;

    /// Returns the name the record keeps: `openai:gpt-5`, `recorded:run.jsonl`.
    fn name(&self) -> String;

    /// Looks whether the model is there, in a way that costs nothing; without one to ask, it is.
    fn check(&self) -> BoxFuture<'_, Result<Checked, ProviderError>> {
        let message = "nothing to reach".to_string();
        Box::pin(std::future::ready(Ok(Checked { message, is_certain: true })))
    }
}

/// What a [`Provider::check`] that reached the server found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// What it is, in lower case.
    pub message: String,
    /// Whether the model is certain to be there.
    pub is_certain: bool,
}

impl<P: Provider + ?Sized> Provider for &P {
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        (**self).complete(request)
    }

    fn name(&self) -> String {
        (**self).name()
    }
}

impl<P: Provider + ?Sized> Provider for Box<P> {
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        (**self).complete(request)
    }

    fn name(&self) -> String {
        (**self).name()
    }

    fn check(&self) -> BoxFuture<'_, Result<Checked, ProviderError>> {
        (**self).check()
    }
}

/// A conversation that wants a reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The system prompt.
    pub system: String,
    /// The messages so far, oldest first; the last one is the user's.
    pub messages: Vec<Message>,
    /// How to sample.
    pub parameters: Parameters,
    /// What the reply has to be of: a grammar in llama.cpp's notation, for servers that know the field
    /// `grammar`.
    pub grammar: Option<String>,
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub text: String,
}

/// Who speaks in a [`Message`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The runtime: the mission, an observation, feedback.
    User,
    /// The model.
    Assistant,
}

impl Role {
    /// Returns `user` or `assistant`.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::User => "user",
            Role::Assistant => "assistant",
        }
    }
}

/// How a model is to sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// `None` leaves it to the server: some models accept no temperature at all.
    pub temperature: Option<f64>,
    /// The most tokens of one reply; `None` leaves it to the server.
    pub max_tokens: Option<u32>,
    /// How hard the model is to think before it answers, from 1 to 100; `None` leaves it to the server.
    pub effort: Option<u8>,
}

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters { temperature: Some(0.0), max_tokens: None, effort: None }
    }
}

/// One reply of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The text, as it came.
    pub text: String,
    /// The tokens it took, where the server says so.
    pub usage: Option<Usage>,
    /// Why the model stopped.
    pub finish: Finish,
}

impl Reply {
    /// Makes a complete reply without usage.
    pub fn new(text: impl Into<String>) -> Reply {
        Reply { text: text.into(), usage: None, finish: Finish::Stop }
    }
}

/// Why a model stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Finish {
    /// It was done.
    #[default]
    Stop,
    /// The most tokens of a reply were reached; the text is cut off.
    Length,
    /// The server held text back.
    Filtered,
    /// Something else, or the server does not say.
    Other,
}

impl Finish {
    /// Returns `stop`, `length`, `filtered` or `other`.
    pub fn as_str(self) -> &'static str {
        match self {
            Finish::Stop => "stop",
            Finish::Length => "length",
            Finish::Filtered => "filtered",
            Finish::Other => "other",
        }
    }
}

/// Why there is no reply. Never holds a key: what a server says is scrubbed before it gets here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ProviderError {
    /// What kind of failure it is.
    pub kind: ProviderErrorKind,
    /// What happened, in lower case, naming the server or file.
    pub message: String,
    /// How long the server asks to wait before the next attempt.
    pub retry_after: Option<Duration>,
}

impl ProviderError {
    /// Makes an error without a wait.
    #[cold]
    pub fn new(kind: ProviderErrorKind, message: impl Into<String>) -> ProviderError {
        ProviderError { kind, message: message.into(), retry_after: None }
    }
}

/// The kinds of [`ProviderError`]. Codes are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// The server refuses the request as it is.
    Rejected,
    /// No complete reply within the time of one request.
    Timeout,
    /// No connection, or one that broke.
    Network,
    /// The server failed.
    Server,
    /// The reply is not what a chat-completions server says.
    Malformed,
    /// A recording has no further reply, or cannot be written.
    Recording,
}

impl ProviderErrorKind {
    /// Returns the stable kebab-case code.
    pub fn code(self) -> &'static str {
        match self {
            ProviderErrorKind::Auth => "provider-auth",
            ProviderErrorKind::Quota => "provider-quota",
            ProviderErrorKind::Rate => "provider-rate",
            ProviderErrorKind::Model => "provider-model",
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
