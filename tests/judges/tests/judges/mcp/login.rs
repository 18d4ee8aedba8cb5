//! Logins of a person to servers: the way through a browser, the file of tokens, and their renewal.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use ptc_mcp::{LoginOptions, Logins, Servers, login, logout};
use ptc_subagent::tool::{OAuthClient, ServerDef, ServerLink, Setting};
use serde_json::{Value, json};

use super::oauth_server::{OAuthServer, SECRET};
use super::support::{Place, call, runtime, tool};

/// A folder whose agent has a server, and the logins beside it.
struct Desk {
    place: Place,
    server: OAuthServer,
    logins: Logins,
    def: ServerDef,
    options: LoginOptions,
}

impl Desk {
    fn new() -> Desk {
        let (mut place, server) = (Place::new(), OAuthServer::start());
        let logins = Logins::in_file(place.path("state/logins.json"));
        place.servers = Servers::new().with_logins(logins.clone());
        place.write("usual", &format!("[[mcp]]\nname = \"desk\"\nurl = \"{}\"", server.url()));
        let def = ServerDef::new("desk", ServerLink::url(&server.url(), BTreeMap::new()).unwrap());
        Desk { place, server, logins, def, options: LoginOptions::default() }
    }

    /// Logs in. `browser` gets the address in a thread of its own. Returns the error.
    fn login(&self, browser: impl FnOnce(&str) + Send + 'static) -> Result<(), String> {
        let show = |address: &str| {
            let address = address.to_string();
            std::thread::spawn(move || browser(&address));
        };
        let done = runtime().block_on(login(&self.def, &self.logins, &self.options, show));
        done.map_err(|error| error.message().replace(&self.server.base, "BASE"))
    }

    /// Calls the tool of the server with the agent file. Returns the result or the error.
    fn who(&self) -> String {
        match self.place.read(None) {
            Ok(agent) => call(tool(&agent, "who"), json!({})),
            Err(error) => error.message().to_string(),
        }
    }

