//! The options to reach a model.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use secrecy::SecretString;

/// The options to reach a model.
#[derive(Clone, Debug)]
pub struct ProviderOptions {
    /// The base URL of the server; `None` for the default server of the kind.
    pub base_url: Option<String>,
    /// The keys. A server of your own may need none.
    pub keys: Keys,
    /// A file with prices instead of the [built-in](super::Prices::built_in) ones.
    pub prices: Option<PathBuf>,
    /// The time limit of one attempt, to the end of its reply.
    pub request_timeout: Duration,
    /// The largest number of attempts of a request, the first included.
    pub attempts: u32,
    /// The longest wait before the second attempt; the shortest is half of it. The wait doubles with each attempt. A
    /// wait that the server asks for takes precedence.
    pub retry_delay: Duration,
}

/// The keys of models, by the names of their environment variables. A server receives only the key of its own kind.
#[derive(Clone, Debug, Default)]
pub struct Keys(BTreeMap<String, SecretString>);

impl Keys {
    /// Sets a key, by the name of its variable, such as `OPENAI_API_KEY`. A key is never used if no kind has its
    /// variable.
    #[must_use]
    pub fn with(mut self, variable: impl Into<String>, key: impl Into<String>) -> Keys {
        self.0.insert(variable.into(), SecretString::from(key.into()));
        self
    }

    /// Returns a key, by the name of its variable.
    pub fn get(&self, variable: &str) -> Option<&SecretString> {
        self.0.get(variable)
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
