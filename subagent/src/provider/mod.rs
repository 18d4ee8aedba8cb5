//! Providers complete a conversation: a model behind HTTP, a recording, or a script.
//!
//! A provider does not know the language of programs, and keeps no state between runs.

mod anthropic;
mod argument;
mod conversation;
mod error;
mod http;
mod images;
mod no_model;
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
pub use ptc_prompt::{CallResult, ModelCall, ToolOffer};

use crate::words::words;

pub use conversation::{Message, Opaque, Role};
pub use error::{ProviderError, ProviderErrorKind};
pub use images::Images;
pub(crate) use images::{MAX_IMAGE_BYTES, MAX_IMAGES, Room};
pub use no_model::NoModel;
pub(crate) use no_model::NoProvider;
pub use price::{Price, Prices};
pub use recorded::{Recorded, Recorder, Scripted};
pub(crate) use shorten::{Shortened, shortened};
pub use spec::{Keys, ModelSpec, ProviderKind, ProviderOptions};
pub use usage::{Cost, Usage};

/// A future that a trait object can return.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Completes a conversation with one reply.
pub trait Provider: Send + Sync {
    /// Asks for the next reply. The provider itself decides which errors to retry.
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>>;

    /// Asks for the next reply, and calls `on` with its progress.
    ///
    /// The reported parts of text are the start of the reply, or of an attempt that failed. Text that the next attempt
    /// repeats is not reported twice. After the first difference between two attempts, no more text is reported. Only
    /// the returned reply counts. By default its whole text is reported at once, when it is complete.
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

    /// Returns the cost of these tokens, or `None` if it is unknown.
    fn price_of(&self, _usage: &Usage) -> Option<Cost> {
        None
    }

    /// Returns the name in records, such as `openai:gpt-5` or `recorded:run.jsonl`.
    fn name(&self) -> String;

    /// Checks that the model can be reached, without cost. By default there is nothing to reach, and the check
    /// succeeds.
    fn check(&self) -> BoxFuture<'_, Result<Checked, ProviderError>> {
        let message = "nothing to reach".to_string();
        Box::pin(std::future::ready(Ok(Checked { message, is_certain: true })))
    }
}

/// The finding of a [`Provider::check`] that reached the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The finding, in lower case.
    pub message: String,
    /// Whether the server certainly has the model.
    pub is_certain: bool,
}

/// Implements [`Provider`] for pointers to one.
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

/// A request for the next reply of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The system prompt.
    pub system: SystemPrompt,
    /// The messages so far, oldest first; the last one is the user's.
    pub messages: Vec<Message>,
    /// The images that messages show.
    pub images: Images,
    /// The sampling parameters.
    pub parameters: Parameters,
    /// The grammar of the reply, for servers that can enforce one.
    pub grammar: Option<ReplyGrammar>,
    /// The transport of the program in the reply.
    pub transport: Transport,
    /// Whether [`Provider::ask`] reports the text while it arrives, from servers that can stream it.
    pub streamed: bool,
    /// The tools that the model can call natively. With tools, the reply has its calls.
    pub tools: Vec<ToolOffer>,
    /// Whether the model must answer with a text although it has tools.
    pub wants_text: bool,
    /// The texts at which the model stops, for servers that take them.
    pub stop: Vec<String>,
}

/// The progress of a reply, as [`Provider::ask`] reports it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Partial<'a> {
    /// The next part of the text.
    Text(&'a str),
    /// An attempt failed, and the request is made again.
    Retry {
        /// The reason it failed.
        error: &'a ProviderError,
        /// Its number, counted from 1.
        attempt: u32,
        /// The largest number of attempts of one request.
        attempts: u32,
    },
}

/// A grammar of the allowed replies, in the notations that servers read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyGrammar {
    /// The server, which decides the field of a chat completion.
    pub server: GrammarServer,
    /// The grammar of the whole reply, in the notation of llama.cpp.
    pub gbnf: String,
    /// The grammar of the program alone, in the notation of Lark.
    pub lark: String,
}

/// A kind of chat completions server that enforces grammars. Each has another field for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum GrammarServer {
    /// llama.cpp and servers built on it, with the field `grammar`.
    #[default]
    LlamaCpp,
    /// vLLM, with the field `structured_outputs`.
    Vllm,
}

/// The transport of the program in a reply. In both cases the text of the [`Reply`] has the program as a block of code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Transport {
    /// A block of code in the text.
    #[default]
    Fence,
    /// The argument of a function tool, for models that handle tools better.
    Tool,
}

/// The sampling parameters of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// The temperature; `None` for the server's default. Some models accept no temperature at all.
    pub temperature: Option<f64>,
    /// The largest number of tokens of one reply; `None` for the server's default.
    pub max_tokens: Option<u32>,
    /// The effort of thinking before the answer, from 1 to 100; `None` for the server's default.
    pub effort: Option<u8>,
}

impl Parameters {
    /// Returns the effort in the words of most servers.
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
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The text as received.
    pub text: String,
    /// The calls of tools, in order; each has an id of its own. Empty if no tool was offered.
    pub calls: Vec<ModelCall>,
    /// The parts that only the provider understands.
    pub opaque: Vec<Opaque>,
    /// The tokens used, if the server states them.
    pub usage: Option<Usage>,
    /// The reason the model stopped.
    pub finish: Finish,
}

impl Reply {
    /// Makes a complete reply without usage.
    pub fn new(text: impl Into<String>) -> Reply {
        let (calls, opaque) = (Vec::new(), Vec::new());
        Reply { text: text.into(), calls, opaque, usage: None, finish: Finish::Stop }
    }
}

words! {
    /// The reason a model stopped.
    #[derive(Default)]
    pub enum Finish {
        /// The reply is complete.
        #[default]
        Stop = "stop",
        /// The reply reached its limit of tokens; the text is cut off.
        Length = "length",
        /// The server withheld text.
        Filtered = "filtered",
        /// Another reason, or the server states none.
        Other = "other",
    }
}
