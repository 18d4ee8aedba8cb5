//! The server over streamable HTTP.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::header::{AUTHORIZATION, HeaderValue, WWW_AUTHENTICATE};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use ptc_subagent::{Error, ErrorKind};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use super::AgentServer;
use super::code::Code;

/// The path of the server.
const PATH: &str = "/mcp";

/// The maximum number of connections at the same time. Further ones wait.
const MAX_CONNECTIONS: usize = 256;

/// The time in which a connection must send the headers of a request.
const HEADERS: Duration = Duration::from_secs(30);

/// The pause after a connection that could not be accepted: the process may have no place for another.
const PAUSE: Duration = Duration::from_millis(100);

/// The time that a person has for a question, in which the client sends nothing.
const QUESTION: Duration = Duration::from_hours(1);

type Sessions = StreamableHttpService<AgentServer, LocalSessionManager>;

/// The condition for requests.
struct Gate {
    sessions: Sessions,
    /// The hash of the token. Comparing hashes takes the same time for every token.
    token: Option<blake3::Hash>,
}

impl AgentServer {
    /// Serves clients over streamable HTTP at the path `/mcp`, until [`AgentServer::end`] is called.
    ///
    /// With a token, requests need the header `Authorization: Bearer TOKEN`. A request with an `Origin` of another server is
    /// refused. At a loopback address, so is one with the `Host` of another machine.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Server`] if the address is not a loopback address and there is no token.
    pub async fn serve_http(
        &self,
        listener: TcpListener,
        token: Option<&str>,
    ) -> Result<(), Error> {
        let failed = |why: String| Error::new(ErrorKind::Server, format!("cannot serve: {why}"));
        let address = listener.local_addr().map_err(|error| failed(error.to_string()))?;
        let token = token.filter(|it| !it.is_empty()).map(|it| blake3::hash(it.as_bytes()));
        if token.is_none() && !address.ip().is_loopback() {
            let why = format!("{address} is not a loopback address, so clients need a token");
            return Err(failed(why));
        }
        let config = config(address);
        let ends = config.cancellation_token.clone();
        let sessions = Arc::new(self.sessions());
        let server = self.clone();
        let sessions = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
        let gate = Arc::new(Gate { sessions, token });
        let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        let accepts = async {
            loop {
                // The semaphore is never closed.
                let place = Arc::clone(&places).acquire_owned().await;
                match listener.accept().await {
                    Ok((stream, _)) => {
                        let connection = serve_connection(stream, Arc::clone(&gate));
                        tokio::spawn(async move {
                            connection.await;
                            drop(place);
                        });
                    }
                    Err(_) => tokio::time::sleep(PAUSE).await,
                }
            }
        };
        tokio::select! {
            () = accepts => {}
            () = self.ending() => {}
        }
        self.end().await;
        ends.cancel();
        Ok(())
    }

    /// Returns the sessions of clients that speak an older revision. A session outlives the longest run, and a question of
    /// an hour.
    fn sessions(&self) -> LocalSessionManager {
        let agents = self.0.offers.iter().map(|it| &it.served.agent);
        let agents = agents.chain(self.0.code.iter().map(Code::agent));
        let longest = agents.map(|it| it.timeout).max();
        let mut sessions = LocalSessionManager::default();
        let config = &mut sessions.session_config;
        let longest = longest.unwrap_or_default().max(QUESTION);
        config.keep_alive = Some(longest.saturating_add(Duration::from_mins(1)));
        sessions
    }
}

/// Returns the configuration for an address: the hosts and origins that requests may name.
fn config(address: SocketAddr) -> StreamableHttpServerConfig {
    let port = address.port();
    let names = ["localhost", "127.0.0.1", "[::1]"];
    let config = StreamableHttpServerConfig::default()
        .with_allowed_origins(names.map(|name| format!("http://{name}:{port}")))
        .enforce_origin_validation();
    if address.ip().is_loopback() {
        config.with_allowed_hosts(names)
    } else {
        // A machine has any number of names. Pages of other servers do not know the token.
        config.disable_allowed_hosts()
    }
}

/// Serves one connection until it ends.
async fn serve_connection(stream: TcpStream, gate: Arc<Gate>) {
    let service = service_fn(move |request: Request<Incoming>| {
        let gate = Arc::clone(&gate);
        async move {
            let refusal = match () {
                () if request.uri().path() != PATH => Some(StatusCode::NOT_FOUND),
                () if !gate.admits(&request) => Some(StatusCode::UNAUTHORIZED),
                () => None,
            };
            let Some(status) = refusal else {
                return Ok::<_, Infallible>(gate.sessions.handle(request).await);
            };
            let mut response = Response::default();
            *response.status_mut() = status;
            if status == StatusCode::UNAUTHORIZED {
                let bearer = HeaderValue::from_static("Bearer");
                response.headers_mut().insert(WWW_AUTHENTICATE, bearer);
            }
            Ok(response)
        }
    });
    let mut connection = http1::Builder::new();
    connection.timer(TokioTimer::new()).header_read_timeout(HEADERS);
    // The client may have gone.
    drop(connection.serve_connection(TokioIo::new(stream), service).await);
}

impl Gate {
    /// Returns whether a request has the token.
    fn admits<B>(&self, request: &Request<B>) -> bool {
        let Some(token) = self.token else { return true };
        let given = request.headers().get(AUTHORIZATION).map(HeaderValue::as_bytes);
        let given = given.and_then(|it| it.split_at_checked(b"Bearer ".len()));
        given.is_some_and(|(scheme, given)| {
            scheme.eq_ignore_ascii_case(b"Bearer ") && blake3::hash(given) == token
        })
    }
}
