//! What completes a conversation: a model behind HTTP, a recording, or a script.
//!
//! Nothing here knows what a program is; nothing here keeps state between runs.

mod anthropic;
mod argument;
mod error;
mod http;
mod ollama;
mod openai;
mod price;
mod quirks;
mod recorded;
mod refusal;
mod reply_builder;
mod responses;
mod shorten;
mod spec;
mod stream;
mod stream_relay;
mod tool;
mod usage;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use ptc_prompt::SystemPrompt;

use crate::words::words;

pub use error::{ProviderError, ProviderErrorKind};
pub use price::{Price, Prices};
pub use recorded::{Recorded, Recorder, Scripted};
pub(crate) use shorten::{Shortened, shortened};
pub use spec::{Keys, ModelSpec, ProviderKind, ProviderOptions};
pub use usage::{Cost, Usage};

/// A future that a trait object can return.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Completes a conversation with one reply.
pub trait Provider: Send + Sync {
    /// Asks for the next reply. Retrying what is worth retrying is the provider's own business.
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>>;

    /// Asks for the next reply and tells `on` what happens until it is there.
    ///
    /// The parts of text that are told are the start of the reply, or of an attempt that was made again: what the
    /// next attempt repeats is not told twice, and after the first difference nothing more is told. The reply that
    /// is returned is what counts. By default all of its text is told at its end.
    fn ask<'a>(
        &'a self,
        request: &'a Request,
        on: &'a mut (dyn FnMut(Partial<'_>) + Send),
    ) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        Box::pin(async move {
            let reply = self.complete(request).await?;
            on(Partial::Text(&reply.text));
            Ok(reply)
        })
    }

    /// Returns what so many tokens cost; `None` if nobody knows.
    fn price_of(&self, _usage: &Usage) -> Option<Cost> {
        None
    }

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

/// What points to a provider is one.
macro_rules! pointers {
    ($($pointer:ty),+) => {$(
        impl<P: Provider + ?Sized> Provider for $pointer {
            fn complete<'a>(
                &'a self,
                request: &'a Request,
            ) -> BoxFuture<'a, Result<Reply, ProviderError>> {
                (**self).complete(request)
            }

            fn ask<'a>(
                &'a self,
                request: &'a Request,
                on: &'a mut (dyn FnMut(Partial<'_>) + Send),
            ) -> BoxFuture<'a, Result<Reply, ProviderError>> {
                (**self).ask(request, on)
            }

            fn price_of(&self, usage: &Usage) -> Option<Cost> {
                (**self).price_of(usage)
            }

            fn name(&self) -> String {
                (**self).name()
            }

            fn check(&self) -> BoxFuture<'_, Result<Checked, ProviderError>> {
                (**self).check()
            }
        }
    )+};
}

pointers!(&P, Box<P>, Arc<P>);

/// A conversation that wants a reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The system prompt.
    pub system: SystemPrompt,
    /// The messages so far, oldest first; the last one is the user's.
    pub messages: Vec<Message>,
    /// How to sample.
    pub parameters: Parameters,
    /// What the reply has to be of, for models that can be held to a grammar.
    pub grammar: Option<ReplyGrammar>,
    /// How the program of the reply travels.
    pub transport: Transport,
    /// Whether [`Provider::ask`] tells of the text as it comes, for servers that can stream it.
    pub streamed: bool,
}

/// What [`Provider::ask`] tells before the reply is there.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Partial<'a> {
    /// The next part of the text.
    Text(&'a str),
    /// An attempt failed, and the request is made again.
    Retry {
        /// Why it failed.
        error: &'a ProviderError,
        /// Its number, counted from 1.
        attempt: u32,
        /// The most attempts of one request.
        attempts: u32,
    },
}

/// A grammar of the replies that are allowed, in the notations that servers read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyGrammar {
    /// Which field of a chat completion has it.
    pub server: GrammarServer,
    /// The whole reply, as llama.cpp writes grammars.
    pub gbnf: String,
    /// The program alone, as Lark writes them.
    pub lark: String,
}

/// Which server of chat completions a grammar is for; they have different fields for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum GrammarServer {
    /// llama.cpp, and what is built on it: `grammar`.
    #[default]
    LlamaCpp,
    /// vLLM: `structured_outputs`.
    Vllm,
}

/// How the program of a reply travels. The text of the reply has it as a block of code in both cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Transport {
    /// As a block of code in the text.
    #[default]
    Fence,
    /// As the argument of a function tool, for models that are better at that.
    Tool,
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub text: String,
}

impl Message {
    /// The form that all protocols have for it.
    fn json(&self) -> serde_json::Value {
        serde_json::json!({"role": self.role.as_str(), "content": self.text})
    }
}

/// Who speaks in a [`Message`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
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

impl Parameters {
    /// The effort as most servers say it.
    fn effort_word(&self) -> Option<&'static str> {
        self.effort.map(|effort| match effort {
            0..=33 => "low",
            34..=66 => "medium",
            _ => "high",
        })
    }
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

words! {
    /// Why a model stopped.
    #[derive(Default)]
    pub enum Finish {
        /// It was done.
        #[default]
        Stop = "stop",
        /// The most tokens of a reply were reached; the text is cut off.
        Length = "length",
        /// The server held text back.
        Filtered = "filtered",
        /// Something else, or the server does not say.
        Other = "other",
    }
}