    fn file(&self) -> Value {
        let text = std::fs::read_to_string(self.place.path("state/logins.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    }
}

/// Gets an address, and returns its status line, its `Location` and its body.
fn get(address: &str) -> (String, String, String) {
    let rest = address.strip_prefix("http://").unwrap();
    let (host, target) = rest.split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET /{target} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let location = head.lines().find_map(|it| it.strip_prefix("Location: ")).unwrap_or_default();
    (head.lines().next().unwrap().to_string(), location.to_string(), body.to_string())
}

/// A browser whose user agrees.
fn agrees(address: &str) {
    let (_, back, _) = get(address);
    let (status, _, page) = get(&back);
    assert_eq!(status, "HTTP/1.1 200 OK");
    assert_eq!(page, "You can close this page and go back to the terminal.");
}

const UNAUTHORIZED: &str = "MCP server `desk` did not start: needs authorization: log in with `ptc mcp login`, or \
    give it a token in `headers`";

#[test]
fn a_person_logs_in_and_out() {
    let desk = Desk::new();
    assert_eq!(desk.who(), UNAUTHORIZED);
    desk.login(agrees).unwrap();
    assert_eq!(desk.who(), "\"you sent [access token]\"");
    let expected = [
        "register \"ptc\"",
        "authorize made scope=desk.read desk.write",
        "token authorization_code made scope= resource=/mcp",
        "call",
    ];
    assert_eq!(desk.server.log(), expected);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let metadata = std::fs::metadata(desk.place.path("state/logins.json")).unwrap();
        assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    }
    let mut entry = desk.file()[desk.server.url()]["credentials"].clone();
    assert!(entry["token_received_at"].as_u64().is_some());
    entry.as_object_mut().unwrap().remove("token_received_at");
    let expected = json!({
        "client_id": "made",
        "token_response":
            {"access_token": "access-token-1", "token_type": "bearer", "refresh_token": "refresh-1"},
        "granted_scopes": ["desk.read", "desk.write"],
        "issuer": desk.server.base,
    });
    assert_eq!(entry, expected);

    // Without logins, the same file of an agent is unusable.
    let mut other = Place::new();
    other.servers = Servers::new();
    std::fs::copy(desk.place.path("agent.toml"), other.path("agent.toml")).unwrap();
    assert_eq!(other.read(None).unwrap_err().message(), UNAUTHORIZED);

    let out = || runtime().block_on(logout(&desk.def, &desk.logins)).unwrap();
    assert!(out());
    assert!(!out());
    assert_eq!(desk.file(), json!({}));
    assert_eq!(desk.who(), UNAUTHORIZED);
}

#[test]
fn tokens_of_a_login_are_renewed() {
    let desk = Desk::new();
    desk.login(agrees).unwrap();
    // The server does not accept the token any more.
    let agent = desk.place.read(None).unwrap();
    desk.server.state.lock().unwrap().tokens.clear();
    assert_eq!(call(tool(&agent, "who"), json!({})), "\"you sent [access token]\"");
    assert_eq!(desk.server.log()[3..], ["token refresh_token made scope= resource=/mcp", "call"]);
    let kept = &desk.file()[desk.server.url()]["credentials"]["token_response"];
    assert_eq!(
        (&kept["access_token"], &kept["refresh_token"]),
        (&json!("access-token-2"), &json!("refresh-2"))
    );
    drop(agent);

    // A token that is about to expire is renewed before it is used.
    let desk = Desk::new();
    desk.server.state.lock().unwrap().lifetime = Some(0);
    desk.login(agrees).unwrap();
    assert_eq!(desk.who(), "\"you sent [access token]\"");
    let log = desk.server.log();
    assert!(
        log[3..].contains(&"token refresh_token made scope= resource=/mcp".to_string()),
        "{log:?}"
    );

    // The authorization server refuses to renew it.
    desk.server.state.lock().unwrap().forget();
    assert_eq!(desk.who(), UNAUTHORIZED);
}

#[test]
fn a_login_that_fails_keeps_nothing() {
    let desk = Desk::new();
    let refuses = |address: &str| {
        let redirect = parameter(address, "redirect_uri");
        let state = parameter(address, "state");
        // Requests that do not belong to the login are turned away.
        for other in ["/", "/favicon.ico", "/callback?code=x&state=wrong", "/callback"] {
            let (status, _, _) = get(&redirect.replace("/callback", other));
            assert_eq!(status, "HTTP/1.1 404 Not Found", "{other}");
        }
        let (_, _, page) = get(&format!(
            "{redirect}?error=access_denied&error_description=no%20way%1B&state={state}"
        ));
        assert_eq!(page, "The login was refused. You can close this page.");
    };
    let cannot = "cannot log in to MCP server `desk`:";
    assert_eq!(desk.login(refuses), Err(format!("{cannot} it was refused: no way")));
    // A code that the server does not know.
    let forges = |address: &str| {
        let redirect = parameter(address, "redirect_uri");
        get(&format!("{redirect}?code=forged&state={}", parameter(address, "state")));
    };
    let error = desk.login(forges).unwrap_err();
    assert!(error.starts_with(&format!("{cannot} OAuth token exchange failed: ")), "{error}");
    assert!(!desk.place.path("state/logins.json").exists());

    let program = ServerDef::new("desk", ServerLink::program(["x"], "", BTreeMap::new()));
    let error =
        runtime().block_on(login(&program, &desk.logins, &desk.options, |_| {})).unwrap_err();
    assert_eq!(error.message(), format!("{cannot} it is a program, which needs no login"));
    std::fs::create_dir_all(desk.place.path("state")).unwrap();
    std::fs::write(desk.place.path("state/logins.json"), "{").unwrap();
    assert!(
        desk.who().starts_with("MCP server `desk` gives no access: cannot read the logins in `")
    );
}

fn parameter(address: &str, name: &str) -> String {
    let query = address.split_once('?').unwrap().1;
    let pair = query.split('&').find_map(|it| it.strip_prefix(&format!("{name}=")));
    pair.unwrap().replace("%3A", ":").replace("%2F", "/")
}

#[test]
fn a_known_client_logs_in_with_its_secret_and_scopes() {
    let mut desk = Desk::new();
    let mut client = OAuthClient::new("desk");
    client.secret = Some(Setting::header("$CARGO_PKG_NAME"));
    client.scopes = vec!["desk.read".to_string()];
    client.issuer = Some(desk.server.base.clone());
    desk.def.oauth = Some(client.clone());
    desk.login(agrees).unwrap();
    let expected =
        ["authorize desk scope=desk.read", "token authorization_code desk scope= resource=/mcp"];
    assert_eq!(desk.server.log(), expected);
    // The file has no secret of the environment.
    assert!(!desk.file().to_string().contains(SECRET));

    client.issuer = Some("https://login.example.com".to_string());
    desk.def.oauth = Some(client);
    let error = desk.login(|_| panic!("nobody is asked")).unwrap_err();
    assert_eq!(
        error,
        "cannot log in to MCP server `desk`: the server names the issuer `BASE`, not `https://login.example.com`"
    );
}

#[test]
fn a_person_is_sent_to_no_address_but_those_of_the_web() {
    let addresses = [
        ("javascript:alert(1)", "javascript"),
        ("file:///etc/passwd", "file"),
        ("data:text/html,hello", "data"),
        ("http://login.example.com/authorize", "http"),
        ("http://127.evil.example/authorize", "http"),
        ("http://localhost.evil.example/authorize", "http"),
    ];
    for (address, scheme) in addresses {
        let desk = Desk::new();
        desk.server.state.lock().unwrap().login_at = Some(address.to_string());
        let error = desk.login(|_| panic!("nobody is asked")).unwrap_err();
        let expected = format!(
            "cannot log in to MCP server `desk`: the address of the login is not `https`, but `{scheme}`"
        );
        assert_eq!(error, expected, "{address}");
        assert_eq!(desk.server.log(), [""; 0], "{address}");
    }
}

/// The issuer that an agent file names.
#[derive(Clone, Copy)]
enum Issuer {
    None,
    Server,
    Other,
}

/// Logs in to a server that names an address of this machine at another port, in its metadata or as the address of them.
/// Returns whether that address is asked.
fn is_asked(host: &str, in_metadata: bool, issuer: Issuer) -> bool {
    let listener = std::net::TcpListener::bind("0.0.0.0:0").unwrap();
    let other = format!("http://{host}:{}", listener.local_addr().unwrap().port());
    let (asks, asked) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            drop(stream);
            if asks.send(()).is_err() {
                return;
            }
        }
    });
    let mut desk = Desk::new();
    if in_metadata {
        desk.server.state.lock().unwrap().issuer_at = Some(other.clone());
    } else {
        desk.server.state.lock().unwrap().metadata_at = Some(format!("{other}/metadata"));
    }
    let mut client = OAuthClient::new("desk");
    client.issuer = match issuer {
        Issuer::None => None,
        Issuer::Server => Some(desk.server.base.clone()),
        Issuer::Other => Some(other),
    };
    desk.def.oauth = Some(client);
    // The login may succeed with metadata at the usual place.
    drop(desk.login(agrees));
    asked.try_recv().is_ok()
}

