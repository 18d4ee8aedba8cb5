//! Models under names of their own, which many agents share.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use ptc_signatures::spelling::nearest;
use reqwest::Url;

use super::spec::{ModelSpec, without_kind};
use crate::error::{Error, ErrorKind};

/// A model with the parts that are set of how to reach it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ModelAlias {
    /// The model. It may be another alias, whose parts hold where this one sets none.
    pub model: ModelSpec,
    /// The base URL of its server.
    pub base_url: Option<String>,
    /// The variable whose key the server gets.
    pub api_key_env: Option<String>,
    /// Whether the server gets the key of the vendor's variable although it is not the vendor's.
    pub send_key: bool,
    /// The header that has the key.
    pub key_header: Option<String>,
    /// A file with the prices of models.
    pub prices: Option<PathBuf>,
    /// The time limit of one request.
    pub request_timeout: Option<Duration>,
    /// The largest number of tokens of a reply, for agents that set none.
    pub max_tokens: Option<u32>,
    /// The effort of thinking, for runs that have none.
    pub effort: Option<u8>,
}

/// Models by their aliases, such as `fast`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelAliases(BTreeMap<String, ModelAlias>);

/// A model behind its aliases.
pub(crate) struct Unaliased {
    pub(crate) model: ModelAlias,
    /// The aliases of its server, the first one first. Those behind a base URL of its own are others.
    pub(crate) aliases: Vec<String>,
}

impl ModelAlias {
    /// Makes an alias of a model. All other parts are unset.
    pub fn new(model: ModelSpec) -> ModelAlias {
        ModelAlias {
            model,
            base_url: None,
            api_key_env: None,
            send_key: false,
            key_header: None,
            prices: None,
            request_timeout: None,
            max_tokens: None,
            effort: None,
        }
    }

    /// Returns the scheme, host and port of its server, or the base URL if it has none of them.
    pub(crate) fn server(&self) -> Option<String> {
        let of_kind = match &self.model {
            ModelSpec::Server { kind, .. } => Some(kind.base_url()),
            _ => None,
        };
        let base = self.base_url.as_deref().or(of_kind)?;
        Some(match Url::parse(base.trim()) {
            Ok(url) if url.has_host() => url.origin().ascii_serialization(),
            _ => base.to_string(),
        })
    }

    /// Returns the model of `below` with the parts that this one sets. A server of its own gets no key that was named for
    /// another server.
    fn over(self, below: ModelAlias) -> ModelAlias {
        let server = match self.base_url {
            Some(_) => (self.base_url, self.api_key_env, self.send_key, self.key_header),
            None => (
                below.base_url,
                self.api_key_env.or(below.api_key_env),
                self.send_key || below.send_key,
                self.key_header.or(below.key_header),
            ),
        };
        let (base_url, api_key_env, send_key, key_header) = server;
        ModelAlias {
            model: below.model,
            base_url,
            api_key_env,
            send_key,
            key_header,
            prices: self.prices.or(below.prices),
            request_timeout: self.request_timeout.or(below.request_timeout),
            max_tokens: self.max_tokens.or(below.max_tokens),
            effort: self.effort.or(below.effort),
        }
    }
}

impl ModelAliases {
    /// Sets an alias.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, model: ModelAlias) -> ModelAliases {
        self.0.insert(name.into(), model);
        self
    }

    /// Returns the model of an alias.
    pub fn get(&self, name: &str) -> Option<&ModelAlias> {
        self.0.get(name)
    }

    /// Returns whether there is no alias.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns all aliases with their models.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &ModelAlias)> {
        self.0.iter().map(|(name, model)| (name.as_str(), model))
    }

    /// Follows the aliases of a model.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Model`] if an alias is unknown, or refers to itself.
    pub(crate) fn follow(&self, mut model: ModelAlias) -> Result<Unaliased, Error> {
        let (mut aliases, mut of_server): (Vec<String>, Vec<String>) = Default::default();
        while let ModelSpec::Alias(name) = &model.model {
            let Some(below) = self.0.get(name) else { return Err(self.unknown(name)) };
            if aliases.contains(name) {
                let way = aliases.iter().skip_while(|it| *it != name).skip(1);
                let way: Vec<String> = way.map(|it| format!("`{it}`")).collect();
                let by = if way.is_empty() {
                    String::new()
                } else {
                    format!(" by way of {}", way.join(", "))
                };
                let message = format!("the model `{name}` refers to itself{by}");
                return Err(Error::new(ErrorKind::Model, message));
            }
            aliases.push(name.clone());
            if model.base_url.is_none() {
                of_server.push(name.clone());
            }
            model = model.over(below.clone());
        }
        Ok(Unaliased { model, aliases: of_server })
    }

    fn unknown(&self, name: &str) -> Error {
        let more = if self.0.is_empty() { "" } else { ", and is not under `models`" };
        without_kind(name, more, nearest(name, self.0.keys().map(String::as_str)))
    }
}

impl FromIterator<(String, ModelAlias)> for ModelAliases {
    fn from_iter<I: IntoIterator<Item = (String, ModelAlias)>>(rows: I) -> ModelAliases {
        ModelAliases(rows.into_iter().collect())
    }
}
