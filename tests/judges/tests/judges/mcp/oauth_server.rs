//! A server of HTTP with its own authorization server, both small.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// The secret of the client `desk`: the value of `CARGO_PKG_NAME` in tests.
pub(crate) const SECRET: &str = env!("CARGO_PKG_NAME");

/// The behaviour and the log of a server.
#[derive(Default)]
pub(crate) struct State {
    /// The requests to the authorization server, and the calls of tools.
    pub(crate) log: Vec<String>,
    /// The lifetime of tokens, in seconds.
    pub(crate) lifetime: Option<u64>,
    /// Whether the server names its authorization server.
    pub(crate) is_hidden: bool,
    /// The address for browsers, if it is another.
    pub(crate) login_at: Option<String>,
    /// The address of its metadata, if it is another.
    pub(crate) metadata_at: Option<String>,
    /// The address of its authorization server, if it is another.
    pub(crate) issuer_at: Option<String>,
    /// The valid access tokens.
    pub(crate) tokens: BTreeSet<String>,
    /// The scope that calls need besides.
    pub(crate) needs: Option<String>,
    /// The scopes of the last login.
    granted: String,
    /// The number of tokens so far.
    count: u32,
    /// The challenge of each code that a person has allowed.
    codes: BTreeMap<String, String>,
}

/// A server. It ends with the process.
pub(crate) struct OAuthServer {
    pub(crate) base: String,
    pub(crate) state: Arc<Mutex<State>>,
}

/// A request: method, path with query, the token, and the body.
struct Request {
    method: String,
    target: String,
    token: String,
    body: String,
}

/// A status, further headers and a body.
type Answer = (u16, String, String);

impl OAuthServer {
    pub(crate) fn start() -> OAuthServer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let state: Arc<Mutex<State>> = Arc::default();
        let (shared, own) = (Arc::clone(&state), base.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (state, base) = (Arc::clone(&shared), own.clone());
                std::thread::spawn(move || serve(&stream.unwrap(), &base, &state));
            }
        });
        OAuthServer { base, state }
    }

    pub(crate) fn url(&self) -> String {
        format!("{}/mcp", self.base)
    }

    pub(crate) fn log(&self) -> Vec<String> {
        self.state.lock().unwrap().log.clone()
    }
}

/// Answers one request.
fn serve(mut stream: &TcpStream, base: &str, state: &Mutex<State>) {
    let Some(request) = read(stream) else { return };
    let (status, headers, body) = state.lock().unwrap().answer(&request, base);
    let head = format!(
        "HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Type: application/json\r\n{headers}Content-Length: {}\r\n\r\n",
        body.len()
    );
    drop(stream.write_all((head + &body).as_bytes()));
}

