//! Models by name, such as `openai:NAME` and `recorded:FILE`, and the options to reach them.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use reqwest::Url;

use super::http::{HttpModel, Protocol};
use super::options::{Keys, ProviderOptions};
use super::{NoModel, Provider, Recorded, anthropic, ollama, openai, responses};
use crate::error::{Error, ErrorKind};

/// The protocols of model servers. A row makes a kind of model usable everywhere.
const PROTOCOLS: [&Protocol; 4] =
    [&openai::PROTOCOL, &responses::PROTOCOL, &anthropic::PROTOCOL, &ollama::PROTOCOL];

/// The kind of a recording.
const RECORDED: &str = "recorded";

/// A kind of model behind a server: a row of the table of protocols.
#[derive(Clone, Copy)]
pub struct ProviderKind(&'static Protocol);

impl ProviderKind {
    /// Returns all kinds.
    pub fn all() -> impl Iterator<Item = ProviderKind> {
        PROTOCOLS.into_iter().map(ProviderKind)
    }

    /// Returns the kind of this name.
    pub fn find(name: &str) -> Option<ProviderKind> {
        ProviderKind::all().find(|kind| kind.name() == name)
    }

    /// Returns its name, such as `openai` for the model `openai:gpt-5`.
    pub fn name(self) -> &'static str {
        self.0.prefix
    }

    /// Returns the name of its protocol, such as `chat completions`.
    pub fn protocol(self) -> &'static str {
        self.0.title
    }

    /// Returns the base URL of its default server.
    pub fn base_url(self) -> &'static str {
        self.0.base
    }

    /// Returns the environment variable of its key.
    pub fn key_variable(self) -> &'static str {
        self.0.key_variable
    }

    /// Returns whether a URL is that of a server of its vendor, which may get the key of the vendor's variable.
    pub fn is_vendors(self, url: &str) -> bool {
        Url::parse(url.trim()).is_ok_and(|url| self.0.is_vendors(&url))
    }

    /// Returns whether its default server requires a key.
    pub fn requires_key(self) -> bool {
        self.0.needs_key
    }

    /// Returns the name of its provider in OpenTelemetry's conventions for generative AI.
    #[cfg(feature = "tracing")]
    pub(crate) fn vendor(self) -> &'static str {
        self.0.vendor
    }
}

impl PartialEq for ProviderKind {
    fn eq(&self, other: &ProviderKind) -> bool {
        self.name() == other.name()
    }
}

impl Eq for ProviderKind {}

impl fmt::Debug for ProviderKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A model, as `model` of an agent file and `--model` name it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelSpec {
    /// A model behind a server.
    Server {
        /// The kind of the model.
        kind: ProviderKind,
        /// The name that the server has for it.
        model: String,
    },
    /// A recording: the replies of a file, in order.
    Recorded(PathBuf),
    /// The name of a model under `models` of an agent.
    Alias(String),
    /// No model, for a workflow whose agents have their own.
    None,
}

impl ModelSpec {
    /// Returns the forms of a model, such as `openai:NAME`.
    pub fn forms() -> Vec<String> {
        let servers = ProviderKind::all().map(|kind| format!("{}:NAME", kind.name()));
        servers.chain([format!("{RECORDED}:FILE")]).collect()
    }

    /// Resolves the path of a recording against `folder`.
    #[must_use]
    pub fn relative_to(self, folder: &Path) -> ModelSpec {
        match self {
            ModelSpec::Recorded(path) => ModelSpec::Recorded(folder.join(path)),
            other @ (ModelSpec::Server { .. } | ModelSpec::Alias(_) | ModelSpec::None) => other,
        }
    }

    /// Makes the provider. Validates everything that can be checked before the first request.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Model`] if the model cannot be used as configured, such as for a missing key;
    /// [`ErrorKind::Recording`] if its recording cannot be read.
    pub fn open(&self, options: &ProviderOptions) -> Result<Box<dyn Provider>, Error> {
        match self {
            ModelSpec::Server { kind, model } => {
                Ok(Box::new(HttpModel::new(kind.0, model, options)?))
            }
            ModelSpec::Recorded(path) => Ok(Box::new(Recorded::open(path)?)),
            ModelSpec::Alias(name) => Err(without_kind(name, "", None)),
            ModelSpec::None => Ok(Box::new(NoModel)),
        }
    }
}

/// Returns the error of a name that leads to no model. `more` continues the message, and `near` is a similar name.
pub(super) fn without_kind(name: &str, more: &str, near: Option<&str>) -> Error {
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("write `openai:{name}` or `recorded:FILE`"),
    };
    let message = format!("model `{name}` does not name its kind{more}");
    Error::new(ErrorKind::Model, message).with_help(help)
}

impl FromStr for ModelSpec {
    type Err = Error;

    fn from_str(text: &str) -> Result<ModelSpec, Error> {
        let unusable = |message: String| Error::new(ErrorKind::Model, message);
        let Some((kind, name)) = text.split_once(':') else {
            return Ok(ModelSpec::Alias(text.to_string()));
        };
        if name.trim().is_empty() {
            return Err(unusable(format!("model `{text}` has no name after the colon")));
        }
        if kind == RECORDED {
            return Ok(ModelSpec::Recorded(PathBuf::from(name)));
        }
        match ProviderKind::find(kind) {
            Some(kind) => Ok(ModelSpec::Server { kind, model: name.to_string() }),
            None => {
                let (last, others) = (format!("{RECORDED}:FILE"), ModelSpec::forms());
                let others = others.split_last().map_or_else(String::new, |it| it.1.join("`, `"));
                Err(unusable(format!("there is no kind of model `{kind}` (in `{text}`)"))
                    .with_help(format!("the kinds are `{others}` and `{last}`")))
            }
        }
    }
}

impl fmt::Display for ModelSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelSpec::Server { kind, model } => write!(f, "{}:{model}", kind.name()),
            ModelSpec::Recorded(path) => write!(f, "{RECORDED}:{}", path.display()),
            ModelSpec::Alias(name) => f.write_str(name),
            ModelSpec::None => f.write_str(&NoModel.name()),
        }
    }
}

impl ProviderOptions {
    /// Reads the keys from the environment. The rest has its defaults.
    pub fn from_env() -> ProviderOptions {
        ProviderOptions { keys: Keys::from_env(), ..ProviderOptions::default() }
    }
}

impl Keys {
    /// Reads the variables of all kinds of models, such as `OPENAI_API_KEY`.
    pub fn from_env() -> Keys {
        let mut keys = Keys::default();
        for kind in ProviderKind::all() {
            keys = keys.with_variable(kind.key_variable());
        }
        keys
    }
}
