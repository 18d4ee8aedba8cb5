//! The commands of the README and the guides: each prints the output that the page shows.
//!
//! A block of a page is marked `console`. A line `$ …` is a command, `? N` below it is its exit code, and its output
//! follows, up to the next command. `[..]` in a line matches any characters, and a line `...` any lines. `UPDATE=1`
//! writes each output that does not match.

use std::io::Read as _;
use std::path::Path;
use std::process::Stdio;

use crate::cases::words;
use crate::support::ptc;

/// Pages with a test of their own: their commands share a folder, or need a server.
const OTHERS: &[&str] = &[
    "looking",
    "conversations",
    "people",
    "workflows",
    "flow-files",
    "quickstart",
    "replay",
    "labels",
];

#[test]
fn every_command_of_the_documentation_prints_its_output() {
    // Paths in the documentation are relative to the root of the repository.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let store = tempfile::tempdir().expect("makes a folder");
    let store = store.path().join("runs.sqlite");
    let guides = std::fs::read_dir(root.join("docs")).expect("lists");
    let mut pages: Vec<_> = guides.map(|it| it.expect("lists").path()).collect();
    pages.retain(|page| {
        let name = page.file_stem().and_then(|it| it.to_str()).unwrap_or_default();
        page.extension().is_some_and(|it| it == "md") && !OTHERS.contains(&name)
    });
    pages.sort();
    pages.insert(0, root.join("README.md"));
    let mut problems = Vec::new();
    let mut count = 0;
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("reads");
        let mut new = String::new();
        let mut is_console = false;
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            new.push_str(line);
            new.push('\n');
            is_console = if is_console { line != "```" } else { line == "```console" };
            let Some(command) = line.strip_prefix("$ ").filter(|_| is_console) else { continue };
            let mut expected = Vec::new();
            while let Some(line) = lines.next_if(|it| !it.starts_with("$ ") && *it != "```") {
                expected.push(line);
            }
            // A blank line may part two commands.
            let is_parted = expected.last() == Some(&"");
            count += 1;
            let actual = output(command, &root, &store);
            let shown: Vec<&str> = expected.iter().map(|line| line.trim_end()).collect();
            let found: Vec<&str> = actual.lines().map(str::trim_end).collect();
            if fits(trimmed(&shown), trimmed(&found)) {
                new.extend(expected.iter().flat_map(|line| [line, "\n"]));
            } else {
                problems.push(format!("{}: $ {command}\n{actual}", page.display()));
                new.push_str(actual.trim_end());
                new.push_str(if is_parted { "\n\n" } else { "\n" });
            }
        }
        if new != text && std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
            std::fs::write(&page, new).expect("writes");
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
    assert!(count > 30, "only {count} commands were found");
}

/// Returns the exit code, unless it is 0, and everything that a command prints.
fn output(line: &str, root: &Path, store: &Path) -> String {
    let mut words = words(line);
    let count = words.iter().take_while(|it| is_variable(it)).count();
    let variables: Vec<String> = words.drain(..count).collect();
    assert_eq!(words.first().map(String::as_str), Some("ptc"), "{line}");
    let args: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
    let (mut reader, writer) = std::io::pipe().expect("makes a pipe");
    let mut command = ptc(&args, store);
    command
        .current_dir(root)
        .env("NO_COLOR", "1")
        .envs(variables.iter().filter_map(|it| it.split_once('=')))
        .stdin(Stdio::null())
        .stdout(writer.try_clone().expect("clones"))
        .stderr(writer);
    let mut child = command.spawn().expect("starts");
    // The command holds the other ends of the pipe, and would keep it open.
    drop(command);
    let mut text = String::new();
    reader.read_to_string(&mut text).expect("is UTF-8");
    match child.wait().expect("ends").code() {
        Some(0) => text,
        code => format!("? {}\n{text}", code.map_or(-1, |it| it)),
    }
}

fn is_variable(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else { return false };
    name.chars().all(|c| c.is_ascii_uppercase() || c == '_')
}

/// Removes empty lines at the end.
fn trimmed<'l, 't>(lines: &'l [&'t str]) -> &'l [&'t str] {
    let end = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    &lines[..end]
}

/// Returns whether the lines match the expected ones.
fn fits(expected: &[&str], found: &[&str]) -> bool {
    match expected {
        [] => found.is_empty(),
        ["...", rest @ ..] => (0..=found.len()).any(|at| fits(rest, &found[at..])),
        [line, rest @ ..] => found
            .split_first()
            .is_some_and(|(first, found)| is_like(line, first) && fits(rest, found)),
    }
}

/// Returns whether a line matches an expected one.
fn is_like(expected: &str, found: &str) -> bool {
    let mut parts = expected.split("[..]");
    let Some(mut rest) = parts.next().and_then(|start| found.strip_prefix(start)) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, between)) = parts.split_last() else { return rest.is_empty() };
    for part in between {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}
