//! A server, and a client that sends what it is told.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ptc_serve::{Options, Server};
use ptc_subagent::Agent;
use ptc_subagent::provider::{BoxFuture, Provider, ProviderError, Reply, Request};
use ptc_subagent::store::Store;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// A server on a port of its own.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    pub(crate) server: Server,
    task: tokio::task::JoinHandle<()>,
}

/// Serves agents with a store.
pub(crate) async fn serve(agents: Vec<Agent>, store: &Path, options: Options) -> Served {
    let store = Store::open(store).expect("a store");
    let server = Server::new(agents, store, options).expect("a server");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let serving = server.clone();
    let task = tokio::spawn(async move { serving.serve(listener).await.expect("serves") });
    Served { address, server, task }
}

/// The answer of a server.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not JSON: {self:?}"))
    }

    /// Returns a header in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.filter(|(it, _)| it.eq_ignore_ascii_case(name)).map(|(_, it)| it.to_string()).next()
    }
}

impl Served {
    /// Stops the server.
    pub(crate) async fn stop(self) {
        self.server.stop().await;
        self.task.await.expect("ends");
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
            .await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.post_with(path, "", body).await
    }

    pub(crate) async fn post_with(&self, path: &str, headers: &str, body: &Value) -> Answer {
        let body = body.to_string();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n{headers}\r\n",
            body.len()
        );
        self.send(&format!("{head}{body}")).await
    }

    /// Sends bytes as they are, and reads to the end of the connection.
    pub(crate) async fn send(&self, bytes: &str) -> Answer {
        let mut stream = TcpStream::connect(self.address).await.expect("connects");
        stream.write_all(bytes.as_bytes()).await.expect("sends");
        let mut read = Vec::new();
        // A server that refuses a body may end the connection while it is sent.
        drop(stream.read_to_end(&mut read).await);
        answer(&String::from_utf8(read).expect("UTF-8"))
    }

    /// Opens a stream of events.
    pub(crate) async fn open(&self, path: &str, headers: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.expect("connects");
        let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n");
        stream.write_all(head.as_bytes()).await.expect("sends");
        stream
    }

    /// Asks for a run until it has a status.
    pub(crate) async fn until(&self, run: &str, status: &str) -> Value {
        for _ in 0..1000 {
            let json = self.get(&format!("/v1/runs/{run}")).await.json();
            if json["status"] == status {
                return json;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!(
            "run {run} does not become {status}: {}",
            self.get(&format!("/v1/runs/{run}")).await.body
        );
    }
}

/// Reads an answer. Chunks become one body.
pub(crate) fn answer(text: &str) -> Answer {
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
    let status = head.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or_default();
    let is_chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
    let body = if is_chunked { unchunked(body) } else { body.to_string() };
    Answer { status, head: head.to_string(), body }
}

fn unchunked(mut text: &str) -> String {
    let mut body = String::new();
    while let Some((size, rest)) = text.split_once("\r\n") {
        let Ok(size) = usize::from_str_radix(size.trim(), 16) else { break };
        body.push_str(rest.get(..size).unwrap_or(rest));
        text = rest.get(size + 2..).unwrap_or_default();
    }
    body
}

/// A model that replies with the same program each time, once it is let.
pub(crate) struct Model {
    pub(crate) program: &'static str,
    pub(crate) gate: Arc<Semaphore>,
}

impl Model {
    /// Makes a model that replies at once.
    pub(crate) fn of(program: &'static str) -> Arc<dyn Provider> {
        Arc::new(Model { program, gate: Arc::new(Semaphore::new(Semaphore::MAX_PERMITS)) })
    }

    /// Makes a model that replies as often as its gate lets it.
    pub(crate) fn gated(program: &'static str) -> (Arc<dyn Provider>, Arc<Semaphore>) {
        let gate = Arc::new(Semaphore::new(0));
        (Arc::new(Model { program, gate: Arc::clone(&gate) }), gate)
    }
}

impl Provider for Model {
    fn complete<'a>(&'a self, _: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        Box::pin(async move {
            self.gate.acquire().await.expect("open").forget();
            Ok(Reply::new(format!("```clojure\n{}\n```", self.program)))
        })
    }

    fn name(&self) -> String {
        "scripted".to_string()
    }
}

/// Returns the options of a server whose runs ask a model.
pub(crate) fn with_model(provider: Arc<dyn Provider>) -> Options {
    let mut options = Options::default();
    options.provider = Some(provider);
    options
}

/// An agent that doubles a number.
pub(crate) fn doubles() -> Agent {
    let agent = Agent::new("Double {{n}}.").with_name("doubles");
    agent.with_signature("(n :int) -> :int").expect("a signature")
}

/// A workflow that asks for an amount, and waits for the answer.
pub(crate) fn asks() -> Agent {
    let program =
        r#"(:amount (ask {:title "How much?" :fields "(amount :int[1..100] \"Amount in EUR\")"}))"#;
    Agent::workflow(program).with_name("asks")
}
