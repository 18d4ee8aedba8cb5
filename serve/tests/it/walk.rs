//! A walk over the description of the API: callers without a token, and with too low a level.

use std::net::SocketAddr;
use std::sync::Arc;

use ptc_serve::{Level, NewToken, Options, Server, TokenFile};
use ptc_subagent::provider::NoModel;
use ptc_subagent::store::Store;
use ptc_subagent::{Agent, Mission};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// An operation of the description.
struct Route {
    method: String,
    path: String,
    id: String,
    /// The least level of a caller; `None` if everybody may ask.
    needs: Option<Level>,
}

fn routes(description: &Value) -> Vec<Route> {
    let mut all = Vec::new();
    for (path, operations) in description["paths"].as_object().expect("has paths") {
        for (method, it) in operations.as_object().expect("has operations") {
            let needs = it["x-level"].as_str().map(|it| Level::of(it).expect("is a level"));
            let id = it["operationId"].as_str().expect("has a name").to_owned();
            all.push(Route { method: method.to_uppercase(), path: path.clone(), id, needs });
        }
    }
    all
}

/// Sends a request, and returns the response up to the end of the connection or of the first part.
async fn exchange(to: SocketAddr, request: &str, whole: bool) -> String {
    let mut stream = TcpStream::connect(to).await.expect("connects");
    stream.write_all(request.as_bytes()).await.expect("writes");
    let mut bytes = vec![0; 12];
    stream.read_exact(&mut bytes).await.expect("reads");
    if whole {
        stream.read_to_end(&mut bytes).await.expect("reads");
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Sends a request of a route, and returns the status of the response.
async fn send(to: SocketAddr, route: &Route, run: &str, headers: &str) -> u16 {
    let path = route.path.replace("{agent}", "pay").replace("{run}", run);
    let body = match route.id.as_str() {
        "start_run" => r#"{"agent":"pay"}"#,
        "answer_run" => r#"{"answer":"yes"}"#,
        "put_artifact" => r#"{"name":"n","value":1}"#,
        "fork_run" => r#"{"turns":1}"#,
        "log_in" => r#"{"token":"wrong"}"#,
        _ => "",
    };
    let request = format!(
        "{} {path} HTTP/1.1\r\nHost: {to}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n{headers}\r\n{body}",
        route.method,
        body.len()
    );
    let head = exchange(to, &request, false).await;
    head.strip_prefix("HTTP/1.1 ").and_then(|it| it.parse().ok()).expect("is a status")
}

async fn start(store: Arc<Store>, tokens: &TokenFile) -> (Server, SocketAddr, JoinHandle<()>) {
    let mut options = Options::default();
    options.tokens = Some(tokens.clone());
    let server = Server::new([workflow()], store, options).expect("starts");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("binds");
    let to = listener.local_addr().expect("has an address");
    let serving = server.clone();
    let task = tokio::spawn(async move { serving.serve(listener).await.expect("ends well") });
    (server, to, task)
}

fn workflow() -> Agent {
    Agent::workflow("(ask \"Go?\")").with_name("pay")
}

/// M146: each operation needs its level.
#[tokio::test(flavor = "multi_thread")]
async fn every_route_asks_for_a_token_and_a_level() {
    let folder = tempfile::tempdir().expect("makes a folder");
    let tokens = TokenFile::new(folder.path().join("tokens.toml"));
    let make = |name: &str, level: &str, agent: &str| {
        let mut new = NewToken::new(name, level);
        new.agents = vec![agent.to_owned()];
        format!("Authorization: Bearer {}\r\n", tokens.add(&new).expect("adds"))
    };
    let outsider = make("eve", "delete", "other");
    let levels = Level::ALL.map(|it| (it, make(it.as_str(), it.as_str(), "pay")));
    let owner = make("ada", "view", "other");
    let store = Arc::new(Store::open(&folder.path().join("runs.sqlite")).expect("opens"));
    let (server, to, serving) = start(Arc::clone(&store), &tokens).await;
    let (_, viewer) = &levels[0];
    let request =
        format!("GET /openapi.json HTTP/1.1\r\nHost: {to}\r\nConnection: close\r\n{viewer}\r\n");
    let described = exchange(to, &request, true).await;
    let description = described.split_once("\r\n\r\n").expect("has a body").1;
    let all = routes(&serde_json::from_str(description).expect("is JSON"));
    assert!(all.len() > 15, "{}", all.len());
    // A run for each request, since some requests change it.
    let run = async || {
        let agent = workflow();
        let mission = Mission::new(&agent, json!({})).by(Some("ada".to_owned()));
        let report = mission.record_in(&store).run(&NoModel).await.expect("runs");
        report.run.to_string()
    };
    for route in &all {
        let what = format!("{} {}", route.method, route.path);
        let Some(needs) = route.needs else {
            let status = send(to, route, "", "").await;
            let expected = if route.id == "log_in" { 401 } else { 200 };
            assert_eq!(status, expected, "{what}");
            continue;
        };
        for headers in ["", "Authorization: Bearer wrong\r\n", "Cookie: ptc-session=guess\r\n"] {
            assert_eq!(send(to, route, &run().await, headers).await, 401, "{what}: {headers}");
        }
        let names_one = route.path.contains("{run}") || route.path.contains("{agent}");
        let is_start = route.id == "start_run";
        if names_one || is_start {
            // It is not told whether there is such an agent or run.
            assert_eq!(send(to, route, &run().await, &outsider).await, 404, "{what}");
            for (has, headers) in &levels {
                let status = send(to, route, &run().await, headers).await;
                assert_eq!(status == 403, *has < needs, "{what} with {has}: {status}");
                assert!(status != 401 && status != 404, "{what} with {has}: {status}");
            }
        }
        if route.path.contains("{run}") {
            let status = send(to, route, &run().await, &owner).await;
            assert!(![401, 403, 404].contains(&status), "{what} of its owner: {status}");
        }
    }
    server.stop().await;
    serving.await.expect("ends");
}

/// M147, M148: a change of the file holds at once, and a file that cannot be read lets nobody in.
#[tokio::test(flavor = "multi_thread")]
async fn wrong_tokens_make_an_address_wait() {
    let folder = tempfile::tempdir().expect("makes a folder");
    let tokens = TokenFile::new(folder.path().join("tokens.toml"));
    let right = tokens.add(&NewToken::new("ada", "view")).expect("adds");
    let store = Store::open(&folder.path().join("runs.sqlite")).expect("opens");
    let (server, to, serving) = start(Arc::new(store), &tokens).await;
    let (method, path) = ("GET".to_owned(), "/v1/agents".to_owned());
    let list = &Route { method, path, id: "list_agents".to_owned(), needs: Some(Level::View) };
    let with = |token: &str| format!("Authorization: Bearer {token}\r\n");
    assert_eq!(send(to, list, "", &with(&right)).await, 200);
    for _ in 0..10 {
        assert_eq!(send(to, list, "", &with("wrong")).await, 401);
    }
    assert_eq!(send(to, list, "", &with("wrong")).await, 429);
    // Others at that address go on.
    assert_eq!(send(to, list, "", &with(&right)).await, 200);
    server.stop().await;
    serving.await.expect("ends");

    // A removed token is refused at once, and a file that cannot be read lets nobody in.
    let store = Store::open(&folder.path().join("more.sqlite")).expect("opens");
    let (server, to, serving) = start(Arc::new(store), &tokens).await;
    assert_eq!(send(to, list, "", &with(&right)).await, 200);
    tokens.remove("ada").expect("removes");
    assert_eq!(send(to, list, "", &with(&right)).await, 401);
    std::fs::write(tokens.path(), "[tokens").expect("writes");
    assert_eq!(send(to, list, "", &with(&right)).await, 503);
    server.stop().await;
    serving.await.expect("ends");
}

#[test]
fn the_file_of_tokens_in_the_guide_is_one() {
    let guide = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/serve.md");
    let guide = std::fs::read_to_string(guide).expect("reads");
    let block = guide.split("```toml\n").nth(1).and_then(|it| it.split("```").next());
    let block = block.expect("has a file of tokens").replace('…', &"0".repeat(64));
    let folder = tempfile::tempdir().expect("makes a folder");
    let path = folder.path().join("tokens.toml");
    std::fs::write(&path, block).expect("writes");
    let tokens = TokenFile::new(path).list().expect("is a file of tokens");
    let [ada] = tokens.as_slice() else { panic!("{tokens:?}") };
    assert_eq!((ada.name.as_str(), ada.roles.as_slice()), ("ada", &["finance".to_owned()][..]));
    assert_eq!(
        (ada.agents.get("report"), ada.owns.as_slice()),
        (Some(&Level::Edit), &["memo".to_owned()][..])
    );
}
