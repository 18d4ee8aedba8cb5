//! Agents as a server: the client of the official SDK over streams and HTTP, in both revisions of the protocol.
#![expect(deprecated, reason = "clients of the older revisions offer sampling")]

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use ptc_mcp::{AgentServer, Served};
use ptc_subagent::Agent;
use ptc_subagent::provider::NoModel;
use ptc_subagent::store::Store;
use ptc_subagent::tool::{CallContext, Effect, FnTool, ServerLink, ToolDef};
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, ClientConfig, ClientRequest,
    CreateMessageRequestParams, CreateMessageResult, ElicitRequestParams, ElicitResult,
    ElicitationAction, Implementation, ProgressNotificationParam, ProtocolVersion, SamplingMessage,
};
use rmcp::service::{
    ClientLifecycleMode, NotificationContext, PeerRequestOptions, RequestContext, RoleClient,
    RunningService, serve_client_with_lifecycle,
};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientHandler, ErrorData};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// What a person does with a question.
#[derive(Clone)]
pub(crate) enum Answer {
    Accept(Value),
    Decline,
    Cancel,
}

/// A client that keeps what it hears. It answers questions and replies for its model only if it has answers or replies.
#[derive(Clone, Default)]
pub(crate) struct Client {
    pub(crate) told: Arc<Mutex<Vec<String>>>,
    /// The parameters of the requests of the server.
    pub(crate) asked: Arc<Mutex<Vec<Value>>>,
    answers: Option<Arc<Mutex<VecDeque<Answer>>>>,
    replies: Option<Arc<Mutex<VecDeque<String>>>>,
}

impl Client {
    pub(crate) fn asked_with(answers: impl IntoIterator<Item = Answer>) -> Client {
        let answers = Mutex::new(answers.into_iter().collect());
        Client { answers: Some(Arc::new(answers)), ..Client::default() }
    }

    pub(crate) fn replying<'a>(replies: impl IntoIterator<Item = &'a str>) -> Client {
        let replies = Mutex::new(replies.into_iter().map(str::to_string).collect());
        Client { replies: Some(Arc::new(replies)), ..Client::default() }
    }
}

impl ClientHandler for Client {
    async fn on_progress(
        &self,
        progress: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        let message = progress.message.unwrap_or_default();
        self.told.lock().unwrap().push(format!("{} {message}", progress.progress));
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        self.asked.lock().unwrap().push(serde_json::to_value(request).unwrap());
        let answer = self.answers.as_ref().unwrap().lock().unwrap().pop_front().unwrap();
        let (action, content) = match answer {
            Answer::Accept(content) => (ElicitationAction::Accept, Some(content)),
            Answer::Decline => (ElicitationAction::Decline, None),
            Answer::Cancel => (ElicitationAction::Cancel, None),
        };
        let mut result = ElicitResult::new(action);
        result.content = content;
        Ok(result)
    }

    async fn create_message(
        &self,
        request: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        self.asked.lock().unwrap().push(serde_json::to_value(request).unwrap());
        let reply = self.replies.as_ref().unwrap().lock().unwrap().pop_front().unwrap();
        Ok(CreateMessageResult::new(SamplingMessage::assistant_text(reply), "test".to_string()))
    }

    fn get_info(&self) -> ClientConfig {
        let mut capabilities = json!({});
        if self.answers.is_some() {
            capabilities["elicitation"] = json!({});
        }
        if self.replies.is_some() {
            capabilities["sampling"] = json!({});
        }
        let capabilities = serde_json::from_value(capabilities).unwrap();
        ClientConfig::new(capabilities, Implementation::new("test", "1"))
            .with_protocol_version(ProtocolVersion::V_2025_11_25)
    }
}

pub(crate) type Connected = RunningService<RoleClient, Client>;

/// The way to a server.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    Streams,
    Http,
}

/// Both ways, in both revisions.
pub(crate) fn ways() -> impl Iterator<Item = (Way, ClientLifecycleMode)> {
    let newest =
        ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
    let modes = [newest, ClientLifecycleMode::Initialize];
    [Way::Streams, Way::Http].into_iter().flat_map(move |way| modes.clone().map(|mode| (way, mode)))
}

/// Serves HTTP at a free port of the loopback.
pub(crate) async fn listen(server: &AgentServer, token: Option<&'static str>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = server.clone();
    tokio::spawn(async move { server.serve_http(listener, token).await.unwrap() });
    address
}

