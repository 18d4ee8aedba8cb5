//! `ptc doctor` with servers: its requests and its report.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;

use crate::support::{Folder, ptc, run};

const KEY: &str = "sk-a-key-that-nobody-may-see-0123456789";

/// Answers one request and returns its head, which is empty for a connection without a request.
fn serve(listener: &TcpListener, status: &str, body: &str) -> String {
    let (stream, _) = listener.accept().expect("accepts");
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("reads");
        if line.trim().is_empty() {
            break;
        }
        head.push_str(&line);
    }
    let length = body.len();
    let mut stream = reader.into_inner();
    // A client that only connected has closed the connection.
    drop(write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    ));
    head
}

/// Compares the lines about the key and the model, given the server's answer to a request for its models.
fn check(status: &str, body: &str, exit: i32, expected: &str) {
    let asked = ("/v1/models", format!("authorization: Bearer {KEY}\r\n"));
    let expected = format!("ok    key     OPENAI_API_KEY is set\n{expected}");
    check_model("openai:small", "OPENAI_API_KEY", asked, (status, body), exit, &expected);
}

/// Does the same for any kind of model, and checks the path and a header of the request.
fn check_model(
    model: &str,
    variable: &str,
    (path, header): (&str, String),
    (status, body): (&str, &str),
    exit: i32,
    expected: &str,
) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("listens");
    let root = format!("http://{}", listener.local_addr().expect("has an address"));
    let url = if model.starts_with("openai") { format!("{root}/v1") } else { root };
    let folder = tempfile::tempdir().expect("makes a folder");
    let key = format!("{}={variable}", model.split_once(':').expect("has a kind").0);
    let mut command = ptc(
        &["doctor", "agents/one.toml", "--model", model, "--base-url", &url, "--key-env", &key],
        &folder.path().join("runs.sqlite"),
    );
    let (status, body) = (status.to_owned(), body.to_owned());
    let server = std::thread::spawn(move || serve(&listener, &status, &body));
    let output = run(command.env(variable, KEY), b"");
    let head = server.join().expect("serves");
    assert!(head.starts_with(&format!("GET {path} HTTP/1.1\r\n")), "{head}");
    assert!(head.contains(&header), "{head}");
    assert!(!output.stdout.contains(KEY) && output.stderr.is_empty(), "{}", output.stderr);
    let lines: Vec<&str> = output.stdout.lines().skip(4).collect();
    assert_eq!(lines.join("\n"), expected.replace("[URL]", &url));
    assert_eq!(output.code, Some(exit));
}

#[test]
fn a_server_with_and_without_the_model() {
    check(
        "200 OK",
        r#"{"data": [{"id": "small"}]}"#,
        0,
        "ok    model   openai:small: [URL]/models has `small`",
    );
    check(
        "200 OK",
        r#"{"data": [{"id": "large"}, {"id": "huge"}]}"#,
        0,
        "warn  model   openai:small: [URL]/models answers; `small` is not in its list of 2\n              \
         help: the server may know it nevertheless; try a run",
    );
    check(
        "404 Not Found",
        "",
        0,
        "warn  model   openai:small: [URL]/models answers, but has no list of models\n              \
         help: the server may know it nevertheless; try a run",
    );
    check(
        "200 OK",
        "<html>",
        0,
        "warn  model   openai:small: [URL]/models did not return a list of models\n              \
         help: the server may know it nevertheless; try a run",
    );
}

