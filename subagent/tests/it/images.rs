//! Images of results: shown to a model in each protocol and style, within limits, and replayed.

use std::sync::atomic::{AtomicBool, Ordering};

use ptc_subagent::provider::{
    BoxFuture, CallResult, Images, Message, ModelSpec, Provider, ProviderError, ProviderErrorKind,
    Reply, Request,
};
use ptc_subagent::replay::{Replay, Resume};
use ptc_subagent::store::Store;
use ptc_subagent::tool::{CallContext, Effect, FnTool, ToolDef};
use ptc_subagent::{Agent, Answers, Blob, Mission};
use serde_json::{Value, json};

use crate::provider::{options, request};
use crate::provider_protocols::{ask, raw};
use crate::support::{Server, program, text};

/// Returns an image of this size. It begins as a PNG.
fn image(name: u8, size: usize) -> Blob {
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    bytes.resize(size, name);
    Blob::new("image/png", &bytes)
}

/// Returns a conversation whose last message shows an image beside a result.
fn conversation() -> (Request, Blob) {
    let (shown, mut images) = (image(1, 9), Images::default());
    images.add(&shown);
    let result = CallResult { id: "a".into(), name: "look".into(), text: "seen".into() };
    let mut asks = Message::assistant("");
    asks.calls =
        serde_json::from_value(json!([{"id": "a", "name": "look", "arguments": "{}"}])).unwrap();
    let last =
        Message::user("Note.").with_results(vec![result]).with_images(vec![shown.hash.clone()]);
    (Request { messages: vec![Message::user("one"), asks, last], images, ..request() }, shown)
}

async fn check_messages(spec: &str, key: &str, expected: Value) {
    let (request, _) = conversation();
    let (_, server) = ask(spec, &request, vec![raw(400, "")]).await;
    assert_eq!(server.bodies()[0][key], expected, "{spec}");
}

#[tokio::test]
async fn each_protocol_has_images_in_its_own_form() {
    let (_, shown) = conversation();
    let url = format!("data:image/png;base64,{}", shown.base64);
    check_messages(
        "openai:m",
        "messages",
        json!([
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": "one"},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "look", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "a", "content": "seen"},
            {"role": "user", "content": [
                {"type": "text", "text": "Note."},
                {"type": "image_url", "image_url": {"url": url}}]},
        ]),
    )
    .await;
    check_messages(
        "openai-responses:m",
        "input",
        json!([
            {"role": "user", "content": "one"},
            {"type": "function_call", "call_id": "a", "name": "look", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "a", "output": "seen"},
            {"role": "user", "content": [
                {"type": "input_text", "text": "Note."},
                {"type": "input_image", "image_url": url}]},
        ]),
    )
    .await;
    let source = json!({"type": "base64", "media_type": "image/png", "data": shown.base64});
    check_messages(
        "anthropic:m",
        "messages",
        json!([
            {"role": "user", "content": "one"},
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "a", "name": "look", "input": {}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": "seen"},
                {"type": "text", "text": "Note."},
                {"type": "image", "source": source, "cache_control": {"type": "ephemeral"}}]},
        ]),
    )
    .await;
    check_messages(
        "ollama:m",
        "messages",
        json!([
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": "one"},
            {"role": "assistant", "content": "", "tool_calls": [
                {"function": {"name": "look", "arguments": {}}}]},
            {"role": "tool", "tool_name": "look", "content": "seen"},
            {"role": "user", "content": "Note.", "images": [shown.base64]},
        ]),
    )
    .await;
}