fn read(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split(' ').map(str::to_string);
    let (method, target) = (words.next()?, words.next()?);
    let (mut token, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        match name.to_ascii_lowercase().as_str() {
            "authorization" => token = value.trim_start_matches("Bearer ").to_string(),
            "content-length" => length = value.parse().ok()?,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Request { method, target, token, body: String::from_utf8(body).ok()? })
}

/// Reads a form or a query. The tests need no escapes other than those of addresses.
fn form(text: &str) -> BTreeMap<String, String> {
    let plain = |it: &str| it.replace("%3A", ":").replace("%2F", "/").replace('+', " ");
    let pairs = text.split('&').filter_map(|it| it.split_once('='));
    pairs.map(|(name, value)| (name.to_string(), plain(value))).collect()
}

fn ok(body: &Value) -> Answer {
    (200, String::new(), body.to_string())
}

impl State {
    /// Forgets its tokens, so that none can be renewed.
    pub(crate) fn forget(&mut self) {
        self.tokens.clear();
        self.count += 1;
    }

    fn answer(&mut self, request: &Request, base: &str) -> Answer {
        let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
        match (request.method.as_str(), path) {
            ("GET", "/.well-known/oauth-protected-resource/mcp") if !self.is_hidden => ok(&json!({
                "resource": format!("{base}/mcp"),
                "authorization_servers": [self.issuer_at.as_deref().unwrap_or(base)],
                "scopes_supported": ["desk.read", "desk.write"],
            })),
            ("GET", "/.well-known/oauth-authorization-server") if !self.is_hidden => ok(&json!({
                "issuer": base,
                "authorization_endpoint":
                    self.login_at.clone().unwrap_or_else(|| format!("{base}/authorize")),
                "token_endpoint": format!("{base}/token"),
                "registration_endpoint": format!("{base}/register"),
                "response_types_supported": ["code"],
                "code_challenge_methods_supported": ["S256"],
                "token_endpoint_auth_methods_supported": ["client_secret_post", "none"],
            })),
            ("POST", "/register") => {
                let asked: Value = serde_json::from_str(&request.body).unwrap();
                self.log.push(format!("register {}", asked["client_name"]));
                let uris = &asked["redirect_uris"];
                (
                    201,
                    String::new(),
                    json!({"client_id": "made", "redirect_uris": uris}).to_string(),
                )
            }
            ("GET", "/authorize") => self.authorize(&form(query)),
            ("POST", "/token") => self.token(&form(&request.body)),
            ("POST", "/mcp") if self.tokens.contains(&request.token) => self.call(request),
            (_, "/mcp") if request.method == "POST" => {
                let usual = || format!("{base}/.well-known/oauth-protected-resource/mcp");
                let metadata = self.metadata_at.clone().unwrap_or_else(usual);
                let header =
                    format!("WWW-Authenticate: Bearer resource_metadata=\"{metadata}\"\r\n");
                (401, header, String::new())
            }
            _ => (404, String::new(), String::new()),
        }
    }

    /// Sends the browser of a person who agrees back to the client.
    fn authorize(&mut self, asked: &BTreeMap<String, String>) -> Answer {
        let (client, scope) = (&asked["client_id"], &asked["scope"]);
        self.log.push(format!("authorize {client} scope={scope}"));
        assert_eq!(asked["code_challenge_method"], "S256");
        self.granted.clone_from(scope);
        let code = format!("code-{}", self.codes.len());
        self.codes.insert(code.clone(), asked["code_challenge"].clone());
        let back = format!("{}?code={code}&state={}", asked["redirect_uri"], asked["state"]);
        (302, format!("Location: {back}\r\n"), String::new())
    }

    /// Gives a token for a secret, a code or a refresh token.
    fn token(&mut self, asked: &BTreeMap<String, String>) -> Answer {
        let get = |name: &str| asked.get(name).cloned().unwrap_or_default();
        let grant = get("grant_type");
        self.log.push(format!(
            "token {grant} {} scope={} resource=/{}",
            get("client_id"),
            get("scope"),
            get("resource").rsplit('/').next().unwrap_or_default()
        ));
        let is_allowed = match grant.as_str() {
            "client_credentials" => get("client_secret") == SECRET && get("client_id") == "desk",
            "authorization_code" => {
                !get("code_verifier").is_empty() && self.codes.remove(&get("code")).is_some()
            }
            "refresh_token" => get("refresh_token") == format!("refresh-{}", self.count),
            _ => false,
        };
        if !is_allowed {
            let why = format!("no such client, it sent {}", get("client_secret"));
            let error = json!({"error": "invalid_grant", "error_description": why});
            return (400, String::new(), error.to_string());
        }
        self.count += 1;
        let token = format!("access-token-{}", self.count);
        self.tokens.insert(token.clone());
        let mut answer = json!({"access_token": token, "token_type": "Bearer"});
        if let Some(lifetime) = self.lifetime {
            answer["expires_in"] = json!(lifetime);
        }
        if grant != "client_credentials" {
            answer["refresh_token"] = json!(format!("refresh-{}", self.count));
        }
        ok(&answer)
    }

    /// Answers a request of the protocol, in its older revision.
    fn call(&mut self, request: &Request) -> Answer {
        let asked: Value = serde_json::from_str(&request.body).unwrap();
        let reply =
            |result: Value| ok(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": result}));
        match asked["method"].as_str().unwrap_or_default() {
            "initialize" => reply(json!({
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "desk", "version": "1"},
            })),
            "tools/list" => reply(json!({"tools": [
                {"name": "who", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}}]})),
            "tools/call"
                if let Some(scope) = &self.needs
                    && !self.granted.contains(scope.as_str()) =>
            {
                let header = format!(
                    "WWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"{scope}\"\r\n"
                );
                (403, header, String::new())
            }
            "tools/call" => {
                self.log.push("call".to_string());
                let text = format!("you sent {}", request.token);
                reply(json!({"content": [{"type": "text", "text": text}]}))
            }
            _ if asked["id"].is_null() => (202, String::new(), String::new()),
            _ => {
                let error = json!({"code": -32601, "message": "unknown"});
                ok(&json!({"jsonrpc": "2.0", "id": asked["id"], "error": error}))
            }
        }
    }
}
