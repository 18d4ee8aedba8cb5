//! Logging in to a server: a person allows the access in a browser.

use std::time::Duration;

use ptc_subagent::tool::{OAuthClient, Secrets, ServerDef, ServerLink};
use ptc_subagent::{Error, ErrorKind};
use reqwest::Url;
use rmcp::transport::auth::{
    AuthError, AuthorizationMetadataSource, OAuthClientConfig, StoredCredentials,
};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

use super::access::{discover, has_issuer, is_private, manager, now, said};
use super::logins::{Login, Logins};
use crate::outcome;

/// The longest wait for a person.
const PATIENCE: Duration = Duration::from_mins(5);

/// The time limit of one request of a browser.
const REQUEST: Duration = Duration::from_secs(10);

/// The maximum size of a request of a browser, in bytes.
const MAX_REQUEST: u64 = 64 << 10;

/// The path to which the authorization server sends the browser back.
const CALLBACK: &str = "/callback";

/// The choices of a login.
#[derive(Clone, Debug, Default)]
pub struct LoginOptions {
    /// The port of the loopback to which the browser comes back; 0 is a free one.
    pub port: u16,
    /// The scopes to ask for besides those of the client, or those that the server names.
    pub scopes: Vec<String>,
}

/// Logs a person in to a server at an address. `show` gets the address that the person opens in a browser. Replaces an
/// earlier login.
///
/// # Errors
///
/// [`ErrorKind::Server`] if the server has no address or names no usable authorization server, if the person refuses or
/// does nothing for five minutes, or if the login cannot be kept.
pub async fn login(
    server: &ServerDef,
    logins: &Logins,
    options: &LoginOptions,
    show: impl FnOnce(&str),
) -> Result<(), Error> {
    let failed = |why: String| {
        Error::new(
            ErrorKind::Server,
            format!("cannot log in to MCP server `{}`: {why}", server.name),
        )
    };
    let url = address(server).map_err(failed)?;
    let made = tokio::time::timeout(PATIENCE, authorize(server, url, options, show)).await;
    let login = made.unwrap_or_else(|_| Err("nobody has allowed it within 5 minutes".to_string()));
    let login = login.map_err(failed)?;
    let _lock = logins.lock().await.map_err(failed)?;
    logins.keep(url, &login).map_err(failed)
}

/// Forgets the login to a server. Returns whether there was one.
///
/// # Errors
///
/// [`ErrorKind::Server`] if the server has no address, or if the logins cannot be read or written.
pub async fn logout(server: &ServerDef, logins: &Logins) -> Result<bool, Error> {
    let failed = |why: String| {
        let name = &server.name;
        Error::new(ErrorKind::Server, format!("cannot log out of MCP server `{name}`: {why}"))
    };
    let url = address(server).map_err(failed)?;
    let _lock = logins.lock().await.map_err(failed)?;
    logins.remove(url).map_err(failed)
}

fn address(server: &ServerDef) -> Result<&Url, String> {
    match &server.link {
        ServerLink::Url { url, .. } => Ok(url),
        ServerLink::Program { .. } => Err("it is a program, which needs no login".to_string()),
    }
}

