//! Binary content of results, as `ptc show` and `ptc view` show it.

use ptc_subagent::provider::Scripted;
use ptc_subagent::store::Store;
use ptc_subagent::tool::{CallContext, Effect, FnTool, ToolDef};
use ptc_subagent::{Agent, Blob, Mission};
use serde_json::{Value, json};

use crate::support::{Folder, run};

/// The smallest PNG: one pixel.
const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// Records a run whose tool gives an image, a secret image, and a text as bytes.
fn record(store: &std::path::Path) {
    let tool = FnTool::new(|_: Value, cx: CallContext| async move {
        let image = Blob::from_base64("image/png", PIXEL).expect("is Base64");
        let image = cx.keep(image)?;
        let secret = cx.keep(Blob::new("image/gif", b"secret"))?;
        let text = cx.keep(Blob::new("text/plain", b"hello"))?;
        Ok(json!({"image": image, "_secret": secret, "text": text}))
    });
    let agent = Agent::new("Draw.").with_tool(ToolDef::new("draw", tool).with_effect(Effect::Read));
    let store = Store::open(store).expect("opens");
    let provider = Scripted::new(["```clojure\n(tool/draw {})\n(return 1)\n```"]);
    let mission = Mission::new(&agent, json!({})).record_in(&store);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let report = runtime.expect("starts").block_on(mission.run(&provider)).expect("runs");
    assert_eq!(report.error, None);
}

#[test]
fn content_is_shown_and_written() {
    let folder = Folder::new();
    record(&folder.path("runs.sqlite"));
    let ptc = |args: &[&str]| run(&mut folder.command(args), b"");
    let shown = ptc(&["show"]).stdout;
    let lines: Vec<&str> = shown.lines().filter(|line| line.contains("--blob")).collect();
    let pixel = Blob::from_base64("image/png", PIXEL).expect("is Base64");
    let expected = [
        format!("      image/png · 70 bytes · --blob {}", &pixel.hash[..12]),
        "      text/plain · 5 bytes · --blob ea8f163db386".to_owned(),
    ];
    assert_eq!(lines, expected, "{shown}");
    let bytes = ptc(&["show", "--blob", "ea8f163d"]);
    assert_eq!((bytes.code, bytes.stdout.as_str()), (Some(0), "hello"), "{}", bytes.stderr);
    let hidden = Blob::new("image/gif", b"secret").hash;
    let missing = ptc(&["show", "--blob", &hidden]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.stderr.contains(&format!("has no content `{hidden}`")), "{}", missing.stderr);
    let shown = ptc(&["show", "--blob", &hidden, "--hidden"]);
    assert_eq!((shown.code, shown.stdout.as_str()), (Some(0), "secret"), "{}", shown.stderr);
}

#[test]
fn a_page_shows_images() {
    let Some(browser) = crate::view::browser() else { return };
    let folder = Folder::new();
    record(&folder.path("runs.sqlite"));
    let page = folder.path("page.html");
    let written = run(&mut folder.command(&["view", "--out", &page.to_string_lossy()]), b"");
    assert_eq!(written.code, Some(0), "{}", written.stderr);
    let dom = crate::view::dom(browser, &page, "");
    let shown = dom.split_once("<script").expect("is there").0;
    assert!(shown.contains(&format!("<img src=\"data:image/png;base64,{PIXEL}\"")), "{shown}");
    assert_eq!(shown.matches("<img").count(), 1, "{shown}");
}
