//! Texts of commands and servers in other charsets, and bytes that are not text.

use ptc_subagent::tool::{CallContext, CommandTool, HttpTool, Tool, ToolDef};
use serde_json::json;

use crate::support::{Answer, Server};

/// Calls a tool. Returns the value, or the code and the message of the error.
async fn call(tool: impl Tool + 'static) -> String {
    let tool = ToolDef::new("t", tool);
    match tool.call(json!({}), &CallContext::new("run/1/2")).await {
        Ok(value) => value.to_string(),
        Err(error) => format!("{}: {}", error.kind.code(), error.message),
    }
}

#[tokio::test]
async fn a_command_prints_utf_8() {
    let check = async |script: &str, expected: &str| {
        let tool = CommandTool::new(["sh", "-c", script], "/tmp");
        assert_eq!(call(tool).await, expected, "{script}");
    };
    check("printf '\"caf\\303\\251\"'", "\"café\"").await;
    check("printf '\"caf\\351\"'", "tool-output: printed no text: it is not UTF-8, at byte 4")
        .await;
    check(
        "printf '\\377\\330\\377\\340' >&2; exit 1",
        "tool-failed: exited with code 1: 4 bytes that cannot be shown: it is not UTF-8, at byte 0",
    )
    .await;
}

/// A declared charset is decoded, and everything else is an error with the place of the byte.
#[tokio::test]
async fn an_answer_has_the_charset_that_it_declares() {
    let check = async |status: u16, content_type: &'static str, body: &[u8], expected: &str| {
        let head = format!(
            "HTTP/1.1 {status} Whatever\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n",
            body.len()
        );
        let server = Server::start(vec![Answer::Bytes([head.as_bytes(), body].concat())]).await;
        let tool = HttpTool::new("GET", &format!("{}/t", server.base_url)).unwrap();
        let found = call(tool).await.replace(server.base_url.trim_end_matches("/v1"), "SERVER");
        assert_eq!(found, expected, "{content_type}");
    };
    check(200, "text/plain; charset=iso-8859-1", b"caf\xe9", "\"café\"").await;
    check(200, "application/json; charset=utf-16le", b"[\x001\0]\0", "[1]").await;
    let wrong = "tool-output: GET SERVER/v1/t gave no text: it";
    let at = |why: &str| format!("{wrong} {why}");
    check(200, "text/plain", b"caf\xe9", &at("is not UTF-8, at byte 3")).await;
    check(200, "application/json", b"\"\xff\"", &at("is not UTF-8, at byte 1")).await;
    let unknown = "tool-output: GET SERVER/v1/t gave no text: its charset is unknown";
    check(200, "text/plain; charset=klingon", b"a", unknown).await;
    check(
        400,
        "text/plain; charset=latin1",
        b"caf\xe9",
        "tool-failed: GET SERVER/v1/t gave HTTP 400: café",
    )
    .await;
    let binary = "tool-failed: GET SERVER/v1/t gave HTTP 400: 3 bytes that cannot be shown: it is not UTF-8, at \
                  byte 1";
    check(400, "image/png", b"\0\xff\xfe", binary).await;
}
