//! Servers that offer tools, as agent files name them. The crate that speaks to a server implements [`ToolServers`].

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ptc_lisp::Effect;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Url};
use tokio::io::AsyncReadExt as _;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use tokio::task::JoinHandle;

use super::definition::Implementation;
use super::http::ends_name;
use super::processes::{self, Processes};
use super::selection::source_error;
use super::{CallContext, Selection, TakenTools, Tool, ToolDef, ToolNeeds, ToolPlace, command};
use crate::data::Data;
use crate::error::Error;
use crate::http::client_with;
use crate::provider::BoxFuture;
use crate::record::{ToolError, ToolErrorKind};
use crate::secrets::{Secrets, shown_url};

/// A server of the Model Context Protocol, as an agent file names it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ServerDef {
    /// The name in messages and records.
    pub name: String,
    /// The way to the server.
    pub link: ServerLink,
    /// The OAuth client for an address; `None` if it has no keys of its own.
    pub oauth: Option<OAuthClient>,
    /// The tools to take.
    pub tools: Selection,
    /// The time limit of the start, and then of the list of tools.
    pub start_timeout: Duration,
}

/// The way to a server.
#[derive(Clone, Debug, PartialEq)]
pub enum ServerLink {
    /// A program that speaks over stdin and stdout.
    Program {
        /// The program and its arguments.
        command: Vec<String>,
        /// The folder in which the program starts.
        folder: PathBuf,
        /// The environment variables that the program gets besides `PATH`, `HOME`, `LANG` and `TMPDIR`.
        env: BTreeMap<String, Setting>,
    },
    /// An address that speaks streamable HTTP.
    Url {
        /// The address.
        url: Url,
        /// The headers of each request.
        headers: BTreeMap<String, Setting>,
    },
}

/// The OAuth client that a server's authorization server knows.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OAuthClient {
    /// The id of the client.
    pub id: String,
    /// The secret of the client. With it, the client gets tokens for itself, without a person.
    pub secret: Option<Setting>,
    /// The scopes to ask for. Without them, the server names them.
    pub scopes: Vec<String>,
    /// The authorization server that may get the secret; `None` for any that the server names.
    pub issuer: Option<String>,
}

impl OAuthClient {
    /// Creates a client without a secret.
    pub fn new(id: impl Into<String>) -> OAuthClient {
        OAuthClient { id: id.into(), secret: None, scopes: Vec::new(), issuer: None }
    }

    /// Reads the secret from the environment. Returns `None` if the client has none.
    ///
    /// # Errors
    ///
    /// [`ToolErrorKind::Missing`] if the environment lacks its variable.
    pub fn read_secret(&self) -> Result<Option<String>, ToolError> {
        self.secret.as_ref().map_or(Ok(None), |it| it.value(|_, _| {}))
    }
}

impl ServerDef {
    /// The default time limit of the start.
    pub const DEFAULT_START_TIMEOUT: Duration = Duration::from_secs(30);

    /// Creates the definition of a server. Its tools have the defaults of [`ToolDef`].
    pub fn new(name: impl Into<String>, link: ServerLink) -> ServerDef {
        ServerDef {
            name: name.into(),
            link,
            oauth: None,
            tools: Selection::default(),
            start_timeout: ServerDef::DEFAULT_START_TIMEOUT,
        }
    }

    /// Returns the secrets that the server gets. Every text of the server goes through them.
    pub fn secrets(&self) -> Secrets {
        let mut secrets = Secrets::default();
        if let Some(secret) = self.oauth.as_ref().and_then(|it| it.secret.as_ref()) {
            drop(secret.value(|variable, set| secrets.add(variable, set)));
        }
        // A variable that is missing is an error of the start.
        match &self.link {
            ServerLink::Program { env, .. } => {
                for (name, setting) in env {
                    drop(setting.variable_value(name, &mut secrets));
                }
            }
            ServerLink::Url { url, headers } => {
                secrets.add_url("url", url);
                for (name, setting) in headers {
                    drop(setting.header_value(name, &mut secrets));
                }
            }
        }
        secrets
    }

    /// Makes the tools of the server part of an agent: they name it, and show none of its secrets.
    fn adopt(&self, mut tool: ToolDef) -> ToolDef {
        let secrets = self.secrets();
        tool.server = Some(self.name.clone());
        if let Implementation::Tool(inner) = tool.implementation {
            let secrets = Arc::new(secrets);
            let adopted = ServerTool { inner, link: self.link.clone(), secrets };
            tool.implementation = Implementation::Tool(Arc::new(adopted));
        }
        tool
    }

