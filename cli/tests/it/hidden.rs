//! Characters that move or hide text: none of them reaches a terminal, whatever they come in.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::support::{Output, ptc, run};

/// One of each kind, and those that scripts and emoji are written with.
const HIDING: &[char] = &[
    '\u{7}',
    '\u{1b}',
    '\u{7f}',
    '\u{9b}',
    '\u{ad}',
    '\u{61c}',
    '\u{200b}',
    '\u{200e}',
    '\u{200f}',
    '\u{202a}',
    '\u{202e}',
    '\u{2028}',
    '\u{2029}',
    '\u{2060}',
    '\u{2066}',
    '\u{2069}',
    '\u{feff}',
    '\u{fff9}',
    '\u{e0001}',
    '\u{e0041}',
    '\u{e007f}',
];
const KEPT: &str = "\u{200c}\u{200d}\u{fe0f}é漢👩\u{200d}🚀";

/// A folder with a record, whose command gets what is hidden.
struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join(name), text).expect("writes");
    }

    fn ptc(&self, args: &[&str], stdin: &str) -> Output {
        let mut command = ptc(args, &self.folder.path().join("runs.sqlite"));
        run(command.current_dir(self.folder.path()), stdin.as_bytes())
    }

    /// Runs a command whose output is for people.
    fn shows(&self, args: &[&str], stdin: &str) -> String {
        let output = self.ptc(args, stdin);
        let shown = format!("{}{}", output.stdout, output.stderr);
        for c in HIDING {
            assert!(!shown.contains(*c), "{args:?}: U+{:04X} in {shown:?}", u32::from(*c));
        }
        shown
    }
}

fn hiding() -> String {
    HIDING.iter().collect()
}

/// A text as the language reads it.
fn escaped() -> String {
    let mut text = String::new();
    for unit in hiding().encode_utf16() {
        let _ = write!(text, "\\u{unit:04x}");
    }
    text
}

#[test]
fn nothing_hides_in_what_is_shown() {
    let desk = Desk { folder: tempfile::tempdir().expect("makes a folder") };
    let (raw, program) = (hiding(), "program.clj");
    // In the source, in what is printed, in a value, in an error.
    let source = format!(
        "(def note \"{raw}{KEPT}\") ; {raw}\n(println note)\n(tool/say {{:text note}})\n(return note)"
    );
    desk.write(program, &source);
    let wrong = format!("(println \"{raw}\" (foo \"{raw}\"))");
    desk.write("wrong.clj", &wrong);
    let fails = format!("(fail {{:reason :a :message \"{raw}\"}})");
    let replies =
        [&source, &wrong, &fails].map(|it| json!({"text": format!("```clojure\n{it}\n```")}));
    desk.write("replies.jsonl", &replies.map(|it| format!("{it}\n")).concat());
    desk.write(
        "again.jsonl",
        &format!("{}\n", json!({"text": format!("```clojure\n{fails}\n```")})),
    );
    desk.write(
        "wrong.jsonl",
        &format!("{}\n", json!({"text": format!("```clojure\n{wrong}\n```")})),
    );
    let answer = json!({"say": {"error": raw}});
    desk.write("tools.json", &answer.to_string());
    let agent = json!({
        "name": raw, "prompt": format!("Say {raw}"), "max_turns": 3, "model": "recorded:replies.jsonl",
        "tools": [{"name": "say", "description": raw, "command": ["sh", "-c", "cat > /dev/null; echo \"$0\" >&2; exit 1", raw.replace('\u{7}', "")]}],
    });
    desk.write("agent.json", &agent.to_string());

    for args in [
        &["eval", program][..],
        &["eval", program, "--tools", "tools.json"],
        &["eval", "wrong.clj"],
        &["eval", "-e", &fails],
        &["check", program],
        &["check", "wrong.clj"],
        &["debug", "--eval", program, "--tools", "tools.json", "--print"],
        &["debug", "--eval", "wrong.clj", "--print"],
        &["eval", "-e", &format!("{raw}1")],
        &["run", "agent.json"],
        &["show"],
        &["run", "agent.json", "--model", "recorded:again.jsonl"],
        &["runs"],
        &["show", "--turn", "1"],
        &["debug", "--print"],
        &["run", "agent.json", "--model", "recorded:wrong.jsonl"],
        &["replay"],
        &["doctor", "agent.json"],
        &["run", "agent.json", "--model", &format!("recorded:{}", raw.replace('\u{7}', ""))],
        &["run", "agent.json", "--input", &format!("{{\"{raw}\"")],
        &["run", "agent.json", "--set", &raw],
    ] {
        let shown = desk.shows(args, "");
        assert!(!shown.is_empty(), "{args:?}");
    }
    desk.shows(&["repl"], &format!("{source}\n{wrong}\n"));
    let runs: Value =
        serde_json::from_str(&desk.ptc(&["runs", "--json"], "").stdout).expect("is JSON");
    let id = |at: usize| runs["runs"][at]["run"].as_str().unwrap_or_default().to_owned();
    desk.shows(&["diff", &id(0), &id(1), "--all"], "");
    desk.shows(&["replay", &id(0), "--turn", "1", "--program", program], "");
}

