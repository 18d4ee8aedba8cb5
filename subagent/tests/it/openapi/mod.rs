//! Operations of OpenAPI documents, against a real listener.

use std::fmt::Write as _;
use std::path::PathBuf;

use ptc_subagent::provider::Scripted;
use ptc_subagent::replay::{Replay, Resume};
use ptc_subagent::store::{RunRecord, Store};
use ptc_subagent::tool::{
    CallContext, Effect, ServerDef, Tool, ToolDef, ToolError, ToolPlace, ToolServers,
};
use ptc_subagent::{Agent, Data, Error, Mission};
use serde_json::{Value, json};

use crate::support::{Answer, Server, program};

mod uploads;

const SHOP: &str = include_str!("shop.yaml");
const GITHUB: &str = include_str!("github.json");

/// Nothing speaks to servers of another kind.
struct NoServers;

impl ToolServers for NoServers {
    fn list(&self, _: &ServerDef) -> Result<Vec<ToolDef>, ToolError> {
        Ok(Vec::new())
    }

    fn recall(&self, _: &ServerDef, _: &str) -> Box<dyn Tool> {
        unreachable!("no agent of these tests has an MCP server")
    }
}

/// A folder with an agent file and a document.
struct Place(tempfile::TempDir);

impl Place {
    fn new(document: &str, keys: &str) -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        std::fs::write(place.path("api.txt"), document).unwrap();
        place.write(&format!("[[openapi]]\nname = \"shop\"\nfile = \"api.txt\"\n{keys}"));
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, keys: &str) {
        std::fs::write(self.path("agent.toml"), format!("prompt = \"Work.\"\n{keys}\n")).unwrap();
    }

    fn read(&self, record: Option<&RunRecord>) -> Result<Agent, Error> {
        Agent::read_with(&self.path("agent.toml"), &NoServers, record)
    }

    /// Returns the names of the tools, or the error with its help.
    fn outcome(&self) -> String {
        match self.read(None) {
            Ok(agent) => {
                let names: Vec<&str> = agent.tools.iter().map(|it| it.name.as_str()).collect();
                names.join(" ")
            }
            Err(error) => {
                let help = error.help().map(|it| format!(" ({it})")).unwrap_or_default();
                let (line, column) = error.line_column().unwrap();
                let folder = self.0.path().to_string_lossy().into_owned();
                format!("{line}:{column} {}{help}", error.message()).replace(&folder, "FOLDER")
            }
        }
    }
}

fn tool<'a>(agent: &'a Agent, name: &str) -> &'a ToolDef {
    agent.tools.iter().find(|it| it.name == name).unwrap()
}

async fn call(tool: &ToolDef, args: Value) -> String {
    match tool.call(args, &CallContext::new("key")).await {
        Ok(value) => value.to_string(),
        Err(error) => format!("{}: {error}", error.kind.code()),
    }
}

/// Returns a request without the headers that do not depend on the operation.
fn shown(request: &str) -> String {
    let is_own = |line: &&str| {
        !["host: ", "content-length: ", "user-agent: "].iter().any(|it| line.starts_with(it))
    };
    request.lines().filter(is_own).collect::<Vec<&str>>().join("\n").trim_end().to_string()
}

/// Returns what an agent has of the tools: effect, idempotence, signature and description.
fn listed(agent: &Agent) -> String {
    let mut out = String::new();
    for tool in &agent.tools {
        let effect = match (tool.effect(), tool.idempotent) {
            (Effect::Read, _) => "read",
            (Effect::Write, false) => "write",
            (Effect::Write, true) => "put",
        };
        let signature = tool.signature.as_ref().unwrap();
        let description = tool.description.as_deref().unwrap_or_default();
        let first = description.lines().next().unwrap_or_default();
        let _ = writeln!(out, "{effect} {} {signature} {first}", tool.name);
    }
    out
}

fn raw(status: u16, body: &str) -> Answer {
    Answer::Raw(status, "", body.to_string())
}

