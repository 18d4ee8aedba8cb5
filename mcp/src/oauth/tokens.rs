//! The tokens in use, which no text may show.

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::transport::auth::StoredCredentials;

/// The number of tokens that are concealed. A call may be in flight when its token is replaced.
const MAX_CONCEALED: usize = 4;

/// The newest tokens of a connection, which results must not show.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tokens(Arc<Mutex<Vec<String>>>);

impl Tokens {
    /// Returns the tokens.
    pub(crate) fn all(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Adds the access token and the refresh token.
    pub(super) fn add_all(&self, credentials: &StoredCredentials) {
        let fields = serde_json::to_value(&credentials.token_response).unwrap_or_default();
        for key in ["access_token", "refresh_token"] {
            if let Some(token) = fields[key].as_str() {
                self.add(token.to_string());
            }
        }
    }

    pub(super) fn add(&self, token: String) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !all.contains(&token) {
            all.push(token);
            let extra = all.len().saturating_sub(MAX_CONCEALED);
            all.drain(..extra);
        }
    }
}
