//! Requests to models.

use std::collections::BTreeSet;
use std::sync::Arc;

use ptc_prompt::{SystemPrompt, ToolOffer};
use serde::Deserialize;
use serde_json::json;

use super::conversation::Message;
use super::error::ProviderError;
use super::images::{Images, Room};
use crate::blob::Blob;

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
    /// Whether [`Provider::ask`](crate::provider::Provider::ask) reports the text while it arrives, from servers that can stream it.
    pub streamed: bool,
    /// The tools that the model can call natively. With tools, the reply has its calls.
    pub tools: Vec<ToolOffer>,
    /// Whether the model must answer with a text although it has tools.
    pub wants_text: bool,
    /// The texts at which the model stops, for servers that take them.
    pub stop: Vec<String>,
    /// The model that is asked: 0 for the provider itself, then the numbers of its
    /// [fallbacks](crate::provider::Provider::fallbacks), from 1.
    pub fallback: usize,
}

impl Request {
    /// Returns the number of bytes of the system prompt and of the tools.
    pub(crate) fn fixed_len(&self) -> usize {
        let tools = self.tools.iter();
        let tools =
            tools.map(|it| it.name.len() + it.description.len() + it.parameters.to_string().len());
        self.system.len() + tools.sum::<usize>()
    }

    /// Returns the messages, each with the images to send: those of the newest messages, as far as the limits allow. An
    /// image is sent once, with the newest message that shows it. There are none unless the provider `sends` images.
    pub fn with_images(&self, sends: bool) -> Vec<(&Message, Vec<&Blob>)> {
        let (mut room, mut sent) = (Room::default(), BTreeSet::new());
        let newest = self.messages.iter().rev().map(|message| {
            let named = message.images.iter().filter(|_| sends);
            let images = named.filter_map(|hash| self.images.get(hash));
            let images = images.filter(|it| sent.insert(&it.hash) && room.take(it));
            (message, images.map(Arc::as_ref).collect())
        });
        let mut messages: Vec<(&Message, Vec<&Blob>)> = newest.collect();
        messages.reverse();
        messages
    }

    /// Returns the request as the JSON object that a function of a host gets, such as one of Python: `system`, `messages`
    /// with `images` as data URLs, `temperature`, `max_tokens`, `effort`, `tools`, `wants_text` and `stop`.
    pub fn to_json(&self) -> serde_json::Value {
        let url = |it: &Blob| {
            let media_type = it.image_type().unwrap_or(&it.media_type);
            format!("data:{media_type};base64,{}", it.base64)
        };
        let message = |(message, images): (&Message, Vec<&Blob>)| {
            let mut fields = json!(message);
            fields["images"] = images.into_iter().map(url).collect();
            fields
        };
        let tool = |it: &ToolOffer| json!({"name": it.name, "description": it.description, "parameters": it.parameters});
        json!({
            "system": self.system.text(),
            "messages": self.with_images(true).into_iter().map(message).collect::<Vec<_>>(),
            "temperature": self.parameters.temperature,
            "max_tokens": self.parameters.max_tokens,
            "effort": self.parameters.effort,
            "tools": self.tools.iter().map(tool).collect::<Vec<_>>(),
            "wants_text": self.wants_text,
            "stop": self.stop,
        })
    }
}

/// The progress of a reply, as [`Provider::ask`](crate::provider::Provider::ask) reports it.
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

/// The transport of the program in a reply. In both cases the text of the [`Reply`](crate::provider::Reply) has the program as a block of code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
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
    pub(super) fn effort_word(&self) -> Option<&'static str> {
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
