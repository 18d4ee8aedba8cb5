//! Runs every `clojure` block of `docs/` and `README.md`, form by form.
//!
//! `UPDATE=1 cargo test -p ptc-tests --test it docs` rewrites the tables of functions.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ptc_lisp::vocabulary::{builtins, forms};
use ptc_lisp::{LimitValue, Limits, json};
use ptc_subagent::payload::{Grants, payload_of_session};
use ptc_subagent::{Agent, Answers, DecisionSwitches, Event, RunSettings};
use ptc_tests::{
    DocBlock, Expect, Ran, World, assert_no_problems, doc_blocks, files, root, updating,
};

fn pages() -> Vec<PathBuf> {
    let mut pages = files(&root().join("docs"), "md");
    pages.extend(Some(root().join("README.md")).filter(|readme| readme.exists()));
    pages
}

fn world(block: &DocBlock) -> World {
    let mut world = World::without_tools(&block.ctx, Limits::default());
    for (name, answer) in &block.tools {
        let name = name.as_str();
        if answer == "planning" {
            world.declare(name, false);
        } else if let Some(message) = answer.strip_prefix("error ") {
            let message = message.to_owned();
            world.tool(name, move |_| Err(message.clone()));
        } else {
            let value = json::parse(answer).unwrap_or_else(|problem| panic!("{answer}: {problem}"));
            world.tool(name, move |_| Ok(value.clone()));
        }
    }
    let world = world.with_conversation(&block.conversation);
    world.with_payload(payload_of_session(serde_json::json!({}).into(), Grants::all()))
}

/// Returns whether a run matches the expectation of a comment.
fn fits(expect: &Expect, ran: &Ran) -> bool {
    match expect {
        Expect::Value(value) => ran.shown == format!("=> {value}"),
        Expect::Returns(value) => ran.shown == format!("return {value}"),
        Expect::Fails(value) => ran.shown == format!("fail {value}"),
        Expect::Error(code) => ran.shown.starts_with(&format!("! {code} ")),
        Expect::Prints(line) => ran.prints.contains(line),
    }
}

#[test]
fn every_example_is_true() {
    let mut problems = Vec::new();
    let mut count = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for block in doc_blocks(&text) {
            let mut world = world(&block);
            for form in &block.forms {
                let ran = world.run(&form.source);
                let place = format!("{}:{}: {}", page.display(), form.line, form.source);
                count += form.expects.len();
                for expect in form.expects.iter().filter(|expect| !fits(expect, &ran)) {
                    problems.push(format!(
                        "{place}\nexpected {expect:?}\nfound    {} {:?}",
                        ran.shown, ran.prints
                    ));
                }
                let told = |error: &Expect| matches!(error, Expect::Error(_));
                if ran.shown.starts_with('!') && !form.expects.iter().any(told) {
                    problems.push(format!("{place}\nfound    {}", ran.shown));
                }
            }
        }
    }
    assert_no_problems(&problems);
    assert!(count >= 200, "only {count} examples");
}

/// Returns the table of one part of the builtins, in Markdown.
fn table(part: &str) -> String {
    let mut out = String::from("| Call | What it gives | Example |\n|---|---|---|\n");
    for (_, builtin) in builtins().filter(|(found, _)| *found == part) {
        let calls: Vec<String> = builtin
            .usage
            .split('|')
            .map(|args| format!("`({})`", format!("{} {args}", builtin.name).trim_end()))
            .collect();
        let (call, value) = builtin.example.split_once(" => ").unwrap_or((builtin.example, ""));
        let cell = |text: &str| text.replace('|', "\\|");
        let _ = writeln!(
            out,
            "| {} | {} | `{}` → `{}` |",
            cell(&calls.join("<br>")),
            cell(builtin.doc),
            cell(call),
            cell(value)
        );
    }
    out
}

/// Returns the text with new tables between its markers.
fn with_tables(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("<!-- functions: ") {
        let (before, after) = rest.split_at(at);
        let line = after.find('\n').map_or(after.len(), |end| end + 1);
        let part =
            after[..line].trim().trim_start_matches("<!-- functions: ").trim_end_matches(" -->");
        let end = after.find("<!-- end -->").expect("every table has an end");
        out += before;
        out += &after[..line];
        out += &table(part);
        rest = &after[end..];
        let marker = "<!-- end -->".len();
        out += &rest[..marker];
        rest = &rest[marker..];
    }
    out + rest
}

fn functions_page() -> PathBuf {
    root().join("docs/language/functions.md")
}

fn read(page: &Path) -> String {
    std::fs::read_to_string(page).unwrap()
}

