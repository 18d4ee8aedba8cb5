//! What the cut of the code promises, as tests.

use std::collections::HashSet;
use std::path::Path;

use ptc_lisp::Code;
use ptc_tests::{assert_no_problems, files, root};

/// What each crate may import of this workspace (DESIGN, section 3).
const LAYERS: &[(&str, &[&str])] = &[
    ("signatures", &[]),
    ("lisp", &["ptc-signatures"]),
    ("prompt", &["ptc-lisp", "ptc-signatures"]),
    ("subagent", &["ptc-lisp", "ptc-prompt", "ptc-signatures"]),
    ("cli", &["ptc-lisp", "ptc-prompt", "ptc-signatures", "ptc-subagent"]),
];

fn manifest(folder: &str) -> toml::Table {
    let text = std::fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap();
    text.parse().unwrap()
}

#[test]
fn crates_import_only_what_lies_below_them() {
    let mut problems = Vec::new();
    for (folder, allowed) in LAYERS {
        let manifest = manifest(folder);
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let Some(table) = manifest.get(section).and_then(toml::Value::as_table) else {
                continue;
            };
            for name in table.keys().filter(|name| name.starts_with("ptc")) {
                if !allowed.contains(&name.as_str()) {
                    problems.push(format!("{folder} imports {name} in [{section}]"));
                }
            }
        }
    }
    assert_no_problems(&problems);
}

#[test]
fn crates_take_versions_and_lints_from_the_workspace() {
    let mut problems = Vec::new();
    for folder in ["signatures", "lisp", "prompt", "subagent", "cli", "tests", "bench"] {
        let manifest = manifest(folder);
        if manifest.get("lints").and_then(|lints| lints.get("workspace"))
            != Some(&toml::Value::Boolean(true))
        {
            problems.push(format!("{folder} has lints of its own"));
        }
        let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
        for (name, value) in dependencies.into_iter().flatten() {
            if folder != "bench" && value.get("workspace") != Some(&toml::Value::Boolean(true)) {
                problems.push(format!("{folder}: {name} has a version of its own"));
            }
        }
    }
    assert_no_problems(&problems);
}

fn sources(folder: &str) -> Vec<(String, String)> {
    let root = root();
    files(&root.join(folder), "rs")
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
            (name, std::fs::read_to_string(&path).unwrap())
        })
        .collect()
}

#[test]
fn no_source_file_is_over_800_lines() {
    let long: Vec<String> = ["signatures", "lisp", "prompt", "subagent", "cli", "tests", "bench"]
        .into_iter()
        .flat_map(sources)
        .map(|(name, text)| (name, text.lines().count()))
        .filter(|(_, lines)| *lines > 800)
        .map(|(name, lines)| format!("{name} has {lines} lines"))
        .collect();
    assert_no_problems(&long);
}

/// The pure crates reach nothing outside of the process.
#[test]
fn pure_crates_touch_no_outside() {
    const FORBIDDEN: &[&str] = &[
        "std::fs",
        "std::env",
        "std::time",
        "std::thread",
        "std::net",
        "std::process",
        "std::io",
        "println!(",
        "eprintln!(",
        "SystemTime",
        "Instant::",
        "tokio",
        "unsafe ",
    ];
    let mut problems = Vec::new();
    for (name, text) in ["signatures/src", "lisp/src", "prompt/src"].into_iter().flat_map(sources) {
        for (at, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            for word in FORBIDDEN {
                // Names of the language and of Java stand in strings.
                let quoted =
                    code.contains(&format!("\"{word}")) || code.contains(&format!("{word}now\""));
                if code.contains(word) && !quoted {
                    problems.push(format!("{name}:{}: {word}", at + 1));
                }
            }
        }
    }
    assert_no_problems(&problems);
}

#[test]
fn no_test_is_skipped_or_expected_to_panic() {
    let marks = [concat!("#[ig", "nore"), concat!("#[should_", "panic")];
    let wrong: Vec<String> = ["signatures", "lisp", "prompt", "subagent", "cli", "tests"]
        .into_iter()
        .flat_map(sources)
        .filter(|(_, text)| marks.iter().any(|mark| text.contains(mark)))
        .map(|(name, _)| name)
        .collect();
    assert_no_problems(&wrong);
}

#[test]
fn codes_are_kebab_case_and_unique() {
    let mut seen = HashSet::new();
    for code in Code::ALL {
        let text = code.as_str();
        assert!(text.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{text}");
        assert!(seen.insert(text), "{text} stands twice");
    }
}

#[test]
fn every_code_is_documented() {
    let page = std::fs::read_to_string(root().join("docs/language/errors.md")).unwrap();
    let missing: Vec<String> = Code::ALL
        .iter()
        .map(|code| code.as_str().to_owned())
        .filter(|code| !page.contains(&format!("### `{code}`")))
        .collect();
    assert_no_problems(&missing);
    let known: HashSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    let unknown: Vec<String> = page
        .lines()
        .filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`'))
        .filter(|code| !known.contains(code))
        .map(|code| format!("{code} is documented and does not exist"))
        .collect();
    assert_no_problems(&unknown);
}

/// Links between pages lead somewhere.
#[test]
fn links_of_the_documentation_lead_to_files() {
    let mut problems = Vec::new();
    for path in files(&root().join("docs"), "md") {
        let text = std::fs::read_to_string(&path).unwrap();
        let folder = path.parent().unwrap_or(Path::new(""));
        for part in text.split("](").skip(1) {
            let target = part.split([')', '#']).next().unwrap_or_default();
            if !target.is_empty() && !target.contains("://") && !folder.join(target).exists() {
                problems.push(format!("{}: {target}", path.display()));
            }
        }
    }
    assert_no_problems(&problems);
}