/// Connects a client to a server.
pub(crate) async fn connect(
    server: &AgentServer,
    way: Way,
    mode: ClientLifecycleMode,
    client: Client,
) -> Connected {
    match way {
        Way::Streams => {
            let (ours, theirs) = tokio::io::duplex(1 << 16);
            let (input, output) = tokio::io::split(theirs);
            let server = server.clone();
            tokio::spawn(async move { server.serve_on(input, output).await.unwrap() });
            serve_client_with_lifecycle(client, ours, mode).await.unwrap()
        }
        Way::Http => {
            let url = format!("http://{}/mcp", listen(server, Some("secret")).await);
            let link = ServerLink::url(&url, BTreeMap::new()).unwrap();
            let ServerLink::Url { url, headers } = &link else { panic!("{link:?}") };
            let http = ServerLink::client(url, headers).unwrap();
            let config = StreamableHttpClientTransportConfig::with_uri(url.as_str());
            let config = config.auth_header("secret");
            let http = StreamableHttpClientTransport::with_client(http, config);
            serve_client_with_lifecycle(client, http, mode).await.unwrap()
        }
    }
}

/// Makes a server of workflows.
pub(crate) fn serve(agents: Vec<Agent>) -> (AgentServer, Arc<Store>) {
    let store = Arc::new(Store::in_memory().unwrap());
    let served =
        agents.into_iter().map(|agent| Served { agent, provider: Some(Box::new(NoModel)) });
    (AgentServer::new(served, Arc::clone(&store)).unwrap(), store)
}

/// Makes a workflow that waits until it is cancelled, and the signal that it has started.
fn slow() -> (Agent, Arc<Notify>) {
    let started = Arc::new(Notify::new());
    let starts = Arc::clone(&started);
    let wait = FnTool::new(move |_: Value, _| {
        starts.notify_one();
        std::future::pending()
    });
    let wait = ToolDef::new("wait", wait).with_effect(Effect::Read);
    (Agent::workflow("(tool/wait {})").with_name("slow").with_tool(wait), started)
}

pub(crate) fn params(name: &str, arguments: &Value) -> CallToolRequestParams {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    CallToolRequestParams::new(name.to_string()).with_arguments(arguments)
}

