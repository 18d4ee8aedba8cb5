//! A connection to one server: its start, its list of tools, its calls, and its end.

use std::sync::Arc;
use std::time::Duration;

use ptc_subagent::provider::BoxFuture;
use ptc_subagent::tool::{
    CallContext, Secrets, ServerDef, ServerLink, ServerProcess, ToolError, ToolErrorKind,
};
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, ClientRequest, PaginatedRequestParams,
    ProtocolVersion, ServerResult, Tool,
};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, Peer, PeerRequestOptions, RoleClient,
    RunningService, serve_client_with_lifecycle,
};
use rmcp::transport::auth::AuthClient;
use rmcp::transport::common::client_side_sse::FixedInterval;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransportConfig, StreamableHttpError,
};
use rmcp::transport::{DynamicTransportError, StreamableHttpClientTransport};
use rmcp::{ServiceError, model::JsonObject};
use tokio::sync::{Mutex, oneshot};
use tokio::time::Instant;

use crate::client::Client;
use crate::oauth::{self, Access, Logins};
use crate::outcome::{self, innermost};
use crate::runtime::Background;
use crate::wire::{Broken, CheckedHttp, Lines, Read, Unusable};

/// The maximum number of tools of one server. A server that never ends its list is stopped by it.
const MAX_TOOLS: usize = 10_000;

/// The time that a server has to end by itself, after its input has ended.
const GRACE: Duration = Duration::from_millis(500);

/// The number of times that the rest of a stream is asked for without an answer, once a second.
const MAX_RECONNECTS: usize = 2;

/// The end of a message about a call whose outcome is not known.
const MID_CALL: &str = " in mid-call, so the call may have had an effect";

/// The fault of a server that needs a token and gets none.
const NEEDS_AUTHORIZATION: &str =
    "needs authorization: log in with `ptc mcp login`, or give it a token in `headers`";

/// A connection to a server. It connects when it is first used, and again after the server has ended.
pub(crate) struct Connection {
    server: ServerDef,
    background: Arc<Background>,
    live: Mutex<Option<Live>>,
    access: Access,
}

/// A server that is being started.
type Starting =
    BoxFuture<'static, Result<RunningService<RoleClient, Client>, ClientInitializeError>>;

/// A server that runs.
struct Live {
    broken: Broken,
    service: RunningService<RoleClient, Client>,
    /// The program, unless the server has an address.
    process: Option<ServerProcess>,
}

/// Returns whether a server may start with the handshake of the older revision. Some servers end at a request that they
/// do not know, and some answer every request.
fn is_of_older_revision(why: &ClientInitializeError) -> bool {
    matches!(
        why,
        ClientInitializeError::ConnectionClosed(_)
            | ClientInitializeError::ExpectedInitResponse(_)
            | ClientInitializeError::ExpectedInitResult(_)
            | ClientInitializeError::JsonRpcError(_)
            | ClientInitializeError::TransportError { .. }
            | ClientInitializeError::NoCompatibleProtocolVersion { .. }
    )
}

impl Connection {
    pub(crate) fn new(
        server: ServerDef,
        background: Arc<Background>,
        logins: Option<Logins>,
    ) -> Connection {
        let access = Access { logins, ..Access::default() };
        Connection { server, background, live: Mutex::new(None), access }
    }

    /// Returns the tokens that requests have, which no result may show.
    pub(crate) fn tokens(&self) -> Vec<String> {
        self.access.tokens.all()
    }

    /// Returns the secrets that no text of the server may show: those of its definition, and the tokens.
    pub(crate) fn secrets(&self) -> Secrets {
        self.access.secrets(&self.server)
    }

    /// Returns whether this is a connection to the server that `server` names.
    pub(crate) fn is_to(&self, server: &ServerDef) -> bool {
        self.server.link == server.link && self.server.oauth == server.oauth
    }

    /// Returns the tools that the server offers now. The list has the time limit of the start.
    pub(crate) async fn tools(&self) -> Result<Vec<Tool>, ToolError> {
        let (peer, _) = self.peer().await?;
        let limit = self.server.start_timeout;
        tokio::time::timeout(limit, self.pages(&peer)).await.unwrap_or_else(|_| {
            let message = format!("gave no list of tools within {limit:?}");
            Err(ToolError::new(ToolErrorKind::Timeout, message))
        })
    }

