//! `ptc view`: its pages in a real browser.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::cases::settle;
use crate::support::{compare, data, ptc, run};

const BROWSERS: [&str; 4] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Returns the name of a browser on this machine.
pub(crate) fn browser() -> Option<&'static str> {
    let found = BROWSERS.into_iter().find(|name| {
        let mut version = Command::new(name);
        version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        version.status().is_ok_and(|it| it.success())
    });
    if found.is_none() {
        #[expect(clippy::print_stderr, reason = "who reads the log must see that it did not run")]
        {
            eprintln!("skipped: pages are looked at with Chromium, which is not here");
        }
    }
    found
}

/// Returns the DOM of a page after its script has run. `behind` is a query or a fragment for its URL.
pub(crate) fn dom(browser: &str, page: &Path, behind: &str) -> String {
    let profile = tempfile::tempdir().expect("makes a folder");
    let mut command = Command::new(browser);
    command
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .arg("--virtual-time-budget=5000")
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}{behind}", page.display()))
        .env("TZ", "UTC")
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    let output = command.output().expect("starts");
    String::from_utf8(output.stdout).expect("is UTF-8")
}

/// Returns the visible text of a part of a page, with a line for each block element.
fn text(dom: &str, start: &str, end: &str) -> String {
    let part = dom.split_once(start).and_then(|it| it.1.split_once(end)).expect("is there").0;
    let mut text = String::new();
    for piece in part.split('<').skip(1) {
        let (tag, rest) = piece.split_once('>').expect("is a tag");
        let name = tag.split(' ').next().unwrap_or_default();
        let inline = ["a", "b", "span", "mark", "td", "th", "option", "/option"];
        if !inline.contains(&name.trim_start_matches('/')) {
            text.push('\n');
        } else if ["/th", "/td", "/option"].contains(&name) {
            text.push_str(" | ");
        } else if name == "mark" {
            text.push('«');
        } else if name == "/mark" {
            text.push('»');
        } else if tag.contains("here") {
            text.push('~');
        }
        text.push_str(rest);
    }
    let mut lines = String::new();
    for line in text.lines().filter(|it| !it.trim().is_empty()) {
        let line = line.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        let line = settle_times(&settle(&line));
        let _ = writeln!(lines, "{}", line.trim_end());
    }
    lines
}