#[tokio::test]
async fn a_model_that_refuses_images_is_asked_without_them() {
    for spec in ["openai:m", "openai-responses:m", "anthropic:m", "ollama:m"] {
        let (request, shown) = conversation();
        let refused = r#"{"error": {"message": "Image input is not supported by this model."}}"#;
        let answers = vec![raw(400, refused), raw(400, refused)];
        let (reply, server) = ask(spec, &request, answers).await;
        let found = server
            .bodies()
            .iter()
            .map(|it| it.to_string().contains(&shown.base64))
            .collect::<Vec<_>>();
        assert_eq!(found, [true, false], "{spec}");
        let (kind, message) = reply.map_err(|it| (it.kind, it.message)).unwrap_err();
        assert_eq!(kind, ProviderErrorKind::Rejected, "{spec}");
        assert!(message.contains("Image input is not supported"), "{spec} {message}");
    }
}

/// Returns the numbers of the images in each message of a request to a server.
async fn sent(messages: &[&[&Blob]]) -> Vec<Vec<u8>> {
    let mut request = request();
    let named = messages.iter().map(|it| it.iter().map(|it| it.hash.clone()).collect());
    request.messages = named.map(|it| Message::user("x").with_images(it)).collect();
    messages.iter().copied().flatten().for_each(|it| request.images.add(it));
    let (_, server) = ask("ollama:m", &request, vec![raw(400, "")]).await;
    let body = &server.bodies()[0];
    let name = |it: &Value| {
        *Blob::from_base64("", it.as_str().unwrap()).unwrap().bytes().unwrap().last().unwrap()
    };
    let images = |it: &Value| it["images"].as_array().into_iter().flatten().map(name).collect();
    body["messages"].as_array().unwrap().iter().skip(1).map(images).collect()
}

#[tokio::test]
async fn a_request_has_the_newest_images_each_once() {
    let small: Vec<Blob> = (1..=10).map(|it| image(it, 9)).collect();
    let small: Vec<&Blob> = small.iter().collect();
    let none: Vec<u8> = Vec::new();
    assert_eq!(sent(&[&small[..2], &[], &small[1..3]]).await, [vec![1], none.clone(), vec![2, 3]]);
    // At most 8: those of the newest messages.
    assert_eq!(sent(&[&small[..3], &small[3..]]).await, [vec![1], vec![4, 5, 6, 7, 8, 9, 10]]);
    // At most 4 MiB together. A smaller one may still fit.
    let large = [image(1, 3 << 20), image(2, 2 << 20), image(3, 1 << 20)];
    let large: Vec<&Blob> = large.iter().collect();
    assert_eq!(
        sent(&[&large[2..], &large[1..2], &large[..1]]).await,
        [vec![3], none.clone(), vec![1]]
    );
    // Content that is no image is not sent.
    let text = Blob::new("image/png", b"hello");
    assert_eq!(sent(&[&[&text]]).await, [none]);
}

/// Makes an agent whose tool `look` gives the images 1 to `n`.
fn looking(images: bool, size: usize) -> Agent {
    let look = FnTool::new(move |args: Value, cx: CallContext| async move {
        let count = args["n"].as_u64().unwrap_or_default();
        let kept = (1..=count).map(|it| cx.keep(image(u8::try_from(it).unwrap(), size)));
        Ok(Value::Array(kept.collect::<Result<_, _>>()?))
    });
    let look = ToolDef::new("look", look).with_effect(Effect::Read).with_max_output(16 << 20);
    let look = look.with_signature("(n :int) -> [:map]").unwrap();
    Agent::new("Look.").with_images(images).with_max_turns(3).with_tool(look)
}

/// Runs replies of a chat server. Returns the content of the second request's last message, and checks the replay.
async fn told(agent: &Agent, first: &str) -> Value {
    let answers = vec![text(program(first)), text(program("(return 1)"))];
    let server = Server::start(answers).await;
    let provider = "openai:m".parse::<ModelSpec>().unwrap().open(&options(&server)).unwrap();
    let store = Store::in_memory().unwrap();
    let mission = Mission::new(agent, json!({})).record_in(&store);
    let report = mission.run(&*provider).await.unwrap();
    assert_eq!(report.value, json!(1), "{report:?}");
    let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!(replayed.differences, []);
    let messages = server.bodies()[1]["messages"].clone();
    messages.as_array().unwrap().last().unwrap()["content"].clone()
}