    async fn pages(&self, peer: &Peer<RoleClient>) -> Result<Vec<Tool>, ToolError> {
        let (mut tools, mut cursor) = (Vec::new(), None);
        loop {
            let page = PaginatedRequestParams::default().with_cursor(cursor);
            let page = match peer.list_tools(Some(page)).await {
                Ok(page) => page,
                Err(error) => return Err(self.failure(error, "").await),
            };
            // An empty page could go on for ever.
            let is_last = page.tools.is_empty();
            tools.extend(page.tools);
            if tools.len() > MAX_TOOLS {
                let message = format!("offers more than {MAX_TOOLS} tools");
                return Err(ToolError::new(ToolErrorKind::TooLarge, message));
            }
            cursor = page.next_cursor.filter(|_| !is_last);
            if cursor.is_none() {
                return Ok(tools);
            }
        }
    }

    /// Makes work with the connection in its runtime. Dropping the future closes the channel that `work` gets.
    pub(crate) async fn run<T, F>(
        self: &Arc<Connection>,
        work: impl FnOnce(Arc<Connection>, oneshot::Receiver<()>) -> F,
    ) -> Result<T, ToolError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, ToolError>> + Send + 'static,
    {
        let connection = Arc::clone(self);
        self.background.run(|dropped| work(connection, dropped)).await
    }

    /// Makes one call, and reports its progress to `cx`. When `dropped` closes, the server is told that the call is
    /// cancelled.
    pub(crate) async fn call(
        &self,
        name: String,
        arguments: JsonObject,
        cx: CallContext,
        mut dropped: oneshot::Receiver<()>,
    ) -> Result<CallToolResult, ToolError> {
        let params = CallToolRequestParams::new(name).with_arguments(arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let mut reply = self.attempt(request.clone(), cx.clone(), &mut dropped).await?;
        // The server has refused the token, so the call had no effect. The next attempt gets another token.
        if self.server.oauth.is_some() && reply.as_ref().is_err_and(is_challenge) {
            reply = self.attempt(request, cx, &mut dropped).await?;
        }
        match reply {
            Ok(ServerResult::CallToolResult(result)) => Ok(result),
            Ok(ServerResult::InputRequiredResult(_)) => {
                Err(ToolError::failed("asks for input in mid-call, which is not supported")
                    .permanent())
            }
            Ok(_) => {
                let message = format!("gave a result of another kind{MID_CALL}");
                Err(ToolError::new(ToolErrorKind::Output, message))
            }
            Err(error) => Err(self.failure(error, MID_CALL).await),
        }
    }

    /// Sends a request and waits for its reply.
    async fn attempt(
        &self,
        request: ClientRequest,
        cx: CallContext,
        dropped: &mut oneshot::Receiver<()>,
    ) -> Result<Result<ServerResult, ServiceError>, ToolError> {
        let (peer, client) = self.peer().await?;
        let options = PeerRequestOptions::no_options();
        let mut sent = match peer.send_cancellable_request(request, options).await {
            Ok(sent) => sent,
            Err(error) => return Err(self.failure(error, "").await),
        };
        let listening = client.listen(sent.progress_token.clone(), cx);
        let reply = tokio::select! {
            reply = &mut sent.rx => reply.unwrap_or(Err(ServiceError::TransportClosed)),
            _ = dropped => {
                // The server may have ended.
                drop(sent.cancel(Some("the caller has given up".to_string())).await);
                return Err(ToolError::new(ToolErrorKind::Cancelled, "was cancelled"));
            }
        };
        // The reply may have overtaken progress, which comes in tasks of their own.
        tokio::task::yield_now().await;
        drop(listening);
        Ok(reply)
    }

    /// Returns the peer of a server that runs, and its client. Starts the server if none does.
    async fn peer(&self) -> Result<(Peer<RoleClient>, Client), ToolError> {
        let mut live = self.live.lock().await;
        if let Some(live) = &*live
            && !live.service.is_transport_closed()
        {
            return Ok(live.peer());
        }
        if let Some(ended) = live.take() {
            ended.close().await;
        }
        let started = Live::start(&self.server, &self.access).await?;
        let peer = started.peer();
        *live = Some(started);
        Ok(peer)
    }

    /// Returns the error for a request that failed. `when` tells when the server ended, if it did.
    async fn failure(&self, error: ServiceError, when: &str) -> ToolError {
        match error {
            ServiceError::McpError(error) => match Unusable::of(&error) {
                Some(why) => why.tool_error(when, |text| outcome::cut(&self.secrets(), text)),
                None => outcome::refusal(&error, &self.secrets()),
            },
            ServiceError::TransportSend(error)
                if matches!(self.server.link, ServerLink::Url { .. }) =>
            {
                match Unanswered::of(&error, &self.secrets()) {
                    Unanswered::Unsent(why) => ToolError::failed(why),
                    Unanswered::Sent(why) => {
                        ToolError::failed(format!("gave no answer{when}: {why}"))
                    }
                }
            }
            ServiceError::TransportClosed | ServiceError::TransportSend(_) => {
                let ended = self.live.lock().await.take();
                let broken = ended.as_ref().and_then(|it| it.broken.why());
                let said = match ended {
                    Some(ended) => ended.close().await,
                    None => String::new(),
                };
                ToolError::failed(match broken {
                    Some(why) => format!("broke the protocol{when}: {why}"),
                    None => format!("ended{when}{}", outcome::said(&said)),
                })
            }
            other => {
                let why = outcome::cut(&self.secrets(), &other.to_string());
                ToolError::failed(format!("broke the protocol: {why}"))
            }
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Some(live) = self.live.get_mut().take() {
            self.background.finish(async move { drop(live.close().await) });
        }
    }
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connection").field("server", &self.server).finish_non_exhaustive()
    }
}

impl Live {
    /// Starts a server. It has the time limit of the start.
    async fn start(server: &ServerDef, access: &Access) -> Result<Live, ToolError> {
        // The newer revision of the protocol has no handshake. A server of an older one may refuse the first request
        // in an unusual way, or end.
        let newest = ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            legacy_version: Some(ProtocolVersion::V_2025_11_25),
        };
        let limit = server.start_timeout;
        let end = Instant::now() + limit;
        match Live::start_with(server, access, newest, end).await {
            Err((Some(why), _)) if is_of_older_revision(&why) => {
                let older = ClientLifecycleMode::Initialize;
                let started = Live::start_with(server, access, older, end);
                started.await.map_err(|(_, error)| error)
            }
            started => started.map_err(|(_, error)| error),
        }
    }