async fn authorize(
    server: &ServerDef,
    url: &Url,
    options: &LoginOptions,
    show: impl FnOnce(&str),
) -> Result<Login, String> {
    let secrets = server.secrets();
    let said = |error: AuthError| said(&error, &secrets);
    let listener = TcpListener::bind(("127.0.0.1", options.port)).await;
    let listener =
        listener.map_err(|error| format!("cannot listen at port {}: {error}", options.port))?;
    let port = listener.local_addr().map_err(|error| error.to_string())?.port();
    let redirect = format!("http://127.0.0.1:{port}{CALLBACK}");

    let mut manager = manager(server, url).await.map_err(said)?;
    let found = discover(&manager, server).await.map_err(said)?;
    let is_guessed = found.source == AuthorizationMetadataSource::LegacyEndpointFallback;
    let found = found.metadata;
    let (client, issuer) = (server.oauth.as_ref(), found.issuer.clone());
    has_issuer(client, issuer.as_deref())?;
    check_address(&found.authorization_endpoint)?;
    manager.set_metadata(found);
    let mut scopes = match client {
        Some(client) if !client.scopes.is_empty() => client.scopes.clone(),
        _ => manager.select_initial_scopes(&[]).await,
    };
    for scope in &options.scopes {
        if !scopes.contains(scope) {
            scopes.push(scope.clone());
        }
    }
    let names: Vec<&str> = scopes.iter().map(String::as_str).collect();
    let (client_id, secret) = match client {
        // The secret goes to no guessed address.
        Some(client) if is_guessed && client.secret.is_some() => {
            return Err("the server names no authorization server".to_string());
        }
        Some(client) => known_client(client)?,
        None => {
            let made = manager.register_client("ptc", &redirect, &names).await.map_err(said)?;
            (made.client_id, made.client_secret)
        }
    };
    let mut config = OAuthClientConfig::new(&client_id, &redirect);
    if let Some(secret) = &secret {
        config = config.with_client_secret(secret);
    }
    manager.configure_client(config).map_err(said)?;
    let address = manager.get_authorization_url(&names).await.map_err(said)?;
    let state = parameter(&address, "state").unwrap_or_default();
    show(&address);

    let back = wait(&listener, &state).await?;
    let sender = back.issuer.as_deref();
    let token = manager.exchange_code_for_token_with_issuer(&back.code, &state, sender);
    let token = token.await.map_err(said)?;
    let fields = serde_json::to_value(&token).unwrap_or_default();
    let granted =
        fields["scope"].as_str().map(|it| it.split_whitespace().map(str::to_string).collect());
    let granted = granted.unwrap_or(scopes);
    let credentials = StoredCredentials::new(client_id, Some(token), granted, Some(now()));
    // The secret of a client in the agent file stays in the environment.
    let secret = secret.filter(|_| client.is_none());
    Ok(Login { credentials: credentials.with_issuer(issuer), secret })
}

/// Checks an address that a person is to open in a browser.
fn check_address(address: &str) -> Result<(), String> {
    let url = Url::parse(address).map_err(|_| "the address of the login is not a URL")?;
    if is_private(&url) {
        return Ok(());
    }
    Err(format!("the address of the login is not `https`, but `{}`", url.scheme()))
}

fn known_client(client: &OAuthClient) -> Result<(String, Option<String>), String> {
    let secret = client.read_secret().map_err(|error| error.message)?;
    Ok((client.id.clone(), secret))
}

/// The answer that a browser brings back.
struct Callback {
    code: String,
    issuer: Option<String>,
}

/// Waits for the browser that brings the answer to the request with this state. Others are turned away.
async fn wait(listener: &TcpListener, state: &str) -> Result<Callback, String> {
    loop {
        let (stream, _) = listener.accept().await.map_err(|error| error.to_string())?;
        let answered = tokio::time::timeout(REQUEST, answer(stream, state)).await;
        if let Ok(Some(outcome)) = answered {
            return outcome;
        }
    }
}

/// Answers one request of a browser. Returns `None` if it has nothing to do with the login.
async fn answer(mut stream: TcpStream, state: &str) -> Option<Result<Callback, String>> {
    let (input, mut output) = stream.split();
    let mut lines = BufReader::new(input.take(MAX_REQUEST)).lines();
    let line = lines.next_line().await.ok()??;
    // A connection that is closed before its request is read loses the page.
    while lines.next_line().await.ok()?.is_some_and(|it| !it.is_empty()) {}
    let target = line.strip_prefix("GET ")?.split(' ').next()?;
    let address = format!("http://127.0.0.1{target}");
    let is_callback = Url::parse(&address).is_ok_and(|it| it.path() == CALLBACK)
        && parameter(&address, "state").as_deref() == Some(state);
    let outcome =
        is_callback.then(|| match (parameter(&address, "code"), parameter(&address, "error")) {
            (Some(code), None) => Ok(Callback { code, issuer: parameter(&address, "iss") }),
            (_, error) => {
                let why = parameter(&address, "error_description").or(error);
                Err(format!(
                    "it was refused: {}",
                    outcome::cut(&Secrets::default(), &why.unwrap_or_default())
                ))
            }
        });
    let (status, text) = match &outcome {
        None => ("404 Not Found", "This is not an answer to a login."),
        Some(Ok(_)) => ("200 OK", "You can close this page and go back to the terminal."),
        Some(Err(_)) => ("200 OK", "The login was refused. You can close this page."),
    };
    let page = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
        text.len()
    );
    // A browser that has gone needs no page.
    drop(output.write_all(page.as_bytes()).await);
    drop(output.shutdown().await);
    outcome
}

/// Returns a parameter of the query of an address.
fn parameter(address: &str, name: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    url.query_pairs().find(|it| it.0 == name).map(|it| it.1.into_owned())
}