    /// Returns the tools that the server offers now. Blocks the calling thread.
    pub(crate) fn tools(&self, servers: &dyn ToolServers) -> Result<TakenTools, Error> {
        let source = format!("MCP server `{}`", self.name);
        let tools =
            servers.list(self).map_err(|error| source_error(&source, &self.secrets(), &error))?;
        Ok(TakenTools::distinct(&source, tools.into_iter().map(|tool| self.adopt(tool))))
    }

    /// Returns a tool on record. The server is asked when the tool is first called.
    pub(crate) fn recall(&self, servers: &dyn ToolServers, recorded: ToolDef) -> ToolDef {
        let tool = servers.recall(self, &recorded.name);
        let implementation = Implementation::Tool(Arc::from(tool));
        let (timeout, max_output) = (self.tools.timeout, self.tools.max_output);
        self.adopt(ToolDef { timeout, max_output, implementation, ..recorded })
    }
}

impl ServerLink {
    /// Creates the link to a program.
    pub fn program<T: Into<String>>(
        command: impl IntoIterator<Item = T>,
        folder: impl Into<PathBuf>,
        env: BTreeMap<String, Setting>,
    ) -> ServerLink {
        let folder: PathBuf = folder.into();
        let is_unset = folder.as_os_str().is_empty();
        ServerLink::Program {
            command: command.into_iter().map(Into::into).collect(),
            folder: if is_unset { PathBuf::from(".") } else { folder },
            env,
        }
    }

    /// Creates the link to an address.
    ///
    /// # Errors
    ///
    /// A message, if it is not an address of HTTP, or if the name of a header is invalid.
    pub fn url(url: &str, headers: BTreeMap<String, Setting>) -> Result<ServerLink, String> {
        let parsed = Url::parse(url).ok();
        let parsed =
            parsed.filter(|it| matches!(it.scheme(), "http" | "https") && it.host_str().is_some());
        let Some(parsed) = parsed else {
            return Err(format!("`{}` is not an http or https URL", shown_url(url)));
        };
        let is_valid = |name: &&String| HeaderName::from_bytes(name.as_bytes()).is_ok();
        match headers.keys().find(|name| !is_valid(name)) {
            Some(name) => Err(format!("the header `{name}` has an invalid name")),
            None => Ok(ServerLink::Url { url: parsed, headers }),
        }
    }

    /// Returns the HTTP client for an address, whose requests have the headers.
    ///
    /// # Errors
    ///
    /// [`ToolErrorKind::Missing`] if the environment lacks a variable, or if TLS cannot be set up.
    pub fn client(url: &Url, headers: &BTreeMap<String, Setting>) -> Result<Client, ToolError> {
        let missing = |message: String| ToolError::new(ToolErrorKind::Missing, message);
        let mut map = HeaderMap::new();
        for (name, setting) in headers {
            let value = setting.header_value(name, &mut Secrets::default())?;
            let (Ok(header), Ok(mut value)) =
                (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(&value))
            else {
                return Err(missing(format!("the header `{name}` contains invalid characters")));
            };
            value.set_sensitive(true);
            map.insert(header, value);
        }
        client_with(url, map).map_err(missing)
    }
}

impl ServerProcess {
    /// Starts a program. The caller needs a tokio runtime.
    ///
    /// # Errors
    ///
    /// [`ToolErrorKind::Missing`] if the program does not start, or if the environment lacks a variable.
    pub fn start(
        words: &[String],
        folder: &Path,
        env: &BTreeMap<String, Setting>,
    ) -> Result<ServerProcess, ToolError> {
        let mark = processes::new_mark();
        let mut secrets = Secrets::default();
        let mut command = command::prepare(words, folder)?;
        for (name, setting) in env {
            if let Some(value) = setting.variable_value(name, &mut secrets)? {
                command.env(name, value);
            }
        }
        command.env(processes::MARK, &mark);
        let mut child = command::spawn(&mut command, words, folder)?;
        let processes = Processes::new(child.id(), mark);
        let said = Arc::new(Mutex::new(Vec::new()));
        let reader = child.stderr.take();
        let reader = reader.map(|it| tokio::spawn(keep_end(it, Arc::clone(&said))));
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        Ok(ServerProcess { stdin, stdout, child, processes, said, reader, secrets })
    }
}