    /// Starts a server that must answer until `end`. An error comes with its cause, if that is part of the protocol.
    async fn start_with(
        server: &ServerDef,
        access: &Access,
        lifecycle: ClientLifecycleMode,
        end: Instant,
    ) -> Result<Live, (Option<ClientInitializeError>, ToolError)> {
        let (us, broken) = (Client::default(), Broken::default());
        let (mut process, started): (_, Starting) = match &server.link {
            ServerLink::Program { command, folder, env } => {
                let mut process =
                    ServerProcess::start(command, folder, env).map_err(|error| (None, error))?;
                let pipes = process.stdout.take().zip(process.stdin.take()).ok_or_else(|| {
                    (None, ToolError::new(ToolErrorKind::Missing, "has no stdin or no stdout"))
                })?;
                let lines = Read::new(Lines::new(pipes.0, pipes.1), &broken);
                (Some(process), Box::pin(serve_client_with_lifecycle(us, lines, lifecycle)))
            }
            ServerLink::Url { url, headers } => {
                let client = ServerLink::client(url, headers).map_err(|error| (None, error))?;
                let client = CheckedHttp(client);
                let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str());
                // A server may close a stream and let the client ask for the rest. One that has ended must end the call.
                let mut retries = FixedInterval::default();
                retries.max_times = Some(MAX_RECONNECTS);
                config.retry_config = Arc::new(retries);
                let manager = tokio::time::timeout_at(end, access.manager(server, url)).await;
                let manager =
                    manager.unwrap_or_else(|_| Err(late(server))).map_err(|error| (None, error))?;
                let starting: Starting = match manager {
                    Some(manager) => {
                        let client = AuthClient::new(client, manager);
                        let http = StreamableHttpClientTransport::with_client(client, config);
                        let http = Read::new(http, &broken);
                        Box::pin(serve_client_with_lifecycle(us, http, lifecycle))
                    }
                    None => {
                        let http = StreamableHttpClientTransport::with_client(client, config);
                        let http = Read::new(http, &broken);
                        Box::pin(serve_client_with_lifecycle(us, http, lifecycle))
                    }
                };
                (None, starting)
            }
        };
        let is_remote = process.is_none();
        let secrets = || access.secrets(server);
        match tokio::time::timeout_at(end, started).await {
            Ok(Ok(service)) => Ok(Live { broken, service, process }),
            Ok(Err(cause)) => {
                let said = outcome::said(&last_words(&mut process).await);
                let why = match &cause {
                    _ if broken.why().is_some() => {
                        format!("it broke the protocol: {}", broken.why().unwrap_or_default())
                    }
                    // A program may end before or after it is written to.
                    ClientInitializeError::TransportError { error, .. } if is_remote => {
                        match Unanswered::of(error, &secrets()) {
                            Unanswered::Unsent(why) | Unanswered::Sent(why) => why,
                        }
                    }
                    ClientInitializeError::ConnectionClosed(_)
                    | ClientInitializeError::TransportError { .. } => "it has ended".to_string(),
                    cause => outcome::cut(&secrets(), &cause.to_string()),
                };
                let message = format!("did not start: {why}{said}");
                Err((Some(cause), ToolError::new(ToolErrorKind::Missing, message)))
            }
            Err(_) => {
                let said = process.map(|it| it.said()).unwrap_or_default();
                let said = outcome::said(&said);
                let message = format!("did not start within {:?}{said}", server.start_timeout);
                Err((None, ToolError::new(ToolErrorKind::Timeout, message)))
            }
        }
    }

    fn peer(&self) -> (Peer<RoleClient>, Client) {
        (self.service.peer().clone(), self.service.service().clone())
    }

    /// Ends the server: closes its input, waits a little, and kills what is left. Returns the end of its error output.
    async fn close(mut self) -> String {
        drop(self.service.close_with_timeout(GRACE).await);
        last_words(&mut self.process).await
    }
}

