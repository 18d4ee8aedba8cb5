//! A connection to one server: its start, its list of tools, its calls, and its end.

use std::sync::Arc;
use std::time::Duration;

use ptc_subagent::tool::{ServerDef, ServerProcess, ToolError, ToolErrorKind};
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig,
    ClientRequest, Implementation, PaginatedRequestParams, ProtocolVersion, ServerResult, Tool,
};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, Peer, PeerRequestOptions, RoleClient,
    RunningService, serve_client_with_lifecycle,
};
use rmcp::{ServiceError, model::JsonObject};
use tokio::sync::{Mutex, oneshot};
use tokio::time::Instant;

use crate::outcome;
use crate::runtime::Background;

/// The maximum number of tools of one server. A server that never ends its list is stopped by it.
const MAX_TOOLS: usize = 10_000;

/// The time that a server has to end by itself, after its input has ended.
const GRACE: Duration = Duration::from_millis(500);

/// A connection to a server. It connects when it is first used, and again after the server has ended.
pub(crate) struct Connection {
    server: ServerDef,
    background: Arc<Background>,
    live: Mutex<Option<Live>>,
}

/// A server that runs.
struct Live {
    service: RunningService<RoleClient, ClientConfig>,
    process: ServerProcess,
}

/// Returns whether a server may start with the handshake of the older revision.
fn is_of_older_revision(why: &ClientInitializeError) -> bool {
    matches!(
        why,
        ClientInitializeError::ConnectionClosed(_)
            | ClientInitializeError::TransportError { .. }
            | ClientInitializeError::NoCompatibleProtocolVersion { .. }
    )
}

impl Connection {
    pub(crate) fn new(server: ServerDef, background: Arc<Background>) -> Connection {
        Connection { server, background, live: Mutex::new(None) }
    }

    /// Returns whether this is a connection to the program that `server` names.
    pub(crate) fn is_to(&self, server: &ServerDef) -> bool {
        let ServerDef { command, folder, env, .. } = server;
        self.server.command == *command && self.server.folder == *folder && self.server.env == *env
    }

    /// Returns the tools that the server offers now. The list has the time limit of the start.
    pub(crate) async fn tools(&self) -> Result<Vec<Tool>, ToolError> {
        let peer = self.peer().await?;
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

    /// Makes one call. When `dropped` closes, the server is told that the call is cancelled.
    pub(crate) async fn call(
        &self,
        name: String,
        arguments: JsonObject,
        dropped: oneshot::Receiver<()>,
    ) -> Result<CallToolResult, ToolError> {
        let params = CallToolRequestParams::new(name).with_arguments(arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let peer = self.peer().await?;
        let options = PeerRequestOptions::no_options();
        let mut sent = match peer.send_cancellable_request(request, options).await {
            Ok(sent) => sent,
            Err(error) => return Err(self.failure(error, "").await),
        };
        let reply = tokio::select! {
            reply = &mut sent.rx => reply.unwrap_or(Err(ServiceError::TransportClosed)),
            _ = dropped => {
                // The server may have ended.
                drop(sent.cancel(Some("the caller has given up".to_string())).await);
                return Err(ToolError::new(ToolErrorKind::Cancelled, "was cancelled"));
            }
        };
        match reply {
            Ok(ServerResult::CallToolResult(result)) => Ok(result),
            Ok(ServerResult::InputRequiredResult(_)) => {
                Err(ToolError::failed("asks for input in mid-call, which is not supported")
                    .permanent())
            }
            Ok(_) => Err(ToolError::new(ToolErrorKind::Output, "gave a result of another kind")),
            Err(error) => {
                Err(self.failure(error, " in mid-call, so the call may have had an effect").await)
            }
        }
    }

    /// Returns the peer of a server that runs. Starts the server if none does.
    async fn peer(&self) -> Result<Peer<RoleClient>, ToolError> {
        let mut live = self.live.lock().await;
        if let Some(live) = &*live
            && !live.service.is_transport_closed()
        {
            return Ok(live.service.peer().clone());
        }
        if let Some(ended) = live.take() {
            ended.close().await;
        }
        let started = Live::start(&self.server).await?;
        let peer = started.service.peer().clone();
        *live = Some(started);
        Ok(peer)
    }

    /// Returns the error for a request that failed. `when` tells when the server ended, if it did.
    async fn failure(&self, error: ServiceError, when: &str) -> ToolError {
        match error {
            ServiceError::McpError(error) => outcome::refusal(&error),
            ServiceError::TransportClosed | ServiceError::TransportSend(_) => {
                let said = match self.live.lock().await.take() {
                    Some(ended) => ended.close().await,
                    None => String::new(),
                };
                ToolError::failed(format!("ended{when}{}", outcome::said(&said)))
            }
            other => ToolError::failed(format!("broke the protocol: {other}")),
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
    async fn start(server: &ServerDef) -> Result<Live, ToolError> {
        // The newer revision of the protocol has no handshake. A server of an older one may refuse the first request
        // in an unusual way, or end.
        let newest = ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            legacy_version: Some(ProtocolVersion::V_2025_11_25),
        };
        let limit = server.start_timeout;
        let end = Instant::now() + limit;
        match Live::start_with(server, newest, end).await {
            Err((Some(why), _)) if is_of_older_revision(&why) => {
                let started = Live::start_with(server, ClientLifecycleMode::Initialize, end);
                started.await.map_err(|(_, error)| error)
            }
            started => started.map_err(|(_, error)| error),
        }
    }

    /// Starts a server that must answer until `end`. An error comes with its cause, if that is part of the protocol.
    async fn start_with(
        server: &ServerDef,
        lifecycle: ClientLifecycleMode,
        end: Instant,
    ) -> Result<Live, (Option<ClientInitializeError>, ToolError)> {
        let mut process = server.start().map_err(|error| (None, error))?;
        let (Some(stdin), Some(stdout)) = (process.stdin.take(), process.stdout.take()) else {
            return Err((
                None,
                ToolError::new(ToolErrorKind::Missing, "has no stdin or no stdout"),
            ));
        };
        let us = Implementation::new("ptc", env!("CARGO_PKG_VERSION"));
        let us = ClientConfig::new(ClientCapabilities::default(), us);
        let started = serve_client_with_lifecycle(us, (stdout, stdin), lifecycle);
        match tokio::time::timeout_at(end, started).await {
            Ok(Ok(service)) => Ok(Live { service, process }),
            Ok(Err(cause)) => {
                process.wait(GRACE).await;
                let why = match &cause {
                    // The server may end before or after it is written to.
                    ClientInitializeError::ConnectionClosed(_)
                    | ClientInitializeError::TransportError { .. } => "it has ended".to_string(),
                    cause => outcome::cut(&cause.to_string()),
                };
                let message = format!("did not start: {why}{}", outcome::said(&process.said()));
                Err((Some(cause), ToolError::new(ToolErrorKind::Missing, message)))
            }
            Err(_) => {
                let said = outcome::said(&process.said());
                let message = format!("did not start within {:?}{said}", server.start_timeout);
                Err((None, ToolError::new(ToolErrorKind::Timeout, message)))
            }
        }
    }

    /// Ends the server: closes its input, waits a little, and kills what is left. Returns the end of its error output.
    async fn close(mut self) -> String {
        drop(self.service.close_with_timeout(GRACE).await);
        self.process.wait(GRACE).await;
        self.process.said()
    }
}
