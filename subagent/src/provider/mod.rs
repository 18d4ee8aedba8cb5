//! Providers complete a conversation: a model behind HTTP, a recording, or a script.
//!
//! A provider does not know the language of programs, and keeps no state between runs.

mod alias;
mod anthropic;
mod argument;
mod conversation;
mod error;
mod fallbacks;
mod http;
mod images;
mod interface;
mod no_model;
mod ollama;
mod openai;
mod options;
mod price;
mod quirks;
mod recorded;
mod refusal;
mod reply;
mod reply_builder;
mod request;
mod responses;
mod spec;
mod stream;
mod stream_relay;
mod tool;
mod usage;

pub(crate) use alias::Unaliased;
pub use alias::{ModelAlias, ModelAliases};
pub use conversation::{Message, Role};
pub use error::{ProviderError, ProviderErrorKind};
pub(crate) use fallbacks::Chain;
pub use fallbacks::ChosenModel;
pub use images::Images;
pub(crate) use images::{MAX_IMAGE_BYTES, MAX_IMAGES, Room};
pub use interface::{BoxFuture, Checked, Provider};
pub use no_model::NoModel;
pub(crate) use no_model::NoProvider;
pub use options::{KeyResolver, Keys, ProviderOptions, WantedKey};
pub use price::{Price, Prices};
pub use ptc_prompt::{CallResult, ModelCall, ToolOffer};
pub use recorded::{Recorded, Recorder, Scripted};
pub use reply::{Finish, Opaque, Reply};
pub use request::{GrammarServer, Parameters, Partial, ReplyGrammar, Request, Transport};
pub use spec::{ModelSpec, ProviderKind};
pub use usage::{Cost, Usage};
