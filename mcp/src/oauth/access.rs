//! Access to servers: the tokens of a client with a secret, and of a person.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ptc_subagent::tool::{OAuthClient, Secrets, ServerDef, ServerLink, ToolError, ToolErrorKind};
use reqwest::Url;
use rmcp::transport::auth::{
    AuthError, AuthorizationManager, AuthorizationMetadataResolution, AuthorizationMetadataSource,
    ClientCredentialsConfig, CredentialRefreshGuard, CredentialStore, OAuthClientConfig,
    OAuthHttpClient, OAuthHttpClientFuture, OAuthHttpRequest, StoredCredentials,
};
use serde_json::json;
use tokio::sync::Mutex as AsyncMutex;

use super::logins::{Logins, Stored, Storing};
use super::tokens::Tokens;
use crate::outcome::{self, innermost};

/// The maximum size of an answer of an authorization server, in bytes.
const MAX_ANSWER: usize = 1 << 20;

/// The time limit of a request to an authorization server.
const LIMIT: Duration = Duration::from_secs(30);

/// A token is replaced when it has less than this time left.
const MARGIN: Duration = Duration::from_mins(1);

/// The access of a connection to servers: logins of a person, and the tokens so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Access {
    pub(crate) logins: Option<Logins>,
    pub(crate) tokens: Tokens,
}

/// The mark that replaces a token.
pub(crate) const TOKEN: &str = "access token";

impl Access {
    /// Returns the secrets that no text of a server may show: those of its definition, and the tokens.
    pub(crate) fn secrets(&self, server: &ServerDef) -> Secrets {
        let mut secrets = server.secrets();
        for token in self.tokens.all() {
            secrets.add(TOKEN, &token);
        }
        secrets
    }

    /// Returns the manager that gives requests their token: that of a person, or else that of a client with a secret. Returns
    /// `None` if the server has neither.
    ///
    /// # Errors
    ///
    /// [`ToolErrorKind::Missing`] if the environment lacks the secret, or if there is no token.
    pub(crate) async fn manager(
        &self,
        server: &ServerDef,
        url: &Url,
    ) -> Result<Option<AuthorizationManager>, ToolError> {
        let client = server.oauth.as_ref();
        if let Some(logins) = &self.logins
            && let Some(manager) = for_person(server, url, logins, &self.tokens).await?
        {
            return Ok(Some(manager));
        }
        match client {
            Some(client) => for_client(server, url, client, &self.tokens).await,
            None => Ok(None),
        }
    }
}

/// Returns the manager of a login; `None` if there is none.
async fn for_person(
    server: &ServerDef,
    url: &Url,
    logins: &Logins,
    tokens: &Tokens,
) -> Result<Option<AuthorizationManager>, ToolError> {
    let secrets = server.secrets();
    let failed = |error: AuthError| refusal(&error, &secrets);
    let Some(login) = logins.find(url).map_err(|why| unauthorized(&why))? else { return Ok(None) };
    let mut manager = manager(server, url).await.map_err(failed)?;
    let (logins, tokens) = (logins.clone(), tokens.clone());
    manager.set_credential_store(Stored { logins, url: url.clone(), tokens });
    let found = discover(&manager, server).await.map_err(failed)?.metadata;
    // Tokens go to the authorization server of the login alone.
    let issuer = login.credentials.issuer.as_ref();
    if issuer.is_some() && issuer != found.issuer.as_ref() {
        return Ok(None);
    }
    has_issuer(server.oauth.as_ref(), found.issuer.as_deref()).map_err(|why| unauthorized(&why))?;
    manager.set_metadata(found);
    if !manager.initialize_from_store().await.map_err(failed)? {
        return Ok(None);
    }
    let secret = match &server.oauth {
        Some(client) => client.read_secret()?,
        None => login.secret,
    };
    if let Some(secret) = secret {
        let config = OAuthClientConfig::new(login.credentials.client_id, url.as_str());
        manager.configure_client(config.with_client_secret(secret)).map_err(failed)?;
    }
    Ok(Some(manager))
}

