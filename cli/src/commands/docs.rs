//! `ptc docs`: the documentation, which is part of the command.

use std::fmt::Write as _;

use ptc_lisp::vocabulary::builtins;

use crate::args::DocsArgs;
use crate::program::{Evaluated, Request, evaluate};
use crate::report::{self, Fault, Result};

/// A page: name, description, text.
type Page = (&'static str, &'static str, &'static str);

/// The pages, in the order of the list.
const PAGES: &[Page] = &[
    (
        "quickstart",
        "from nothing to a run with a real model",
        include_str!("../../docs/quickstart.md"),
    ),
    ("command", "the commands: options, exit codes, JSON", include_str!("../../docs/command.md")),
    ("agents", "the agent file: keys, defaults, errors", include_str!("../../docs/agents.md")),
    ("runs", "one agent file for many callers", include_str!("../../docs/runs.md")),
    ("tools", "tools for programs: commands, HTTP, closures", include_str!("../../docs/tools.md")),
    ("mcp", "tools of MCP servers", include_str!("../../docs/mcp.md")),
    ("serve", "agents and their runs over HTTP", include_str!("../../docs/serve.md")),
    ("restate", "runs on several machines", include_str!("../../docs/restate.md")),
    ("openapi", "operations of HTTP APIs as tools", include_str!("../../docs/openapi.md")),
    ("signatures", "the type language and its checks", include_str!("../../docs/signatures.md")),
    (
        "admission",
        "the report on a program before it runs; policies",
        include_str!("../../docs/admission.md"),
    ),
    (
        "labels",
        "which values may reach which tool: untrusted texts, secrets",
        include_str!("../../docs/labels.md"),
    ),
    (
        "debugger",
        "stepping over a program, forward and back",
        include_str!("../../docs/debugger.md"),
    ),
    (
        "observability",
        "every event of a run, as it happens; spans of OpenTelemetry",
        include_str!("../../docs/observability.md"),
    ),
    (
        "looking",
        "finding runs, one in the terminal, runs as a page",
        include_str!("../../docs/looking.md"),
    ),
    (
        "replay",
        "repeating runs, fixing programs, resuming after a crash",
        include_str!("../../docs/replay.md"),
    ),
    (
        "sources",
        "files, queries and results of tools, loaded before a run",
        include_str!("../../docs/sources.md"),
    ),
    (
        "payload",
        "state that runs share, with grants, checks and chains",
        include_str!("../../docs/payload.md"),
    ),
    (
        "answer-styles",
        "the forms in which a model replies",
        include_str!("../../docs/answer-styles.md"),
    ),
    (
        "workflows",
        "programs of your own that run agents: loops, items, polls, waits, turns",
        include_str!("../../docs/workflows.md"),
    ),
    (
        "flow-files",
        "workflows as steps and the paths between them",
        include_str!("../../docs/flow-files.md"),
    ),
    (
        "coming-from",
        "five other systems: their concepts and options, and the words here",
        include_str!("../../docs/coming-from.md"),
    ),
    (
        "people",
        "questions to people: forms, waiting runs, answers",
        include_str!("../../docs/people.md"),
    ),
    (
        "conversations",
        "chains of runs that answer one message after another",
        include_str!("../../docs/conversations.md"),
    ),
    (
        "artifacts",
        "named results of a conversation, and their versions",
        include_str!("../../docs/artifacts.md"),
    ),
    (
        "sub-agents",
        "agents that call agents, and their budgets",
        include_str!("../../docs/sub-agents.md"),
    ),
    (
        "transcript",
        "what is sent of a conversation, for how long, and how a model gets it back",
        include_str!("../../docs/transcript.md"),
    ),
    ("limits", "the limits of runs, and how to set them", include_str!("../../docs/limits.md")),
    (
        "providers",
        "models: OpenAI, Anthropic, Ollama, other servers, recordings",
        include_str!("../../docs/providers.md"),
    ),
    ("prompt", "the prompt of a model, and how to change it", include_str!("../../docs/prompt.md")),
    (
        "grammar",
        "restricting a model to programs that parse",
        include_str!("../../docs/grammar.md"),
    ),
    ("models", "results of small models; trying yours", include_str!("../../docs/models.md")),
    ("store", "the record of a run, and how to query it", include_str!("../../docs/store.md")),
    ("repair", "the repair of delimiters that do not match", include_str!("../../docs/repair.md")),
    ("sandbox", "the guarantees for untrusted programs", include_str!("../../docs/sandbox.md")),
    ("embedding", "the Rust crates", include_str!("../../docs/embedding.md")),
    (
        "python",
        "the Python package: programs, tools, agents, async runs, records",
        include_str!("../../docs/python.md"),
    ),
    ("node", "the Node package, and code mode for the AI SDK", include_str!("../../docs/node.md")),
    (
        "releasing",
        "for maintainers: how a release is made",
        include_str!("../../docs/releasing.md"),
    ),
    ("language", "PTC-Lisp: where to begin", include_str!("../../docs/language/README.md")),
    (
        "language/mission",
        "ctx, memory, tools, return and fail; limits",
        include_str!("../../docs/language/mission.md"),
    ),
    ("language/forms", "special forms and sugar", include_str!("../../docs/language/forms.md")),
    (
        "language/functions",
        "all functions with an example",
        include_str!("../../docs/language/functions.md"),
    ),
    (
        "language/data",
        "money, statistics, rows and dates",
        include_str!("../../docs/language/data.md"),
    ),
    (
        "language/values",
        "numbers, texts, collections",
        include_str!("../../docs/language/values.md"),
    ),
    (
        "language/destructuring",
        "taking values apart by patterns",
        include_str!("../../docs/language/destructuring.md"),
    ),
    (
        "language/divergences",
        "the differences from Clojure, with reasons",
        include_str!("../../docs/language/divergences.md"),
    ),
    ("language/errors", "every error, with its fix", include_str!("../../docs/language/errors.md")),
    (
        "language/coverage",
        "every public name of Clojure, accounted for",
        include_str!("../../docs/language/coverage.md"),
    ),
];

/// Runs `ptc docs`.
pub(crate) fn command(args: &DocsArgs) -> Result<u8> {
    let text = match (&args.name, &args.search) {
        (_, Some(word)) => search(word)?,
        (None, None) => list(),
        (Some(name), None) => match page(name) {
            Some((.., text)) => (*text).to_owned(),
            None => function_doc(name)?,
        },
    };
    report::print(&text)?;
    Ok(report::DONE)
}

fn list() -> String {
    let mut text = String::new();
    for (name, about, _) in PAGES {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name:<24}{about}");
    }
    text.push_str(
        "\nptc docs PAGE prints a page, ptc docs NAME the documentation of a function or form,\n\
         ptc docs --search WORD the lines that contain a word.\n",
    );
    text
}

