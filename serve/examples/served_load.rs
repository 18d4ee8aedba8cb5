//! Measures a server under load: `cargo run --release -p ptc-serve --example served_load -- [RUNS] [MAX_RUNS]`.
//!
//! Each run asks a model that answers at once. Its program makes five calls of 20 ms, one after another. The clients are in
//! the same process, over loopback, with one connection for each request.

#![expect(clippy::disallowed_methods, reason = "its arguments are the sizes to measure")]

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use ptc_serve::{Options, Server};
use ptc_subagent::Agent;
use ptc_subagent::provider::{BoxFuture, Provider, ProviderError, Reply, Request};
use ptc_subagent::store::Store;
use ptc_subagent::tool::{Effect, FnTool, ToolDef};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// The number of requests of clients at the same time.
const CLIENTS: usize = 64;

const PROGRAM: &str =
    "```clojure\n(return (reduce + (mapv (fn [n] (tool/wait {:n n})) [1 2 3 4 5])))\n```";

struct Model;

impl Provider for Model {
    fn complete<'a>(&'a self, _: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        Box::pin(async { Ok(Reply::new(PROGRAM)) })
    }

    fn name(&self) -> String {
        "scripted".to_string()
    }
}

type Failed = Box<dyn std::error::Error + Send + Sync>;

async fn ask(address: SocketAddr, method: &str, path: &str, body: &str) -> Result<Value, Failed> {
    let mut stream = TcpStream::connect(address).await?;
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    let mut text = String::new();
    stream.read_to_string(&mut text).await?;
    let (_, body) = text.split_once("\r\n\r\n").ok_or("no answer")?;
    Ok(serde_json::from_str(body)?)
}

/// Returns the most memory that the process has had, in MB.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|it| it.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kilobytes.unwrap_or_default() / 1000
}

#[expect(clippy::print_stdout, reason = "its figures are what it is for")]
fn main() -> Result<(), Failed> {
    let mut numbers = std::env::args().skip(1).map(|it| it.parse::<u32>());
    let runs = numbers.next().transpose()?.unwrap_or(1000);
    let max_runs = numbers.next().transpose()?.unwrap_or(runs);
    let folder = tempfile::tempdir()?;
    let store = Store::open(&folder.path().join("runs.sqlite"))?;
    let wait = FnTool::new(async |args: Value, _| {
        tokio::time::sleep(Duration::from_millis(20)).await;
        Ok(args["n"].clone())
    });
    let wait = ToolDef::new("wait", wait).with_signature("(n :int) -> :int")?;
    let agent =
        Agent::new("Add what the tool gives.").with_name("adds").with_signature("() -> :int")?;
    let agent = agent.with_tool(wait.with_effect(Effect::Read));
    let mut options = Options::default();
    (options.max_runs, options.max_queued) = (max_runs, runs);
    options.provider = Some(Arc::new(Model));
    let server = Server::new([agent], store, options)?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let serving = server.clone();
        tokio::spawn(async move { serving.serve(listener).await });
        let (start, places) = (Instant::now(), Arc::new(Semaphore::new(CLIENTS)));
        let mut clients = tokio::task::JoinSet::new();
        for _ in 0..runs {
            let places = Arc::clone(&places);
            clients.spawn(async move {
                let _place = places.acquire().await?;
                let begun = Instant::now();
                ask(address, "POST", "/v1/runs", "{\"agent\":\"adds\",\"input\":{}}").await?;
                Ok::<Duration, Failed>(begun.elapsed())
            });
        }
        let mut taken = Vec::new();
        while let Some(time) = clients.join_next().await {
            taken.push(time??);
        }
        let accepted = start.elapsed();
        let totals = loop {
            let found = ask(address, "GET", "/v1/runs?limit=1", "").await?;
            if found["totals"]["statuses"]["returned"] == json!(runs) {
                break found["totals"].clone();
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        let ended = start.elapsed();
        taken.sort();
        let at = |part: usize| taken[(taken.len() - 1) * part / 100].as_micros() as f64 / 1000.0;
        println!(
            "{runs} runs, {max_runs} at once: accepted in {:.2} s, ended in {:.2} s; a start takes {:.1} ms in the median, \
             {:.1} ms in 99 of 100; {} MB; {}",
            accepted.as_secs_f64(), ended.as_secs_f64(), at(50), at(99), memory(), totals["statuses"]
        );
        server.stop().await;
        Ok(())
    })
}
