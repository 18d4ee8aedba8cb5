//! The server over streamable HTTP.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{AUTHORIZATION, HeaderValue, WWW_AUTHENTICATE};
use hyper::{Method, Request, Response, StatusCode};
use ptc_http::{Bounds, Connection, Held, Kind, Places, Whole, accept, refusal};
use ptc_subagent::{Error, ErrorKind};
use rmcp::transport::streamable_http_server::session::local::SessionConfig;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;

use super::AgentServer;
use super::code::Code;
use super::exact_bodies::{Exact, marked};
use super::sessions::BoundedSessions;
use crate::wire::Outline;

/// The path of the server.
const PATH: &str = "/mcp";

/// The time that a person has for a question, in which the client sends nothing.
const QUESTION: Duration = Duration::from_hours(1);

/// The condition for requests.
struct Gate {
    sessions: StreamableHttpService<AgentServer, BoundedSessions>,
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
    /// Those of [`AgentServer::check_http`].
    pub async fn serve_http(
        &self,
        listener: TcpListener,
        token: Option<&str>,
    ) -> Result<(), Error> {
        let failed = |why: String| Error::new(ErrorKind::Server, format!("cannot serve: {why}"));
        let address = listener.local_addr().map_err(|error| failed(error.to_string()))?;
        AgentServer::check_http(address, token)
            .map_err(|error| failed(error.message().to_string()))?;
        let token = token.filter(|it| !it.is_empty()).map(|it| blake3::hash(it.as_bytes()));
        let config = config(address);
        let ends = config.cancellation_token.clone();
        let sessions = Arc::new(BoundedSessions::new(self.session_config()));
        let server = self.clone();
        let sessions = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
        let gate = Arc::new(Gate { sessions, token });
        let places = Arc::new(Places::new(Bounds::default()));
        let accepts = accept(&listener, &places, move |request, connection| {
            let gate = Arc::clone(&gate);
            async move { gate.answer(request, &connection).await }
        });
        tokio::select! {
            () = accepts => {}
            () = self.0.host.ending() => {}
        }
        self.end().await;
        ends.cancel();
        Ok(())
    }

    /// Checks that a server may listen at an address with a token, before it listens.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Server`] if the address is not a loopback address and there is no token, or if no client can send the
    /// token.
    pub fn check_http(address: SocketAddr, token: Option<&str>) -> Result<(), Error> {
        let token = token.filter(|it| !it.is_empty());
        let why = match token {
            None if !address.ip().is_loopback() => {
                format!("{address} is not a loopback address, so clients need a token")
            }
            Some(token) if !is_sendable(token) => {
                "the token may have only visible ASCII characters, and spaces between them"
                    .to_string()
            }
            _ => return Ok(()),
        };
        Err(Error::new(ErrorKind::Server, why))
    }

    /// Returns the configuration of sessions. A session outlives the longest run, and a question of an hour.
    fn session_config(&self) -> SessionConfig {
        let agents = self.0.offers.iter().map(|it| &*it.agent);
        let agents = agents.chain(self.0.code.iter().map(Code::agent));
        let longest = agents.map(|it| it.timeout).max().unwrap_or_default().max(QUESTION);
        let mut config = SessionConfig::default();
        config.keep_alive = Some(longest.saturating_add(Duration::from_mins(1)));
        config
    }
}

/// Returns whether a header can carry a token as it is.
fn is_sendable(token: &str) -> bool {
    token.trim() == token && token.bytes().all(|it| it == b' ' || it.is_ascii_graphic())
}

/// Returns the configuration for an address: the hosts and origins that requests may name.
fn config(address: SocketAddr) -> StreamableHttpServerConfig {
    let port = address.port();
    let own = match address.ip() {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    };
    let names = ["localhost", "127.0.0.1", "[::1]", &own];
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

impl Gate {
    /// Answers a request. One without the token gets no further than its headers.
    async fn answer(
        &self,
        request: Request<Incoming>,
        connection: &Arc<Connection>,
    ) -> Response<Held<impl Body<Data = Bytes, Error = Infallible> + Default + Unpin + use<>>> {
        if request.uri().path() != PATH {
            return refusal(StatusCode::NOT_FOUND);
        }
        if !self.admits(&request) {
            let mut response = refusal(StatusCode::UNAUTHORIZED);
            let bearer = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(WWW_AUTHENTICATE, bearer);
            return response;
        }
        let (parts, body) = request.into_parts();
        let (kind, body) = match parts.method {
            Method::POST => match Whole::read(body, connection).await {
                // An answer of the client to a call in flight takes no place.
                Ok(body) if Outline::of(body.bytes()).is_request() => (Kind::Call, marked(body)),
                Ok(body) => (Kind::Short, marked(body)),
                Err(status) => return refusal(status),
            },
            Method::GET => (Kind::Stream, Whole::default()),
            _ => (Kind::Short, Whole::default()),
        };
        let answer = |sent| async move {
            let response = self.sessions.handle(Request::from_parts(parts, sent)).await;
            Exact::response(response).await
        };
        let response = connection.answer(kind, body, answer).await;
        // The only errors of sessions are those of `NoPlace`.
        if response.status() == StatusCode::INTERNAL_SERVER_ERROR {
            return refusal(StatusCode::SERVICE_UNAVAILABLE);
        }
        response
    }

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