/// Integers past 64 bits keep every digit in paths, queries, headers, bodies and results.
#[tokio::test]
async fn integers_of_any_size_are_sent_and_read() {
    const BIG: &str = "123456789012345678901234567890";
    const DOCUMENT: &str = r#"{
        "openapi": "3.1.0", "info": {"title": "n", "version": "1"}, "servers": [{"url": "SERVER"}],
        "paths": {"/n/{id}": {"post": {
            "operationId": "put",
            "parameters": [
                {"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}},
                {"name": "q", "in": "query", "schema": {"type": "array", "items": {"type": "integer"}}},
                {"name": "X-N", "in": "header", "schema": {"type": "integer"}}
            ],
            "requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}},
            "responses": {"200": {"description": "", "content": {"application/json": {"schema": {"type": "object"}}}}}
        }}}
    }"#;
    let answer = format!(r#"{{"n":[{BIG}],"x":1.5}}"#);
    let json = "content-type: application/json\r\n";
    let server = Server::start(vec![Answer::Raw(200, json, answer.clone())]).await;
    let place = Place::new(&DOCUMENT.replace("SERVER", &server.base_url), "");
    let agent = place.read(None).unwrap();
    let args = format!(r#"{{"id":{BIG},"q":[{BIG},2],"X-N":-{BIG},"body":{{"n":{BIG}}}}}"#);
    let args: Data = args.parse().unwrap();
    let result = tool(&agent, "put").call(args, &CallContext::new("key")).await.unwrap();
    assert_eq!(result.to_string(), answer);
    let request = server.requests().remove(0);
    assert!(
        request.starts_with(&format!("POST /v1/n/{BIG}?q={BIG}&q=2 HTTP/1.1\r\n"))
            && request.contains(&format!("\r\nx-n: -{BIG}\r\n"))
            && request.ends_with(&format!("\r\n\r\n{{\"n\":{BIG}}}")),
        "{request}"
    );
}

#[tokio::test]
async fn operations_are_tools() {
    let place = Place::new(&SHOP.replace("SERVER", "http://127.0.0.1:9"), "");
    let agent = place.read(None).unwrap();
    assert_eq!(
        listed(&agent),
        "\
read items.list (tags? [:string], price? {max? :float}, X-Region? :string, session? :string) -> [{id :int, name :string, parts? [:any]}] Lists items
write items.create (body {id? :int, name :string, parts? [:any]}) -> {id :int, name :string, parts? [:any]} Adds an item.
read get_items_id (id :int \"The number of the item\") -> {id :int, name :string, parts? [:any]} 
read items.exists (id :int \"The number of the item\") -> :any 
put items.replace (id :int \"The number of the item\", body {id? :int, name :string, parts? [:any]}) -> :any 
put items.delete (id :int \"The number of the item\") -> :any 
put notes.write (name :string, body :string) -> :string 
write login (body {user :string, roles? [:string]}) -> :any 
"
    );
    let first = &agent.tools[0];
    let server = ToolPlace::Server { host: "127.0.0.1".to_string(), port: 9 };
    assert_eq!((first.place(), first.server.as_deref()), (Some(server), Some("shop")));
    for (keys, expected) in [
        (
            "allow = [\"items.*\"]\ndeny = [\"*.delete\"]",
            "items.list items.create items.exists items.replace",
        ),
        (
            "allow = [\"login\", \"get_items_id\"]\nprefix = \"shop/\"",
            "shop/get_items_id shop/login",
        ),
        ("deny = [\"*\"]", ""),
        (
            "allow = [\"items.lists\"]",
            "2:1 API `shop` offers no tool `items.lists` (did you mean `items.list`?)",
        ),
        (
            "deny = [\"users/*\"]\nallow = []",
            "2:1 API `shop` offers no tool `users/*` (it offers items.list, items.create, get_items_id, items.exists, items.replace, items.delete, notes.write, login)",
        ),
        (
            "effects = { \"items.*\" = \"read\" }",
            "2:1 API `shop` offers no tool `items.*` (it offers items.list, items.create, get_items_id, items.exists, items.replace, items.delete, notes.write, login)",
        ),
    ] {
        let document = SHOP.replace("SERVER", "http://127.0.0.1:9");
        assert_eq!(Place::new(&document, keys).outcome(), expected, "{keys}");
    }
    let place =
        Place::new(&SHOP.replace("SERVER", "http://127.0.0.1:9"), "effects = { login = \"read\" }");
    assert_eq!(tool(&place.read(None).unwrap(), "login").effect(), Effect::Read);
}

#[tokio::test]
async fn calls_are_requests_and_answers_are_values() {
    let item = r#"{"id":7,"name":"bolt"}"#;
    let form = "content-type: application/x-www-form-urlencoded";
    let json = "content-type: application/json";
    for (name, args, answer, result, request) in [
        (
            "items.list",
            json!({"tags": ["a b", "c,d"], "price": {"max": 1.5}, "X-Region": "EU", "session": "s;1"}),
            raw(200, &format!("[{item}]")),
            format!("[{item}]"),
            "GET /v1/items?tags=a%20b,c%2Cd&price%5Bmax%5D=1.5 HTTP/1.1\naccept: application/json\nx-region: EU\ncookie: session=s%3B1".to_string(),
        ),
        (
            "items.create",
            json!({"body": {"name": "bolt"}}),
            raw(201, item),
            item.to_string(),
            format!("POST /v1/items HTTP/1.1\nidempotency-key: key\naccept: application/json\n{json}\n\n{{\"name\":\"bolt\"}}"),
        ),
        (
            "get_items_id",
            json!({"id": 7}),
            raw(404, "{\"message\": \"no such item\"}"),
            "tool-failed: GET SERVER/v1/items/7 gave HTTP 404: {\"message\": \"no such item\"}".to_string(),
            "GET /v1/items/7 HTTP/1.1\naccept: application/json".to_string(),
        ),
        (
            "get_items_id",
            json!({"id": 7}),
            raw(200, "{\"id\": \"seven\"}"),
            "tool-result: the result does not match: id: expected int, found string \"seven\"; name: expected string, found nothing".to_string(),
            "GET /v1/items/7 HTTP/1.1\naccept: application/json".to_string(),
        ),
        (
            "get_items_id",
            json!({"id": 7}),
            Answer::Raw(302, "Location: http://127.0.0.1:1/\r\n", String::new()),
            "tool-failed: GET SERVER/v1/items/7 gave HTTP 302, a redirect to http://127.0.0.1:1/, which is not followed".to_string(),
            "GET /v1/items/7 HTTP/1.1\naccept: application/json".to_string(),
        ),
        (
            "get_items_id",
            json!({"id": 7}),
            raw(200, "not JSON"),
            "tool-output: GET SERVER/v1/items/7 did not return JSON (expected ident at line 1 column 2): not JSON".to_string(),
            "GET /v1/items/7 HTTP/1.1\naccept: application/json".to_string(),
        ),
        (
            "get_items_id",
            json!({"id": "7/../../secrets"}),
            raw(200, item),
            "tool-arguments: the arguments do not match: id: expected int, found string \"7/../../secrets\"".to_string(),
            String::new(),
        ),
        (
            "items.exists",
            json!({"id": 7}),
            Answer::Raw(200, "", String::new()),
            "null".to_string(),
            "HEAD /v1/items/7 HTTP/1.1\naccept: */*".to_string(),
        ),
        (
            "items.delete",
            json!({"id": 7}),
            raw(204, ""),
            "null".to_string(),
            "DELETE /v1/items/7 HTTP/1.1\nidempotency-key: key\naccept: */*".to_string(),
        ),
        (
            "notes.write",
            json!({"name": "a/../b?c#d", "body": "Hi\nthere"}),
            Answer::Chunks("text/plain; charset=utf-8", vec![b"Hi\nthere".to_vec()], true),
            "\"Hi\\nthere\"".to_string(),
            "PUT /v1/items/a%2F..%2Fb%3Fc%23d/note HTTP/1.1\nidempotency-key: key\naccept: text/plain\ncontent-type: text/plain\n\nHi\nthere".to_string(),
        ),
        (
            "notes.write",
            json!({"name": "..", "body": ""}),
            raw(200, ""),
            "tool-arguments: an argument cannot be empty, `.` or `..` in a path".to_string(),
            String::new(),
        ),
        (
            "login",
            json!({"body": {"user": "ann & co", "roles": ["a", "b"]}}),
            Answer::Chunks("image/png", vec![b"hello".to_vec()], true),
            r#"{"media_type":"image/png","size":5,"hash":"ea8f163db38682925e4491c5e58d4bb3506ef8c14eb78a86e908c5624a67200f"}"#.to_string(),
            format!("POST /v1/login HTTP/1.1\nidempotency-key: key\naccept: */*\n{form}\n\nuser=ann%20%26%20co&roles=a&roles=b"),
        ),
        (
            "login",
            json!({"body": {"user": "ann"}}),
            Answer::Endless,
            "tool-too-large: answered with more than its `max_output` of 5000 bytes".to_string(),
            format!("POST /v1/login HTTP/1.1\nidempotency-key: key\naccept: */*\n{form}\n\nuser=ann"),
        ),
    ] {
        let server = Server::start(vec![answer]).await;
        let base = server.base_url.trim_end_matches("/v1").to_string();
        let place = Place::new(&SHOP.replace("SERVER", &base), "max_output = 5000");
        let agent = place.read(None).unwrap();
        let found = call(tool(&agent, name), args.clone()).await.replace(&base, "SERVER");
        assert_eq!(found, result, "{name} {args}");
        let requests = server.requests();
        let sent = requests.first().map(|it| shown(it)).unwrap_or_default();
        assert_eq!(sent, request, "{name} {args}");
    }
}

#[tokio::test]
async fn secrets_are_sent_and_not_shown() {
    let server = Server::start(vec![Answer::Echo(200), Answer::Echo(403)]).await;
    let base = server.base_url.trim_end_matches("/v1").to_string();
    let secret = std::env::var("CARGO_PKG_DESCRIPTION").unwrap();
    let keys = "headers = { X-Region = \"$CARGO_PKG_DESCRIPTION\", user-agent = \"me\" }\nquery = { session = \"a $CARGO_PKG_NAME\", tags = \"x\" }\nallow = [\"items.list\"]\ntimeout = 5\n";
    let document = SHOP
        .replace("SERVER", "http://127.0.0.1:9")
        .replace("{type: array, items: {$ref: \"#/components/schemas/Item\"}}", "{}");
    let place = Place::new(
        &document.replace("Lists items", &format!("\"Lists items of {secret}\"")),
        &format!("{keys}base_url = \"{base}/v2/?x=1\""),
    );
    let agent = place.read(None).unwrap();
    let list = tool(&agent, "items.list");
    assert_eq!(
        listed(&agent),
        "read items.list (price? {max? :float}, session? :string) -> :any Lists items of [CARGO_PKG_DESCRIPTION]\n"
    );
    assert_eq!(list.needs().header_variables, ["CARGO_PKG_DESCRIPTION", "CARGO_PKG_NAME"]);
    for expected in ["{\"error\"", "tool-failed: GET "] {
        let found = call(list, json!({})).await;
        assert!(found.starts_with(expected), "{found}");
        assert!(found.contains("[CARGO_PKG_DESCRIPTION]") && !found.contains(&secret), "{found}");
    }
    let sent = server.requests().remove(0);
    assert!(sent.starts_with("GET /v2/items?session=a+ptc-subagent&tags=x HTTP/1.1\r\n"), "{sent}");
    assert!(sent.contains(&format!("\r\nx-region: {secret}\r\n")), "{sent}");
    assert!(sent.contains("\r\nuser-agent: me\r\n"), "{sent}");
    let keys = "headers = { A = \"$NO_SUCH_VARIABLE\" }\n";
    let place = Place::new(&document, keys);
    let found = call(tool(&place.read(None).unwrap(), "items.list"), json!({})).await;
    assert_eq!(found, "tool-missing: needs `NO_SUCH_VARIABLE`, which the environment lacks");
}

/// Every text of a document is a way to show a secret.
#[test]
fn a_document_shows_no_secret() {
    let secret = std::env::var("CARGO_PKG_DESCRIPTION").unwrap();
    let long = format!("{} {secret} and more", "x".repeat(990));
    let document = json!({
        "openapi": "3.1.0",
        "servers": [{"url": "http://127.0.0.1:9"}],
        "paths": {"/a": {"post": {
            "operationId": format!("list {secret}"),
            "description": long,
            "parameters": [{"name": format!("about {secret}"), "in": "query", "schema": {"$ref": "#/components/schemas/In"}}],
            "requestBody": {"content": {"application/json": {"schema": {
                "type": "object",
                "properties": {secret.clone(): {"type": "string", "enum": ["a", secret]}},
            }}}},
            "responses": {"200": {"content": {"application/json": {"schema": {
                "type": "object", "properties": {"b": {"type": "string", "description": long}},
            }}}}},
        }}},
        "components": {"schemas": {"In": {"type": "string", "description": format!("Not {secret}")}}},
    });
    let keys = "headers = { A = \"$CARGO_PKG_DESCRIPTION\" }";
    let place = Place::new(&document.to_string(), keys);
    let agent = place.read(None).unwrap();
    let x = "x".repeat(990);
    // The description is cut inside the mark.
    assert_eq!(
        listed(&agent),
        format!(
            "write list__CARGO_PKG_DESCRIPTION_ (about__CARGO_PKG_DESCRIPTION? :string \"Not [CARGO_PKG_DESCRIPTION]\", body? {{:\"[CARGO_PKG_DESCRIPTION]\"? :enum[a \"[CARGO_PKG_DESCRIPTION]\"]}}) -> {{b? :string \"{x} [CARGO_PK…\"}} {x} [CARGO_PK…\n"
        )
    );
    let prompt = Mission::new(&agent, json!({})).system_prompt().unwrap().to_string();
    assert!(
        prompt.contains("CARGO_PKG_DESCRIPTION") && !prompt.contains(&secret[..10]),
        "{prompt}"
    );

    // Messages about a document have none either.
    let y = "y".repeat(70);
    for (text, expected) in [
        (
            format!("openapi: 3.1.0\n\"{y}{secret}\": 1\n\"{y}{secret}\": 2"),
            format!("2:1 API `shop` has the key `{y}[CARGO_PKG…` twice at line 3"),
        ),
        (
            format!("openapi: '{}{secret}'", "4".repeat(70)),
            format!(
                "2:1 API `shop` has version {}[CARGO_PKG… of OpenAPI (the supported versions are 3.0 and 3.1)",
                "4".repeat(70)
            ),
        ),
    ] {
        assert_eq!(Place::new(&text, keys).outcome(), expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_come_from_addresses() {
    let of = |document: &str, keys: &str| {
        (
            Answer::Chunks("application/yaml", vec![document.as_bytes().to_vec()], true),
            keys.to_string(),
        )
    };
    let relative = SHOP.replace("SERVER", "");
    let elsewhere = SHOP.replace("SERVER", "http://127.0.0.1:9");
    let all = "items.list items.create get_items_id items.exists items.replace items.delete notes.write login";
    let headers = "headers = { A = \"$CARGO_PKG_NAME\" }";
    for ((answer, keys), expected) in [
        (of(&relative, ""), all),
        (of(&relative, headers), all),
        (of(&relative, &format!("{headers}\nbase_url = \"ORIGIN\"")), all),
        (of(&elsewhere, ""), all),
        (of(&elsewhere, &format!("{headers}\nbase_url = \"http://127.0.0.1:9\"")), all),
        (
            of(&elsewhere, &format!("{headers}\nallow = [\"login\"]")),
            "2:1 API `shop` has the operation `login`, which is at `127.0.0.1`, another server than its document: the headers are not sent there (give the address with `base_url`; or take it out of `allow`)",
        ),
        (
            (raw(404, "gone"), String::new()),
            "2:1 API `shop` has no document: GET SERVER/v1/api gave HTTP 404: gone",
        ),
        (
            (Answer::Drop, String::new()),
            "2:1 API `shop` has no document: no answer to GET SERVER/v1/api: connection closed before message completed",
        ),
        (
            of("openapi: 2", ""),
            "2:1 API `shop` has version 2 of OpenAPI (the supported versions are 3.0 and 3.1)",
        ),
    ] {
        let server = Server::start(vec![answer]).await;
        let place = Place::new("", "");
        let origin = server.base_url.trim_end_matches("/v1");
        place.write(&format!(
            "[[openapi]]\nname = \"shop\"\nurl = \"{}/api\"\n{}",
            server.base_url,
            keys.replace("ORIGIN", origin)
        ));
        let found = place.outcome().replace(origin, "SERVER");
        assert_eq!(found, expected, "{keys}");
        // Only the server that `base_url` names gets a secret.
        let has_header = server.requests()[0].contains("\r\na: ptc-subagent\r\n");
        assert_eq!(has_header, keys.contains("ORIGIN"), "{keys}");
    }
}

/// An operation that cannot be a tool is left out, and so is one whose name in programs is taken.
#[test]
fn some_operations_are_left_out() {
    let shop = SHOP.replace("SERVER", "http://127.0.0.1:9");
    let upload = shop.replace(
        "text/plain: {}}}\n      responses: {200: {description: The note",
        "image/png: {}, image/gif: {}}}\n      responses: {200: {description: The note",
    );
    let twice = shop.replace("operationId: login", "operationId: items_list");
    for (document, names, left_out) in [
        (
            upload,
            "items.list items.create get_items_id items.exists items.replace items.delete login",
            "`notes.write` of the API `shop` is left out: it takes a body of `image/png`, `image/gif` only",
        ),
        (
            twice.replace("items.list", "items list"),
            "items_list items.create get_items_id items.exists items.replace items.delete notes.write",
            "`items_list` of the API `shop` is left out: it has the name of another tool of its source",
        ),
    ] {
        let place = Place::new(&document, "");
        assert_eq!(place.outcome(), names);
        let agent = place.read(None).unwrap();
        let found: Vec<String> = agent.tools_left_out().iter().map(ToString::to_string).collect();
        assert_eq!(found, [left_out]);
    }
}

#[test]
fn unusable_documents_and_keys_are_errors() {
    let shop = SHOP.replace("SERVER", "http://127.0.0.1:9");
    let upload = shop.replace(
        "text/plain: {}}}\n      responses: {200: {description: The note",
        "image/png: {}, image/gif: {}}}\n      responses: {200: {description: The note",
    );
    for (document, keys, expected) in [
        ("[", "", "2:1 API `shop` is not YAML: unclosed bracket '[' at line 1"),
        ("openapi: 3.0.0", "", ""),
        (
            upload.as_str(),
            "allow = [\"login\", \"notes.write\"]",
            "2:1 API `shop` has the operation `notes.write`, which takes a body of `image/png`, `image/gif` only (supported are JSON, forms and text; or take it out of `allow`)",
        ),
        (
            upload.as_str(),
            "allow = [\"notes*\"]",
            "2:1 API `shop` has the operation `notes.write`, which takes a body of `image/png`, `image/gif` only (supported are JSON, forms and text)",
        ),
        (upload.as_str(), "deny = [\"notes.*\"]\nallow = [\"n*\", \"login\"]", "login"),
        (
            &SHOP.replace("SERVER", "ftp://user:password@host"),
            "allow = [\"login\"]",
            "2:1 API `shop` has the operation `login`, which has the server `ftp://host/v1`, which is not an http or https URL (give the address with `base_url`; or take it out of `allow`)",
        ),
        (
            &shop.replace("servers:", "x-servers:"),
            "allow = [\"l*\"]",
            "2:1 API `shop` has the operation `login`, which has no server in the document (give the address with `base_url`)",
        ),
        (
            shop.as_str(),
            "url = \"http://a\"",
            "5:7 API `shop` has both `file` and `url`: only one is allowed",
        ),
        (shop.as_str(), "base_url = \"a\"", "5:12 API `shop`: `a` is not an http or https URL"),
        (
            shop.as_str(),
            "headers = { \"a b\" = \"c\" }",
            "5:11 API `shop`: the header `a b` has an invalid name",
        ),
        (
            shop.as_str(),
            "files = \"a/../..\"",
            "5:9 API `shop`: `files` is `a/../..`, which is not in the folder of the agent file",
        ),
        (
            shop.as_str(),
            "files = \"/tmp\"",
            "5:9 API `shop`: `files` is `/tmp`, which is not in the folder of the agent file",
        ),
        (
            shop.as_str(),
            "colour = 1",
            "5:1 unknown key `colour` (the known keys are name, file, url, base_url, headers, query, allow, deny, prefix, effects, files, timeout, start_timeout, max_output, trust)",
        ),
        (
            shop.as_str(),
            "[[openapi]]\nname = \"shop\"\nfile = \"api.txt\"",
            "5:1 an API has the name `shop` of another one or of an MCP server",
        ),
    ] {
        assert_eq!(Place::new(document, keys).outcome(), expected, "{keys}");
    }
    let place = Place::new(&shop, "");
    for (keys, expected) in [
        ("name = \"a\"", "2:1 API `a` has no `file` and no `url`"),
        ("name = \" \"", "3:8 the `name` of an API is empty or has a control character"),
        (
            "name = \"a\"\nurl = \"file:///a\"",
            "4:7 API `a`: `file:///a` is not an http or https URL",
        ),
        (
            "name = \"a\"\nfile = \"missing.yaml\"",
            "2:1 API `a` has no document: cannot read `FOLDER/missing.yaml`: No such file or directory (os error 2)",
        ),
    ] {
        place.write(&format!("[[openapi]]\n{keys}"));
        assert_eq!(place.outcome(), expected, "{keys}");
    }
}

#[tokio::test]
async fn replay_and_resume_need_no_document() {
    let answers = vec![
        raw(200, "{\"id\": 7, \"name\": \"bolt\"}"),
        raw(200, "{\"id\": 8, \"name\": \"nut\"}"),
    ];
    let server = Server::start(answers).await;
    let shop = SHOP.replace("SERVER", server.base_url.trim_end_matches("/v1"));
    let place = Place::new(&shop, "");
    let store = Store::open(&place.path("runs.db")).unwrap();
    let agent = place.read(None).unwrap();
    let provider = Scripted::new([program("(def a (:name (tool/get_items_id {:id 7})))")]);
    let report = Mission::new(&agent, json!({})).record_in(&store).run(&provider).await.unwrap();
    assert_eq!(report.tool_calls, 1);
    let run = report.run.to_string();
    let record = store.show(&run).unwrap();
    std::fs::remove_file(place.path("api.txt")).unwrap();
    let replay = Replay::of(&store, &run).unwrap().with_agent(place.read(Some(&record)).unwrap());
    assert_eq!(replay.run().await.unwrap().differences, []);
    assert_eq!(server.requests().len(), 1);

    let resume = Resume::of(&store, &run).unwrap();
    let agent = place.read(Some(resume.record())).unwrap();
    let changed = shop.replace("operationId: login", "operationId: logon");
    std::fs::write(place.path("api.txt"), changed).unwrap();
    let replies = [program(
        "(return [a (:name (tool/get_items_id {:id 8})) (try (tool/login {:body {:user \"x\"}}) (catch Exception e (ex-message e)))])",
    )];
    let report = resume.mission(&agent).unwrap().run(&Scripted::new(replies)).await.unwrap();
    let expected =
        json!(["bolt", "nut", "tool `login`: is no longer an operation of its document"]);
    assert_eq!(serde_json::to_value(&report.value).unwrap(), expected, "{report:?}");
    assert_eq!(server.requests().len(), 2);
}

/// A document that others wrote: a part of that of GitHub.
#[tokio::test]
async fn a_real_document_is_usable() {
    let zen =
        Answer::Chunks("text/plain;charset=utf-8", vec![b"Speak like a human.".to_vec()], true);
    let label = r#"{"id":1,"node_id":"n","url":"u","name":"bug","description":null,"color":"f00","default":false}"#;
    let answers = vec![
        raw(200, &format!("[{label}]")),
        raw(201, label),
        raw(200, "{\"name\": \"Rust\", \"source\": \"target/\"}"),
        zen,
    ];
    let server = Server::start(answers).await;
    let place = Place::new(GITHUB, &format!("base_url = \"{}\"", server.base_url));
    let agent = place.read(None).unwrap();
    check_golden(&listed(&agent));
    let provider = Scripted::new([program(
        "(let [repo {:owner \"o/x\" :repo \"r\"}
               labels (tool/issues/list-labels-for-repo (assoc repo :per_page 5))
               made (tool/issues/create-label (assoc repo :body {:name \"bug\" :color \"f00\"}))]
           (return [(map :name labels) (:id made) (:source (tool/gitignore/get-template {:name \"Rust\"})) (tool/meta/get-zen {})]))",
    )]);
    let report = Mission::new(&agent, json!({})).run(&provider).await.unwrap();
    let expected = json!([["bug"], 1, "target/", "Speak like a human."]);
    assert_eq!(serde_json::to_value(&report.value).unwrap(), expected, "{report:?}");
    let lines: Vec<String> =
        server.requests().iter().map(|it| it.lines().next().unwrap().to_string()).collect();
    assert_eq!(
        lines,
        [
            "GET /v1/repos/o%2Fx/r/labels?per_page=5 HTTP/1.1",
            "POST /v1/repos/o%2Fx/r/labels HTTP/1.1",
            "GET /v1/gitignore/templates/Rust HTTP/1.1",
            "GET /v1/zen HTTP/1.1",
        ]
    );
}

fn check_golden(found: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/openapi/github.txt");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, found).unwrap();
    }
    assert_eq!(found, std::fs::read_to_string(path).unwrap());
}

/// The example of the guide lends a book.
#[tokio::test]
async fn the_example_runs() {
    let books = r#"[{"isbn": "1", "title": "Old", "year": 1990}, {"isbn": "2", "title": "New", "year": 2020}]"#;
    let answers = vec![raw(200, books), raw(201, "{\"id\": 1, \"due\": \"2026-12-24\"}")];
    let server = Server::start(answers).await;
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../examples/library");
    let file = |name| std::fs::read_to_string(folder.join(name)).unwrap();
    let place = Place::new("", "");
    let library = file("library.yaml").replace("http://127.0.0.1:8080/v1", &server.base_url);
    std::fs::write(place.path("library.yaml"), library).unwrap();
    std::fs::write(place.path("agent.toml"), file("agent.toml")).unwrap();
    let agent = place.read(None).unwrap();
    let provider = Scripted::new([program(
        "(let [book (apply max-key :year (tool/books/search {:title ctx/topic}))]
           (return {:title (:title book)
                    :due (:due (tool/loans/create {:body {:isbn (:isbn book) :reader ctx/reader}}))}))",
    )]);
    let mission = Mission::new(&agent, json!({"topic": "moths & co", "reader": 7}));
    let report = mission.run(&provider).await.unwrap();
    let expected = json!({"title": "New", "due": "2026-12-24"});
    assert_eq!(serde_json::to_value(&report.value).unwrap(), expected, "{report:?}");
    let requests = server.requests();
    assert!(requests[0].starts_with("GET /v1/books?title=moths%20%26%20co "), "{requests:?}");
    assert!(requests[1].ends_with("{\"isbn\":\"2\",\"reader\":7}"), "{requests:?}");
}

/// A thousand operations take few tokens of a prompt, and programs find them.
#[tokio::test]
async fn large_documents_are_searched() {
    let mut paths = serde_json::Map::new();
    for area in ["orders", "invoices", "users", "stock", "reports"] {
        for part in 0..100 {
            for (method, verb) in [("get", "list"), ("post", "create")] {
                let operation = json!({
                    "operationId": format!("{area}/{verb}-part{part}"),
                    "summary": format!("{verb} part {part} of {area}"),
                    "parameters": [{"name": "page", "in": "query", "schema": {"type": "integer"}}],
                    "responses": {"200": {"content": {"application/json": {"schema": {"type": "array", "items": {"type": "integer"}}}}}},
                });
                paths.entry(format!("/{area}/{part}")).or_insert(json!({}))[method] = operation;
            }
        }
    }
    let server = Server::start(vec![raw(200, "[1, 2]")]).await;
    let document =
        json!({"openapi": "3.0.0", "paths": paths, "servers": [{"url": server.base_url}]});
    let place = Place::new(&document.to_string(), "");
    let agent = place.read(None).unwrap();
    assert_eq!(agent.tools.len(), 1000);
    let prompt = Mission::new(&agent, json!({})).system_prompt().unwrap().to_string();
    assert!(prompt.len() < 3_600, "{} characters", prompt.len());
    let provider = Scripted::new([
        program("(tools/describe (:name (first (tools/search \"list part 42 of invoices\"))))"),
        program("(return (tool/invoices/list-part42 {:page 3}))"),
    ]);
    let report = Mission::new(&agent, json!({})).run(&provider).await.unwrap();
    assert_eq!(serde_json::to_value(&report.value).unwrap(), json!([1, 2]), "{report:?}");
    assert!(
        server.requests()[0].starts_with("GET /v1/invoices/42?page=3 "),
        "{:?}",
        server.requests()
    );
}
