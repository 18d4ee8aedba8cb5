//! Agents as tools of an MCP server.

mod http;
mod offer;
mod progress;
mod result;

use std::sync::Arc;
use std::time::Duration;

use ptc_subagent::provider::Provider;
use ptc_subagent::store::Store;
use ptc_subagent::{Agent, Error, ErrorKind, Mission};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer, ServiceExt as _};
use rmcp::{ErrorData, ServerHandler};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{Semaphore, watch};

use offer::Offer;
use progress::Progress;

/// The maximum number of runs at the same time. Further calls wait.
const MAX_RUNS: u32 = 32;

/// The longest wait of a run that the server waits for itself.
const PATIENCE: Duration = Duration::from_mins(1);

/// An agent that a server offers, with the provider of its model.
pub struct Served {
    /// The agent.
    pub agent: Agent,
    /// The provider of its model.
    pub provider: Box<dyn Provider>,
}

/// A server whose tools are agents. Each call is a run of its own, which the store records.
///
/// Clones are the same server.
#[derive(Clone)]
pub struct AgentServer(Arc<Shared>);

struct Shared {
    offers: Vec<Offer>,
    store: Arc<Store>,
    /// The places of runs. A server has ended when all of them are free.
    places: Semaphore,
    /// Whether the server ends, so that its runs are cancelled.
    ends: watch::Sender<bool>,
}

impl AgentServer {
    /// Creates a server of agents.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`] if an agent is invalid, or if two tools would have the same name.
    pub fn new(
        served: impl IntoIterator<Item = Served>,
        store: impl Into<Arc<Store>>,
    ) -> Result<AgentServer, Error> {
        let mut offers: Vec<Offer> = Vec::new();
        for served in served {
            served.agent.check()?;
            let name = served.agent.name.clone();
            let offer = Offer::new(served);
            if offers.iter().any(|it| it.tool.name == offer.tool.name) {
                let message = format!("two agents are named `{name}`");
                return Err(Error::new(ErrorKind::Agent, message)
                    .with_help("give one of the files another `name`"));
            }
            offers.push(offer);
        }
        let store = store.into();
        let (places, ends) = (Semaphore::new(MAX_RUNS as usize), watch::Sender::new(false));
        Ok(AgentServer(Arc::new(Shared { offers, store, places, ends })))
    }

    /// Serves one client over stdin and stdout, until it closes stdin or [`AgentServer::end`] is called.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Server`] if the client does not speak the protocol.
    pub async fn serve_stdio(&self) -> Result<(), Error> {
        let (stdin, stdout) = rmcp::transport::stdio();
        self.serve_on(stdin, stdout).await
    }

    /// Serves one client over a pair of streams, until the client closes `input` or [`AgentServer::end`] is called. Calls
    /// that have not ended five seconds after the end of the input are cancelled.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Server`] if the client does not speak the protocol.
    pub async fn serve_on(
        &self,
        input: impl AsyncRead + Send + Unpin + 'static,
        output: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Result<(), Error> {
        let failed = |why: String| Error::new(ErrorKind::Server, format!("cannot serve: {why}"));
        let starts = Box::pin(self.clone().serve((input, output)));
        let service = tokio::select! {
            started = starts => started.map_err(|error| failed(error.to_string()))?,
            () = self.ending() => return Ok(()),
        };
        let token = service.cancellation_token();
        let waits = service.waiting();
        tokio::pin!(waits);
        let ended = tokio::select! {
            ended = &mut waits => ended,
            () = self.ending() => {
                token.cancel();
                waits.await
            }
        };
        self.end().await;
        ended.map(drop).map_err(|error| failed(error.to_string()))
    }

    /// Ends the server: cancels its runs, and waits until they have ended on record.
    pub async fn end(&self) {
        self.0.ends.send_replace(true);
        // The semaphore is never closed.
        drop(self.0.places.acquire_many(MAX_RUNS).await);
    }

    /// Waits until the server ends.
    async fn ending(&self) {
        // The sender is never dropped before the server.
        drop(self.0.ends.subscribe().wait_for(|ends| *ends).await);
    }

    /// Makes a call: runs a mission until it ends, the client cancels the call, or the server ends.
    async fn call(
        &self,
        offer: &Offer,
        input: Value,
        cx: &RequestContext<RoleServer>,
    ) -> CallToolResult {
        let _place = self.0.places.acquire().await;
        let Served { agent, provider } = &offer.served;
        let (mut progress, sender) = Progress::of(cx);
        let cancelled = || async {
            tokio::select! {
                () = cx.ct.cancelled() => {}
                () = self.ending() => {}
            }
        };
        let mission = Mission::new(agent, input)
            .record_in(&self.0.store)
            .wait_at_most(PATIENCE)
            .cancel_on(cancelled())
            .observe(move |_, event| sender.tell(event));
        let report = progress.beside(mission.run(&**provider), cancelled()).await;
        match report {
            Ok(report) => result::of_run(&report, offer.wraps),
            Err(error) => result::failure(&error),
        }
    }
}

impl ServerHandler for AgentServer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("ptc", env!("CARGO_PKG_VERSION")))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.0.offers.iter().map(|it| it.tool.clone()).collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        cx: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(offer) = self.0.offers.iter().find(|it| it.tool.name == request.name) else {
            let message = format!("there is no tool `{}`", request.name);
            return Err(ErrorData::invalid_params(message, None));
        };
        let input = Value::Object(request.arguments.unwrap_or_default());
        Ok(self.call(offer, input, &cx).await.into())
    }
}