#[test]
fn the_tables_of_functions_are_up_to_date() {
    let text = read(&functions_page());
    let new = with_tables(&text);
    if updating() {
        std::fs::write(functions_page(), new).unwrap();
    } else {
        assert!(
            text == new,
            "docs/language/functions.md is old: UPDATE=1 cargo test -p ptc-tests --test it docs"
        );
    }
}

/// Returns the table of limits.
fn limits_table() -> String {
    let mut table = "| Limit | Default | Counts | Code |\n|---|---|---|---|\n".to_owned();
    let limits = Limits::default();
    for limit in Limits::ALL {
        let default = match limit.get(&limits) {
            LimitValue::Time(time) => format!("{} s", time.as_secs_f64()),
            LimitValue::Count(count) if count % (1 << 20) == 0 => format!("{} MiB", count >> 20),
            LimitValue::Count(count) if count % (1 << 10) == 0 => format!("{} KiB", count >> 10),
            LimitValue::Count(count) => with_commas(count),
        };
        let code = limit.code.map(|code| format!("`{}`", code.as_str())).unwrap_or_default();
        let row = format!("| `{}` | {default} | {} | {code} |", limit.name, limit.counts);
        writeln!(table, "{row}").unwrap();
    }
    table.replace("|  |\n", "| |\n")
}

fn with_commas(count: u64) -> String {
    let digits = count.to_string();
    let start = digits.len() % 3;
    let groups = (start..digits.len()).step_by(3).map(|at| &digits[at..at + 3]);
    let first = Some(&digits[..start]).filter(|it| !it.is_empty());
    first.into_iter().chain(groups).collect::<Vec<_>>().join(",")
}

/// Returns the table of the switches of decisions.
fn switches_table() -> String {
    let mut table = "| Key | Part | Default |\n|---|---|---|\n".to_owned();
    for switch in DecisionSwitches::ALL {
        let default = switch.follows.map_or("true".to_owned(), |other| format!("as `{other}`"));
        writeln!(table, "| `{}` | {} | {default} |", switch.name, switch.part).unwrap();
    }
    table
}

/// Compares the table of a page, between its markers, with the one that the code gives.
fn check_table(page: &str, name: &str, table: &str) {
    let path = root().join(page);
    let text = read(&path);
    let start = format!("<!-- {name} -->\n");
    let (before, rest) = text.split_once(&start).expect("the table has a start");
    let (_, after) = rest.split_once("<!-- end -->").expect("the table has an end");
    let new = format!("{before}{start}{table}<!-- end -->{after}");
    if updating() {
        std::fs::write(path, new).unwrap();
    } else {
        assert!(text == new, "{page} is old: UPDATE=1 cargo test -p ptc-tests --test it docs");
    }
}

/// Returns the table of the sections of each answer style.
fn sections_table() -> String {
    let mut table = "| Style | Sections, in order |\n|---|---|\n".to_owned();
    for name in Answers::names() {
        let style = Answers::find(&name).unwrap();
        let sections = style.style().sections().iter().map(|it| format!("`{}`", it.as_str()));
        let sections = sections.collect::<Vec<_>>().join(", ");
        writeln!(table, "| `{name}` | {sections} |").unwrap();
    }
    table
}

#[test]
fn the_table_of_sections_is_up_to_date() {
    check_table("docs/prompt.md", "sections", &sections_table());
}

/// The files that the guide to settings of a run shows can be read: agents have a prompt, and all others are settings.
#[test]
fn files_of_the_guide_to_runs_are_read() {
    let page = read(&root().join("docs/runs.md"));
    let folder = tempfile::tempdir().unwrap();
    let mut names = Vec::new();
    for block in page.split("```toml\n# ").skip(1) {
        let (name, text) = block.split_once('\n').unwrap();
        let text = text.split("```").next().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let is_agent = text.starts_with("prompt = ");
        let agent = is_agent.then(|| Agent::read(&path).map(drop));
        agent.unwrap_or_else(|| RunSettings::read(&path).map(drop)).unwrap();
        names.push(name);
    }
    let all = ["acme.toml", "globex.toml", "reader.toml", "search.toml", "desk.toml", "payer.toml"];
    assert_eq!(names, all);
}

#[test]
fn the_table_of_limits_is_up_to_date() {
    check_table("docs/language/mission.md", "limits", &limits_table());
}

#[test]
fn the_table_of_switches_is_up_to_date() {
    check_table("docs/answer-styles.md", "switches", &switches_table());
}

#[test]
fn every_part_of_the_table_is_in_the_documentation() {
    let text = read(&functions_page());
    let missing: Vec<String> = builtins()
        .map(|(part, _)| format!("<!-- functions: {part} -->"))
        .filter(|marker| !text.contains(marker))
        .collect();
    assert_no_problems(&missing);
}