/// Replaces times that vary by a word.
fn settle_times(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let shown = words.iter().enumerate().map(|(at, word)| {
        let unit = words.get(at + 1).copied().unwrap_or_default();
        let is_time = unit == "seconds" && word.parse::<u64>().is_ok();
        if is_time { "[TIME]" } else { word }
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// Runs commands with their expected exit codes, and returns the page that `ptc view` writes.
fn page(folder: &Path, commands: &[(&[&str], i32)]) -> std::path::PathBuf {
    let page = folder.join("page.html");
    for (args, code) in commands {
        let mut args = args.to_vec();
        let out = page.to_string_lossy();
        if args.first() == Some(&"view") {
            args.extend(["--out", &out]);
        }
        let output = run(&mut ptc(&args, &folder.join("runs.sqlite")), b"");
        assert_eq!(output.code, Some(*code), "{args:?}: {}", output.stderr);
    }
    page
}

const HOSTILE: (&[&str], i32) = (
    &["run", "--seed", "7", "agents/hostile.toml", "--quiet", "--input", "@inputs/hostile.json"],
    1,
);

#[test]
fn a_failed_run_with_hostile_texts() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().expect("makes a folder");
    let page = page(folder.path(), &[HOSTILE, (&["view"], 0)]);
    let dom = dom(browser, &page, "");
    let (start, end) = ("<details class=\"fold\"><summary>whole system", "</details>");
    let (before, rest) = dom.split_once(start).expect("is there");
    let dom = format!("{before}{}", rest.split_once(end).expect("ends").1);
    // The lanes and their bars depend on the durations of calls, so they are removed.
    let (before, rest) = dom.split_once("<div class=\"time\"").expect("is there");
    let dom = format!("{before}<p {}", rest.split_once("class=\"legend\"").expect("is there").1);
    let mut actual = text(&dom, "<nav id=\"tree\"", "</nav>");
    actual.push_str(&text(&dom, "<main", "</main>"));
    compare(&data().join("view.txt"), &actual);
    // The data and the script are the only script elements, and no text has become an element.
    assert_eq!(dom.matches("<script").count(), 2);
    let shown = dom.split_once("<script").expect("is there").0;
    for element in ["<img", "<i>", "<b>bold", "alert(1)</script", "\u{202e}", "\u{2066}"] {
        assert!(!shown.contains(element), "{element}");
    }
    assert!(dom.contains("<title>hostile · failed</title>"));
}

/// The page of a flow draws its steps and paths, with those that the run took.
#[test]
fn a_flow_shows_the_path_that_was_taken() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().expect("makes a folder");
    let run = ["run", "../../../examples/rating/agent.toml", "--skip", "Mend", "--quiet"];
    let page = page(folder.path(), &[(&run, 0), (&["view"], 0)]);
    let dom = dom(browser, &page, "");
    let shown = text(&dom, "<h2>flow</h2>", "<h2>timeline</h2>");
    let expected = "Mend to Praise when payload.rating > 3";
    for part in ["taken: Mend (skipped), then Praise", expected, "paths (1)"] {
        assert!(shown.contains(part), "{shown}");
    }
    let classes = ["<g class=\"skipped\"", "<g class=\"taken\"", "<path class=\"taken\""];
    let found = classes.map(|class| dom.matches(class).count());
    assert_eq!(found, [1, 1, 1]);
}

#[test]
fn concurrent_calls_have_separate_lanes() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().expect("makes a folder");
    let import = ["import", "../../../examples/runs/desk.jsonl"];
    let page = page(folder.path(), &[(&import, 0), (&["view"], 0)]);
    let dom = dom(browser, &page, "");
    let part = dom.split_once("class=\"time\"").expect("is there").1;
    let part = part.split_once("class=\"axis\"").expect("is there").0;
    let bars = |lane: &str| lane.matches("<a ").count();
    let lanes: Vec<usize> = part.split("class=\"lane\"").skip(1).map(bars).collect();
    // The first lane has the turn; the second has `terms`, a topic and a finder; the others have topics and finders.
    assert_eq!(lanes, [1, 3, 2, 2, 2, 2]);
    // Rows and bars have names, and calls without a duration are visible.
    let names = text(&dom, "class=\"time\"", "<div class=\"axis\"");
    let expected = "turns\n1\nterms, topic, finder\ntermstopicfinder\ntopic, finder\ntopicfinder\n\
        topic, finder\ntopic✕ finder\ntopic, finder\ntopicfinder\ntopic, finder\ntopicfinder\n";
    assert_eq!(names, expected);
    let width = |bar: &str| bar.split_once('%').and_then(|it| it.0.parse::<f64>().ok());
    let widths: Vec<f64> = part.split("width: ").skip(1).filter_map(width).collect();
    assert_eq!(widths.len(), bars(part));
    assert!(widths.iter().all(|it| *it > 2.0), "{widths:?}");
    let legend = text(&dom, "class=\"legend\"", "</p>");
    let expected = " turn call of a tool call of a sub-agent failedshort steps are drawn wider than their time\n";
    assert_eq!(legend, expected);
    // A long value is folded.
    assert!(dom.contains("<details class=\"fold\"><summary>value (296 characters)</summary>"));
}

