//! The MCP servers of an agent file: the keys of `[[mcp]]`, and files in the form of other clients.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::de::value::SeqAccessDeserializer;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::key_values::{Seconds, set};
use super::settings::Agent;
use super::source::Source;
use super::tool_file::is_variable;
use crate::error::{Error, ErrorKind};
use crate::files::{MAX_FILE, read_text};
use crate::tool::{
    Effect, OAuthClient, ServerDef, ServerLink, Setting, TakenTools, ToolDef, ToolServers,
};

/// The value of `mcp`.
#[derive(Default)]
pub(super) enum ServersFile {
    #[default]
    None,
    /// The tables `[[mcp]]`.
    Tables(Vec<ServerFile>),
    /// A file with `mcpServers`.
    File(PathBuf),
}

impl<'de> Deserialize<'de> for ServersFile {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<ServersFile, D::Error> {
        struct Servers;

        impl<'de> Visitor<'de> for Servers {
            type Value = ServersFile;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("tables `[[mcp]]` or the path of a file")
            }

            fn visit_str<E>(self, path: &str) -> Result<ServersFile, E> {
                Ok(ServersFile::File(PathBuf::from(path)))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, tables: A) -> Result<ServersFile, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(tables)).map(ServersFile::Tables)
            }
        }
        from.deserialize_any(Servers)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "the keys of an MCP server")]
pub(super) struct ServerFile {
    name: String,
    #[serde(default)]
    command: Vec<String>,
    #[serde(default)]
    env: Vec<String>,
    url: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    oauth: Option<OAuthFile>,
    allow: Option<Vec<String>>,
    #[serde(default)]
    deny: Vec<String>,
    prefix: Option<String>,
    #[serde(default)]
    effects: BTreeMap<String, Effect>,
    timeout: Option<Seconds>,
    start_timeout: Option<Seconds>,
    max_output: Option<usize>,
    trust: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "the keys of an OAuth client")]
struct OAuthFile {
    client_id: String,
    client_secret: Option<String>,
    #[serde(default)]
    scopes: Vec<String>,
    issuer: Option<String>,
}

impl OAuthFile {
    /// Makes the client. The error is the key with its problem.
    fn client(self) -> Result<OAuthClient, (&'static str, String)> {
        let mut client = OAuthClient::new(self.client_id);
        if client.id.trim().is_empty() {
            return Err(("client_id", "is empty".to_string()));
        }
        if let Some(secret) = self.client_secret {
            let is_named = secret.strip_prefix('$').is_some_and(is_variable);
            if !is_named {
                let message = "is not a variable of the environment, such as `$CLIENT_SECRET`";
                return Err(("client_secret", message.to_string()));
            }
            client.secret = Some(Setting::header(&secret));
        }
        if let Some(scope) = self.scopes.iter().find(|it| it.split_whitespace().count() != 1) {
            return Err(("scopes", format!("has `{scope}`, which is not one word")));
        }
        (client.scopes, client.issuer) = (self.scopes, self.issuer);
        Ok(client)
    }
}

/// A file with servers in the form of other clients. Keys that only other clients know are ignored.
#[derive(Deserialize)]
struct ClientFile {
    #[serde(rename = "mcpServers")]
    servers: serde_json::Map<String, Value>,
}

#[derive(Deserialize)]
struct ClientServer {
    command: Option<String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    cwd: Option<PathBuf>,
    url: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    disabled: bool,
}

impl Agent {
    /// Adds the tools of the MCP servers that a file with `mcpServers` names, the form of other clients. The name of a tool
    /// begins with that of its server: `notes/search`. Blocks the calling thread.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::AgentFile`] if the file is malformed; [`ErrorKind::Server`] if a server does not start or has no list
    /// of tools.
    pub fn with_servers(mut self, path: &Path, servers: &dyn ToolServers) -> Result<Agent, Error> {
        self.tools.extend(tools_of_file(path, servers)?);
        Ok(self)
    }
}