/// Checks that a client may use an authorization server.
pub(super) fn has_issuer(client: Option<&OAuthClient>, found: Option<&str>) -> Result<(), String> {
    match client.and_then(|it| it.issuer.as_deref()).filter(|it| Some(*it) != found) {
        Some(expected) => {
            let found = found.unwrap_or_default();
            Err(format!("the server names the issuer `{found}`, not `{expected}`"))
        }
        None => Ok(()),
    }
}

/// Gets a token for a client with a secret. Returns the manager that gives requests their token.
///
/// # Errors
///
/// [`ToolErrorKind::Missing`] if the environment lacks the secret, or if the authorization server gives no token.
async fn for_client(
    server: &ServerDef,
    url: &Url,
    client: &OAuthClient,
    tokens: &Tokens,
) -> Result<Option<AuthorizationManager>, ToolError> {
    let Some(secret) = client.read_secret()? else { return Ok(None) };
    let secrets = server.secrets();
    let failed = |error: AuthError| refusal(&error, &secrets);
    let mut exchange = manager(server, url).await.map_err(failed)?;
    let found = discover(&exchange, server).await.map_err(failed)?;
    // The secret goes to no guessed address.
    if found.source == AuthorizationMetadataSource::LegacyEndpointFallback {
        return Err(unauthorized("the server names no authorization server"));
    }
    has_issuer(Some(client), found.metadata.issuer.as_deref()).map_err(|why| unauthorized(&why))?;
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
    let mut manager = manager(server, url).await.map_err(failed)?;
    manager.set_credential_store(machine);
    manager.set_metadata(found.metadata);
    manager.configure_client_id(&client.id).map_err(failed)?;
    Ok(Some(manager))
}

/// Finds the authorization server of a server: from the answer to a request without a token, or else from its metadata.
pub(super) async fn discover(
    manager: &AuthorizationManager,
    server: &ServerDef,
) -> Result<AuthorizationMetadataResolution, AuthError> {
    let challenge = challenge(server).await;
    manager.resolve_metadata_from_challenge(challenge.as_deref()).await
}

/// Returns the header with which a server refuses a request without a token.
async fn challenge(server: &ServerDef) -> Option<String> {
    let ServerLink::Url { url, headers } = &server.link else { return None };
    let hello = json!({
        "jsonrpc": "2.0",
        "id": 0,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "ptc", "version": env!("CARGO_PKG_VERSION")},
        },
    });
    let request = ServerLink::client(url, headers).ok()?.post(url.clone());
    let request = request.header("accept", "application/json, text/event-stream");
    let request = request.header("content-type", "application/json").body(hello.to_string());
    let answer = request.timeout(LIMIT).send().await.ok()?;
    let is_refused = answer.status() == reqwest::StatusCode::UNAUTHORIZED;
    let header = answer.headers().get("www-authenticate").filter(|_| is_refused)?;
    header.to_str().ok().map(str::to_string)
}

pub(super) async fn manager(
    server: &ServerDef,
    url: &Url,
) -> Result<AuthorizationManager, AuthError> {
    let issuer = server.oauth.as_ref().and_then(|it| Url::parse(it.issuer.as_ref()?).ok());
    let client = Http::of(url, issuer.as_ref());
    AuthorizationManager::new_with_oauth_http_client(url.clone(), Arc::new(client)).await
}

/// Returns the error of an authorization that failed.
pub(crate) fn refusal(error: &AuthError, secrets: &Secrets) -> ToolError {
    unauthorized(&said(error, secrets))
}

/// Returns the message of an error with its innermost cause, without secrets and control characters.
pub(super) fn said(error: &AuthError, secrets: &Secrets) -> String {
    let (text, cause) = (error.to_string(), innermost(error));
    let text = if text.contains(&cause) { text } else { format!("{text}: {cause}") };
    outcome::cut(secrets, &text)
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
        let lasts = fields["expires_in"].as_u64();
        let until = lasts.map(|it| now() + it.saturating_sub(MARGIN.as_secs().min(it / 2)));
        // The manager above this store cannot refresh the token, so it must not see an end of it.
        let credentials =
            StoredCredentials::new(self.client.clone(), Some(token), Vec::new(), None);
        self.tokens.add_all(&credentials);
        *kept = Some(Kept { credentials: credentials.clone(), until });
        Ok(credentials)
    }
}

