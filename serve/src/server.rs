//! The server: it accepts connections, and gives each request to its route.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::body::Incoming;
use hyper::header::{ALLOW, CONNECTION, CONTENT_TYPE, HOST, HeaderValue, ORIGIN};
use hyper::{HeaderMap, Method, Response, StatusCode};
use ptc_http::{Bounds, Connection, Held, Kind, Places, Whole, accept};
use ptc_subagent::host::Host;
use ptc_subagent::store::Store;
use ptc_subagent::{Agent, Data, Error, ErrorKind};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::Mutex;

use crate::access::{Access, Caller};
use crate::answer::{Answer, PROBLEM};
use crate::body::Body;
use crate::check;
use crate::drive;
use crate::hub::Hub;
use crate::keys::{Keys, REMEMBERED};
use crate::metrics::Metrics;
use crate::models::Models;
use crate::openapi;
use crate::options::Options;
use crate::problem::Problem;
use crate::queue::Queue;
use crate::request::Request;
use crate::retention;
use crate::route::Route;
use crate::routes::{self, Found};
use crate::state::{State, now};
use crate::webhooks;

/// A server of agents and their runs.
///
/// Clones are the same server.
#[derive(Clone)]
pub struct Server(Arc<State>);

impl Server {
    /// Creates a server of agents.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`] if an agent is invalid, or if two have the same name. [`ErrorKind::Server`] if the file of tokens
    /// is malformed.
    pub fn new(
        agents: impl IntoIterator<Item = Agent>,
        store: impl Into<Arc<Store>>,
        options: Options,
    ) -> Result<Server, Error> {
        let mut host = Host::new(store, options.max_runs);
        for agent in agents {
            host.add(agent)?;
        }
        let access = match &options.tokens {
            Some(file) => Access::with_tokens(file.clone())?,
            None => Access::default(),
        };
        let queue = Queue::new(options.max_runs as usize, options.max_queued as usize);
        let (hub, models, keys) = (Hub::default(), Models::default(), Keys::default());
        let metrics = Metrics::default();
        let description = openapi::document(routes::ROUTES);
        let budgets = Mutex::default();
        let state = State {
            host,
            access,
            options,
            queue,
            hub,
            models,
            keys,
            metrics,
            budgets,
            description,
        };
        Ok(Server(Arc::new(state)))
    }

    /// Serves until [`Server::stop`] is called. It resumes the runs that an earlier process left, and ends the waits of
    /// runs.
    ///
    /// A request with an `Origin` of another server is refused. At a loopback address, so is one with the `Host` of another
    /// machine.
    ///
    /// # Errors
    ///
    /// Those of [`Server::check`], and [`ErrorKind::Server`] if the listener has no address.
    pub async fn serve(&self, listener: TcpListener) -> Result<(), Error> {
        let failed = |why: String| Error::new(ErrorKind::Server, format!("cannot serve: {why}"));
        let address = listener.local_addr().map_err(|error| failed(error.to_string()))?;
        Server::check(address, self.0.access.needs_tokens())?;
        let since = now().saturating_sub(REMEMBERED);
        let known = self.0.ask(move |snapshot| snapshot.queued_under_keys(since)).await;
        self.0.keys.remember(known.map_err(|problem| failed(problem.detail))?);
        drive::recover(&self.0).await?;
        webhooks::recover(&self.0).await.map_err(failed)?;
        let gate = Arc::new(Gate { state: Arc::clone(&self.0), address });
        // They fit the usual limit of 1,024 files of a process.
        let (waiting, calls, streams) = (384, 256, 256);
        let patience = self.0.options.patience;
        let places = Arc::new(Places::new(Bounds { waiting, calls, streams, patience }));
        let accepts = accept(&listener, &places, move |request, connection| {
            let gate = Arc::clone(&gate);
            async move { gate.answer(request, &connection).await }
        });
        tokio::select! {
            () = accepts => {}
            () = drive::end_waits(Arc::clone(&self.0)) => {}
            () = retention::delete_old(Arc::clone(&self.0)) => {}
            () = self.0.host.ending() => {}
        }
        Ok(())
    }

