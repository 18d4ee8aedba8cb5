//! A folder with an agent file and the server of the tests, and calls of its tools.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use ptc_mcp::Servers;
use ptc_subagent::store::{RunRecord, Store};
use ptc_subagent::tool::{CallContext, ToolDef};
use ptc_subagent::{Agent, Error};
use serde_json::{Value, json};

pub(crate) const SERVER: &str = env!("CARGO_BIN_EXE_mcp-server");

/// A folder with an agent file and the log of its server.
pub(crate) struct Place {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) servers: Servers,
}

impl Place {
    pub(crate) fn new() -> Place {
        Place { folder: tempfile::tempdir().unwrap(), servers: Servers::new() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes an agent file whose keys follow a prompt, and a file of servers with one in this mode.
    pub(crate) fn write(&self, mode: &str, keys: &str) {
        let env = json!({
            "LOG": self.path("log"),
            "GONE": self.path("gone"),
            "API_TOKEN": "token-of-the-server",
            "HOME_COPY": "${HOME}",
        });
        let server = json!({"command": SERVER, "args": [mode], "env": env, "type": "stdio"});
        let off = json!({"command": "missing", "disabled": true});
        let servers = json!({"mcpServers": {"desk": server, "off": off}});
        std::fs::write(self.path("servers.json"), servers.to_string()).unwrap();
        let text = format!("prompt = \"Work.\"\n{keys}").replace("SERVER", SERVER);
        std::fs::write(self.path("agent.toml"), text).unwrap();
    }

    pub(crate) fn read(&self, record: Option<&RunRecord>) -> Result<Agent, Error> {
        Agent::read_with(&self.path("agent.toml"), &self.servers, record)
    }

    /// Reads the agent of a server in this mode.
    pub(crate) fn agent(&self, mode: &str) -> Agent {
        self.write(mode, "mcp = \"servers.json\"");
        self.read(None).unwrap()
    }

    pub(crate) fn log(&self) -> Vec<String> {
        let log = std::fs::read_to_string(self.path("log")).unwrap_or_default();
        log.lines().map(str::to_string).collect()
    }

    /// Waits until the log ends with a line.
    pub(crate) fn wait_for(&self, line: &str) {
        let start = Instant::now();
        while self.log().last().is_none_or(|it| it != line) {
            assert!(start.elapsed() < Duration::from_secs(20), "{line}: {:?}", self.log());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Returns an error without the paths of the folder and the server.
    pub(crate) fn shown(&self, text: &str) -> String {
        let folder = self.folder.path().to_string_lossy().into_owned();
        text.replace(&*folder, "FOLDER").replace(SERVER, "SERVER")
    }
}

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

pub(crate) fn tool<'a>(agent: &'a Agent, name: &str) -> &'a ToolDef {
    agent.tools.iter().find(|it| it.name == name).unwrap()
}

/// Calls a tool in a runtime of its own. Returns the result as JSON, or the code and message of the error.
pub(crate) fn call(tool: &ToolDef, args: Value) -> String {
    let cx = CallContext::new("key");
    match runtime().block_on(tool.call(args, &cx)) {
        Ok(value) => value.to_string(),
        Err(error) => format!("{}: {error}", error.kind.code()),
    }
}

/// Returns the record of the newest run.
pub(crate) fn record(store: &Store) -> RunRecord {
    let run = store.runs(1).unwrap().remove(0).run;
    store.show(run.as_str()).unwrap()
}
