//! Agents, and programs over tools, as tools of an MCP server.

mod code;
mod http;
mod offer;
mod progress;
mod result;

use std::sync::Arc;
use std::time::Duration;

use ptc_subagent::provider::{NoModel, Provider};
use ptc_subagent::store::Store;
use ptc_subagent::{Agent, Error, ErrorKind, Event, Mission, Question, QuestionKind, RunReport};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer, ServiceExt as _};
use rmcp::{ErrorData, ServerHandler};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{Semaphore, watch};

use code::Code;
use offer::Offer;
use progress::Progress;

/// The maximum number of runs at the same time. Further calls wait.
const MAX_RUNS: u32 = 32;

/// The longest wait of a run that the server waits for itself.
const PATIENCE: Duration = Duration::from_mins(1);

/// The reason of a no where nobody can be asked.
const NOBODY: &str = "this client cannot ask a person";

/// An agent that a server offers, with the provider of its model.
pub struct Served {
    /// The agent.
    pub agent: Agent,
    /// The provider of its model.
    pub provider: Box<dyn Provider>,
}

/// A server whose tools are agents, or programs over the tools of one agent. Each call is a run of its own, which the store
/// records.
///
/// Clones are the same server.
#[derive(Clone)]
pub struct AgentServer(Arc<Shared>);

struct Shared {
    offers: Vec<Offer>,
    code: Option<Code>,
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
        Ok(AgentServer::with(offers, None, store.into()))
    }

    /// Creates a server of programs: a client finds the tools of `agent` with the tool `search`, and the tool `run` runs a
    /// program over them. The agent gives tools, policy, limits, budget and time; its prompt is not used. Programs keep
    /// nothing for each other.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`] if the agent is invalid.
    pub fn of_programs(agent: Agent, store: impl Into<Arc<Store>>) -> Result<AgentServer, Error> {
        agent.check()?;
        Ok(AgentServer::with(Vec::new(), Some(Code::new(agent)), store.into()))
    }

    fn with(offers: Vec<Offer>, code: Option<Code>, store: Arc<Store>) -> AgentServer {
        let (places, ends) = (Semaphore::new(MAX_RUNS as usize), watch::Sender::new(false));
        AgentServer(Arc::new(Shared { offers, code, store, places, ends }))
    }

    /// Serves one client over stdin and stdout, until it closes stdin or [`AgentServer::end`] is called. Then the server ends.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Server`] if the client does not speak the protocol.
    pub async fn serve_stdio(&self) -> Result<(), Error> {
        let (stdin, stdout) = rmcp::transport::stdio();
        let outcome = self.serve_on(stdin, stdout).await;
        self.end().await;
        outcome
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

    /// Runs a mission until it ends, the client cancels the call, or the server ends. Adds the lines that its programs
    /// print.
    async fn run(
        &self,
        agent: &Agent,
        provider: &dyn Provider,
        input: Value,
        cx: &RequestContext<RoleServer>,
        printed: &mut Vec<String>,
    ) -> Result<RunReport, Error> {
        let _place = self.0.places.acquire().await;
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
            .observe(move |_, event| {
                if let Event::Printed { line, .. } = event {
                    printed.push(line.clone());
                }
                sender.tell(event);
            });
        let mission = if self.0.code.is_some() {
            mission.ask_with(|question| Box::pin(std::future::ready(refused(&question))))
        } else {
            mission
        };
        progress.beside(mission.run(provider), cancelled()).await
    }

    /// Makes a call of an agent.
    async fn call(
        &self,
        offer: &Offer,
        input: Value,
        cx: &RequestContext<RoleServer>,
    ) -> CallToolResult {
        let Served { agent, provider } = &offer.served;
        match self.run(agent, &**provider, input, cx, &mut Vec::new()).await {
            Ok(report) => result::of_run(&report, offer.wraps),
            Err(error) => result::failure(&error),
        }
    }

    /// Makes a call in code mode; `None` if there is no such tool.
    async fn call_code(
        &self,
        code: &Code,
        name: &str,
        input: &Value,
        cx: &RequestContext<RoleServer>,
    ) -> Option<CallToolResult> {
        let key = match name {
            code::SEARCH => "words",
            code::RUN => "program",
            _ => return None,
        };
        let Some(text) = input.get(key).and_then(Value::as_str) else {
            return Some(result::error(format!("`{key}` is missing, or is not a text")));
        };
        if name == code::SEARCH {
            return Some(code.search(text).await);
        }
        let agent = code.agent_of(text);
        let mut printed = Vec::new();
        Some(match self.run(&agent, &NoModel, json!({}), cx, &mut printed).await {
            Ok(report) => code::of_program(&report, &printed),
            Err(error) => result::failure(&error),
        })
    }
}

/// Returns the answer to a question that nobody can be asked: a no to a call or a program, and none to a form.
fn refused(question: &Question<'_>) -> Option<Value> {
    match question.open.kind {
        QuestionKind::Form => None,
        _ => question.form.verdict(false, Some(NOBODY)),
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
        let agents = self.0.offers.iter().map(|it| &it.tool);
        let code = self.0.code.iter().flat_map(|it| &it.tools);
        let tools = agents.chain(code).cloned().collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        cx: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let input = Value::Object(request.arguments.unwrap_or_default());
        let result = match &self.0.code {
            Some(code) => Box::pin(self.call_code(code, &request.name, &input, &cx)).await,
            None => match self.0.offers.iter().find(|it| it.tool.name == request.name) {
                Some(offer) => Some(Box::pin(self.call(offer, input, &cx)).await),
                None => None,
            },
        };
        result.map(CallToolResponse::from).ok_or_else(|| {
            ErrorData::invalid_params(format!("there is no tool `{}`", request.name), None)
        })
    }
}