/// The connections to MCP servers. The crate `ptc-mcp` implements them.
///
/// [`Agent::read_with`](crate::Agent::read_with) asks for the tools of every server that an agent file names.
pub trait ToolServers: Send + Sync {
    /// Returns the tools that a server offers now, as its definition selects and names them. Blocks the calling thread.
    ///
    /// # Errors
    ///
    /// The reason that the server has no list of tools. The message continues "MCP server `x` …".
    fn list(&self, server: &ServerDef) -> Result<Vec<ToolDef>, ToolError>;

    /// Returns the implementation of a tool that is known from a record by its name in programs. The server is not
    /// asked before the first call.
    fn recall(&self, server: &ServerDef, name: &str) -> Box<dyn Tool>;
}

/// The servers of a host that speaks to none.
pub struct NoServers;

impl ToolServers for NoServers {
    fn list(&self, _: &ServerDef) -> Result<Vec<ToolDef>, ToolError> {
        let error = ToolError::new(ToolErrorKind::Missing, "is not connected");
        Err(error.with_help("read the agent file with `Agent::read_with`"))
    }

    fn recall(&self, _: &ServerDef, _: &str) -> Box<dyn Tool> {
        Box::new(NotConnected)
    }
}

/// A tool of a server that nothing speaks to.
struct NotConnected;

impl Tool for NotConnected {
    fn call<'a>(&'a self, _: Data, _: &'a CallContext) -> BoxFuture<'a, Result<Data, ToolError>> {
        let error =
            ToolError::new(ToolErrorKind::Missing, "is a tool of a server that is not connected");
        Box::pin(std::future::ready(Err(error)))
    }
}

/// A tool of a server. Results and errors show the names of secrets instead of their values.
struct ServerTool {
    inner: Arc<dyn Tool>,
    link: ServerLink,
    secrets: Arc<Secrets>,
}

impl Tool for ServerTool {
    fn call<'a>(
        &'a self,
        args: Data,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<Data, ToolError>> {
        Box::pin(async move {
            let mut cx = cx.clone();
            if let Some(reporter) = &mut cx.reporter {
                reporter.hide(&self.secrets);
            }
            let mut result = self.inner.call(args, &cx).await;
            for secrets in [&*self.secrets, &cx.take_secrets()] {
                match &mut result {
                    Ok(result) => secrets.clean_data(result),
                    Err(error) => secrets.clean_string(&mut error.message),
                }
            }
            result
        })
    }

    fn place(&self) -> Option<ToolPlace<'_>> {
        match &self.link {
            ServerLink::Program { command, folder, .. } => {
                Some(ToolPlace::Command { command, folder })
            }
            ServerLink::Url { url, .. } => Some(ToolPlace::Server {
                host: url.host_str()?.to_string(),
                port: url.port_or_known_default()?,
            }),
        }
    }

    fn needs(&self) -> ToolNeeds {
        let variables = |settings: &BTreeMap<String, Setting>| {
            settings.values().flat_map(Setting::variables).collect()
        };
        match &self.link {
            ServerLink::Program { env, .. } => {
                ToolNeeds { passed_variables: variables(env), ..ToolNeeds::default() }
            }
            ServerLink::Url { headers, .. } => {
                ToolNeeds { header_variables: variables(headers), ..ToolNeeds::default() }
            }
        }
    }

    fn effect(&self) -> Option<Effect> {
        self.inner.effect()
    }
}

/// The value of an environment variable or a header of a server. It may contain variables of our environment.
#[derive(Clone, PartialEq)]
pub struct Setting {
    parts: Vec<Part>,
    /// Whether the variable is left out if our environment lacks one.
    is_optional: bool,
}

#[derive(Clone, PartialEq)]
enum Part {
    Text(String),
    Variable(String),
}

impl Setting {
    /// Creates the value of a variable of our environment. Without it, the server starts without the variable.
    pub fn variable(name: impl Into<String>) -> Setting {
        Setting { parts: vec![Part::Variable(name.into())], is_optional: true }
    }