#[test]
fn an_error_is_shown_once() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().expect("makes a folder");
    let turns: (&[&str], i32) = (&["run", "agents/turns.toml", "--quiet"], 3);
    let page = page(folder.path(), &[turns, (&["view"], 0)]);
    let shown = text(&dom(browser, &page, ""), "<main", "</main>");
    let told = |word: &str| shown.matches(word).count();
    assert_eq!(told("expected int, found string"), 1, "{shown}");
    assert_eq!(told("\nwrong-return ended the run\n"), 1, "{shown}");
    // The error of an earlier turn is in that turn, and in the feedback to the model.
    assert_eq!(told("the reply has no ```clojure block"), 2, "{shown}");
}

#[test]
fn settings_and_sources_of_a_run_have_lines() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().expect("makes a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("writes");
        path.to_string_lossy().into_owned()
    };
    file("rates.json", "[1]");
    file("desk.clj", "(count ctx/rates)");
    let agent = file(
        "desk.toml",
        "program = \"desk.clj\"\n[[sources]]\nname = \"rates\"\nfile = \"rates.json\"\n\
         [[sources]]\nname = \"lost\"\nfile = \"lost.json\"\n",
    );
    let settings =
        file("set.json", r#"{"keys": {"openai": "DESK_KEY"}, "tools": {"allow": ["<b>"]}}"#);
    let ran: (&[&str], i32) = (&["run", &agent, "--quiet", "--with", &settings], 0);
    let page = page(folder.path(), &[ran, (&["view"], 0)]);
    let shown = text(&dom(browser, &page, ""), "<main", "</main>");
    let expected = "\nsettings\n{\"keys\":{\"openai\":\"DESK_KEY\"},\"tools\":{\"allow\":[\"<b>\"]}}\n\
        source\nlost: failed: No such file or directory (os error 2)\nsource\nrates: loaded, 1 row, 3 bytes\n";
    assert!(shown.contains(expected), "{shown}");
}

/// A script that writes durations, as the page formats them, into the title.
const DURATIONS: &str =
    "document.title = [TIMES].map(duration).join(', '); document.body.remove();";

#[test]
fn times_are_written_as_on_a_terminal() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().expect("makes a folder");
    let page = page(folder.path(), &[HOSTILE, (&["view"], 0)]);
    let table = std::fs::read_to_string(data().join("durations.txt")).expect("reads");
    let rows: Vec<_> = table.lines().filter_map(|it| it.split_once(' ')).collect();
    let times: Vec<&str> = rows.iter().map(|it| it.0).collect();
    add_script(&page, &DURATIONS.replace("TIMES", &times.join(",")), "");
    let shown: Vec<&str> = rows.iter().map(|it| it.1).collect();
    assert_eq!(title(&dom(browser, &page, "")), shown.join(", "));
}

/// The file of a page has no hidden values. This needs no browser.
#[test]
fn a_page_has_no_hidden_values() {
    let folder = tempfile::tempdir().expect("makes a folder");
    let input = r#"{"customer": {"name": "Ada", "_mail": "ada@example.com", "_pin": 4711}, "_short": "DE"}"#;
    let run: (&[&str], i32) = (&["run", "agents/hidden.toml", "--quiet", "--input", input], 0);
    let html = |args: &[&str]| {
        let page = page(folder.path(), &[(args, 0)]);
        std::fs::read_to_string(&page).expect("reads")
    };
    page(folder.path(), &[run]);
    let has = |html: &str| {
        ["ada@example.com", "call at noon", "_pin\\\": 4711", "k-123456789"]
            .map(|secret| html.contains(secret))
    };
    let plain = html(&["view"]);
    assert_eq!(has(&plain), [false, false, false, true]);
    let seen = "[Hidden: the model saw it]";
    assert!(plain.contains(&format!("{{name Ada, _mail {seen}, _pin {seen}}}")));
    assert_eq!(has(&html(&["view", "--all"])), [false, false, false, true]);
    assert_eq!(has(&html(&["view", "--hidden"])), [true, true, false, true]);
    assert_eq!(has(&html(&["view", "--redact"])), [false; 4]);
    // In a redacted run, the hidden values are replaced already.
    let redacted = html(&["view", "--redact", "--hidden"]);
    assert_eq!(has(&redacted), [false; 4]);
    assert!(redacted.contains("hidden-1-xxxxxx"));
    // The same record gives the same page.
    assert_eq!(plain, html(&["view"]));
}