    /// Checks that a server may listen at an address, before it listens.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Server`] if the address is not a loopback address and there are no tokens.
    pub fn check(address: SocketAddr, has_tokens: bool) -> Result<(), Error> {
        if address.ip().is_loopback() || has_tokens {
            return Ok(());
        }
        let message = format!("{address} is not a loopback address, so callers need tokens");
        Err(Error::new(ErrorKind::Server, message)
            .with_help("make one with `ptc token new NAME --role ROLE`"))
    }

    /// Stops the server: it takes no further run, and waits for those that run, for the [grace](Options::grace). Those that
    /// have not ended then go on at the next start. Requests are answered meanwhile.
    pub async fn stop(&self) {
        let state = &self.0;
        state.queue.close();
        let mut ticks = state.hub.ticks();
        let settled =
            async { while state.queue.counts().1 > 0 && ticks.changed().await.is_ok() {} };
        if tokio::time::timeout(state.options.grace, settled).await.is_err() {
            let mut ticks = state.hub.ticks();
            state.queue.interrupt();
            let settled =
                async { while state.queue.counts().1 > 0 && ticks.changed().await.is_ok() {} };
            // A tool in code may not let go of its thread.
            drop(tokio::time::timeout(LAST, settled).await);
        }
        state.host.end().await;
    }
}

/// The time that runs have to be put back into the queue.
const LAST: Duration = Duration::from_secs(5);

/// What a request passes before its handler.
struct Gate {
    state: Arc<State>,
    address: SocketAddr,
}

