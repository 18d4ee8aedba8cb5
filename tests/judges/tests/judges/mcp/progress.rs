//! Progress of the calls of a server, over both ways and in both revisions of the protocol.

use std::io::Write as _;

use ptc_subagent::provider::NoModel;
use ptc_subagent::{Agent, Event, Mission};
use serde_json::json;

use super::http::HttpServer;
use super::support::{Place, runtime};

#[test]
fn progress_of_a_server_reaches_the_observer() {
    for mode in ["usual", "legacy"] {
        let place = Place::new();
        place.write(mode, "mcp = \"servers.json\"");
        check(&place, "reading[31m [API_TOKEN]");

        let place = Place::new();
        let server = HttpServer::start(&place, mode);
        let url = format!("http://127.0.0.1:{}/", server.port);
        place.write(mode, &format!("[[mcp]]\nname = \"desk\"\nurl = \"{url}\""));
        check(&place, "reading[31m");
    }
}

/// Runs a workflow that calls a tool with progress. The server goes on when the observer has logged what it saw.
fn check(place: &Place, first: &str) {
    let agent = place.read(None).unwrap();
    let mut flow = Agent::workflow("(tool/say {:kind \"work\"})");
    flow.tools = agent.tools;
    let mut told = Vec::new();
    let mission = Mission::new(&flow, json!({})).observe(|_, event| {
        if let Event::CallProgress { turn: 1, call, tool, progress } = event {
            told.push(format!("{call} {tool}: {progress}"));
            let log = std::fs::OpenOptions::new().append(true).open(place.path("log"));
            writeln!(log.unwrap(), "saw {progress}").unwrap();
        }
    });
    let report = runtime().block_on(mission.run(&NoModel)).unwrap();
    assert_eq!(report.value, json!("worked"), "{report:?}");
    assert_eq!(told, [format!("0 say: 1/2 {first}"), "0 say: 2/2 writing".to_string()]);
}