impl CredentialStore for Machine {
    fn load<'a, 'b>(&'a self) -> Storing<'b, Option<StoredCredentials>>
    where
        'a: 'b,
        Self: 'b,
    {
        Box::pin(async move { Machine::load(self).await.map(Some) })
    }

    fn save<'a, 'b>(&'a self, _: StoredCredentials) -> Storing<'b, ()>
    where
        'a: 'b,
        Self: 'b,
    {
        Box::pin(std::future::ready(Ok(())))
    }

    fn clear<'a, 'b>(&'a self) -> Storing<'b, ()>
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
    fn acquire_refresh_guard<'a, 'b>(&'a self) -> Storing<'b, Option<CredentialRefreshGuard>>
    where
        'a: 'b,
        Self: 'b,
    {
        Box::pin(async move { self.clear().await.map(|()| None) })
    }
}

pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// The client of HTTP for authorization servers. It follows no redirects, and sends nothing in plain text to a network.
/// Metadata may name any address, so the client asks only those of this machine that it is allowed to ask.
struct Http {
    /// The origins on this machine that it may ask; `None` allows all.
    local: Option<Vec<String>>,
}

impl Http {
    /// Creates the client for a server and the issuer that the agent file names.
    fn of(server: &Url, issuer: Option<&Url>) -> Http {
        // A server on this machine reaches the others there without us.
        let allows_all = issuer.is_none() && is_local(server);
        let named = || [Some(server), issuer].into_iter().flatten().map(origin).collect();
        Http { local: (!allows_all).then(named) }
    }

    fn may_ask(&self, url: &Url) -> bool {
        !is_local(url) || self.local.as_ref().is_none_or(|all| all.contains(&origin(url)))
    }
}

impl OAuthHttpClient for Http {
    fn execute(&self, request: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
        Box::pin(async move {
            let mut request = reqwest::Request::try_from(request.request)?;
            let url = request.url().clone();
            let shown = || outcome::cut(&Secrets::default(), &origin(&url));
            if !is_private(&url) {
                return Err(format!("`{}` is not encrypted", shown()).into());
            }
            if !self.may_ask(&url) {
                let shown = shown();
                let why = format!("`{shown}` is on this machine, and is not the `oauth.issuer`");
                return Err(why.into());
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

/// Returns the scheme and the host of a URL. The other parts may hold a secret.
fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// Returns whether nobody else reads what goes to a URL: it is encrypted, or stays on this machine.
pub(super) fn is_private(url: &Url) -> bool {
    url.scheme() == "https" || url.scheme() == "http" && is_local(url)
}

/// Returns whether a URL is an address of this machine.
fn is_local(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    let ip = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    match ip.map(|it| it.to_canonical()) {
        Ok(ip) => ip.is_loopback() || ip.is_unspecified(),
        Err(_) => host == "localhost" || host.ends_with(".localhost"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_this_machine_need_consent() {
        let check = |server: &str, issuer: Option<&str>, address: &str, expected: bool| {
            let of = |text: &str| Url::parse(text).unwrap();
            let client = Http::of(&of(server), issuer.map(of).as_ref());
            assert_eq!(client.may_ask(&of(address)), expected, "{server} {issuer:?} {address}");
        };
        let (remote, local) = ("https://mcp.example.com/mcp", "http://127.0.0.1:8000/mcp");
        let other = "http://127.0.0.1:9000/metadata";
        let hosts = ["127.0.0.1", "localhost", "a.localhost", "127.0.0.2", "0.0.0.0"];
        for host in hosts.into_iter().chain(["[::1]", "[::ffff:127.0.0.1]"]) {
            check(remote, None, &format!("http://{host}:9000/"), false);
            check(remote, Some("https://login.example.com"), &format!("https://{host}/"), false);
        }
        check(remote, None, "https://login.example.com/", true);
        check(remote, None, "http://127.evil.example/", true);
        check(remote, Some("http://127.0.0.1:9000"), other, true);
        check(remote, Some("http://127.0.0.1:9001"), other, false);
        check(local, None, other, true);
        check(local, Some("http://127.0.0.1:8000"), other, false);
        check(local, Some("http://127.0.0.1:9000"), other, true);
        check(local, Some("https://login.example.com"), "http://127.0.0.1:8000/metadata", true);
    }
}
