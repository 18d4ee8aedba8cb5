//! Integers past 64 bits keep every digit, over streams and HTTP, in both directions.

use std::net::SocketAddr;

use ptc_mcp::AgentServer;
use ptc_subagent::tool::CallContext;
use ptc_subagent::{Agent, Data};
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

use super::hostile_servers::agents;
use super::server::{listen, serve};
use super::support::{Place, runtime, tool};

const BIG: &str = "123456789012345678901234567890";

#[test]
fn servers_take_and_give_them() {
    let place = Place::new();
    let effect = "in mid-call, so the call may have had an effect";
    for (way, agent) in agents(&place) {
        let echo = |args: &str| {
            let args: Data = args.parse().unwrap();
            let cx = CallContext::new("key");
            match runtime().block_on(tool(&agent, "echo").call(args, &cx)) {
                Ok(value) => value.to_string(),
                Err(error) => format!("{}: {error}", error.kind.code()),
            }
        };
        for args in [
            r#"{"n":[7,1.5,true,null]}"#.to_string(),
            format!(r#"{{"n":{BIG}}}"#),
            format!(r#"{{"text":{BIG}}}"#),
            format!(
                r#"{{"rows":[{{"n":-{BIG},"\"n\"":18446744073709551616}}],"t":"{BIG}","u":18446744073709551615,"f":1e300,"d":0.12345678901234568}}"#
            ),
            format!(r#"{{"n":{}}}"#, "7".repeat(300)),
        ] {
            let expected = args.parse::<Data>().unwrap().to_string();
            assert_eq!(echo(&args), expected, "{way}");
        }
        let failed = format!(r#"{{"fail":{BIG}}}"#);
        assert_eq!(echo(&failed), format!("tool-failed: {failed}"), "{way}");
        let get = runtime()
            .block_on(tool(&agent, "get").call(json!({"kind": "long"}), &CallContext::new("key")));
        let expected = format!(
            "gave an answer of the wrong form {effect}: result.structuredContent: \
             n[1]: a whole number of over 4,000 digits has no JSON form"
        );
        assert_eq!(get.unwrap_err().to_string(), expected, "{way}");
    }
}

fn server() -> AgentServer {
    let add = Agent::workflow("{:n (inc ctx/n) :m (:m ctx)}")
        .with_name("add")
        .with_signature("(n :int, m :any?) -> {n :int, m :any?}")
        .unwrap();
    let asks = Agent::workflow("(:n (ask {:title \"How many?\" :fields \"(n :int)\"}))")
        .with_name("asks")
        .with_signature("() -> :int")
        .unwrap();
    serve(vec![add, asks]).0
}

fn hello(elicitation: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"2025-11-25","capabilities":{{{elicitation}}},"clientInfo":{{"name":"test","version":"1"}}}}}}"#
    )
}

const READY: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

fn call(agent: &str, args: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{agent}","arguments":{args}}}}}"#
    )
}

/// The arguments of `add`, and the parts of its result.
fn sum() -> (String, [String; 2]) {
    let args = format!(r#"{{"n":{BIG},"m":["{BIG}",{{"a":-{BIG}}}]}}"#);
    let value = format!(r#"{{"n":{}1,"m":["{BIG}",{{"a":-{BIG}}}]}}"#, &BIG[..BIG.len() - 1]);
    let text = json!(value).to_string();
    (args, [format!(r#""structuredContent":{value}"#), format!(r#""text":{text}"#)])
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_of_streams_give_and_take_them() {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (input, output) = tokio::io::split(theirs);
    let server = server();
    tokio::spawn(async move { server.serve_on(input, output).await.unwrap() });
    let (read, mut write) = tokio::io::split(ours);
    let mut lines = BufReader::new(read).lines();
    let (args, expected) = sum();
    for line in [&hello(r#""elicitation":{}"#), READY, &call("add", &args)] {
        write.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }
    let mut next = async || lines.next_line().await.unwrap().unwrap();
    assert!(next().await.contains("serverInfo"));
    let answer = next().await;
    assert!(expected.iter().all(|it| answer.contains(it)), "{answer}");

    // The answer to a question.
    write.write_all(format!("{}\n", call("asks", "{}")).as_bytes()).await.unwrap();
    let asked = next().await;
    let asked: serde_json::Value = serde_json::from_str(&asked).unwrap();
    assert_eq!(asked["method"], "elicitation/create");
    let id = &asked["id"];
    let answer = format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"action":"accept","content":{{"n":{BIG}}}}}}}"#
    );
    write.write_all(format!("{answer}\n").as_bytes()).await.unwrap();
    let answer = next().await;
    assert!(answer.contains(&format!(r#""structuredContent":{{"result":{BIG}}}"#)), "{answer}");
}

/// Sends a message over HTTP. Returns the answer to its end.
async fn post(address: SocketAddr, session: &str, message: &str) -> String {
    let request = format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\n{session}Content-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{message}",
        message.len()
    );
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_of_http_give_and_take_them() {
    let address = listen(&server(), None).await;
    let hello = post(address, "", &hello("")).await;
    let id = hello.split("mcp-session-id: ").nth(1).unwrap().split("\r\n").next().unwrap();
    let session = format!("Mcp-Session-Id: {id}\r\n");
    post(address, &session, READY).await;
    let (args, expected) = sum();
    let answer = post(address, &session, &call("add", &args)).await;
    assert!(expected.iter().all(|it| answer.contains(it)), "{answer}");
}