fn late(server: &ServerDef) -> ToolError {
    let message = format!("did not start within {:?}", server.start_timeout);
    ToolError::new(ToolErrorKind::Timeout, message)
}

/// Returns whether a server has refused a request because of its token.
fn is_challenge(error: &ServiceError) -> bool {
    let ServiceError::TransportSend(error) = error else { return false };
    let error = error.error.downcast_ref::<StreamableHttpError<reqwest::Error>>();
    matches!(error, Some(StreamableHttpError::AuthRequired(_)))
}

/// Waits a little for the end of a program, if there is one. Returns the end of its error output.
async fn last_words(process: &mut Option<ServerProcess>) -> String {
    let Some(process) = process else { return String::new() };
    process.wait(GRACE).await;
    process.said()
}

/// A request of HTTP without an answer, and why.
enum Unanswered {
    /// No server has seen the request.
    Unsent(String),
    /// A server may have seen the request.
    Sent(String),
}

impl Unanswered {
    /// Reads the error of a transport. The texts have no secrets and no control characters.
    fn of(error: &DynamicTransportError, secrets: &Secrets) -> Unanswered {
        let error = error.error.as_ref();
        let root = |error| outcome::cut(secrets, &innermost(error));
        match error.downcast_ref::<StreamableHttpError<reqwest::Error>>() {
            Some(StreamableHttpError::Client(error)) if error.is_connect() => {
                Unanswered::Unsent(format!("cannot be reached: {}", root(error)))
            }
            Some(StreamableHttpError::Client(error)) => Unanswered::Sent(root(error)),
            Some(StreamableHttpError::Auth(error)) => {
                Unanswered::Unsent(oauth::refusal(error, secrets).message)
            }
            Some(StreamableHttpError::InsufficientScope(error)) => {
                let scope =
                    outcome::cut(secrets, error.required_scope.as_deref().unwrap_or_default());
                Unanswered::Unsent(format!(
                    "needs the scope `{scope}`: log in with `ptc mcp login --scope`, or add it to `oauth.scopes`"
                ))
            }
            Some(StreamableHttpError::AuthRequired(_)) => {
                Unanswered::Unsent(NEEDS_AUTHORIZATION.to_string())
            }
            _ => Unanswered::Sent(root(error)),
        }
    }
}