#[tokio::test]
async fn a_message_shows_the_images_that_it_names() {
    let url = |it: &Blob| json!({"type": "image_url", "image_url": {"url": format!("data:image/png;base64,{}", it.base64)}});
    let short = |it: &Blob| it.hash[..12].to_string();
    let (first, second) = (image(1, 9), image(2, 9));

    let content = told(&looking(true, 9), "(first (tool/look {:n 2}))").await;
    let note = format!("\n\nThis message shows the image {}.", short(&first));
    assert!(content[0]["text"].as_str().unwrap().ends_with(&note), "{content}");
    assert_eq!(content.as_array().unwrap()[1..], [url(&first)]);

    let content = told(&looking(true, 9), "(reverse (tool/look {:n 2}))").await;
    let note = format!(
        "\n\nThis message shows the images {}, {}, in this order.",
        short(&second),
        short(&first)
    );
    assert!(content[0]["text"].as_str().unwrap().ends_with(&note), "{content}");
    assert_eq!(content.as_array().unwrap()[1..], [url(&second), url(&first)]);

    // A program may name an image by its hash alone, in what it prints too.
    let content = told(&looking(true, 9), "(println (:hash (first (tool/look {:n 1}))))").await;
    assert_eq!(content.as_array().unwrap()[1..], [url(&first)]);

    // An image that nothing names is not shown.
    let content = told(&looking(true, 9), "(count (tool/look {:n 2}))").await;
    assert!(!content.as_str().unwrap().contains("This message shows"), "{content}");

    // By default, models see no images.
    let content = told(&looking(false, 9), "(first (tool/look {:n 2}))").await;
    let content = content.as_str().unwrap();
    assert!(content.contains(&first.hash) && !content.contains("This message shows"), "{content}");
}

#[tokio::test]
async fn images_beyond_the_limits_are_named_as_left_out() {
    let content = told(&looking(true, 9), "(println (map :hash (tool/look {:n 10})))").await;
    let parts = content.as_array().unwrap();
    let note = "in this order. 2 images are left out: a request has at most 8 images and 4 MiB.";
    assert!(parts[0]["text"].as_str().unwrap().ends_with(note), "{}", parts[0]);
    assert_eq!(parts.len(), 9);
    let content = told(&looking(true, 5 << 20), "(first (tool/look {:n 1}))").await;
    let note = "\n\n1 image is left out: a request has at most 8 images and 4 MiB.";
    assert!(content.as_str().unwrap().ends_with(note), "{content}");
}

#[tokio::test]
async fn native_calls_and_other_styles_show_images() {
    let first = image(1, 9);
    let note = format!("This message shows the image {}.", &first.hash[..12]);
    let call = json!([{"id": "a", "name": "look", "arguments": "{\"n\": 1}"}]);
    let mut native = Reply::new("");
    native.calls = serde_json::from_value(call).unwrap();
    let react = "Thought: I look.\nAction: look\nAction Input: {\"n\": 1}";
    for (answers, reply) in [(Answers::Tools, native), (Answers::React, Reply::new(react))] {
        let agent = looking(true, 9).with_answers(answers.clone());
        let model = Watched::new(vec![reply]);
        let report = Mission::new(&agent, json!({})).run(&model).await.unwrap();
        let requests = model.requests.lock().unwrap();
        let last = requests[1].messages.last().unwrap();
        assert_eq!(last.images, std::slice::from_ref(&first.hash), "{answers:?} {report:?}");
        assert!(last.text.ends_with(&note), "{answers:?} {}", last.text);
        assert!(requests[1].images.get(&first.hash).is_some());
    }
}

/// A model that keeps its requests.
struct Watched {
    replies: std::sync::Mutex<Vec<Reply>>,
    requests: std::sync::Mutex<Vec<Request>>,
}

