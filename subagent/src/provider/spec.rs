//! Which model to use, as people write it: `openai:NAME`, `recorded:FILE`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use secrecy::SecretString;

use super::{OpenAi, Provider, Recorded};
use crate::error::{Error, ErrorKind};

/// Which model to use.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelSpec {
    /// A model behind a chat-completions server.
    OpenAi(String),
    /// Replies from a file, in order.
    Recorded(PathBuf),
}

impl ModelSpec {
    /// Resolves the path of a recording against `folder`.
    #[must_use]
    pub fn relative_to(self, folder: &Path) -> ModelSpec {
        match self {
            ModelSpec::Recorded(path) => ModelSpec::Recorded(folder.join(path)),
            other @ ModelSpec::OpenAi(_) => other,
        }
    }

    /// Makes the provider. Everything that can be wrong before the first request is found here.
    pub fn open(&self, options: &ProviderOptions) -> Result<Box<dyn Provider>, Error> {
        match self {
            ModelSpec::OpenAi(model) => Ok(Box::new(OpenAi::new(model, options)?)),
            ModelSpec::Recorded(path) => Ok(Box::new(Recorded::open(path)?)),
        }
    }
}

impl FromStr for ModelSpec {
    type Err = Error;

    fn from_str(text: &str) -> Result<ModelSpec, Error> {
        let unusable = |message: String| Err(Error::new(ErrorKind::Model, message));
        let Some((kind, name)) = text.split_once(':') else {
            return Err(Error::new(
                ErrorKind::Model,
                format!("model `{text}` does not say what kind it is"),
            )
            .with_help(format!("write `openai:{text}` or `recorded:FILE`")));
        };
        if name.trim().is_empty() {
            return unusable(format!("model `{text}` has no name after the colon"));
        }
        match kind {
            "openai" => Ok(ModelSpec::OpenAi(name.to_string())),
            "recorded" => Ok(ModelSpec::Recorded(PathBuf::from(name))),
            "anthropic" | "ollama" => Err(Error::new(
                ErrorKind::Model,
                format!("models of kind `{kind}` are not built yet (in `{text}`)"),
            )
            .with_help("use `openai:NAME`, with a base URL for any compatible server")),
            _ => Err(Error::new(
                ErrorKind::Model,
                format!("there is no kind of model `{kind}` (in `{text}`)"),
            )
            .with_help("the kinds are `openai:NAME` and `recorded:FILE`")),
        }
    }
}

impl fmt::Display for ModelSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelSpec::OpenAi(model) => write!(f, "openai:{model}"),
            ModelSpec::Recorded(path) => write!(f, "recorded:{}", path.display()),
        }
    }
}

/// How to reach a model.
#[derive(Clone, Debug)]
pub struct ProviderOptions {
    /// Where the server is; `None` is `https://api.openai.com/v1`.
    pub base_url: Option<String>,
    /// The key; a server of one's own may need none.
    pub key: Option<SecretString>,
    /// The most time of one attempt.
    pub request_timeout: Duration,
    /// How often a request is made at most, counting the first.
    pub attempts: u32,
    /// The wait before the second attempt; it doubles from there.
    pub retry_delay: Duration,
}

impl ProviderOptions {
    /// Reads the key from the environment variable `OPENAI_API_KEY`; the rest is default.
    pub fn from_env() -> ProviderOptions {
        let key = std::env::var("OPENAI_API_KEY").ok();
        let key = key.map(|it| it.trim().to_string()).filter(|it| !it.is_empty());
        ProviderOptions { key: key.map(SecretString::from), ..ProviderOptions::default() }
    }
}

impl Default for ProviderOptions {
    fn default() -> ProviderOptions {
        ProviderOptions {
            base_url: None,
            key: None,
            request_timeout: Duration::from_mins(1),
            attempts: 3,
            retry_delay: Duration::from_millis(500),
        }
    }
}
