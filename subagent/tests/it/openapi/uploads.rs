//! Bodies with parts, against a real listener: the bytes that a server gets.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};

use ptc_subagent::Mission;
use ptc_subagent::provider::Scripted;
use ptc_subagent::replay::{Replay, Resume};
use ptc_subagent::store::Store;
use serde_json::{Value, json};

use super::Place;
use crate::support::program;

const UPLOADS: &str = "
openapi: 3.1.0
servers: [{url: SERVER}]
paths:
  /photo:
    get: {operationId: photo, responses: {200: {content: {image/png: {}}}}}
  /posts:
    post:
      operationId: post
      requestBody:
        required: true
        content:
          multipart/form-data:
            encoding: {data: {contentType: text/csv}}
            schema:
              type: object
              required: [title]
              properties:
                title: {type: string}
                tags: {type: array, items: {type: string}}
                data: {type: string, format: binary}
                photos: {type: array, items: {type: string, format: binary}}
      responses: {200: {content: {text/plain: {}}}}
";

const PHOTO: &[u8] = b"\x89PNG\r\n\x1a\n\xff\x00";

/// Answers `GET` with a photo and other requests with `ok`. Gives the bodies that it gets.
fn listen(count: usize) -> (String, Receiver<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for _ in 0..count {
            let (mut socket, _) = listener.accept().unwrap();
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                socket.read_exact(&mut byte).unwrap();
                head.push(byte[0]);
            }
            let head = String::from_utf8(head).unwrap().to_ascii_lowercase();
            let value = |name: &str| head.lines().find_map(|it| it.strip_prefix(name));
            let length = value("content-length: ").map_or(0, |it| it.parse().unwrap());
            let mut body = vec![0; length];
            socket.read_exact(&mut body).unwrap();
            let (kind, answer) = if head.starts_with("get") {
                ("image/png", PHOTO)
            } else {
                ("text/plain", &b"ok"[..])
            };
            if let Some(kind) = value("content-type: ") {
                sender.send([kind.as_bytes(), b"\n", &body].concat()).unwrap();
            }
            let start = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                answer.len()
            );
            socket.write_all(&[start.as_bytes(), answer].concat()).unwrap();
        }
    });
    (address, receiver)
}