#[test]
fn what_is_shown_says_what_was_there() {
    let desk = Desk { folder: tempfile::tempdir().expect("makes a folder") };
    let value = format!("{}{KEPT}", escaped());
    // As JSON it is the same text, and nothing of it drives a terminal.
    let output = desk.ptc(&["eval", "-e", &format!("\"{}{KEPT}\"", hiding()), "--json"], "");
    let lower = output.stdout.to_lowercase();
    assert!(lower.contains(&escaped()[6..]), "{lower}");
    assert!(output.stdout.contains(KEPT));
    let json: Value = serde_json::from_str(&output.stdout).expect("is JSON");
    assert_eq!(json["value"], format!("{}{KEPT}", hiding()));
    // And so it is in a program.
    let output = desk.ptc(&["eval", "-e", &format!("(= \"{value}\" \"{}{KEPT}\")", hiding())], "");
    assert_eq!((output.code, output.stdout.as_str()), (Some(0), "true\n"));
}

/// The place of an error is that of the source; the mark is below what is wrong.
#[test]
fn columns_are_those_of_the_source() {
    let check = |source: &str, expected: &str| {
        let desk = Desk { folder: tempfile::tempdir().expect("makes a folder") };
        desk.write("p.clj", source);
        assert_eq!(desk.shows(&["check", "p.clj"], ""), expected, "{source:?}");
    };
    check(
        "(str \"\u{202e}\u{e0041}\" foo)",
        "unknown-name\n\n  × `foo` is not defined\n   ╭─[p.clj:1:11]\n \
         1 │ (str \"\\u202e\\udb40\\udc41\" foo)\n   \
         ·                           ─┬─\n   ·                            ╰── here\n   ╰────\n  \
         help: define it with `def` or `let`, or use another name\n",
    );
    // Windows ends lines with two characters.
    check(
        "1\r\n(str \"\u{200b}\"\r\n foo)\r\n",
        "unknown-name\n\n  × `foo` is not defined\n   ╭─[p.clj:3:2]\n \
         2 │ (str \"\\u200b\"\n 3 │  foo)\n   ·  ─┬─\n   ·   ╰── here\n   ╰────\n  \
         help: define it with `def` or `let`, or use another name\n",
    );
    // A long line is drawn around the place.
    let long = format!("(str \"{}\" foo)", "\u{202e}x".repeat(200));
    let desk = Desk { folder: tempfile::tempdir().expect("makes a folder") };
    desk.write("p.clj", &long);
    let shown = desk.shows(&["check", "p.clj"], "");
    assert!(shown.contains("[p.clj:1:409]"), "{shown}");
    let lines: Vec<&str> = shown.lines().collect();
    let of = |mark: &str, lines: &[&str]| {
        let line =
            lines.iter().find(|it| it.contains(mark)).copied().unwrap_or_default().to_owned();
        line.find(mark).map(|at| line[..at].chars().count())
    };
    assert_eq!(of("foo)", &lines[4..]), of("─┬─", &lines), "{shown}");
}
