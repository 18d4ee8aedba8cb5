//! `ptc view`, looked at in a real browser.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::cases::settle;
use crate::support::{compare, data, ptc, run};

const BROWSERS: [&str; 4] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// The browser of this machine.
fn browser() -> Option<&'static str> {
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

/// What a page has become when its script is done. Behind the name there may be what is searched, or a place.
fn dom(browser: &str, page: &Path, behind: &str) -> String {
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

/// What is read of a part of a page: a line for each element that stands on its own.
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
        let line = without_times(&settle(&line));
        let _ = writeln!(lines, "{}", line.trim_end());
    }
    lines
}

/// Puts a word in the place of times that are another one each time.
fn without_times(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let shown = words.iter().enumerate().map(|(at, word)| {
        let unit = words.get(at + 1).copied().unwrap_or_default();
        let is_time = ["ms", "seconds"].contains(&unit) && word.parse::<u64>().is_ok();
        if is_time { "[TIME]" } else { word }
    });
    shown.collect::<Vec<_>>().join(" ").replace("[TIME] ms", "[TIME]")
}

/// Writes a page of a record with these commands, each of which ends well or as said.
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

const HOSTILE: (&[&str], i32) =
    (&["run", "agents/hostile.toml", "--quiet", "--input", "@inputs/hostile.json"], 1);

#[test]
fn a_run_that_failed_with_texts_that_would_be_markup() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().expect("makes a folder");
    let page = page(folder.path(), &[HOSTILE, (&["view"], 0)]);
    let dom = dom(browser, &page, "");
    let (start, end) = ("<details class=\"fold\"><summary>whole system", "</details>");
    let (before, rest) = dom.split_once(start).expect("is there");
    let dom = format!("{before}{}", rest.split_once(end).expect("ends").1);
    let mut actual = text(&dom, "<nav id=\"tree\"", "</nav>");
    actual.push_str(&text(&dom, "<main", "</main>"));
    compare(&data().join("view.txt"), &actual);
    // The data and the script are the only ones, and nothing else of the texts has become an element.
    assert_eq!(dom.matches("<script").count(), 2);
    let shown = dom.split_once("<script").expect("is there").0;
    for element in ["<img", "<i>", "<b>bold", "alert(1)</script", "\u{202e}", "\u{2066}"] {
        assert!(!shown.contains(element), "{element}");
    }
    assert!(dom.contains("<title>hostile · failed</title>"));
}

#[test]
fn calls_side_by_side_have_lanes_of_their_own() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().expect("makes a folder");
    let import = ["import", "../../../examples/runs/desk.jsonl"];
    let page = page(folder.path(), &[(&import, 0), (&["view"], 0)]);
    let dom = dom(browser, &page, "");
    let part = dom.split_once("class=\"time\"").expect("is there").1;
    let part = part.split_once("class=\"axis\"").expect("is there").0;
    let bars = |lane: &str| lane.matches("<a ").count();
    let lanes: Vec<usize> = part.split("class=\"lane\"").skip(1).map(bars).collect();
    // Turns; terms with the first topic and finder; the other topics and finders.
    assert_eq!(lanes, [1, 3, 2, 2, 2, 2]);
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

/// Presses keys in a page, and writes into its title what came of each.
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
fn keys_go_from_place_to_place_and_no_other_script_runs() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().expect("makes a folder");
    let page = page(folder.path(), &[HOSTILE, (&["view"], 0)]);
    let html = std::fs::read_to_string(&page).expect("reads");
    let nonce =
        html.split_once("'nonce-").and_then(|it| it.1.split_once('\'')).expect("is there").0;
    let ours = format!("<script nonce=\"{nonce}\">{KEYS}</script>");
    // What would be in the page if something of the record could be markup.
    let other =
        "<script>document.title = 'taken'</script><img src=x onerror=\"document.title = 'taken'\">";
    std::fs::write(&page, html.replace("</body>", &format!("{ours}{other}</body>")))
        .expect("writes");
    let dom = dom(browser, &page, "");
    let title = dom.split_once("<title>").and_then(|it| it.1.split_once('<')).expect("is there").0;
    assert_eq!(title, "1 2 1 search 0 1 0 0 main");
}

#[test]
fn many_runs_have_a_list() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().expect("makes a folder");
    let one: (&[&str], i32) = (&["run", "agents/one.toml", "--quiet"], 0);
    let page = page(folder.path(), &[HOSTILE, one, (&["view", "--all"], 0)]);
    let list = text(&dom(browser, &page, ""), "<main", "</main>");
    compare(&data().join("view-all.txt"), &list);
}

/// What needs no browser: nothing is written that was not asked for.
#[test]
fn what_is_asked_wrongly() {
    let folder = tempfile::tempdir().expect("makes a folder");
    let store = folder.path().join("runs.sqlite");
    let one: (&[&str], i32) = (&["run", "agents/one.toml", "--quiet"], 0);
    page(folder.path(), &[one]);
    let said = |args: &[&str]| {
        let output = run(&mut ptc(args, &store), b"");
        (output.code, output.stderr)
    };
    let filter = "usage\n\n  × one run is shown, and a filter is for many\n  help: add `--all`\n";
    assert_eq!(said(&["view", "--status", "failed"]), (Some(2), filter.to_owned()));
    let turn = said(&["show", "--turn", "2"]);
    assert_eq!(turn.0, Some(2));
    let turn = settle(&turn.1);
    assert_eq!(turn, "unknown-turn\n\n  × run [RUN] has no turn 2\n  help: it has 1 turn\n");
    let since = "usage\n\n  × --since: `soon` is no time\n  help: write it as `2d`, `12h`, `90m` or `2026-11-01`\n";
    assert_eq!(said(&["runs", "--since", "soon"]), (Some(2), since.to_owned()));
    assert_eq!(said(&["runs", "--since", "9999d"]).0, Some(0));
    assert_eq!(said(&["runs", "--since", "2999-01-01"]).1, "no such runs on record\n");
}
