//! Secrets that models, commands and endpoints receive and repeat in every encoding. None of them is in the output or
//! in a file of the command.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::json;

use crate::support::{Output, ptc, run};

/// The key of the model, a header of an endpoint, a variable of a command, and a password in the base URL. Then two values
/// of the host context, and one that a source loads into it.
const SECRETS: [(&str, &str); 7] = [
    ("OPENAI_API_KEY", "sk-live/key+\"0123456789"),
    ("TEST_HEADER_TOKEN", "tok/LIVE+\"7-0123456789"),
    ("TEST_COMMAND_SECRET", "pass/wörd \"7-0123456789"),
    ("PASSWORD", "url-pass-0123456789"),
    ("CONTEXT_TOKEN", "ctx/LIVE+\"8-0123456789"),
    ("CONTEXT_TENANT", "tenant \"9-0123456789"),
    ("SOURCE_TOKEN", "src/LIVE+\"9-0123456789"),
];

const AGENT: &str = r#"
name = "leaky"
prompt = "Call the tools."
max_turns = 3

[[tools]]
name = "command"
effect = "read"
command = ["cat", "command.json"]
env = ["TEST_COMMAND_SECRET"]

[[tools]]
name = "broken"
effect = "read"
command = ["sh", "-c", "cat command.json >&2; exit 1"]
env = ["TEST_COMMAND_SECRET"]

[[tools]]
name = "echo"
effect = "read"
url = "URL/echo"
headers = { Authorization = "Bearer $TEST_HEADER_TOKEN" }

[[tools]]
name = "refused"
effect = "read"
url = "URL/refused"
headers = { X-Other = "$TEST_HEADER_TOKEN" }
"#;

/// The program of the first turn calls all tools and ends with a value; that of the second turn returns the value.
const PROGRAMS: [&str; 2] = [
    "(def all [(tool/command {}) (tool/echo {})
       (try (tool/broken {}) (catch Exception e (ex-message e)))
       (try (tool/refused {}) (catch Exception e (ex-message e)))])
     (println all)
     (memory/put :all all)
     all",
    "(return all)",
];

/// Returns the forms in which a JSON string may repeat a secret.
fn encodings(secret: &str) -> Vec<String> {
    let quoted = |text: &str| {
        let json = json!(text).to_string();
        json[1..json.len() - 1].to_string()
    };
    let mut units = String::new();
    for unit in secret.encode_utf16() {
        write!(units, "\\u{unit:04X}").expect("writes");
    }
    let (mut percent, mut hex) = (String::new(), String::new());
    for byte in secret.bytes() {
        write!(percent, "%{byte:02x}").expect("writes");
        write!(hex, "{byte:02x}").expect("writes");
    }
    let special = secret.replace('/', "%2F").replace('+', "%2B").replace('"', "%22");
    let special = special.replace('ö', "%C3%B6").replace(' ', "+");
    let slashes = quoted(secret).replace('/', "\\/");
    let base64 = ["", "u", "us", "user:"].map(|it| base64(format!("{it}{secret} and").as_bytes()));
    let mut all = vec![quoted(secret), quoted(&slashes), quoted(&units), slashes, units, special];
    all.extend([percent, hex]);
    all.extend(base64.iter().map(|it| it.replace('+', "-").replace('/', "_")));
    all.extend(base64);
    all
}

fn base64(bytes: &[u8]) -> String {
    let letters: Vec<char> =
        ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(['+', '/']).collect();
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, at| bits << 8 | u32::from(*chunk.get(at).unwrap_or(&0)));
        text.extend((0..=chunk.len()).map(|at| letters[(bits >> (18 - 6 * at) & 63) as usize]));
    }
    text
}

/// Returns the secrets that these bytes contain, with their encodings.
fn found(bytes: &[u8]) -> Vec<String> {
    let has = |text: &str| bytes.windows(text.len()).any(|it| it == text.as_bytes());
    let mut found = Vec::new();
    for (name, secret) in SECRETS {
        let plain = std::iter::once(secret.to_string());
        // The first and last letters of Base64 depend on the bytes next to the secret.
        let middle = |it: String| {
            if it.len() > 24 && !it.contains(['\\', '%']) {
                it[8..it.len() - 8].to_string()
            } else {
                it
            }
        };
        for text in plain.chain(encodings(secret).into_iter().map(middle)) {
            if has(&text) {
                found.push(format!("{name} as {text}"));
            }
        }
    }
    found
}