impl Watched {
    fn new(replies: Vec<Reply>) -> Watched {
        Watched { replies: replies.into(), requests: std::sync::Mutex::default() }
    }
}

impl Provider for Watched {
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        self.requests.lock().unwrap().push(request.clone());
        let mut replies = self.replies.lock().unwrap();
        let reply = if replies.is_empty() {
            Err(ProviderError::new(ProviderErrorKind::Server, "has stopped"))
        } else {
            Ok(replies.remove(0))
        };
        Box::pin(std::future::ready(reply))
    }

    fn name(&self) -> String {
        "watched".to_string()
    }
}

/// A run that resumes sends the images of earlier turns, from its whole record and from a snapshot.
#[tokio::test]
async fn a_resumed_run_sends_the_same_images() {
    for snapshots in [false, true] {
        let agent = looking(true, 9).with_snapshots(snapshots);
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("runs.db")).unwrap();
        let stops = Watched::new(vec![Reply::new(program("(first (tool/look {:n 1}))"))]);
        let report = Mission::new(&agent, json!({})).record_in(&store).run(&stops).await.unwrap();
        let stopped = stops.requests.lock().unwrap().remove(1);
        assert_eq!(stopped.messages[2].images, [image(1, 9).hash], "{snapshots}");
        let resume = Resume::of(&store, report.run.as_str()).unwrap();
        let goes_on = Watched::new(vec![Reply::new(program("(return 1)"))]);
        let report = resume.mission(&agent).unwrap().run(&goes_on).await.unwrap();
        assert_eq!(report.value, json!(1), "{snapshots}");
        let resumed = goes_on.requests.lock().unwrap().remove(0);
        assert_eq!(resumed, stopped, "{snapshots}");
    }
}

/// A conversation that is too long is sent without the images of earlier messages, then without any.
#[tokio::test]
async fn a_conversation_that_is_too_long_loses_its_images() {
    struct Short(Watched, AtomicBool);
    impl Provider for Short {
        fn complete<'a>(
            &'a self,
            request: &'a Request,
        ) -> BoxFuture<'a, Result<Reply, ProviderError>> {
            if request.messages.len() > 2 && !self.1.swap(true, Ordering::Relaxed) {
                let error = ProviderError::new(ProviderErrorKind::Context, "too long");
                return Box::pin(std::future::ready(Err(error)));
            }
            self.0.complete(request)
        }
        fn name(&self) -> String {
            self.0.name()
        }
    }
    let replies = ["(first (tool/look {:n 1}))", "(return 1)"].map(|it| Reply::new(program(it)));
    let model = Short(Watched::new(replies.to_vec()), AtomicBool::new(false));
    let store = Store::in_memory().unwrap();
    let agent = looking(true, 9);
    let report = Mission::new(&agent, json!({})).record_in(&store).run(&model).await.unwrap();
    assert_eq!(report.value, json!(1));
    let warnings: Vec<&str> = report.warnings.iter().map(|it| it.message.as_str()).collect();
    let expected = "the conversation was too long for the model, so 1 image of the newest message was left out";
    assert_eq!(warnings, [expected]);
    let asked = model.0.requests.lock().unwrap().remove(1);
    assert_eq!(asked.messages[2].images, [""; 0]);
    let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!(replayed.differences, []);
}

/// A result that expires takes its images with it.
#[tokio::test]
async fn expired_results_have_no_images() {
    let agent = looking(true, 9);
    let transcript = ptc_subagent::Transcript::default().with_keep_results(1);
    let agent = agent.with_transcript(transcript);
    let replies = ["(first (tool/look {:n 1}))", "2", "(return 1)"];
    let model = Watched::new(replies.map(|it| Reply::new(program(it))).to_vec());
    Mission::new(&agent, json!({})).run(&model).await.unwrap();
    let requests = model.requests.lock().unwrap();
    let images = |at: usize| requests[at].messages[2].images.len();
    assert_eq!((images(1), images(2)), (1, 0));
}
