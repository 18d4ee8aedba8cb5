//! Characters that move or hide text: none of them reaches a terminal, whatever their source.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::support::{Output, ptc, run};

/// Examples of every kind of unsafe character.
const UNSAFE: &[char] = &[
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
/// Characters that scripts and emoji need; they are not escaped.
const KEPT: &str = "\u{200c}\u{200d}\u{fe0f}é漢👩\u{200d}🚀";

/// A folder with a store and input files.
struct Workspace {
    folder: tempfile::TempDir,
}

impl Workspace {
    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join(name), text).expect("writes");
    }

    fn ptc(&self, args: &[&str], stdin: &str) -> Output {
        let mut command = ptc(args, &self.folder.path().join("runs.sqlite"));
        run(command.current_dir(self.folder.path()), stdin.as_bytes())
    }

    /// Runs a command, and checks that its output has no unsafe character.
    fn checked_output(&self, args: &[&str], stdin: &str) -> String {
        let output = self.ptc(args, stdin);
        let shown = format!("{}{}", output.stdout, output.stderr);
        assert_safe(&shown);
        shown
    }
}

/// Checks that a text has no unsafe character.
pub(crate) fn assert_safe(shown: &str) {
    for c in UNSAFE {
        assert!(!shown.contains(*c), "U+{:04X} in {shown:?}", u32::from(*c));
    }
}

fn unsafe_text() -> String {
    UNSAFE.iter().collect()
}

/// Returns the unsafe characters as escapes of the language.
fn escaped() -> String {
    let mut text = String::new();
    for unit in unsafe_text().encode_utf16() {
        let _ = write!(text, "\\u{unit:04x}");
    }
    text
}

#[test]
fn no_unsafe_character_is_shown() {
    let workspace = Workspace { folder: tempfile::tempdir().expect("makes a folder") };
    let (raw, program) = (unsafe_text(), "program.clj");
    // The characters are in the source, in printed text, in a value and in an error.
    let source = format!(
        "(def note \"{raw}{KEPT}\") ; {raw}\n(println note)\n(tool/say {{:text note}})\n(return note)"
    );
    workspace.write(program, &source);
    let wrong = format!("(println \"{raw}\" (foo \"{raw}\"))");
    workspace.write("wrong.clj", &wrong);
    let fails = format!("(fail {{:reason :a :message \"{raw}\"}})");
    let replies =
        [&source, &wrong, &fails].map(|it| json!({"text": format!("```clojure\n{it}\n```")}));
    workspace.write("replies.jsonl", &replies.map(|it| format!("{it}\n")).concat());
    workspace.write(
        "again.jsonl",
        &format!("{}\n", json!({"text": format!("```clojure\n{fails}\n```")})),
    );
    workspace.write(
        "wrong.jsonl",
        &format!("{}\n", json!({"text": format!("```clojure\n{wrong}\n```")})),
    );
    let answer = json!({"say": {"error": raw}});
    workspace.write("tools.json", &answer.to_string());
    let agent = json!({
        "name": raw, "prompt": format!("Say {raw}"), "max_turns": 3, "model": "recorded:replies.jsonl",
        "tools": [{"name": "say", "description": raw, "command": ["sh", "-c", "cat > /dev/null; echo \"$0\" >&2; exit 1", raw.replace('\u{7}', "")]}],
    });
    workspace.write("agent.json", &agent.to_string());

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
        let shown = workspace.checked_output(args, "");
        assert!(!shown.is_empty(), "{args:?}");
    }
    workspace.checked_output(&["repl"], &format!("{source}\n{wrong}\n"));
    let runs: Value =
        serde_json::from_str(&workspace.ptc(&["runs", "--json"], "").stdout).expect("is JSON");
    let id = |at: usize| runs["runs"][at]["run"].as_str().unwrap_or_default().to_owned();
    workspace.checked_output(&["diff", &id(0), &id(1), "--all"], "");
    workspace.checked_output(&["replay", &id(0), "--turn", "1", "--program", program], "");
}

#[test]
fn escapes_keep_the_text() {
    let workspace = Workspace { folder: tempfile::tempdir().expect("makes a folder") };
    let value = format!("{}{KEPT}", escaped());
    // JSON output has the same text, with escapes for the characters that control a terminal.
    let output =
        workspace.ptc(&["eval", "-e", &format!("\"{}{KEPT}\"", unsafe_text()), "--json"], "");
    let lower = output.stdout.to_lowercase();
    assert!(lower.contains(&escaped()[6..]), "{lower}");
    assert!(output.stdout.contains(KEPT));
    let json: Value = serde_json::from_str(&output.stdout).expect("is JSON");
    assert_eq!(json["value"], format!("{}{KEPT}", unsafe_text()));
    // A program reads the escapes as the same text.
    let output =
        workspace.ptc(&["eval", "-e", &format!("(= \"{value}\" \"{}{KEPT}\")", unsafe_text())], "");
    assert_eq!((output.code, output.stdout.as_str()), (Some(0), "true\n"));
}

/// The place of an error refers to the source, and the mark is below the error.
#[test]
fn columns_refer_to_the_source() {
    let check = |source: &str, expected: &str| {
        let workspace = Workspace { folder: tempfile::tempdir().expect("makes a folder") };
        workspace.write("p.clj", source);
        assert_eq!(workspace.checked_output(&["check", "p.clj"], ""), expected, "{source:?}");
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
    // Only the part of a long line around the place is drawn.
    let long = format!("(str \"{}\" foo)", "\u{202e}x".repeat(200));
    let workspace = Workspace { folder: tempfile::tempdir().expect("makes a folder") };
    workspace.write("p.clj", &long);
    let shown = workspace.checked_output(&["check", "p.clj"], "");
    assert!(shown.contains("[p.clj:1:409]"), "{shown}");
    let lines: Vec<&str> = shown.lines().collect();
    let column_of = |mark: &str, lines: &[&str]| {
        let line =
            lines.iter().find(|it| it.contains(mark)).copied().unwrap_or_default().to_owned();
        line.find(mark).map(|at| line[..at].chars().count())
    };
    assert_eq!(column_of("foo)", &lines[4..]), column_of("─┬─", &lines), "{shown}");
}
