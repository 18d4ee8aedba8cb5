//! Tests of the structure of the workspace: layers, file sizes, links, codes and English.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use ptc_lisp::Code;
use ptc_tests::imports::{Graph, Imports, ROOT, cycles, siblings};
use ptc_tests::{assert_no_problems, files, root};

/// The crates of this workspace that each crate may import (DESIGN, section 3).
const LAYERS: &[(&str, &[&str])] = &[
    ("signatures", &[]),
    ("lisp/values", &["ptc-signatures"]),
    ("lisp/reader", &["ptc-values"]),
    ("lisp/facts", &["ptc-reader", "ptc-signatures", "ptc-values"]),
    ("lisp/checker", &["ptc-facts", "ptc-reader", "ptc-signatures", "ptc-values"]),
    ("lisp/machine", &["ptc-facts", "ptc-signatures", "ptc-values"]),
    ("lisp/builtins", &["ptc-facts", "ptc-machine", "ptc-reader", "ptc-signatures", "ptc-values"]),
    (
        "lisp",
        &[
            "ptc-builtins",
            "ptc-checker",
            "ptc-facts",
            "ptc-machine",
            "ptc-reader",
            "ptc-signatures",
            "ptc-values",
        ],
    ),
    ("prompt", &["ptc-lisp", "ptc-signatures"]),
    ("openapi", &["ptc-signatures"]),
    ("subagent", &["ptc-lisp", "ptc-openapi", "ptc-prompt", "ptc-signatures"]),
    ("http", &[]),
    ("mcp", &["ptc-http", "ptc-lisp", "ptc-prompt", "ptc-signatures", "ptc-subagent"]),
    ("view", &["ptc-lisp", "ptc-signatures", "ptc-subagent"]),
    (
        "serve",
        &["ptc-http", "ptc-lisp", "ptc-prompt", "ptc-signatures", "ptc-subagent", "ptc-view"],
    ),
    ("restate", &["ptc-subagent"]),
    (
        "cli",
        &[
            "ptc-lisp",
            "ptc-mcp",
            "ptc-prompt",
            "ptc-restate",
            "ptc-serve",
            "ptc-signatures",
            "ptc-subagent",
            "ptc-view",
        ],
    ),
    ("python", &["ptc-lisp", "ptc-mcp", "ptc-signatures", "ptc-subagent", "ptc-view"]),
    ("node", &["ptc-lisp", "ptc-mcp", "ptc-prompt", "ptc-signatures", "ptc-subagent", "ptc-view"]),
];

/// The layers of each crate, from the ground up: the files and folders of its `src`. Each imports only from layers below
/// its own. The root of a crate is above all of them.
const INNER_LAYERS: &[(&str, &[&str])] = &[
    (
        "signatures",
        &[
            "datetime datum error shown spelling suggest",
            "cursor types",
            "example parse render",
            "mismatch words",
            "check schema",
            "absent coerce key_rules unknown",
            "mode",
        ],
    ),
    (
        "lisp/values",
        &[
            "builtin_id cell character class clones code grown item lazy pattern random text time uuid",
            "ir limits matcher pulled shape vector",
            "closure range row",
            "small tree",
            "index",
            "table",
            "keyed records seq sorted stage",
            "value",
            "arity diagnostic drop edit num print regex unbuilt value_parts",
            "eq hidden json order",
            "datum hash",
            "as_item",
        ],
    ),
    (
        "prompt",
        &[
            "calls conversation error extract infer instruction mended telling text tokens",
            "problem templates",
            "sections",
            "spec",
            "catalogue kinds sample turn",
            "call_form example_value grammar handle inventory mission observation tools",
            "answer expressions feedback",
            "examples",
            "reference",
            "memo program_tool",
            "system",
            "style",
            "earlier",
        ],
    ),
    (
        "openapi",
        &[
            "error media_type method outline place",
            "yaml",
            "document",
            "parameter types",
            "style",
            "multipart",
            "body",
            "operation",
            "request",
        ],
    ),
    (
        "subagent",
        &[
            "blob call_pattern error files http labels setters words",
            "data policy",
            "form payload secrets",
            "provider",
            "in_flight transcript",
            "record",
            "driver hidden label_rules sources telemetry tool",
            "flow",
            "agent store",
            "semantics",
            "run",
            "eval replay",
            "host trial",
        ],
    ),
    ("http", &["places", "connections", "requests"]),
    ("mcp", &["client runtime wire", "outcome", "oauth serve", "connection", "offered"]),
    ("view", &["draw page"]),
    (
        "serve",
        &[
            "body hub metrics problem shown",
            "access answer keys queue",
            "options",
            "models",
            "state",
            "request",
            "page retention webhooks",
            "drive route",
            "check openapi",
            "api",
            "routes",
            "server",
        ],
    ),
    (
        "restate",
        &[
            "agents decide gate identity log names",
            "errands text",
            "client stretch",
            "record runs",
            "worker",
        ],
    ),
    (
        "cli",
        &[
            "figures paint prompt_drift queue terminal",
            "screen telemetry",
            "draw",
            "report",
            "difference_text output progress report_text set signals",
            "events input process",
            "help library_fault tools_file",
            "args",
            "ask hidden model records",
            "restate",
            "agents exported history mission run_files run_text tokens",
            "sandbox",
            "program",
            "commands",
        ],
    ),
    (
        "python",
        &[
            "python to_python",
            "callback error problem to_value",
            "model runtime style tools",
            "run work",
            "session store",
            "agent",
        ],
    ),
    ("node", &["error text", "problem runtime", "work", "model store tools", "agent session"]),
];