impl Source<'_> {
    /// Returns the tools of the servers that a file names. A server with tools on record is not asked.
    pub(super) fn server_tools(
        &self,
        file: ServersFile,
        folder: &Path,
    ) -> Result<TakenTools, Error> {
        let named: Vec<(String, ServerDef)> = match file {
            ServersFile::None => return Ok(TakenTools::default()),
            ServersFile::Tables(tables) => {
                let tables = tables.into_iter().enumerate();
                let read = tables.map(|(index, table)| self.server(table, index, folder));
                read.collect::<Result<_, _>>()?
            }
            ServersFile::File(path) => {
                let read = client_servers(&folder.join(&path)).map_err(|error| {
                    let path = path.to_string_lossy();
                    self.locate(error, None, "mcp", &path, 0)
                })?;
                read.into_iter().map(|server| ("mcp".to_string(), server)).collect()
            }
        };
        let mut taken = TakenTools::default();
        for (index, (place, server)) in named.iter().enumerate() {
            let wrong = |error| self.locate(error, None, place, &server.name, 0);
            if named.iter().take(index).any(|(_, other)| other.name == server.name) {
                let message = format!("two MCP servers are named `{}`", server.name);
                return Err(wrong(Error::new(ErrorKind::AgentFile, message)));
            }
            let known = self.recorded_tools(&server.name);
            let known: Vec<ToolDef> =
                known.map(|tool| server.recall(self.servers, tool.clone())).collect();
            if known.is_empty() {
                let more = server.tools(self.servers).map_err(wrong)?;
                taken.tools.extend(more.tools);
                taken.left_out.extend(more.left_out);
            } else {
                taken.tools.extend(known);
            }
        }
        Ok(taken)
    }

    /// Returns the tools on record of a server or an API.
    pub(super) fn recorded_tools(&self, name: &str) -> impl Iterator<Item = &ToolDef> {
        let of_server = move |tool: &&ToolDef| tool.server.as_deref() == Some(name);
        self.recorded.iter().flat_map(|agent| &agent.tools).filter(of_server)
    }

    /// Makes the server of the table at `index`. Returns the place of the table with it.
    fn server(
        &self,
        file: ServerFile,
        index: usize,
        folder: &Path,
    ) -> Result<(String, ServerDef), Error> {
        let name = file.name;
        let wrong = |key: &str, message: String| {
            let error = Error::new(ErrorKind::AgentFile, message);
            let value = if self.is_json { name.as_str() } else { "" };
            Err(self.locate(error, None, &format!("mcp.{index}.{key}"), value, 0))
        };
        if name.trim().is_empty() || name.contains(char::is_control) {
            return wrong(
                "name",
                "the `name` of an MCP server is empty or has a control character".to_string(),
            );
        }
        if let Some(variable) = file.env.iter().find(|it| !is_variable(it)) {
            let message = format!(
                "`env` of MCP server `{name}` has `{variable}`, which is not a name of a variable"
            );
            return wrong("env", message);
        }
        let link = match &file.url {
            Some(_) if !file.command.is_empty() => {
                let message = format!(
                    "MCP server `{name}` has both `command` and `url`: only one is allowed"
                );
                return wrong("url", message);
            }
            Some(_) if !file.env.is_empty() => {
                let message =
                    format!("MCP server `{name}` has a `url` and `env`, which is for a `command`");
                return wrong("env", message);
            }
            Some(url) => {
                let headers = file.headers.into_iter();
                let headers = headers.map(|(name, value)| (name, Setting::header(&value)));
                match ServerLink::url(url, headers.collect()) {
                    Ok(link) => link,
                    Err(why) => return wrong("url", format!("MCP server `{name}`: {why}")),
                }
            }
            None if !file.headers.is_empty() => {
                return wrong(
                    "headers",
                    format!("MCP server `{name}` has no `url` for its headers"),
                );
            }
            None if file.command.first().is_none_or(|program| program.trim().is_empty()) => {
                return wrong(
                    "command",
                    format!("MCP server `{name}` has no `command` and no `url`"),
                );
            }
            None => {
                let env = file.env.into_iter().map(|it| (it.clone(), Setting::variable(it)));
                ServerLink::program(file.command, folder, env.collect())
            }
        };
        let is_address = matches!(link, ServerLink::Url { .. });
        let mut server = ServerDef::new(&name, link);
        if let Some(oauth) = file.oauth {
            if !is_address {
                return wrong("oauth", format!("MCP server `{name}` has no `url` for its `oauth`"));
            }
            server.oauth = Some(match oauth.client() {
                Ok(client) => client,
                Err((key, why)) => {
                    let message = format!("`oauth.{key}` of MCP server `{name}` {why}");
                    return wrong(&format!("oauth.{key}"), message);
                }
            });
        }
        let tools = &mut server.tools;
        tools.allow = file.allow;
        tools.deny = file.deny;
        set(&mut tools.prefix, file.prefix);
        tools.effects = file.effects;
        tools.trust = file.trust;
        set(&mut tools.timeout, file.timeout);
        set(&mut tools.max_output, file.max_output);
        set(&mut server.start_timeout, file.start_timeout);
        Ok((format!("mcp.{index}"), server))
    }
}

/// Returns the tools of the servers that a file in the form of other clients names. The name of a tool begins with that of
/// its server: `notes/search`.
fn tools_of_file(path: &Path, servers: &dyn ToolServers) -> Result<Vec<ToolDef>, Error> {
    let mut tools = Vec::new();
    for mut server in client_servers(path)? {
        server.tools.prefix = format!("{}/", server.name);
        tools.extend(server.tools(servers)?.tools);
    }
    Ok(tools)
}

/// Reads the servers of a file in the form of other clients, in its order.
fn client_servers(path: &Path) -> Result<Vec<ServerDef>, Error> {
    let name = path.display();
    let wrong = |why: String| {
        Error::new(ErrorKind::AgentFile, format!("cannot read the MCP servers in `{name}`: {why}"))
    };
    let text = read_text(path, MAX_FILE).map_err(wrong)?;
    let file: ClientFile = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut servers = Vec::new();
    for (name, server) in file.servers {
        let server: ClientServer =
            serde_json::from_value(server).map_err(|error| wrong(format!("`{name}`: {error}")))?;
        if server.disabled {
            continue;
        }
        let settings = |texts: BTreeMap<String, String>| {
            texts.into_iter().map(|(name, value)| (name, Setting::template(&value))).collect()
        };
        let link = match (server.command, server.url) {
            (Some(program), _) => {
                if let Some(variable) = server.env.keys().find(|it| !is_variable(it)) {
                    let message = format!("`{name}`: `{variable}` is not a name of a variable");
                    return Err(wrong(message));
                }
                let command = std::iter::once(program).chain(server.args);
                let folder = server.cwd.map_or_else(|| folder.to_path_buf(), |it| folder.join(it));
                ServerLink::program(command, folder, settings(server.env))
            }
            (None, Some(_)) if server.kind == "sse" => {
                let message = format!("`{name}` has the transport `sse`, which is not supported");
                return Err(wrong(message));
            }
            (None, Some(url)) => ServerLink::url(&url, settings(server.headers))
                .map_err(|why| wrong(format!("`{name}`: {why}")))?,
            (None, None) => return Err(wrong(format!("`{name}` has no `command` and no `url`"))),
        };
        servers.push(ServerDef::new(name, link));
    }
    Ok(servers)
}
