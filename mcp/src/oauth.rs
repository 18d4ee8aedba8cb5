//! OAuth for servers at an address: tokens for a client with a secret.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ptc_subagent::tool::{OAuthClient, ServerLink, ToolError, ToolErrorKind};
use reqwest::Url;
use rmcp::transport::auth::{
    AuthError, AuthorizationManager, AuthorizationMetadataSource, ClientCredentialsConfig,
    CredentialRefreshGuard, CredentialStore, OAuthHttpClient, OAuthHttpClientFuture,
    OAuthHttpRequest, StoredCredentials,
};
use tokio::sync::Mutex as AsyncMutex;

use crate::outcome;

/// The maximum size of an answer of an authorization server, in bytes.
const MAX_ANSWER: usize = 1 << 20;

/// The time limit of a request to an authorization server.
const LIMIT: Duration = Duration::from_secs(30);

/// A token is replaced when it has less than this time left.
const MARGIN: Duration = Duration::from_mins(1);

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

    fn add(&self, token: String) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !all.contains(&token) {
            all.push(token);
            let extra = all.len().saturating_sub(MAX_CONCEALED);
            all.drain(..extra);
        }
    }
}

/// Gets a token for a client with a secret. Returns the manager that gives requests their token.
///
/// # Errors
///
/// [`ToolErrorKind::Missing`] if the environment lacks the secret, or if the authorization server gives no token.
pub(crate) async fn for_client(
    url: &Url,
    client: &OAuthClient,
    tokens: &Tokens,
) -> Result<Option<AuthorizationManager>, ToolError> {
    let Some(secret) = client.read_secret()? else { return Ok(None) };
    let failed = |error: AuthError| refusal(&error);
    let mut exchange = manager(url).await.map_err(failed)?;
    let found = exchange.resolve_metadata().await.map_err(failed)?;
    // The secret goes to no guessed address.
    if found.source == AuthorizationMetadataSource::LegacyEndpointFallback {
        return Err(unauthorized("the server names no authorization server"));
    }
    let issuer = found.metadata.issuer.clone().unwrap_or_default();
    if let Some(expected) = client.issuer.as_ref().filter(|it| **it != issuer) {
        let message = format!("the server names the issuer `{issuer}`, not `{expected}`");
        return Err(unauthorized(&message));
    }
    exchange.set_metadata(found.metadata.clone());
    let scopes = if client.scopes.is_empty() {
        exchange.select_initial_scopes(&[]).await
    } else {
        client.scopes.clone()
    };
    let config = ClientCredentialsConfig::ClientSecret {
        client_id: client.id.clone(),
        client_secret: secret,
        scopes,
        resource: Some(url.to_string()),
    };
    exchange.validate_client_credentials_metadata(&config).map_err(failed)?;
    exchange.configure_client_credentials(&config).map_err(failed)?;
    let (exchange, kept) = (Arc::new(exchange), Arc::default());
    let machine =
        Machine { exchange, config, client: client.id.clone(), kept, tokens: tokens.clone() };
    // A client that gets no token cannot work.
    machine.load().await.map_err(failed)?;
    let mut manager = manager(url).await.map_err(failed)?;
    manager.set_credential_store(machine);
    manager.set_metadata(found.metadata);
    manager.configure_client_id(&client.id).map_err(failed)?;
    Ok(Some(manager))
}

async fn manager(url: &Url) -> Result<AuthorizationManager, AuthError> {
    AuthorizationManager::new_with_oauth_http_client(url.clone(), Arc::new(Http)).await
}

/// Returns the error of an authorization that failed.
pub(crate) fn refusal(error: &AuthError) -> ToolError {
    unauthorized(&outcome::cut(&error.to_string()))
}

fn unauthorized(why: &str) -> ToolError {
    ToolError::new(ToolErrorKind::Missing, format!("gives no access: {why}"))
}

/// The tokens of a client with a secret: each is replaced before it expires, and after the server has refused it.
struct Machine {
    exchange: Arc<AuthorizationManager>,
    config: ClientCredentialsConfig,
    client: String,
    kept: Arc<AsyncMutex<Option<Kept>>>,
    tokens: Tokens,
}

/// A token.
struct Kept {
    credentials: StoredCredentials,
    /// The end of its use, in seconds since 1970.
    until: Option<u64>,
}

impl Machine {
    /// Returns the token, or a new one if it has expired.
    async fn load(&self) -> Result<StoredCredentials, AuthError> {
        let mut kept = self.kept.lock().await;
        if let Some(kept) = &*kept
            && kept.until.is_none_or(|until| now() < until)
        {
            return Ok(kept.credentials.clone());
        }
        let token = self.exchange.exchange_client_credentials(&self.config).await?;
        let fields = serde_json::to_value(&token).unwrap_or_default();
        if let Some(token) = fields["access_token"].as_str() {
            self.tokens.add(token.to_string());
        }
        let lasts = fields["expires_in"].as_u64();
        let until = lasts.map(|it| now() + it.saturating_sub(MARGIN.as_secs().min(it / 2)));
        // The manager above this store cannot refresh the token, so it must not see an end of it.
        let credentials =
            StoredCredentials::new(self.client.clone(), Some(token), Vec::new(), None);
        *kept = Some(Kept { credentials: credentials.clone(), until });
        Ok(credentials)
    }
}

/// A future of a [`CredentialStore`].
type Stored<'a, T> = Pin<Box<dyn Future<Output = Result<T, AuthError>> + Send + 'a>>;

impl CredentialStore for Machine {
    fn load<'a, 'b>(&'a self) -> Stored<'b, Option<StoredCredentials>>
    where
        'a: 'b,
        Self: 'b,
    {
        Box::pin(async move { Machine::load(self).await.map(Some) })
    }

    fn save<'a, 'b>(&'a self, _: StoredCredentials) -> Stored<'b, ()>
    where
        'a: 'b,
        Self: 'b,
    {
        Box::pin(std::future::ready(Ok(())))
    }

    fn clear<'a, 'b>(&'a self) -> Stored<'b, ()>
    where
        'a: 'b,
        Self: 'b,
    {
        Box::pin(async move {
            *self.kept.lock().await = None;
            Ok(())
        })
    }

    /// Forgets the token: the server has refused it.
    fn acquire_refresh_guard<'a, 'b>(&'a self) -> Stored<'b, Option<CredentialRefreshGuard>>
    where
        'a: 'b,
        Self: 'b,
    {
        Box::pin(async move { self.clear().await.map(|()| None) })
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// The client of HTTP for authorization servers. It follows no redirects, and sends nothing in plain text to a network.
struct Http;

impl OAuthHttpClient for Http {
    fn execute(&self, request: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
        Box::pin(async move {
            let mut request = reqwest::Request::try_from(request.request)?;
            let url = request.url().clone();
            if url.scheme() != "https" && !is_loopback(&url) {
                return Err(format!("`{}` is not encrypted", outcome::cut(url.as_str())).into());
            }
            *request.timeout_mut() = Some(LIMIT);
            let client = ServerLink::client(&url, &BTreeMap::new());
            let mut answer = client.map_err(|it| it.message)?.execute(request).await?;
            let mut made = hyper::Response::builder().status(answer.status());
            for (name, value) in answer.headers() {
                made = made.header(name, value);
            }
            let mut body = Vec::new();
            while let Some(chunk) = answer.chunk().await? {
                if body.len() + chunk.len() > MAX_ANSWER {
                    return Err("the answer is too large".into());
                }
                body.extend_from_slice(&chunk);
            }
            Ok(made.body(body)?)
        })
    }
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    host == "localhost" || host.starts_with("127.") || host == "[::1]"
}