/// The crates in which no file imports itself by way of others.
const WITHOUT_CIRCLES: &[&str] = &[
    "signatures",
    "lisp/values",
    "lisp/reader",
    "lisp/facts",
    "lisp/checker",
    "lisp/machine",
    "lisp/builtins",
    "lisp",
    "prompt",
    "openapi",
    "subagent",
    "http",
    "mcp",
    "view",
    "serve",
    "restate",
    "cli",
    "python",
    "node",
    "tests",
    "bench",
];

/// The folders of the crates that only `ptc-lisp` imports.
const LISP_PARTS: &[&str] =
    &["lisp/values", "lisp/reader", "lisp/facts", "lisp/checker", "lisp/machine", "lisp/builtins"];

/// The folders of all other crates.
const FOLDERS: &[&str] = &[
    "signatures",
    "lisp",
    "prompt",
    "openapi",
    "subagent",
    "http",
    "mcp",
    "view",
    "serve",
    "restate",
    "cli",
    "python",
    "node",
    "tests",
    "bench",
];

fn manifest(folder: &str) -> toml::Table {
    let text = std::fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap();
    text.parse().unwrap()
}

#[test]
fn crates_import_only_lower_crates() {
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
    // The macros of napi allow unsafe code for their own lines, which `forbid` refuses.
    let mut workspace = manifest(".")["workspace"]["lints"].clone();
    workspace["rust"]["unsafe_code"] = "deny".into();
    for folder in FOLDERS.iter().chain(LISP_PARTS) {
        let manifest = manifest(folder);
        let lints = manifest.get("lints");
        let is_own = lints != Some(&workspace)
            && lints.and_then(|lints| lints.get("workspace")) != Some(&toml::Value::Boolean(true));
        if is_own {
            problems.push(format!("{folder} has lints of its own"));
        }
        let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
        for (name, value) in dependencies.into_iter().flatten() {
            if *folder != "bench" && value.get("workspace") != Some(&toml::Value::Boolean(true)) {
                problems.push(format!("{folder}: {name} has a version of its own"));
            }
        }
    }
    assert_no_problems(&problems);
}