/// Finds a page by its name. The folder `language/` is optional; `docs/` before it and `.md` after it are ignored.
fn page(name: &str) -> Option<&'static Page> {
    let name = name.strip_prefix("docs/").unwrap_or(name);
    let name = name.strip_suffix(".md").unwrap_or(name);
    let is = |page: &&Page| page.0 == name || page.0.strip_prefix("language/") == Some(name);
    PAGES.iter().find(is)
}

/// Returns the output of `(doc name)`, or `None` for an unknown name.
fn doc_of(name: &str) -> Option<String> {
    // A text with other characters is more than a name.
    let is_name = |c: char| !c.is_whitespace() && !"()[]{}\";,`~^@#'\\".contains(c);
    if name.is_empty() || !name.chars().all(is_name) {
        return None;
    }
    let request = Request { source: format!("(doc {name})"), ..Request::default() };
    let text = evaluate(&request).ok()?.into_prints()?;
    // `doc` also prints a text for an unknown name.
    let is_known = !text.lines().any(|line| line.starts_with("  There is no such name"));
    is_known.then_some(text)
}

fn function_doc(name: &str) -> Result<String> {
    doc_of(name).ok_or_else(|| {
        let fault =
            Fault::new("unknown-page", format!("there is no page and no function `{name}`"));
        // A program that reads the name gets this help.
        let near = evaluate(&Request { source: name.to_owned(), ..Request::default() });
        let help = near.as_ref().ok().and_then(Evaluated::help);
        match help.filter(|help| help.starts_with("did you mean")) {
            Some(help) => fault.with_help(help),
            None => fault.with_help("`ptc docs` lists the pages, `--search WORD` searches them"),
        }
    })
}

/// The largest number of characters shown of a line.
const MAX_WIDTH: usize = 120;

/// Returns the functions whose name contains a word, and the lines of the pages that contain it. Case is ignored.
fn search(word: &str) -> Result<String> {
    let wanted = word.to_lowercase();
    let mut text = String::new();
    for (_, builtin) in builtins().filter(|(_, it)| it.name.to_lowercase().contains(&wanted)) {
        let _ = writeln!(text, "{}: {}", builtin.name, builtin.doc);
    }
    for (page, _, content) in PAGES {
        let mut heading = "";
        // The rows of functions are left out, because the functions are listed above.
        for line in content.lines().filter(|line| !line.starts_with("| `(")) {
            if line.starts_with('#') {
                heading = line.trim_start_matches('#').trim();
            }
            if line.to_lowercase().contains(&wanted) {
                let shown: String = line.chars().take(MAX_WIDTH).collect();
                let more = if shown.len() < line.len() { "…" } else { "" };
                let _ = writeln!(text, "{page}, {heading}: {}{more}", shown.trim());
            }
        }
    }
    if text.is_empty() {
        return Err(Fault::new("unknown-page", format!("no page has the word `{word}`"))
            .with_help("`ptc docs` lists the pages"));
    }
    Ok(text)
}