#[test]
fn a_search_marks_what_it_finds_and_names_other_runs() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().expect("makes a folder");
    let page = page(folder.path(), &[HOSTILE, (&["view"], 0)]);
    let dom = dom(browser, &page, "?q=TXET");
    let found = text(&dom, "<span id=\"found\"", "</header>");
    assert_eq!(found.split(' ').take(4).collect::<Vec<_>>().join(" "), "4 places, also in");
    let marks = dom.matches("<mark").count();
    assert_eq!((marks, dom.matches("<mark class=\"now\">").count()), (4, 1));
}

/// A script that presses keys in a page, and writes the result of each into the title.
const KEYS: &str = r"
    const press = (key, on, more) =>
        on.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
    const here = () => document.activeElement.id.replace(/^.*[.]/, '');
    const now = () => [...document.querySelectorAll('mark')].findIndex(it => it.classList.contains('now'));
    const seen = [];
    for (const key of ['j', 'j', 'k', '/']) {
        press(key, document.activeElement);
        seen.push(here());
    }
    search.value = 'txet';
    for (const shiftKey of [false, false, true]) {
        press('Enter', search, { shiftKey });
        seen.push(now());
    }
    press('Escape', search);
    seen.push(document.querySelectorAll('mark').length, here());
    document.title = seen.join(' ');
";

#[test]
fn keys_move_between_places_and_no_other_script_runs() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().expect("makes a folder");
    let page = page(folder.path(), &[HOSTILE, (&["view"], 0)]);
    // These elements would be in the page if a part of the record could become markup.
    let other =
        "<script>document.title = 'taken'</script><img src=x onerror=\"document.title = 'taken'\">";
    add_script(&page, KEYS, other);
    assert_eq!(title(&dom(browser, &page, "")), "1 2 1 search 0 1 0 0 main");
}

/// Adds a script that the policy of a page permits, and other markup that it does not permit.
fn add_script(page: &Path, script: &str, other: &str) {
    let html = std::fs::read_to_string(page).expect("reads");
    let nonce =
        html.split_once("'nonce-").and_then(|it| it.1.split_once('\'')).expect("is there").0;
    let ours = format!("<script nonce=\"{nonce}\">{script}</script>");
    let html = html.replace("</body>", &format!("{ours}{other}</body>"));
    std::fs::write(page, html).expect("writes");
}

fn title(dom: &str) -> &str {
    dom.split_once("<title>").and_then(|it| it.1.split_once('<')).expect("is there").0
}

/// A long name of an agent stays beside its mark. An abandoned turn does not look like a failure.
#[test]
fn long_names_and_abandoned_turns() {
    const LAYOUT: &str = "
        const [mark, text] = document.querySelectorAll('#tree a')[1].children;
        const height = it => it.getClientRects()[0].top;
        const turns = [...document.querySelectorAll('section.turn h2 .status')];
        const seen = turns.map(it => `${it.textContent} ${it.className}`);
        document.title = [Math.abs(height(mark) - height(text)) < 3, ...seen].join(', ');
    ";
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().expect("makes a folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("writes");
    };
    let long = "an-agent-whose-name-is-longer-than-the-list-of-sub-agents-is-wide";
    write("child.toml", &format!("name = \"{long}\"\nprogram = \"child.clj\"\n"));
    write("child.clj", "1");
    write("outer.toml", "program = \"outer.clj\"\n[[tools]]\nagent = \"child.toml\"\n");
    let program =
        format!("(do (call \"{long}\" {{}}) (if ctx/state (flow/wait 61000) (flow/continue 1)))");
    write("outer.clj", &program);
    let agent = folder.path().join("outer.toml");
    page(folder.path(), &[(&["run", &agent.to_string_lossy(), "--quiet"], 6)]);
    write("outer.clj", ":new");
    let resume = ["resume", "--accept-change", "--quiet"];
    let page = page(folder.path(), &[(&resume, 0), (&["view"], 0)]);
    add_script(&page, LAYOUT, "");
    assert_eq!(
        title(&dom(browser, &page, "")),
        "true, continued status good, abandoned status warn, returned status good"
    );
}