/// Returns the structured content of a result, or the text of an error.
pub(crate) fn shown(result: &CallToolResult) -> Value {
    let text = || result.content[0].as_text().unwrap().text.clone();
    match &result.structured_content {
        Some(value) => {
            assert_eq!(value.to_string(), text());
            value.clone()
        }
        None => json!({"error": text()}),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn progress_of_a_tool_is_passed_to_the_client() {
    for (way, mode) in ways() {
        let work = FnTool::new(|_: Value, cx: CallContext| async move {
            cx.report(1.0, Some(2.0), Some("reading"));
            Ok(json!(null))
        });
        let work = ToolDef::new("work", work).with_effect(Effect::Read);
        let agent = Agent::workflow("(tool/work {})").with_name("worker").with_tool(work);
        let (server, _) = serve(vec![agent]);
        let told = Client::default();
        let client = connect(&server, way, mode.clone(), told.clone()).await;
        client.call_tool(params("worker", &json!({}))).await.unwrap();
        while told.told.lock().unwrap().len() < 3 {
            tokio::task::yield_now().await;
        }
        told.told.lock().unwrap().sort();
        let expected = ["1 `work`: 1/2 reading", "2 called `work`", "3 turn 1: returned"];
        assert_eq!(*told.told.lock().unwrap(), expected, "{way:?} {mode:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_list_and_call_agents() {
    for (way, mode) in ways() {
        let double = Agent::workflow("(* 2 ctx/n)")
            .with_name("double")
            .with_description("Doubles a number.")
            .with_signature("(n :int) -> :int")
            .unwrap();
        let fails = Agent::workflow("(fail {:reason :closed :message \"The desk is closed.\"})")
            .with_name("desk");
        let (server, store) = serve(vec![double, fails]);
        let told = Client::default();
        let client = connect(&server, way, mode.clone(), told.clone()).await;
        let tools = client.list_all_tools().await.unwrap();
        let names: Vec<_> = tools.iter().map(|it| it.name.as_ref()).collect();
        assert_eq!(names, ["double", "desk"], "{way:?} {mode:?}");
        let result = client.call_tool(params("double", &json!({"n": 21}))).await.unwrap();
        assert_eq!(shown(&result), json!({"result": 42}), "{way:?} {mode:?}");
        let result = client.call_tool(params("desk", &json!({}))).await.unwrap();
        let expected = json!({"error": "failed: closed: The desk is closed."});
        assert_eq!(shown(&result), expected, "{way:?} {mode:?}");
        // The client hears of each turn in a task of its own.
        while told.told.lock().unwrap().len() < 2 {
            tokio::task::yield_now().await;
        }
        told.told.lock().unwrap().sort();
        let expected = ["1 turn 1: failed", "1 turn 1: returned"];
        assert_eq!(*told.told.lock().unwrap(), expected, "{way:?} {mode:?}");
        let runs = store.runs(10).unwrap();
        let runs: Vec<String> =
            runs.iter().map(|it| format!("{} {}", it.agent, it.status)).collect();
        assert_eq!(runs, ["desk failed", "double returned"], "{way:?} {mode:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_cancels_a_run() {
    for (way, mode) in ways() {
        let (agent, started) = slow();
        let (server, store) = serve(vec![agent]);
        let client = connect(&server, way, mode.clone(), Client::default()).await;
        let request = CallToolRequest::new(params("slow", &json!({})));
        let request = ClientRequest::CallToolRequest(request);
        let options = PeerRequestOptions::no_options();
        let sent = client.send_cancellable_request(request, options).await.unwrap();
        started.notified().await;
        sent.cancel(Some("enough".to_string())).await.unwrap();
        while store.runs(1).unwrap().first().is_none_or(|it| it.stop.is_none()) {
            tokio::task::yield_now().await;
        }
        let run = store.runs(1).unwrap().remove(0);
        assert_eq!(run.stop.unwrap().as_str(), "cancelled", "{way:?} {mode:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_server_cancels_its_runs() {
    let (agent, started) = slow();
    let (server, store) = serve(vec![agent]);
    let mode = ClientLifecycleMode::Initialize;
    let client = connect(&server, Way::Http, mode, Client::default()).await;
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params("slow", &json!({}))));
    let options = PeerRequestOptions::no_options();
    let _sent = client.send_cancellable_request(request, options).await.unwrap();
    started.notified().await;
    server.end().await;
    assert_eq!(store.runs(1).unwrap()[0].stop.unwrap().as_str(), "cancelled");
}

/// Sends a request of HTTP, and returns the status.
async fn status(address: SocketAddr, path: &str, headers: &str) -> u16 {
    let params = json!({
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    });
    let body = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
    let body = body.to_string();
    let host = if headers.contains("Host:") { "" } else { "Host: localhost\r\n" };
    let request = format!(
        "POST {path} HTTP/1.1\r\n{host}{headers}Connection: close\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut start = [0; 12];
    stream.read_exact(&mut start).await.unwrap();
    std::str::from_utf8(&start[9..]).unwrap().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_of_http_need_token_host_and_origin() {
    let agent = Agent::workflow("1").with_name("one");
    let (server, _) = serve(vec![agent]);
    let open = listen(&server, None).await;
    let locked = listen(&server, Some("secret")).await;
    let port = open.port();
    let origin = format!("Origin: http://localhost:{port}\r\n");
    let other_port = format!("Origin: http://localhost:{}\r\n", port ^ 1);
    let cases = [
        (open, "/mcp", "", 200),
        (open, "/", "", 404),
        (open, "/mcp/../x", "", 404),
        (open, "/mcp", &*origin, 200),
        (open, "/mcp", "Origin: https://evil.example\r\n", 403),
        (open, "/mcp", "Origin: null\r\n", 403),
        (open, "/mcp", &*other_port, 403),
        (open, "/mcp", "Host: evil.example\r\n", 403),
        (open, "/mcp", "Host: [::1]:80\r\n", 200),
        (locked, "/mcp", "", 401),
        (locked, "/mcp", "Authorization: Bearer secret\r\n", 200),
        (locked, "/mcp", "Authorization: bearer secret\r\n", 200),
        (locked, "/mcp", "Authorization: Bearer secre\r\n", 401),
        (locked, "/mcp", "Authorization: Bearer secret2\r\n", 401),
        (locked, "/mcp", "Authorization: Bearer\r\n", 401),
        (locked, "/mcp", "Authorization: Basic secret\r\n", 401),
        (locked, "/mcp", "Authorization: Bearer secret\r\nHost: evil.example\r\n", 403),
    ];
    for (address, path, headers, expected) in cases {
        assert_eq!(status(address, path, headers).await, expected, "{path} {headers}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_of_the_network_needs_a_token() {
    let (server, _) = serve(vec![Agent::workflow("1").with_name("one")]);
    for token in [None, Some("")] {
        let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let error = server.serve_http(listener, token).await.unwrap_err();
        let expected =
            format!("cannot serve: {address} is not a loopback address, so clients need a token");
        assert_eq!(error.message(), expected);
    }
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    let address = SocketAddr::from(([127, 0, 0, 1], listener.local_addr().unwrap().port()));
    let serves = server.clone();
    tokio::spawn(async move { serves.serve_http(listener, Some("secret")).await.unwrap() });
    let token = "Authorization: Bearer secret\r\n";
    assert_eq!(status(address, "/mcp", "").await, 401);
    assert_eq!(status(address, "/mcp", token).await, 200);
    // The machine may have any name. Pages of other servers have an origin.
    assert_eq!(status(address, "/mcp", &format!("{token}Host: desk.example\r\n")).await, 200);
    let foreign = format!("{token}Origin: https://evil.example\r\n");
    assert_eq!(status(address, "/mcp", &foreign).await, 403);
}