#[test]
fn metadata_sends_requests_to_no_other_port_of_this_machine() {
    for host in ["127.0.0.1", "localhost", "127.0.0.2", "0.0.0.0", "[::ffff:127.0.0.1]"] {
        for in_metadata in [false, true] {
            assert!(!is_asked(host, in_metadata, Issuer::Server), "{host} {in_metadata}");
        }
    }
    assert!(is_asked("127.0.0.1", true, Issuer::Other));
    // Without an issuer, a server on this machine may name others there.
    assert!(is_asked("127.0.0.1", true, Issuer::None));
}

/// A server that names another authorization server later, or none, gets neither token nor secret.
#[test]
fn tokens_go_to_the_authorization_server_of_the_login() {
    let desk = Desk::new();
    desk.login(agrees).unwrap();
    desk.server.state.lock().unwrap().tokens.clear();
    desk.server.state.lock().unwrap().is_hidden = true;
    let before = desk.server.log();
    assert_eq!(desk.who(), UNAUTHORIZED);
    assert_eq!(desk.server.log(), before);

    let mut desk = Desk::new();
    desk.server.state.lock().unwrap().is_hidden = true;
    let mut client = OAuthClient::new("desk");
    client.secret = Some(Setting::header("$CARGO_PKG_NAME"));
    desk.def.oauth = Some(client);
    let error = desk.login(|_| panic!("nobody is asked")).unwrap_err();
    assert_eq!(
        error,
        "cannot log in to MCP server `desk`: the server names no authorization server"
    );
    assert_eq!(desk.server.log(), [""; 0]);
}

#[test]
fn a_scope_that_a_server_asks_for_later_is_added() {
    let mut desk = Desk::new();
    desk.login(agrees).unwrap();
    desk.server.state.lock().unwrap().needs = Some("desk.admin".to_string());
    let agent = desk.place.read(None).unwrap();
    let expected = "tool-failed: needs the scope `desk.admin`: log in with `ptc mcp login --scope`, or add it to \
        `oauth.scopes`";
    assert_eq!(call(tool(&agent, "who"), json!({})), expected);
    desk.options.scopes = vec!["desk.admin".to_string(), "desk.read".to_string()];
    desk.login(agrees).unwrap();
    let asked = "authorize made scope=desk.read desk.write desk.admin";
    assert!(desk.server.log().contains(&asked.to_string()), "{:?}", desk.server.log());
    assert_eq!(call(tool(&agent, "who"), json!({})), "\"you sent [access token]\"");
}

#[test]
fn processes_that_renew_one_login_do_not_disturb_each_other() {
    let desk = Desk::new();
    desk.server.state.lock().unwrap().lifetime = Some(0);
    desk.login(agrees).unwrap();
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut place = Place::new();
                    place.servers = Servers::new().with_logins(desk.logins.clone());
                    std::fs::copy(desk.place.path("agent.toml"), place.path("agent.toml")).unwrap();
                    let agent = place.read(None).unwrap();
                    let who = tool(&agent, "who").clone().with_timeout(Duration::from_secs(30));
                    call(&who, json!({}))
                })
            })
            .collect();
        for run in runs {
            assert_eq!(run.join().unwrap(), "\"you sent [access token]\"");
        }
    });
}