impl Gate {
    async fn answer(
        &self,
        request: hyper::Request<Incoming>,
        connection: &Arc<Connection>,
    ) -> Response<Held<Body>> {
        let started = Instant::now();
        let (parts, body) = request.into_parts();
        let (method, path) = (parts.method.clone(), parts.uri.path().to_string());
        let refused =
            |problem: Problem| Refusal { problem: Box::new(problem), closes: true, allow: None };
        let admitted = async {
            self.check_place(&parts.headers).map_err(refused)?;
            let (route, path) = find(&parts.method, parts.uri.path())?;
            let query = check::query(route.query, parts.uri.query()).map_err(refused)?;
            let (state, peer) = (Arc::clone(&self.state), connection.peer());
            // A caller without a token sends no body that is read.
            let caller = match route.action {
                Some(_) => state.access.admit(&parts.method, &parts.headers, peer),
                None => Ok(Caller::default()),
            };
            let caller = caller.map_err(refused)?;
            let body = match parts.method {
                Method::POST => {
                    Whole::read(body, connection).await.map_err(|status| refused(unread(status)))?
                }
                _ => Whole::default(),
            };
            let data = data(&parts.headers, body.bytes())?;
            check::body(route.body, &data)?;
            let headers = parts.headers;
            Ok((route, body, Request { state, caller, peer, path, query, headers, body: data }))
        };
        let (id, kind, body, answer) = match admitted.await {
            Ok((route, body, request)) => (route.id, route.kind, body, Ok((route, request))),
            Err(refusal) => ("none", Kind::Short, Whole::default(), Err(refusal)),
        };
        let caller = answer.as_ref().ok().and_then(|(_, request)| request.caller.name.clone());
        let closes = matches!(&answer, Err(Refusal { closes: true, .. }));
        let answer = |_| async move {
            let answer = match answer {
                Ok((route, request)) => (route.handle)(request).await.unwrap_or_else(Answer::from),
                Err(Refusal { problem, allow, .. }) => {
                    let headers = allow.map(|it| (ALLOW, it));
                    let mut answer = Answer::from(*problem);
                    answer.headers.extend(headers);
                    answer
                }
            };
            answer.into_response()
        };
        let mut response = connection.answer(kind, body, answer).await;
        let headers = response.headers_mut();
        if closes {
            // The body may not have been read.
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        headers.entry(CONTENT_TYPE).or_insert(HeaderValue::from_static(PROBLEM));
        let status = response.status().as_u16();
        self.state.metrics.count_request(id, status);
        if let Some(log) = &self.state.options.log {
            log(&json!({
                "event": "request", "at": now(), "method": method.as_str(), "path": path, "route": id,
                "status": status, "caller": caller, "ms": started.elapsed().as_millis() as u64,
            }));
        }
        response
    }

    /// Refuses the requests of pages of other servers, and those that a name of another machine has led here.
    fn check_place(&self, headers: &HeaderMap) -> Result<(), Problem> {
        let text = |name| headers.get(name).and_then(|it: &HeaderValue| it.to_str().ok());
        let refused = |what: &str| {
            let detail = format!("the header `{what}` names another server");
            Problem::new(StatusCode::FORBIDDEN, "foreign-origin", detail)
        };
        let host = text(HOST).ok_or_else(|| Problem::malformed("the header `Host` is missing"))?;
        if self.address.ip().is_loopback() {
            let name = host.rsplit_once(':').map_or(host, |(name, port)| {
                if port.bytes().all(|it| it.is_ascii_digit()) { name } else { host }
            });
            let own = self.address.ip().to_string();
            let names = ["localhost", "127.0.0.1", "[::1]", own.as_str()];
            if !names.iter().any(|it| it.eq_ignore_ascii_case(name)) {
                return Err(refused("Host"));
            }
        }
        if headers.contains_key(ORIGIN) {
            let origin = text(ORIGIN).unwrap_or_default();
            let server = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
            if !server.is_some_and(|it| it.eq_ignore_ascii_case(host)) {
                return Err(refused("Origin"));
            }
        }
        Ok(())
    }
}

/// The refusal of a request before its handler.
struct Refusal {
    problem: Box<Problem>,
    /// Whether the connection ends, since the body may not have been read.
    closes: bool,
    /// The methods of the path.
    allow: Option<HeaderValue>,
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Refusal {
        Refusal { problem: Box::new(problem), closes: false, allow: None }
    }
}

fn find(method: &Method, path: &str) -> Result<(&'static Route, Vec<String>), Refusal> {
    let problem = match routes::find(method, path) {
        Found::Route(route, parts) => return Ok((route, parts)),
        Found::OtherMethod(methods) => {
            let methods = methods.join(", ");
            let detail = format!("this path takes {methods}");
            let problem = Problem::new(StatusCode::METHOD_NOT_ALLOWED, "other-method", detail);
            return Err(Refusal {
                problem: Box::new(problem),
                closes: true,
                allow: HeaderValue::from_str(&methods).ok(),
            });
        }
        Found::Nothing => {
            Problem::new(StatusCode::NOT_FOUND, "unknown-path", "there is no such path")
        }
    };
    Err(Refusal { problem: Box::new(problem), closes: true, allow: None })
}

/// Returns the problem of a body that could not be read.
fn unread(status: StatusCode) -> Problem {
    let detail = match status {
        StatusCode::PAYLOAD_TOO_LARGE => "the body is too large",
        StatusCode::REQUEST_TIMEOUT => "the body did not arrive in time",
        StatusCode::SERVICE_UNAVAILABLE => "there is no room for the body now",
        _ => "the body could not be read",
    };
    let mut problem = Problem::new(status, "unread-body", detail);
    problem.retry_after = (status == StatusCode::SERVICE_UNAVAILABLE).then_some(1);
    problem
}

/// Reads a body as JSON.
fn data(headers: &HeaderMap, body: &[u8]) -> Result<Data, Problem> {
    if body.is_empty() {
        return Ok(Data::default());
    }
    // A page of another server can send a form or plain text without a question to this server, but no JSON.
    let media = headers.get(CONTENT_TYPE).and_then(|it| it.to_str().ok()).unwrap_or_default();
    let media = media.split(';').next().unwrap_or_default().trim();
    if !media.eq_ignore_ascii_case("application/json") {
        let detail = "the body must be JSON, with the header `Content-Type: application/json`";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not-json", detail));
    }
    let text =
        std::str::from_utf8(body).map_err(|_| Problem::malformed("the body is not UTF-8"))?;
    let data: Data = text.parse().map_err(|error: Error| {
        Problem::malformed(format!("the body is not JSON: {}", error.message()))
    })?;
    if data.is_object() {
        return Ok(data);
    }
    Err(Problem::malformed("the body must be a JSON object"))
}