    /// Creates a value from a text in which `${NAME}` is a variable of our environment, which must be set.
    pub fn template(text: &str) -> Setting {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            let Some((name, after)) = after.split_once('}') else { break };
            parts.extend([Part::Text(before.to_string()), Part::Variable(name.to_string())]);
            rest = after;
        }
        parts.push(Part::Text(rest.to_string()));
        Setting { parts, is_optional: false }
    }

    /// Creates a value from a text in which `$NAME` is a variable of our environment, which must be set.
    pub fn header(text: &str) -> Setting {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            let (name, after) = after.split_at(after.find(ends_name).unwrap_or(after.len()));
            parts.extend([Part::Text(before.to_string()), Part::Variable(name.to_string())]);
            rest = after;
        }
        parts.push(Part::Text(rest.to_string()));
        Setting { parts, is_optional: false }
    }

    /// Returns the names of the variables of our environment in the value.
    pub(super) fn variables(&self) -> impl Iterator<Item = String> {
        self.parts.iter().filter_map(|part| match part {
            Part::Text(_) => None,
            Part::Variable(name) => Some(name.clone()),
        })
    }

    /// Returns the value of an environment variable of a server, and adds its secrets.
    fn variable_value(
        &self,
        name: &str,
        secrets: &mut Secrets,
    ) -> Result<Option<String>, ToolError> {
        let value = self.value(|variable, set| secrets.add_variable(variable, set))?;
        if let Some(value) = &value {
            secrets.add_variable(name, value);
        }
        Ok(value)
    }

    /// Returns the value of a header, and adds its secrets: every variable in it is one.
    pub(super) fn header_value(
        &self,
        name: &str,
        secrets: &mut Secrets,
    ) -> Result<String, ToolError> {
        let value = self.value(|variable, set| secrets.add(variable, set))?.unwrap_or_default();
        secrets.add_header(name, &value);
        Ok(value)
    }

    /// Returns the value, or `None` without an optional variable. `inserted` receives each variable with its value.
    fn value(&self, mut inserted: impl FnMut(&str, &str)) -> Result<Option<String>, ToolError> {
        let mut value = String::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => value.push_str(text),
                Part::Variable(variable) => match std::env::var(variable) {
                    Ok(set) => {
                        inserted(variable, &set);
                        value.push_str(&set);
                    }
                    Err(_) if self.is_optional => return Ok(None),
                    Err(_) => {
                        let message = format!("needs `{variable}`, which the environment lacks");
                        return Err(ToolError::new(ToolErrorKind::Missing, message));
                    }
                },
            }
        }
        Ok(Some(value))
    }
}

impl std::fmt::Debug for Setting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.variables()).finish()
    }
}

/// The program of a server. Dropping it kills the program and every process that it started.
pub struct ServerProcess {
    /// The input of the program, until it is taken.
    pub stdin: Option<ChildStdin>,
    /// The output of the program, until it is taken.
    pub stdout: Option<ChildStdout>,
    child: Child,
    processes: Processes,
    said: Arc<Mutex<Vec<u8>>>,
    /// The task that reads the error output.
    reader: Option<JoinHandle<()>>,
    secrets: Secrets,
}

impl ServerProcess {
    /// Waits until the program has ended by itself, for at most this time.
    pub async fn wait(&mut self, limit: Duration) {
        let end = tokio::time::Instant::now() + limit;
        if let Ok(Ok(_)) = tokio::time::timeout_at(end, self.child.wait()).await {
            self.processes.release();
            if let Some(reader) = self.reader.take() {
                // Another process may still hold the error output.
                drop(tokio::time::timeout_at(end, reader).await);
            }
        }
    }

    /// Returns the end of the program's error output, without secrets. It is empty if there is none.
    pub fn said(&self) -> String {
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let text = super::decode::said(&said, "");
        self.secrets.end(&text, MAX_SAID, said.len() >= KEPT_SAID)
    }
}

impl std::fmt::Debug for ServerProcess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServerProcess").field("child", &self.child).finish_non_exhaustive()
    }
}

/// The maximum size of the error output in a message, in bytes.
const MAX_SAID: usize = 1024;

/// The size of the error output that is kept, in bytes. It exceeds `MAX_SAID`, because a secret that is cut off cannot
/// be found and replaced.
const KEPT_SAID: usize = 16 * 1024;

/// Reads a stream to its end, and keeps the end of it.
async fn keep_end(mut stream: ChildStderr, kept: Arc<Mutex<Vec<u8>>>) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = stream.read(&mut buffer).await {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(buffer.get(..count).unwrap_or_default());
        if kept.len() > 2 * KEPT_SAID {
            let extra = kept.len() - KEPT_SAID;
            kept.drain(..extra);
        }
    }
}