/// Returns the body of a request with these parts: head and content.
fn body(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = b"multipart/form-data; boundary=ptc-part-00000000\n".to_vec();
    for (head, content) in parts {
        out.extend_from_slice(b"--ptc-part-00000000\r\nContent-Disposition: form-data; ");
        out.extend_from_slice(head.as_bytes());
        out.extend_from_slice(b"\r\n\r\n");
        out.extend_from_slice(content);
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(b"--ptc-part-00000000--\r\n");
    out
}

fn place(address: &str) -> Place {
    let place = Place::new(&UPLOADS.replace("SERVER", address), "files = \"out\"");
    std::fs::create_dir_all(place.path("out/in")).unwrap();
    std::fs::write(place.path("out/in/a.bin"), [0, 255, 13, 10]).unwrap();
    std::fs::write(place.path("out/.env"), "SECRET=1").unwrap();
    std::fs::write(place.path("secret.txt"), "secret").unwrap();
    place
}

#[tokio::test]
async fn parts_are_text_files_and_content_of_results() {
    let (address, bodies) = listen(3);
    let place = place(&address);
    let agent = place.read(None).unwrap();
    let file = "{file :string, filename? :string, type? :string}|{text :string, filename? :string, type? :string}|{hash :string, filename? :string, type? :string}";
    assert_eq!(
        super::listed(&agent),
        format!(
            "read photo () -> :any \nwrite post (body {{title :string, tags? [:string], data? {file}, photos? [{file}]}}) -> :string \n"
        )
    );
    let store = Store::open(&place.path("runs.db")).unwrap();
    let first = [program("(def it (tool/photo {}))")];
    let mission = Mission::new(&agent, json!({})).record_in(&store);
    let report = mission.run(&Scripted::new(first)).await.unwrap();
    // The resumed run takes the content from the record.
    let run = report.run.to_string();
    let resume = Resume::of(&store, &run).unwrap();
    let agent = place.read(Some(resume.record())).unwrap();
    let replies = [program(
        "(return [(tool/post {:body {:title \"A \\\"b\\\"\" :tags [\"x\" \"y\"] :data {:text \"a,b\" :filename \"t.csv\"}
                                     :photos [it {:file \"in/a.bin\"}]}})
                  (tool/post {:body {:title \"\"}})])",
    )];
    let report = resume.mission(&agent).unwrap().run(&Scripted::new(replies)).await.unwrap();
    assert_eq!(serde_json::to_value(&report.value).unwrap(), json!(["ok", "ok"]), "{report:?}");
    let expected = body(&[
        ("name=\"title\"", b"A \"b\""),
        ("name=\"tags\"", b"x"),
        ("name=\"tags\"", b"y"),
        ("name=\"data\"; filename=\"t.csv\"\r\nContent-Type: text/csv", b"a,b"),
        ("name=\"photos\"; filename=\"file.png\"\r\nContent-Type: image/png", PHOTO),
        (
            "name=\"photos\"; filename=\"a.bin\"\r\nContent-Type: application/octet-stream",
            &[0, 255, 13, 10],
        ),
    ]);
    assert_eq!(bodies.recv().unwrap(), expected, "{}", String::from_utf8_lossy(&expected));
    assert_eq!(bodies.recv().unwrap(), body(&[("name=\"title\"", b"")]));
    // A replay sends nothing and reads no file.
    std::fs::remove_dir_all(place.path("out")).unwrap();
    let record = store.show(&run).unwrap();
    let replay = Replay::of(&store, &run).unwrap().with_agent(place.read(Some(&record)).unwrap());
    assert_eq!(replay.run().await.unwrap().differences, []);
    assert!(bodies.try_recv().is_err());
}

#[tokio::test]
async fn only_files_below_the_folder_are_sent() {
    let place = place("http://127.0.0.1:9");
    let secret = place.path("secret.txt").to_string_lossy().into_owned();
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink("../secret.txt", place.path("out/link.txt")).unwrap();
        symlink("..", place.path("out/up")).unwrap();
        symlink(".env", place.path("out/env.txt")).unwrap();
    }
    std::fs::File::create(place.path("out/large.bin")).unwrap().set_len(33 << 20).unwrap();
    let agent = place.read(None).unwrap();
    let call = |part: Value| {
        let args = json!({"body": {"title": "", "data": part}});
        super::call(super::tool(&agent, "post"), args)
    };
    let outside =
        |path: &str| format!("names a file that is not below the folder of files: `{path}`");
    let file = |path: &str| (json!({"file": path}), outside(path));
    let mut cases = vec![
        file("../secret.txt"),
        file("in/../../secret.txt"),
        file(&secret),
        file(""),
        file("."),
        file(".env"),
        file("in/.env"),
        (json!({"file": "in"}), "names `in`, which is not a file".to_string()),
        (
            json!({"file": "none.txt"}),
            "names the file `none.txt`: No such file or directory (os error 2)".to_string(),
        ),
        (json!({"hash": "00"}), "names content that no result has: `00`".to_string()),
    ];
    #[cfg(unix)]
    cases.extend([file("link.txt"), file("up/secret.txt"), file("env.txt")]);
    for (part, expected) in cases {
        let found = call(part.clone()).await;
        let length = secret.chars().count();
        let expected =
            if length > 80 { expected.replace(&secret, &secret[..80]) } else { expected };
        assert_eq!(found, format!("tool-arguments: the part `data` {expected}"), "{part}");
    }
    let found = call(json!({"file": "large.bin"})).await;
    assert_eq!(found, "tool-arguments: the parts have more than 32 MiB");

    // Without `files`, the model reads of none.
    place.write("[[openapi]]\nname = \"shop\"\nfile = \"api.txt\"");
    let agent = place.read(None).unwrap();
    assert!(!super::listed(&agent).contains("file :string"), "{}", super::listed(&agent));
    let args = json!({"body": {"title": "", "data": {"file": "in/a.bin", "text": ""}}});
    let found = super::call(super::tool(&agent, "post"), args).await;
    assert_eq!(found, "tool-arguments: the part `data` needs one of `file`, `text` and `hash`");
}
