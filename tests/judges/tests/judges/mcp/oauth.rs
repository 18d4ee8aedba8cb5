//! Servers that need OAuth: tokens for clients with a secret.

use ptc_subagent::provider::NoModel;
use ptc_subagent::store::Store;
use ptc_subagent::{Agent, Mission};
use serde_json::json;

use super::oauth_server::{OAuthServer, SECRET};
use super::support::{Place, call, runtime, tool};

/// Reads an agent with a server and these keys of its `oauth`. Returns the error without the address of the server.
fn read(place: &Place, server: &OAuthServer, oauth: &str) -> Result<Agent, String> {
    let keys = format!("[[mcp]]\nname = \"desk\"\nurl = \"{}\"\n{oauth}", server.url());
    place.write("usual", &keys);
    place.read(None).map_err(|error| {
        error
            .to_string()
            .replace(&server.base, "BASE")
            .replace(&*place.path("agent.toml").to_string_lossy(), "FILE")
    })
}

const CLIENT: &str = "oauth = { client_id = \"desk\", client_secret = \"$CARGO_PKG_NAME\" }";

const WITH_SCOPE: &str = "oauth = { client_id = \"desk\", client_secret = \"$CARGO_PKG_NAME\", scopes = [\"a\", \"b\"] }";

#[test]
fn a_client_with_a_secret_gets_tokens() {
    let (place, server) = (Place::new(), OAuthServer::start());
    let agent = read(&place, &server, CLIENT).unwrap();
    let asked = "token client_credentials desk scope=desk.read desk.write resource=/mcp";
    assert_eq!(server.log(), [asked]);
    // A token without an end is used again. No result shows it.
    for _ in 0..2 {
        assert_eq!(call(tool(&agent, "who"), json!({})), "\"you sent [access token]\"");
    }
    assert_eq!(server.log(), [asked, "call", "call"]);
    // One that the server does not accept any more is replaced, and the call is made again.
    server.state.lock().unwrap().tokens.clear();
    assert_eq!(call(tool(&agent, "who"), json!({})), "\"you sent [access token]\"");
    assert_eq!(server.log(), [asked, "call", "call", asked, "call"]);
    drop(agent);

    let server = OAuthServer::start();
    read(&place, &server, WITH_SCOPE).unwrap();
    assert_eq!(server.log(), ["token client_credentials desk scope=a b resource=/mcp"]);
}

#[test]
fn a_token_is_replaced_before_it_expires() {
    let (place, server) = (Place::new(), OAuthServer::start());
    server.state.lock().unwrap().lifetime = Some(0);
    let agent = read(&place, &server, CLIENT).unwrap();
    let tokens = || server.log().iter().filter(|it| it.starts_with("token")).count();
    let before = tokens();
    assert_eq!(call(tool(&agent, "who"), json!({})), "\"you sent [access token]\"");
    assert!(tokens() > before, "{:?}", server.log());
}

#[test]
fn an_authorization_that_fails_makes_a_server_unusable() {
    let place = Place::new();
    let gives = "MCP server `desk` gives no access:";
    let check = |server: &OAuthServer, oauth: &str, expected: &str| {
        let error = read(&place, server, oauth).map(drop).unwrap_err();
        assert_eq!(error, format!("FILE:2:1: {expected}"), "{oauth}");
        assert!(!error.contains(SECRET), "{error}");
    };
    let server = OAuthServer::start();
    check(
        &server,
        "oauth = { client_id = \"other\", client_secret = \"$CARGO_PKG_NAME\" }",
        &format!(
            "{gives} Client credentials error: Token exchange failed: Server returned error response: invalid_grant: no such client, it sent [CARGO_PKG_NAME]"
        ),
    );
    check(
        &server,
        "oauth = { client_id = \"desk\", client_secret = \"$CARGO_PKG_NAME\", issuer = \"https://login.example.com\" }",
        &format!("{gives} the server names the issuer `BASE`, not `https://login.example.com`"),
    );
    check(
        &server,
        "oauth = { client_id = \"desk\", client_secret = \"$NO_SUCH_VARIABLE\" }",
        "MCP server `desk` needs `NO_SUCH_VARIABLE`, which the environment lacks",
    );
    server.state.lock().unwrap().is_hidden = true;
    check(&server, CLIENT, &format!("{gives} the server names no authorization server"));
    // Without a client, the server refuses every request.
    check(
        &server,
        "",
        "MCP server `desk` did not start: needs authorization: log in with `ptc mcp login`, or give it a token in `headers`",
    );
    // The secret went to the token endpoint once.
    assert_eq!(server.log().len(), 1, "{:?}", server.log());
}

#[test]
fn faults_of_an_oauth_client() {
    let (place, server) = (Place::new(), OAuthServer::start());
    let cases = [
        "client_id = \" \"",
        "client_id = \"a\", client_secret = \"plain\"",
        "client_id = \"a\", scopes = [\"b c\"]",
        "id = \"a\"",
    ];
    let found = cases.map(|keys| {
        let error = read(&place, &server, &format!("oauth = {{ {keys} }}")).map(drop).unwrap_err();
        error.trim_start_matches("FILE:").to_string()
    });
    let expected = [
        "5:23: `oauth.client_id` of MCP server `desk` is empty",
        "5:44: `oauth.client_secret` of MCP server `desk` is not a variable of the environment, such as `$CLIENT_SECRET`",
        "5:37: `oauth.scopes` of MCP server `desk` has `b c`, which is not one word",
        "5:11: unknown key `id`",
    ];
    assert_eq!(found, expected);
    let keys = "[[mcp]]\nname = \"desk\"\ncommand = [\"SERVER\"]\noauth = { client_id = \"a\" }";
    place.write("usual", keys);
    let error = place.read(None).unwrap_err();
    assert_eq!(error.message(), "MCP server `desk` has no `url` for its `oauth`");
}

#[test]
fn records_have_no_secret_and_no_token() {
    let (place, server) = (Place::new(), OAuthServer::start());
    let agent = read(&place, &server, CLIENT).unwrap();
    let mut flow = Agent::workflow("(return (tool/who {}))");
    flow.tools = agent.tools;
    let store = Store::open(&place.path("runs.db")).unwrap();
    let mission = Mission::new(&flow, json!({})).record_in(&store);
    let report = runtime().block_on(mission.run(&NoModel)).unwrap();
    assert_eq!(report.value, json!("you sent [access token]"));
    drop(store);
    let bytes = std::fs::read(place.path("runs.db")).unwrap();
    for hidden in [SECRET, "access-token-"] {
        let found = bytes.windows(hidden.len()).any(|it| it == hidden.as_bytes());
        assert!(!found, "{hidden}");
    }
}