#[test]
fn every_kind_of_server() {
    check_model(
        "anthropic:claude-small",
        "ANTHROPIC_API_KEY",
        ("/v1/models", format!("x-api-key: {KEY}\r\n")),
        ("200 OK", r#"{"data": [{"id": "claude-small"}]}"#),
        0,
        "ok    key     ANTHROPIC_API_KEY is set\n\
         ok    model   anthropic:claude-small: [URL]/v1/models has `claude-small`",
    );
    check_model(
        "ollama:small",
        "OLLAMA_API_KEY",
        ("/api/tags", format!("authorization: Bearer {KEY}\r\n")),
        ("200 OK", r#"{"models": [{"name": "large:7b"}, {"name": "small:latest"}]}"#),
        0,
        "ok    key     OLLAMA_API_KEY is set\nok    model   ollama:small: [URL]/api/tags has `small`",
    );
    check_model(
        "openai-responses:small",
        "OPENAI_API_KEY",
        ("/v1/models", format!("authorization: Bearer {KEY}\r\n")),
        ("200 OK", r#"{"data": [{"id": "small"}]}"#),
        0,
        "ok    key     OPENAI_API_KEY is set\n\
         ok    model   openai-responses:small: [URL]/models has `small`",
    );
}

#[test]
fn a_server_that_refuses() {
    check(
        "401 Unauthorized",
        &format!(r#"{{"error": {{"message": "wrong key {KEY}"}}}}"#),
        2,
        "fail  model   openai:small: [URL]/chat/completions does not accept the key \
         (HTTP 401 Unauthorized, model `small`): wrong key [key]\n              \
         help: see whether OPENAI_API_KEY has a key of this server that may use `small`",
    );
}

#[test]
fn tools_at_servers() {
    let open = TcpListener::bind("127.0.0.1:0").expect("listens");
    let closed = TcpListener::bind("127.0.0.1:0").expect("listens");
    let (open_at, closed_at) =
        (open.local_addr().expect("is bound"), closed.local_addr().expect("is bound"));
    drop(closed);
    let folder = tempfile::tempdir().expect("makes a folder");
    let agent = folder.path().join("agent.toml");
    let recording = folder.path().join("replies.jsonl");
    std::fs::write(&recording, r#"{"text": "1"}"#).expect("writes");
    let text = format!(
        "prompt = \"Work.\"\nmodel = \"recorded:replies.jsonl\"\n\
         [[tools]]\nname = \"open\"\nurl = \"http://{open_at}/orders/{{id}}\"\n\
         [[tools]]\nname = \"closed\"\nurl = \"http://{closed_at}/orders\"\n"
    );
    std::fs::write(&agent, text).expect("writes");
    let server = std::thread::spawn(move || serve(&open, "200 OK", ""));
    let store = folder.path().join("runs.sqlite");
    let output = run(&mut ptc(&["doctor", &agent.to_string_lossy()], &store), b"");
    // The command connected and sent no request.
    assert_eq!(server.join().expect("serves"), "");
    let lines: Vec<&str> = output.stdout.lines().skip(5).collect();
    let expected = [
        format!("ok    tool open    {open_at} answers; the tool was not called"),
        format!(
            "fail  tool closed  cannot connect to {closed_at}: Connection refused (os error 111)"
        ),
        "                   help: look at `url` of the tool, and whether the server runs"
            .to_owned(),
    ];
    assert_eq!(lines, expected);
    assert_eq!(output.code, Some(2));
}

/// Operations that cannot be tools are left out, and both commands say so.
#[test]
fn tools_that_are_left_out() {
    let folder = tempfile::tempdir().expect("makes a folder");
    let operation = |id: &str, kind: &str| {
        format!(
            "    post:\n      operationId: {id}\n      requestBody: {{content: {{{kind}: {{}}}}}}\n      responses: {{200: {{description: Done}}}}\n"
        )
    };
    let start = "openapi: 3.1.0\nservers: [{url: \"http://127.0.0.1:9\"}]\npaths:\n".to_owned();
    let puts = (0..7).map(|number| {
        format!("  /p{number}:\n{}", operation(&format!("put{number}"), "image/png"))
    });
    let note = format!("  /note:\n{}", operation("note", "application/json"));
    let document: String = std::iter::once(start).chain(puts).chain([note]).collect();
    std::fs::write(folder.path().join("api.yaml"), document).expect("writes");
    std::fs::write(folder.path().join("replies.jsonl"), "{\"text\": \"(return 1)\"}\n")
        .expect("writes");
    let agent = folder.path().join("agent.toml");
    let text = "prompt = \"Work.\"\nmodel = \"recorded:replies.jsonl\"\n[[openapi]]\nname = \"shop\"\nfile = \"api.yaml\"\n";
    std::fs::write(&agent, text).expect("writes");
    let agent = agent.to_string_lossy();
    let store = folder.path().join("runs.sqlite");
    let output = run(&mut ptc(&["doctor", &agent], &store), b"");
    let mut lines = output.stdout.lines();
    let last = lines.rfind(|line| line.contains("is left out of the API `shop`"));
    let why = "is left out of the API `shop`: it takes a body of `image/png` only";
    assert_eq!(last, Some(format!("warn  tool put6  {why}").as_str()));
    assert_eq!(output.stdout.matches(why).count(), 7);
    let output = run(&mut ptc(&["run", &agent], &store), b"");
    let warnings: Vec<&str> = output.stderr.lines().filter(|it| it.contains("left out")).collect();
    assert_eq!(warnings.len(), 6);
    assert_eq!(
        [warnings[0], warnings[5]],
        [
            "warning: `put0` of the API `shop` is left out: it takes a body of `image/png` only",
            "warning: 2 more tools are left out: `ptc doctor` names them",
        ]
    );
}

/// A key of the environment goes to a server that is not its vendor's only if the agent file says so, which is told.
#[test]
fn keys_for_foreign_servers() {
    let foreign = "ok    key     OPENAI_API_KEY is not sent to a server that is not its vendor's\n              \
                   help: name the variable of its key with `api_key_env`, if the server needs one";
    let sent = "warn  key     OPENAI_API_KEY goes to [URL], which is not a server of its vendor\n              \
                help: take `send_key` out unless you trust that server with the key";
    for (keys, header, expected) in [("", false, foreign), ("send_key = true\n", true, sent)] {
        let listener = TcpListener::bind("127.0.0.1:0").expect("listens");
        let url = format!("http://{}/v1", listener.local_addr().expect("has an address"));
        let folder = tempfile::tempdir().expect("makes a folder");
        let file = folder.path().join("agent.toml");
        let text =
            format!("prompt = \"p\"\nmodel = \"openai:small\"\nbase_url = \"{url}\"\n{keys}");
        std::fs::write(&file, text).expect("writes");
        let store = folder.path().join("runs.sqlite");
        let mut command = ptc(&["doctor", &file.to_string_lossy()], &store);
        let body = r#"{"data": [{"id": "small"}]}"#;
        let server = std::thread::spawn(move || serve(&listener, "200 OK", body));
        let output = run(command.env("OPENAI_API_KEY", KEY), b"");
        let head = server.join().expect("serves");
        assert_eq!(head.contains(KEY), header, "{head}");
        let lines: Vec<&str> = output.stdout.lines().skip(4).take(2).collect();
        assert_eq!(lines.join("\n"), expected.replace("[URL]", &url), "{}", output.stdout);
    }
}

#[test]
fn sources_that_cannot_be_read() {
    let folder = Folder::new();
    std::fs::write(folder.path("rates.json"), "[1, 2]").expect("writes");
    folder.write_workflow("desk", "(count ctx/rates)");
    let keys = "name = \"desk\"\nprogram = \"desk.clj\"\n\
        [[sources]]\nname = \"rates\"\nfile = \"rates.json\"\n\
        [[sources]]\nname = \"lost\"\nfile = \"lost.json\"\n\
        [[sources]]\nname = \"off\"\nfile = \"lost.json\"\nenabled = false\n\
        [[sources]]\nname = \"needed\"\nsqlite = \"lost.sqlite\"\nquery = \"SELECT 1\"\n\
        on_error = \"stop\"\n";
    std::fs::write(folder.path("desk.toml"), keys).expect("writes");
    let output = run(&mut folder.command(&["doctor", "desk.toml"]), b"");
    let lines: Vec<&str> = output.stdout.lines().filter(|it| it.contains(" source ")).collect();
    let help = "                     help: mend it before a run, or switch the source off";
    let expected = [
        "ok    source rates   rates.json can be read",
        "warn  source lost    lost.json: there is no such file",
        help,
        "ok    source off     is off",
        "fail  source needed  lost.sqlite: there is no such file",
        help,
    ];
    assert_eq!((lines, output.code), (expected.to_vec(), Some(2)));

    // A run has the state of each, and its settings.
    let keys = keys.replace("on_error = \"stop\"\n", "");
    std::fs::write(folder.path("desk.toml"), keys).expect("writes");
    let settings = "[[changes]]\nkeys.openai = \"DESK_KEY\"\n[[changes]]\nfor = \"root\"\nsources.off = false\n\
        [[changes.tools.add]]\nname = \"one\"\nreturns = 1\n";
    std::fs::write(folder.path("set.toml"), settings).expect("writes");
    let args = ["run", "desk.toml", "--quiet", "--with", "set.toml"];
    let output = run(&mut folder.command(&args), b"");
    assert_eq!((output.stdout.as_str(), output.code), ("2\n", Some(0)), "{}", output.stderr);
    let shown = run(&mut folder.command(&["show"]), b"").stdout;
    let of_caller = |it: &&str| it.starts_with("  source ") || it.starts_with("  settings ");
    let lines: Vec<&str> = shown.lines().filter(of_caller).collect();
    let set = folder.path("set.toml");
    let added = format!(
        "  settings   {{\"for\":\"root\",\"tools\":{{\"add\":[\"one\"]}},\"sources\":{{\"off\":false}},\"file\":{set:?}}}"
    );
    let expected = [
        "  settings   {\"keys\":{\"openai\":\"DESK_KEY\"}}",
        &added,
        "  source     lost: failed: No such file or directory (os error 2)",
        "  source     needed: failed: there is no such file",
        "  source     off: off",
        "  source     rates: loaded, 2 rows, 6 bytes",
    ];
    assert_eq!(lines, expected);
}