#[test]
fn every_form_is_in_the_documentation() {
    let text = read(&root().join("docs/language/forms.md"))
        + &read(&root().join("docs/language/mission.md"));
    let missing: Vec<String> = forms()
        .map(|form| form.name)
        .filter(|name| {
            !text.contains(&format!("`{name}`")) && !text.contains(&format!("`({name} "))
        })
        .map(str::to_owned)
        .collect();
    assert_no_problems(&missing);
}

#[test]
fn every_divergence_has_an_entry() {
    let text = read(&root().join("docs/language/divergences.md"));
    let missing: Vec<String> = (1..=10)
        .map(|number| format!("## D{number} "))
        .filter(|heading| !text.contains(heading.as_str()))
        .collect();
    assert_no_problems(&missing);
}

/// Returns the keys of an agent file, from the error about one that does not exist.
fn agent_keys() -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("agent.toml");
    std::fs::write(&file, "unknown = 1").unwrap();
    let error = Agent::read(&file).unwrap_err();
    let (_, keys) = error.help().unwrap().split_once("the known keys are ").unwrap();
    keys.split(", ").map(str::to_owned).collect()
}

/// Returns the names in backquotes that start a text, without brackets.
fn named(text: &str) -> Vec<String> {
    let names = text.split('`').skip(1).step_by(2);
    names.map(|name| name.trim_matches(['[', ']']).to_owned()).collect()
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names.dedup();
    names
}

#[test]
fn every_key_of_an_agent_is_in_the_documentation_and_in_the_packages() {
    let page = read(&root().join("docs/agents.md"));
    let (_, table) = page.split_once("\n|---|---|---|---|\n").unwrap();
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let documented = rows.flat_map(|row| named(row.split('|').nth(1).unwrap_or_default()));
    assert_eq!(sorted(documented.collect()), sorted(agent_keys()));

    let module = read(&root().join("python/ptc/_agent.py"));
    let (_, class) = module.split_once("class Settings(TypedDict, total=False):").unwrap();
    let (class, _) = class.split_once("\n\n\n").unwrap();
    let settings = class.lines().filter_map(|line| line.trim().split_once(": "));
    let settings = settings.map(|(key, _)| key.to_owned());
    // These are arguments of their own.
    let arguments = ["prompt", "program", "signature", "model", "input", "tools"];
    let all = settings.chain(arguments.map(str::to_owned)).collect();
    assert_eq!(sorted(all), sorted(agent_keys()));

    let types = read(&root().join("node/index.d.ts"));
    let (_, interface) = types.split_once("export interface Settings {").unwrap();
    let (interface, _) = interface.split_once("\n}").unwrap();
    let settings = interface.lines().filter_map(|line| line.trim().split_once("?: "));
    let settings = settings.map(|(key, _)| key.to_owned());
    let all = settings.chain(arguments.map(str::to_owned)).collect();
    assert_eq!(sorted(all), sorted(agent_keys()));
}

#[test]
fn every_event_is_in_the_documentation_and_in_the_packages() {
    let names = || sorted(Event::NAMES.iter().map(|&name| name.to_owned()).collect());
    let page = read(&root().join("docs/observability.md"));
    let (_, table) = page.split_once("| `event` | when | fields |\n|---|---|---|\n").unwrap();
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let mut documented: BTreeMap<String, String> = BTreeMap::new();
    for row in rows {
        let cells: Vec<&str> = row.split('|').collect();
        documented.extend(named(cells[1]).into_iter().map(|name| (name, cells[3].to_owned())));
    }
    assert_eq!(sorted(documented.keys().cloned().collect()), names());
    for (event, fields) in Event::all_fields().into_iter().filter(|it| it.0 != "run-ended") {
        let told = named(&documented[event]);
        let untold: Vec<_> = fields.iter().filter(|it| !told.contains(&it.to_string())).collect();
        assert!(untold.is_empty(), "docs/observability.md does not name {untold:?} of `{event}`");
    }

    let module = read(&root().join("python/ptc/events.py"));
    let kinds = module.lines().filter_map(|line| line.trim().strip_prefix("_kind = \""));
    let kinds = kinds.map(|kind| kind.trim_end_matches('"').to_owned());
    assert_eq!(sorted(kinds.collect()), names());

    let types = read(&root().join("node/index.d.ts"));
    let kinds = types.split("EventOf<\"").skip(1).filter_map(|it| it.split_once('"'));
    assert_eq!(sorted(kinds.map(|(kind, _)| kind.to_owned()).collect()), names());
}
