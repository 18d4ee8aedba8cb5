//! Servers of streamable HTTP.

use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::support::{Place, SERVER, call, tool};

/// A server of HTTP in a process of its own, which ends with it.
pub(crate) struct HttpServer {
    process: std::process::Child,
    pub(crate) port: String,
}

impl HttpServer {
    pub(crate) fn start(place: &Place, mode: &str) -> HttpServer {
        let file = place.path("port");
        // A server that follows another has its port.
        let port = std::fs::read_to_string(&file).unwrap_or("0".to_string());
        drop(std::fs::remove_file(&file));
        let mut command = std::process::Command::new(SERVER);
        command.arg(mode).arg(&file).arg(port).env("LOG", place.path("log")).stderr(Stdio::null());
        let mut server = HttpServer { process: command.spawn().unwrap(), port: String::new() };
        let start = Instant::now();
        while server.port.is_empty() {
            assert!(start.elapsed() < Duration::from_secs(20));
            std::thread::sleep(Duration::from_millis(5));
            server.port = std::fs::read_to_string(&file).unwrap_or_default();
        }
        server
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

#[test]
fn servers_speak_http() {
    let effect = "in mid-call, so the call may have had an effect";
    let cases = [
        ("usual", format!("tool-failed: gave no answer {effect}: ")),
        ("legacy", format!("tool-failed: ended {effect}")),
    ];
    for (mode, expected) in &cases {
        let place = Place::new();
        let server = HttpServer::start(&place, mode);
        let url = format!("http://127.0.0.1:{}/", server.port);
        let keys = format!(
            "[[mcp]]\nname = \"desk\"\nurl = \"{url}\"\nheaders = {{ Authorization = \"Bearer $CARGO_PKG_NAME\" }}"
        );
        place.write(mode, &keys);
        let agent = place.read(None).unwrap();
        let sum = || call(tool(&agent, "add"), json!({"a": 1, "b": 2}));
        assert_eq!(sum(), r#"{"sum":3}"#, "{mode}");
        let big = call(tool(&agent, "say"), json!({"kind": "big"}));
        assert!(big.starts_with("tool-too-large: "), "{mode} {big}");
        let hang = tool(&agent, "hang").clone().with_timeout(Duration::from_millis(50));
        assert_eq!(call(&hang, json!({})), "tool-timeout: gave no result within 50ms", "{mode}");
        place.wait_for("cancelled");
        let requests = place.log();
        assert!(requests.contains(&"POST Bearer ptc-judges".to_string()), "{requests:?}");
        let crash = call(tool(&agent, "crash"), json!({}));
        assert!(crash.starts_with(expected), "{mode} {crash}");
        let gone = call(tool(&agent, "add"), json!({"a": 1, "b": 2}));
        assert!(gone.starts_with("tool-"), "{mode} {gone}");
        drop(server);
        let _server = HttpServer::start(&place, mode);
        assert_eq!(sum(), r#"{"sum":3}"#, "{mode}");
    }
}

#[test]
fn servers_of_http_that_refuse_are_unusable() {
    let cases = [
        ("away", "did not start: unexpected server response: HTTP 307 Temporary Redirect:"),
        (
            "locked",
            "did not start: needs authorization: log in with `ptc mcp login`, or give it a token in `headers`",
        ),
    ];
    for (mode, expected) in cases {
        let place = Place::new();
        let server = HttpServer::start(&place, mode);
        let url = format!("http://127.0.0.1:{}/", server.port);
        place.write(mode, &format!("[[mcp]]\nname = \"desk\"\nurl = \"{url}\""));
        let error = place.read(None).unwrap_err();
        assert_eq!(error.message(), format!("MCP server `desk` {expected}"), "{mode}");
        drop(server);
        let error = place.read(None).unwrap_err();
        let expected = "MCP server `desk` did not start: cannot be reached: ";
        assert!(error.message().starts_with(expected), "{mode} {error}");
    }
}

#[test]
fn a_file_of_servers_names_addresses() {
    let place = Place::new();
    let server = HttpServer::start(&place, "usual");
    place.write("usual", "mcp = \"servers.json\"");
    let address = |kind: &str, url: &str, headers: Value| {
        let servers =
            json!({"mcpServers": {"desk": {"type": kind, "url": url, "headers": headers}}});
        std::fs::write(place.path("servers.json"), servers.to_string()).unwrap();
        match place.read(None) {
            Ok(agent) => format!("{} tools", agent.tools.len()),
            Err(error) => place.shown(error.message()),
        }
    };
    let url = format!("http://127.0.0.1:{}/", server.port);
    assert_eq!(
        address("http", &url, json!({"Authorization": "Bearer ${CARGO_PKG_NAME}"})),
        "5 tools"
    );
    assert!(place.log().contains(&"POST Bearer ptc-judges".to_string()));
    let cannot = "cannot read the MCP servers in `FOLDER/servers.json`: `desk`";
    assert_eq!(
        address("sse", &url, json!({})),
        format!("{cannot} has the transport `sse`, which is not supported")
    );
    assert_eq!(
        address("http", "ftp://user:password@host/", json!({})),
        format!("{cannot}: `ftp://host/` is not an http or https URL")
    );
    assert_eq!(
        address("http", &url, json!({"a b": "c"})),
        format!("{cannot}: the header `a b` has an invalid name")
    );
    assert_eq!(
        address("http", &url, json!({"A": "${NO_SUCH_VARIABLE}"})),
        "MCP server `desk` needs `NO_SUCH_VARIABLE`, which the environment lacks"
    );
}
