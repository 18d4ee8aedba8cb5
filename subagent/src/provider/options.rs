//! The options to reach a model.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use secrecy::SecretString;

/// The options to reach a model.
#[derive(Clone, Debug)]
pub struct ProviderOptions {
    /// The base URL of the server; `None` for the default server of the kind.
    pub base_url: Option<String>,
    /// The keys. A server of your own may need none.
    pub keys: Keys,
    /// The variable whose key this server gets. Without one, the vendor's own servers get the key of the vendor's
    /// variable, and other servers get none.
    pub api_key_env: Option<String>,
    /// Whether a server that is not the vendor's gets the key of the vendor's variable.
    pub send_key: bool,
    /// The header that has the key, such as `api-key`; `None` for that of the protocol.
    pub key_header: Option<String>,
    /// A file with prices instead of the [built-in](super::Prices::built_in) ones.
    pub prices: Option<PathBuf>,
    /// The largest number of tokens of a reply, for requests that have none.
    pub max_tokens: Option<u32>,
    /// The effort of thinking, for requests that have none.
    pub effort: Option<u8>,
    /// The time limit of one attempt, to the end of its reply.
    pub request_timeout: Duration,
    /// The largest number of attempts of a request, the first included.
    pub attempts: u32,
    /// The longest wait before the second attempt; the shortest is half of it. The wait doubles with each attempt. A
    /// wait that the server asks for takes precedence.
    pub retry_delay: Duration,
}

/// The keys of models, by the names of their environment variables. A server receives only a key that is for it.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    known: BTreeMap<String, SecretString>,
    resolver: Option<KeyResolver>,
}

/// A function of the host that has the keys that no variable has.
#[derive(Clone)]
pub struct KeyResolver(Arc<Resolve>);

type Resolve = dyn Fn(&WantedKey<'_>) -> Option<String> + Send + Sync;

/// A key that a [`KeyResolver`] is asked for. It goes to this server and to no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WantedKey<'a> {
    /// The model, such as `openai:gpt-5`.
    pub model: &'a str,
    /// The variable that would have the key, such as `OPENAI_API_KEY`.
    pub variable: &'a str,
    /// The scheme, host and port of the server.
    pub server: &'a str,
}

impl Keys {
    /// Sets a key, by the name of its variable, such as `OPENAI_API_KEY`. A key is never used if no model has its
    /// variable.
    #[must_use]
    pub fn with(mut self, variable: impl Into<String>, key: impl Into<String>) -> Keys {
        self.known.insert(variable.into(), SecretString::from(key.into()));
        self
    }

    /// Sets the function that is asked for keys that are not here.
    #[must_use]
    pub fn with_resolver(mut self, resolver: KeyResolver) -> Keys {
        self.resolver = Some(resolver);
        self
    }

    /// Reads the key of an environment variable, unless it is unset or empty.
    #[must_use]
    pub fn with_variable(self, variable: &str) -> Keys {
        let value = std::env::var(variable).unwrap_or_default();
        if value.trim().is_empty() { self } else { self.with(variable, value.trim()) }
    }

    /// Returns a key, by the name of its variable.
    pub fn get(&self, variable: &str) -> Option<&SecretString> {
        self.known.get(variable)
    }

    /// Asks the host for a key that is not here.
    pub(super) fn resolve(&self, wanted: &WantedKey<'_>) -> Option<SecretString> {
        let key = self.resolver.as_ref().and_then(|it| (it.0)(wanted))?;
        (!key.trim().is_empty()).then(|| SecretString::from(key.trim()))
    }
}

impl KeyResolver {
    /// Makes a resolver of a function. It returns the key, or `None` if it has none.
    pub fn new(
        resolve: impl Fn(&WantedKey<'_>) -> Option<String> + Send + Sync + 'static,
    ) -> KeyResolver {
        KeyResolver(Arc::new(resolve))
    }
}

impl PartialEq for KeyResolver {
    fn eq(&self, other: &KeyResolver) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for KeyResolver {}

impl fmt::Debug for KeyResolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyResolver")
    }
}

impl Default for ProviderOptions {
    fn default() -> ProviderOptions {
        ProviderOptions {
            base_url: None,
            keys: Keys::default(),
            api_key_env: None,
            send_key: false,
            key_header: None,
            prices: None,
            max_tokens: None,
            effort: None,
            request_timeout: Duration::from_mins(1),
            attempts: 3,
            retry_delay: Duration::from_millis(500),
        }
    }
}
