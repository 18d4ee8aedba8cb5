//! Which model to use, as people write it: `openai:NAME`, `recorded:FILE`; and how to reach it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use secrecy::SecretString;

use super::http::{HttpModel, Protocol};
use super::{Provider, Recorded, anthropic, ollama, openai, responses};
use crate::error::{Error, ErrorKind};

/// Which model to use.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelSpec {
    /// A model behind a chat-completions server.
    OpenAi(String),
    /// A model behind OpenAI's responses.
    OpenAiResponses(String),
    /// A model behind Anthropic's messages.
    Anthropic(String),
    /// A model behind Ollama's own protocol.
    Ollama(String),
    /// Replies from a file, in order.
    Recorded(PathBuf),
}

impl ModelSpec {
    /// Resolves the path of a recording against `folder`.
    #[must_use]
    pub fn relative_to(self, folder: &Path) -> ModelSpec {
        match self {
            ModelSpec::Recorded(path) => ModelSpec::Recorded(folder.join(path)),
            other => other,
        }
    }

    /// Makes the provider. Validates everything that can be checked before the first request.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Model`] if the model cannot be used as configured, such as for a missing key; [`ErrorKind::Recording`]
    /// if its recording cannot be read.
    pub fn open(&self, options: &ProviderOptions) -> Result<Box<dyn Provider>, Error> {
        match self.parts() {
            Ok((protocol, model)) => Ok(Box::new(HttpModel::new(protocol, model, options)?)),
            Err(path) => Ok(Box::new(Recorded::open(path)?)),
        }
    }

    /// Returns the protocol and the name of a model, or the file of a recording.
    fn parts(&self) -> Result<(&'static Protocol, &str), &Path> {
        match self {
            ModelSpec::OpenAi(model) => Ok((&openai::PROTOCOL, model)),
            ModelSpec::OpenAiResponses(model) => Ok((&responses::PROTOCOL, model)),
            ModelSpec::Anthropic(model) => Ok((&anthropic::PROTOCOL, model)),
            ModelSpec::Ollama(model) => Ok((&ollama::PROTOCOL, model)),
            ModelSpec::Recorded(path) => Err(path),
        }
    }
}

impl FromStr for ModelSpec {
    type Err = Error;

    fn from_str(text: &str) -> Result<ModelSpec, Error> {
        let unusable = |message: String| Error::new(ErrorKind::Model, message);
        let Some((kind, name)) = text.split_once(':') else {
            return Err(unusable(format!("model `{text}` does not say what kind it is"))
                .with_help(format!("write `openai:{text}` or `recorded:FILE`")));
        };
        if name.trim().is_empty() {
            return Err(unusable(format!("model `{text}` has no name after the colon")));
        }
        match kind {
            "openai" => Ok(ModelSpec::OpenAi(name.to_string())),
            "openai-responses" => Ok(ModelSpec::OpenAiResponses(name.to_string())),
            "anthropic" => Ok(ModelSpec::Anthropic(name.to_string())),
            "ollama" => Ok(ModelSpec::Ollama(name.to_string())),
            "recorded" => Ok(ModelSpec::Recorded(PathBuf::from(name))),
            _ => Err(unusable(format!("there is no kind of model `{kind}` (in `{text}`)"))
                .with_help(
                    "the kinds are `openai:NAME`, `openai-responses:NAME`, `anthropic:NAME`, \
                 `ollama:NAME` and `recorded:FILE`",
                )),
        }
    }
}

impl fmt::Display for ModelSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.parts() {
            Ok((protocol, model)) => write!(f, "{}:{model}", protocol.kind),
            Err(path) => write!(f, "recorded:{}", path.display()),
        }
    }
}

/// How to reach a model.
#[derive(Clone, Debug)]
pub struct ProviderOptions {
    /// Where the server is; `None` is the one of OpenAI or Anthropic, and for Ollama this machine.
    pub base_url: Option<String>,
    /// The keys; a server of one's own may need none.
    pub keys: Keys,
    /// A file with prices, in place of those that are [built in](super::Prices::built_in).
    pub prices: Option<PathBuf>,
    /// The most time of one attempt, to the end of its reply.
    pub request_timeout: Duration,
    /// How often a request is made at most, counting the first.
    pub attempts: u32,
    /// The most time to wait before the second attempt, and half of it is the least; it doubles from there. A
    /// server that says how long to wait is waited for.
    pub retry_delay: Duration,
}

impl ProviderOptions {
    /// Reads the keys from the environment; the rest is default.
    pub fn from_env() -> ProviderOptions {
        ProviderOptions { keys: Keys::from_env(), ..ProviderOptions::default() }
    }
}

/// The keys of models: each kind is sent its own and no other.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    /// For chat completions and responses, of whichever server.
    pub openai: Option<SecretString>,
    /// For Anthropic's messages.
    pub anthropic: Option<SecretString>,
    /// For Ollama's own protocol.
    pub ollama: Option<SecretString>,
}

impl Keys {
    /// Reads them from `OPENAI_API_KEY`, `ANTHROPIC_API_KEY` and `OLLAMA_API_KEY`.
    pub fn from_env() -> Keys {
        let read = |protocol: &Protocol| {
            let key = std::env::var(protocol.variable).ok()?.trim().to_string();
            if key.is_empty() { None } else { Some(SecretString::from(key)) }
        };
        Keys {
            openai: read(&openai::PROTOCOL),
            anthropic: read(&anthropic::PROTOCOL),
            ollama: read(&ollama::PROTOCOL),
        }
    }
}

impl Default for ProviderOptions {
    fn default() -> ProviderOptions {
        ProviderOptions {
            base_url: None,
            keys: Keys::default(),
            prices: None,
            request_timeout: Duration::from_mins(1),
            attempts: 3,
            retry_delay: Duration::from_millis(500),
        }
    }
}
