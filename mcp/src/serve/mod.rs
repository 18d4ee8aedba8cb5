//! Agents, and programs over tools, as tools of an MCP server.

mod bounded;
mod call;
mod code;
mod elicit;
mod exact_bodies;
mod flight;

mod http;
mod offer;
mod progress;
mod result;
mod revision;
mod run_output;
mod sampling;
mod sessions;
mod shared;

use std::sync::{Arc, Mutex};

use ptc_subagent::host::Host;
use ptc_subagent::provider::{NoModel, Provider};
use ptc_subagent::store::Store;
use ptc_subagent::{Agent, Data, Error, ErrorKind};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer, ServiceExt as _};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{ErrorData, ServerHandler};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};

use call::{Call, Ended};
use code::Code;
use flight::InFlight;
use offer::Offer;
pub use offer::Served;
use run_output::RunOutput;
use sampling::ClientModel;
use shared::{MAX_RUNS, Shared};

use crate::wire::exact;
use crate::wire::streams::{Marking, Unmarking};

/// The error of a call where the client's model is to answer.
const NO_SAMPLING: &str =
    "the agent answers with the model of the client, and this client offers none (`sampling`)";

/// A server whose tools are agents, or programs over the tools of one agent. Each call is a run of its own, which the store
/// records.
///
/// Clones are the same server.
#[derive(Clone)]
pub struct AgentServer(Arc<Shared>);

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
        let (mut host, mut offers) = (Host::new(store, MAX_RUNS), Vec::<Offer>::new());
        for served in served {
            let agent = host.add(served.agent)?;
            let name = agent.name.clone();
            let offer = Offer::new(agent, served.provider);
            if offers.iter().any(|it| it.tool.name == offer.tool.name) {
                let message = format!("two agents are named `{name}`");
                return Err(Error::new(ErrorKind::Agent, message)
                    .with_help("give one of the files another `name`"));
            }
            offers.push(offer);
        }
        Ok(AgentServer::with(offers, None, host))
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
        Ok(AgentServer::with(Vec::new(), Some(Code::new(agent)), Host::new(store, MAX_RUNS)))
    }

    fn with(offers: Vec<Offer>, code: Option<Code>, host: Host) -> AgentServer {
        AgentServer(Arc::new(Shared { offers, code, host, waiting: Mutex::default() }))
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
        let transport = AsyncRwTransport::new_server(Marking::new(input), Unmarking::new(output));
        let transport = InFlight::alone(transport);
        let starts = Box::pin(self.clone().serve(transport));
        let service = tokio::select! {
            started = starts => started.map_err(|error| failed(error.to_string()))?,
            () = self.0.host.ending() => return Ok(()),
        };
        let token = service.cancellation_token();
        let waits = service.waiting();
        tokio::pin!(waits);
        let ended = tokio::select! {
            ended = &mut waits => ended,
            () = self.0.host.ending() => {
                token.cancel();
                waits.await
            }
        };
        ended.map(drop).map_err(|error| failed(error.to_string()))
    }

    /// Ends the server: cancels its runs, and waits until they have ended on record.
    pub async fn end(&self) {
        self.0.host.end().await;
    }

    /// Makes a call of an agent.
    async fn call(&self, offer: &Offer, input: Data, call: &Call<'_>) -> CallToolResponse {
        let Offer { agent, provider, .. } = offer;
        let client;
        let provider: &dyn Provider = match provider {
            Some(provider) => &**provider,
            None => match ClientModel::of(call.cx, agent.request_timeout) {
                Some(model) => {
                    client = model;
                    &client
                }
                None if agent.workflow.is_some() => &NoModel,
                None => return result::error(NO_SAMPLING).into(),
            },
        };
        let mut output = RunOutput::default();
        match Box::pin(call.run(agent, provider, input, &mut output)).await {
            Ok(Ended::Run(report)) => result::of_run(&report, offer.wraps, &output).into(),
            Ok(Ended::Asks(asks)) => asks.into(),
            Err(error) => result::failure(&error).into(),
        }
    }

    /// Makes a call in code mode; `None` if there is no such tool.
    async fn call_code(
        &self,
        code: &Code,
        input: &Data,
        call: &Call<'_>,
    ) -> Option<CallToolResponse> {
        let key = match call.tool {
            code::SEARCH => "words",
            code::RUN => "program",
            _ => return None,
        };
        let text = input.get(key);
        let Some(text) = text.as_ref().and_then(Data::as_str) else {
            let message = format!("`{key}` is missing, or is not a text");
            return Some(result::error(message).into());
        };
        if call.tool == code::SEARCH {
            return Some(code.search(text).await.into());
        }
        let agent = code.agent_of(text);
        let mut output = RunOutput::default();
        Some(match Box::pin(call.run(&agent, &NoModel, json!({}).into(), &mut output)).await {
            Ok(Ended::Run(report)) => code::of_program(&report, &output).into(),
            Ok(Ended::Asks(asks)) => asks.into(),
            Err(error) => result::failure(&error).into(),
        })
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
        let input = exact::data(&Value::Object(request.arguments.unwrap_or_default()))
            .map_err(|why| ErrorData::invalid_params(format!("`arguments`: {why}"), None))?;
        let call = Call {
            server: &self.0,
            cx: &cx,
            tool: &request.name,
            state: request.request_state,
            responses: request.input_responses.unwrap_or_default(),
        };
        let response = match &self.0.code {
            Some(code) => Box::pin(self.call_code(code, &input, &call)).await,
            None => match self.0.offers.iter().find(|it| it.tool.name == request.name) {
                Some(offer) => Some(Box::pin(self.call(offer, input, &call)).await),
                None => None,
            },
        };
        response.ok_or_else(|| {
            ErrorData::invalid_params(format!("there is no tool `{}`", request.name), None)
        })
    }
}