/// Returns a JSON object with every encoding of a secret.
fn echo(secret: &str) -> String {
    let items: Vec<String> = encodings(secret).iter().map(|it| format!("\"{it}\"")).collect();
    format!("{{\"said\": [{}], \"{}\": 1}}", items.join(", "), encodings(secret)[4])
}

/// Answers requests. The endpoints repeat their header; the model first repeats its key in an error, then replies with
/// the programs. Appends the bodies of the requests to `asked`.
fn serve(listener: &TcpListener, asked: &Mutex<Vec<u8>>) {
    let mut replies = 0;
    for stream in listener.incoming() {
        let stream = stream.expect("accepts");
        let (path, body) = read(&stream);
        asked.lock().expect("is free").extend(&body);
        let header = SECRETS[1].1;
        let (status, reply) = match path.as_str() {
            "/echo" => (200, echo(header)),
            "/refused" => (403, echo(header)),
            "/context" => (403, format!("{} {}", echo(SECRETS[4].1), echo(SECRETS[5].1))),
            "/v1/chat/completions" => {
                replies += 1;
                match replies {
                    1 => (
                        500,
                        format!(
                            "{{\"error\": {{\"message\": \"{}\"}}}}",
                            encodings(SECRETS[0].1).join(" ")
                        ),
                    ),
                    4 => (
                        200,
                        format!("{{\"malformed\": {}{}}}", echo(SECRETS[0].1), echo(SECRETS[3].1)),
                    ),
                    _ => {
                        let text =
                            format!("```clojure\n{}\n```\n{}", PROGRAMS[replies - 2], SECRETS[0].1);
                        (200, json!({"choices": [{"message": {"content": text}}]}).to_string())
                    }
                }
            }
            _ => return,
        };
        let mut stream = &stream;
        write!(
            stream,
            "HTTP/1.1 {status} x\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{reply}",
            reply.len()
        )
        .expect("writes");
    }
}

/// Reads the path and the body of a request.
fn read(stream: &TcpStream) -> (String, Vec<u8>) {
    let mut reader = BufReader::new(stream);
    let (mut path, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("reads");
        if path.is_empty() {
            path = line.split(' ').nth(1).unwrap_or_default().to_string();
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().expect("is a number");
        }
        if line.trim().is_empty() {
            let mut body = vec![0; length];
            reader.read_exact(&mut body).expect("reads");
            return (path, body);
        }
    }
}

fn check_folder(path: &Path) {
    for entry in std::fs::read_dir(path).expect("is a folder") {
        let path = entry.expect("reads").path();
        if path.is_dir() {
            check_folder(&path);
        } else {
            assert_eq!(found(&std::fs::read(&path).expect("reads")), [""; 0], "{}", path.display());
        }
    }
}