#[test]
fn several_runs_are_listed() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().expect("makes a folder");
    let one: (&[&str], i32) = (&["run", "agents/one.toml", "--quiet"], 0);
    let page = page(folder.path(), &[HOSTILE, one, (&["view", "--all"], 0)]);
    let dom = dom(browser, &page, "");
    // The filters are on the line of the search.
    let mut list = text(&dom, "<header", "</header>");
    list.push_str(&text(&dom, "<main", "</main>"));
    compare(&data().join("view-all.txt"), &list);
}

/// A page of a file with several runs has all of them; other commands take the first run.
#[test]
fn a_file_with_several_runs() {
    let folder = tempfile::tempdir().expect("makes a folder");
    let store = folder.path().join("runs.sqlite");
    let one: (&[&str], i32) = (&["run", "agents/one.toml", "--quiet"], 0);
    let turns: (&[&str], i32) = (&["run", "agents/turns.toml", "--quiet"], 3);
    page(folder.path(), &[one, turns]);
    let said = |args: &[&str]| {
        let output = run(&mut ptc(args, &store), b"");
        assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""), "{args:?}");
        output.stdout
    };
    let listed: serde_json::Value =
        serde_json::from_str(&said(&["runs", "--json"])).expect("is JSON");
    let name = |at: usize| listed["runs"][at]["run"].as_str().expect("is a name").to_owned();
    let file = folder.path().join("two.jsonl");
    let file = file.to_string_lossy();
    said(&["export", &name(1), &name(0), "--out", &file]);
    let html = said(&["view", &file, "--out", "-"]);
    assert!(html.contains(&name(0)) && html.contains(&name(1)) && html.contains("\"all\":true"));
    let first: serde_json::Value =
        serde_json::from_str(&said(&["show", &file, "--json"])).expect("is JSON");
    assert_eq!(first["run"], name(1));
}

/// Invalid options and filters without a match are reported. This needs no browser.
#[test]
fn invalid_requests() {
    let folder = tempfile::tempdir().expect("makes a folder");
    let store = folder.path().join("runs.sqlite");
    let one: (&[&str], i32) = (&["run", "agents/one.toml", "--quiet"], 0);
    page(folder.path(), &[one]);
    let said = |args: &[&str]| {
        let output = run(&mut ptc(args, &store), b"");
        (output.code, output.stderr)
    };
    let filter =
        "usage\n\n  × a filter is for many runs, and one run is shown\n  help: add `--all`\n";
    assert_eq!(said(&["view", "--status", "failed"]), (Some(2), filter.to_owned()));
    let turn = said(&["show", "--turn", "2"]);
    assert_eq!(turn.0, Some(2));
    let turn = settle(&turn.1);
    assert_eq!(turn, "unknown-turn\n\n  × run [RUN] has no turn 2\n  help: it has 1 turn\n");
    let since = "usage\n\n  × --since: `soon` is not a time\n  help: write it as `2d`, `12h`, `90m` or `2026-11-01`\n";
    assert_eq!(said(&["runs", "--since", "soon"]), (Some(2), since.to_owned()));
    assert_eq!(said(&["runs", "--since", "9999d"]).0, Some(0));
    assert_eq!(said(&["runs", "--since", "2999-01-01"]).1, "no such runs on record\n");
}