#[test]
fn the_crate_that_may_allow_unsafe_code_has_none() {
    let unsafe_lines = |(name, text): (String, String)| {
        let lines = shipped_lines(&text).enumerate().filter(|(_, line)| line.contains("unsafe"));
        lines.map(|(at, _)| format!("{name}:{}", at + 1)).collect::<Vec<_>>()
    };
    assert_no_problems(&sources("node").into_iter().flat_map(unsafe_lines).collect::<Vec<_>>());
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

/// Returns the lines of a source before its tests, without comments.
fn shipped_lines(text: &str) -> impl Iterator<Item = &str> {
    let shipped = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    shipped.lines().map(|line| line.split("//").next().unwrap_or_default())
}

/// The maximum number of lines of a source file, by the start of its path.
const MOST_LINES: &[(&str, usize)] = &[("lisp/", 700), ("", 800)];

#[test]
fn no_source_file_is_too_long() {
    let most = |name: &str| MOST_LINES.iter().find(|(start, _)| name.starts_with(start));
    let long: Vec<String> = FOLDERS
        .iter()
        .copied()
        .flat_map(sources)
        .map(|(name, text)| (name, text.lines().count()))
        .filter(|(name, lines)| most(name).is_none_or(|(_, most)| lines > most))
        .map(|(name, lines)| format!("{name} has {lines} lines"))
        .collect();
    assert_no_problems(&long);
}

/// The pure crates reach nothing outside the process.
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
    for (name, text) in lisp_sources()
        .chain(["signatures/src", "prompt/src", "openapi/src"].map(str::to_owned))
        .flat_map(|folder| sources(&folder))
    {
        for (at, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            for word in FORBIDDEN {
                // Names of the language and of Java occur in strings.
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

/// The folders with the sources of the language.
fn lisp_sources() -> impl Iterator<Item = String> {
    LISP_PARTS.iter().chain(&["lisp"]).map(|folder| format!("{folder}/src"))
}

/// The imports among the files of a folder with sources.
fn imports(folder: &str) -> Graph {
    let sources = sources(folder);
    let below = |name: &str| name.strip_prefix(folder).unwrap_or_default()[1..].to_owned();
    let sources: Vec<_> = sources.iter().map(|(name, text)| (below(name), text)).collect();
    Imports::of(sources.iter().map(|(name, text)| (name.as_str(), text.as_str()))).files()
}

/// A folder's own file is a file as any other: it may export names again, but then defines nothing that its files use.
#[test]
fn files_import_one_another_in_no_circle() {
    let of = |folder: &&str| {
        let circles = cycles(&imports(&format!("{folder}/src"))).into_iter();
        circles.map(move |circle| format!("{folder}: {circle:?}")).collect::<Vec<_>>()
    };
    assert_no_problems(&WITHOUT_CIRCLES.iter().flat_map(of).collect::<Vec<_>>());
}

#[test]
fn files_import_only_lower_layers() {
    let mut problems = Vec::new();
    for (folder, layers) in INNER_LAYERS {
        let layers = layers.iter().map(|layer| layer.split(' '));
        let ranks: BTreeMap<&str, usize> =
            layers.enumerate().flat_map(|(rank, all)| all.map(move |it| (it, rank))).collect();
        let files = siblings(&imports(&format!("{folder}/src")), "");
        let is_top = |name: &str| [ROOT, "main"].contains(&name);
        for (from, targets) in files.iter().filter(|(from, _)| !is_top(from)) {
            let Some(own) = ranks.get(from.as_str()) else {
                problems.push(format!("{folder}: `{from}` is in no layer"));
                continue;
            };
            let too_high = |to: &&String| ranks.get(to.as_str()).is_none_or(|rank| rank >= own);
            let too_high = targets.iter().filter(too_high);
            problems.extend(too_high.map(|to| format!("{folder}: `{from}` imports `{to}`")));
        }
        let gone = ranks.keys().filter(|name| !files.contains_key(**name));
        problems.extend(gone.map(|name| format!("{folder}: there is no `{name}`")));
    }
    assert_no_problems(&problems);
}

#[test]
fn commands_know_no_other_command() {
    let mut commands = siblings(&imports("cli/src"), "commands");
    commands.retain(|_, targets| !targets.is_empty());
    assert_eq!(commands, Graph::new());
}

/// A run treats the replies of a style by its rules, so a new style changes no file of the runtime.
#[test]
fn the_runtime_names_no_answer_style() {
    const NAMES: &[&str] = &[
        "Answers::",
        "is_on(",
        "switches",
        "JsonStyle",
        "ToolsStyle",
        "ReactStyle",
        "DecisionsStyle",
        "\"react\"",
        "\"decisions\"",
    ];
    let mut problems = Vec::new();
    for (name, text) in sources("subagent/src/run") {
        for (at, code) in shipped_lines(&text).enumerate() {
            let found = NAMES.iter().filter(|it| code.contains(**it));
            problems.extend(found.map(|it| format!("{name}:{}: `{it}`", at + 1)));
        }
    }
    assert_no_problems(&problems);
}

/// A run asks its outside for answers. Only the outside looks in a record, and the files that prepare it.
#[test]
fn turn_loop_programs_and_calls_know_no_record() {
    const KNOW_RECORDS: &[&str] = &[
        "continuation",
        "mission.rs",
        "mod.rs",
        "outside",
        "recorded",
        "session_before",
        "snapshots",
    ];
    const NAMES: &[&str] = &["RecordedRun", "RecordedCall", "RecordedReply", "outside.record("];
    let mut problems = Vec::new();
    for (name, text) in sources("subagent/src/run") {
        let file = name.trim_start_matches("subagent/src/run/");
        if KNOW_RECORDS.iter().any(|it| file.starts_with(it)) {
            continue;
        }
        let found = NAMES.iter().filter(|it| text.contains(**it));
        problems.extend(found.map(|it| format!("{name}: `{it}`")));
    }
    assert_no_problems(&problems);
}

#[test]
fn few_files_run_a_machine() {
    const RUN: &[&str] = &["driver.rs", "eval/", "run/program.rs", "run/calls.rs"];
    let mut problems = Vec::new();
    for (name, text) in sources("subagent/src") {
        let file = name.trim_start_matches("subagent/src/");
        let mut words = shipped_lines(&text)
            .flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'));
        if words.any(|word| word == "Machine") && !RUN.iter().any(|it| file.starts_with(it)) {
            problems.push(format!("{name} names `Machine`"));
        }
    }
    assert_no_problems(&problems);
}

#[test]
fn imports_are_found_in_every_notation() {
    let files = Imports::of([
        ("lib.rs", "mod a;\nmod b;\nmod c;"),
        ("a/mod.rs", "mod x;\nmod y;\npub(crate) use x::{Named as Other, self};\nfn f() {}"),
        ("a/x.rs", "use super::f;\n// crate::c::g()\nfn h() { super::y::k(\"crate::b\") }"),
        ("a/y.rs", "pub fn k() {}\n#[cfg(test)]\nmod tests {\n    use crate::c::g;\n}"),
        ("b.rs", "use crate::{a::Other, c};\nfn f() { c::g(); crate::a::y::k() }"),
        ("c.rs", "use std::fmt;\nfn g() { crate::b::f() }"),
        ("d.rs", "pub(in crate::a) fn f() {}\nmod inner {\n    use super::f;\n    use super::super::b;\n}"),
        ("e.rs", "mod one {\n    fn f() {}\n}\nfn g() { crate::version() }"),
    ])
    .files();
    let expected = [
        ("a", vec!["a/x"]),
        ("a/x", vec!["a", "a/y"]),
        ("a/y", vec![]),
        ("b", vec!["a/x", "a/y", "c"]),
        ("c", vec!["b"]),
        ("d", vec!["b"]),
        ("e", vec![ROOT]),
        (ROOT, vec![]),
    ];
    let expected: Graph = expected
        .into_iter()
        .map(|(name, all)| (name.to_owned(), all.into_iter().map(str::to_owned).collect()))
        .collect();
    assert_eq!(files, expected);
    let circle = |names: [&str; 2]| BTreeSet::from(names.map(str::to_owned));
    assert_eq!(cycles(&files), [circle(["a", "a/x"]), circle(["b", "c"])]);
    assert_eq!(cycles(&siblings(&files, "a")), Vec::<BTreeSet<String>>::new());
}

/// Returns the files that a file declares for its tests alone.
fn tests_below<'a>(name: &'a str, text: &'a str) -> impl Iterator<Item = String> + 'a {
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let declared = text.split("#[cfg(test)]\nmod ").skip(1);
    let named = declared.filter_map(|it| it.split(['\n', ' ']).next()?.strip_suffix(';'));
    named.map(move |it| format!("{folder}/{it}.rs"))
}

/// No input ends the process: the code that ships returns errors. Tests may panic.
#[test]
fn shipped_code_has_no_panics() {
    const PANICS: &[&str] =
        &[".unwrap()", ".expect(\"", "panic!(", "unreachable!(", "todo!(", "unimplemented!("];
    let all: Vec<(String, String)> = FOLDERS.iter().copied().flat_map(sources).collect();
    let of_tests: HashSet<String> =
        all.iter().flat_map(|(name, text)| tests_below(name, text)).collect();
    let is_shipped = |name: &str| {
        !["tests/", "bench/"].iter().any(|it| name.starts_with(it))
            && name.contains("/src/")
            && !of_tests.contains(name)
    };
    let mut problems = Vec::new();
    for (name, text) in all {
        if !is_shipped(&name) {
            continue;
        }
        for (at, code) in shipped_lines(&text).enumerate() {
            let found = PANICS.iter().filter(|it| code.contains(**it));
            problems.extend(found.map(|it| format!("{name}:{}: `{it}`", at + 1)));
        }
    }
    assert_no_problems(&problems);
}

/// Where texts come from servers, commands and documents, `Secrets::cut` shortens them: a cut before the secrets are
/// replaced leaves a piece of one. The other places cut texts that have no secrets, for the reason beside them.
#[test]
fn texts_from_outside_are_cut_in_one_place() {
    const FOREIGN: &[&str] = &["mcp/src/", "openapi/src/", "subagent/src/tool/"];
    const CUTS: &[&str] = &["chars().take(", "char_indices().nth(", "by_ref().take(", ".truncate("];
    const OTHERS: &[(&str, &str)] = &[
        ("mcp/src/oauth/logins.rs", "`truncate` opens a file"),
        ("mcp/src/serve/offer.rs", "names of agents of this host"),
        ("openapi/src/error.rs", "secrets of a document are replaced when it is parsed"),
        ("subagent/src/tool/definition.rs", "names of tools in an agent file"),
    ];
    let mut found: Vec<String> = Vec::new();
    for (name, text) in ["mcp", "openapi", "subagent"].into_iter().flat_map(sources) {
        if !FOREIGN.iter().any(|it| name.starts_with(it)) {
            continue;
        }
        if shipped_lines(&text).any(|line| CUTS.iter().any(|it| line.contains(it))) {
            found.push(name);
        }
    }
    let expected: Vec<&str> = OTHERS.iter().map(|it| it.0).collect();
    found.sort();
    assert_eq!(found, expected);
}

#[test]
fn no_test_is_skipped_or_expected_to_panic() {
    let marks = [concat!("#[ig", "nore"), concat!("#[should_", "panic")];
    let wrong: Vec<String> = FOLDERS
        .iter()
        .copied()
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

/// Links between pages lead to files.
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

/// The most lines of a way through the code in ARCHITECTURE.md.
const MOST_STEPS: usize = 25;

#[test]
fn ways_through_the_code_name_functions() {
    let page = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (_, rest) = page.split_once("\n## Two ways through the code\n").expect("has the section");
    let (ways, _) = rest.split_once("\n## ").expect("is not the last section");
    let mut problems = Vec::new();
    let mut count = 0;
    for way in ways.split("\n### ").skip(1) {
        let steps: Vec<&str> = way.lines().filter(|line| line.starts_with("- ")).collect();
        count += 1;
        if steps.is_empty() || steps.len() > MOST_STEPS {
            problems.push(format!("a way has {} steps", steps.len()));
        }
        for step in steps {
            let mut quoted = step.split('`').skip(1).step_by(2);
            let (Some(name), Some(path)) = (quoted.next(), quoted.next()) else {
                problems.push(format!("names no function and file: {step}"));
                continue;
            };
            let source = std::fs::read_to_string(root().join(path)).unwrap_or_default();
            let is_there = source.lines().any(|line| {
                let rest = line.split_once(&format!("fn {name}")).map(|(_, rest)| rest);
                rest.is_some_and(|rest| rest.starts_with(['(', '<']))
            });
            if !is_there {
                problems.push(format!("`{path}` has no function `{name}`"));
            }
        }
    }
    assert_eq!(count, 2);
    assert_no_problems(&problems);
}