#[test]
fn no_output_contains_a_secret() {
    for (_, secret) in SECRETS {
        // The search itself finds every encoding.
        assert!(found(echo(secret).as_bytes()).len() > 10, "{secret}");
    }
    let listener = TcpListener::bind("127.0.0.1:0").expect("listens");
    let host = listener.local_addr().expect("has an address").to_string();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&asked);
    let server = std::thread::spawn(move || serve(&listener, &kept));

    let (tools, written) =
        (tempfile::tempdir().expect("is made"), tempfile::tempdir().expect("is made"));
    let agent = tools.path().join("agent.toml");
    std::fs::write(&agent, AGENT.replace("URL", &format!("http://{host}"))).expect("writes");
    std::fs::write(tools.path().join("command.json"), echo(SECRETS[2].1)).expect("writes");
    let (agent, base) =
        (agent.to_string_lossy(), format!("http://user:{}@{host}/v1", SECRETS[3].1));
    let place = |name: &str| written.path().join(name).to_string_lossy().into_owned();
    let store = written.path().join("runs.sqlite");
    let command = |args: &[&str]| -> Output {
        let mut command = ptc(args, &store);
        let output = run(command.envs(SECRETS[..3].iter().copied()), b"");
        let said = format!("{}{}", output.stdout, output.stderr);
        assert_eq!(found(said.as_bytes()), [""; 0], "{args:?}");
        output
    };
    let (events, record) = (place("events.jsonl"), place("record.jsonl"));
    let model = ["--model", "openai:m", "--base-url", &base, "--key-env", "openai=OPENAI_API_KEY"];
    let args = ["run", &agent, "--json", "--events", &events, "--record", &record];
    let ran = command(&[&args[..], &model[..]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for mark in ["[TEST_HEADER_TOKEN]", "[TEST_COMMAND_SECRET]"] {
        assert!(ran.stdout.matches(mark).count() > 20, "{ran:?}");
    }
    assert!(ran.stderr.contains("[key]"), "{ran:?}");
    assert_eq!(command(&[&["run", &agent, "--json"][..], &model[..]].concat()).code, Some(5));
    assert_eq!(
        command(
            &[
                &["run", &agent][..],
                &["--model", "openai:m", "--base-url", &base.replace("http", "ftp")][..]
            ]
            .concat()
        )
        .code,
        Some(2)
    );
    for args in [
        &["doctor", &agent, "--model", "openai:m", "--base-url", &base][..],
        &["prompt", &agent],
        &["runs", "--json"],
        &["show"],
        &["show", "--json"],
        &["view", "--all", "--out", &place("runs.html")],
        &["export", "--out", &place("run.jsonl")],
        &["replay", "--json"],
    ] {
        command(args);
    }
    let id = ran.stdout.split('"').nth(3).expect("has an id").to_string();
    for args in [
        &["show", &id][..],
        &["show", &id, "--json"],
        &["view", &id, "--out", &place("run.html")],
        &["export", &id, "--out", &place("export.jsonl")],
        &["export", &id, "--redact", "--out", &place("redacted.jsonl")],
        &["replay", &id, "--json"],
        &["debug", &id, "--print"],
    ] {
        assert_eq!(command(args).code, Some(0), "{args:?}");
    }
    check_folder(written.path());
    drop(TcpStream::connect(&host).map(|mut it| it.write_all(b"GET /end HTTP/1.1\r\n\r\n")));
    server.join().expect("serves");
    let asked = asked.lock().expect("is free");
    assert!(asked.len() > 1000);
    assert_eq!(found(&asked), [""; 0]);
}

/// An agent in an answer style. Its first tool gets the host context and repeats the tokens; the last one sends two values
/// as headers. One source loads a token into the host context, and the others fail with it or repeat it.
const HOSTED: &str = r#"
name = "hosted"
prompt = "Call the tools."
signature = "() -> :string"
context_signature = "{token :string, tenant :string, source {token :string}}"
"#;

const HOSTED_SOURCES: &str = r#"
[[sources]]
name = "source"
file = "source.json"
into = "context"

[[sources]]
name = "select"
file = "source.json"
select = "(fail {:message (str ctx)})"
order = 1

[[sources]]
name = "query"
sqlite = "source.sqlite"
query = "SELECT json_extract(:token, '$')"
params = { token = "{{context.source.token}} {{context.tenant}}" }
order = 1
"#;

const HOSTED_TOOLS: &str = r#"
[[sources]]
name = "repeated"
tool = "command"
args = { of = "{{context.source.token}}" }
order = 1

[[sources]]
name = "failed"
tool = "variable"
order = 1

[[tools]]
name = "command"
effect = "read"
context = "stdin"
command = ["sh", "-c", "cat > got.json; cat command.json"]

[[tools]]
name = "variable"
effect = "read"
context = "env:HOST"
command = ["sh", "-c", "printf %s \"$HOST\" > variable.json; cat command.json >&2; exit 1"]

[[tools]]
name = "refused"
effect = "read"
url = "URL/context"
headers = { X-Of = "{{context.token}} {{context.tenant}}" }
"#;

/// Returns each answer style with the replies of a model that calls all tools, and then answers.
fn styles() -> [(&'static str, Vec<serde_json::Value>); 5] {
    let names = ["command", "variable", "refused"];
    let reply = |text: String| json!({"text": text});
    let program = |source: &str| reply(format!("```clojure\n{source}\n```"));
    let calls = json!({"text": "", "calls": names.map(|it| json!({"id": it, "name": it, "arguments": "{}"}))});
    let react = names.map(|it| reply(format!("Thought: next\nAction: {it}\nAction Input: {{}}")));
    let actions = names.map(|it| json!({"name": it, "params": {}}));
    let decision = json!({"nextStep": {"type": "Actions", "actions": actions}});
    let tried =
        names.map(|it| format!("(try (tool/{it} {{}}) (catch Exception e (ex-message e)))"));
    let all = format!("(def all [{}]) (println all) all", tried.join(" "));
    let last = reply("Thought: done\nFinal Answer: done".to_string());
    [
        ("program", vec![program(&all), program("(return (str (count all)))")]),
        ("tools", vec![calls, reply("done".to_string())]),
        ("react", react.into_iter().chain([last]).collect()),
        (
            "decisions",
            vec![
                reply(decision.to_string()),
                reply(json!({"taskComplete": true, "result": "done"}).to_string()),
            ],
        ),
        ("json", vec![reply("\"done\"".to_string())]),
    ]
}

#[test]
fn m36_no_output_contains_the_host_context_in_any_style() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("listens");
    let host = listener.local_addr().expect("has an address").to_string();
    let server = std::thread::spawn(move || serve(&listener, &Mutex::default()));
    let (tools, written) =
        (tempfile::tempdir().expect("is made"), tempfile::tempdir().expect("is made"));
    let file = |name: &str, text: &str| {
        let path = tools.path().join(name);
        std::fs::write(&path, text).expect("writes");
        path.to_string_lossy().into_owned()
    };
    let place = |name: &str| written.path().join(name).to_string_lossy().into_owned();
    let store = written.path().join("runs.sqlite");
    let command = |args: &[&str]| -> Output {
        let output = run(&mut ptc(args, &store), b"");
        let said = format!("{}{}", output.stdout, output.stderr);
        assert_eq!(found(said.as_bytes()), [""; 0], "{args:?}");
        output
    };
    let given = json!({"token": SECRETS[4].1, "tenant": SECRETS[5].1}).to_string();
    let context = file("context.json", &given);
    file("command.json", &format!("[{}, {}]", echo(SECRETS[4].1), echo(SECRETS[6].1)));
    let given = given.trim_end_matches('}');
    let loaded = json!({"token": SECRETS[6].1}).to_string();
    file("source.json", &loaded);
    let database = rusqlite::Connection::open(tools.path().join("source.sqlite")).expect("opens");
    database.execute_batch("CREATE TABLE t (a)").expect("creates");
    for (style, replies) in styles() {
        let replies: Vec<String> = replies.iter().map(ToString::to_string).collect();
        let model = format!("recorded:{}", file("replies.jsonl", &replies.join("\n")));
        let mut text = format!("{HOSTED}answers = \"{style}\"\n{HOSTED_SOURCES}");
        if style != "json" {
            text.push_str(&HOSTED_TOOLS.replace("URL", &format!("http://{host}")));
        }
        let agent = file("agent.toml", &text);
        let events = place(&format!("{style}.jsonl"));
        let args = ["run", &agent, "--json", "--events", &events, "--model", &model];
        let ran = command(&[&args[..], &["--context", &context]].concat());
        assert_eq!(ran.code, Some(0), "{style}: {ran:?}");
        let id = ran.stdout.split('"').nth(3).expect("has an id").to_string();
        let shown = command(&["show", &id, "--json"]).stdout;
        assert_eq!(
            shown.matches("\"state\":\"failed\"").count(),
            if style == "json" { 2 } else { 3 },
            "{shown}"
        );
        if style != "json" {
            // Without its marks, the run would have shown nothing of the tools.
            for mark in ["[context.token]", "[context.source.token]"] {
                assert!(shown.matches(mark).count() > 60, "{style}: {shown}");
            }
            for got in ["got.json", "variable.json"] {
                let got = std::fs::read_to_string(tools.path().join(got)).expect("reads");
                assert!(got.contains(given) && got.contains(&loaded), "{style}: {got}");
            }
        }
        for args in [
            &["show", &id][..],
            &["view", &id, "--out", &place("run.html")],
            &["export", &id, "--out", &place(&format!("{style}-export.jsonl"))],
            &["replay", &id, "--json"],
            &["debug", &id, "--print"],
        ] {
            assert_eq!(command(args).code, Some(0), "{style}: {args:?}");
        }
    }
    let malformed = file("malformed.json", &format!("{{\"token\": {:?}, ", SECRETS[4].1));
    let agent = tools.path().join("agent.toml");
    let args = ["run", &agent.to_string_lossy(), "--context", &malformed];
    assert_eq!(command(&args).code, Some(2));
    let wrong = file("wrong.json", &json!({"token": 1, "tenant": [SECRETS[5].1]}).to_string());
    let args = ["run", &agent.to_string_lossy(), "--context", &wrong];
    assert_eq!(command(&args).code, Some(2));
    check_folder(written.path());
    drop(TcpStream::connect(&host).map(|mut it| it.write_all(b"GET /end HTTP/1.1\r\n\r\n")));
    server.join().expect("serves");
}
