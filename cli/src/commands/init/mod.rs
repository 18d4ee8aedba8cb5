//! `ptc init`: a project that runs at once.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use crate::args::InitArgs;
use crate::report::{self, Fault, Result};

/// The files of a new project: name, description, content.
const FILES: &[(&str, &str, &str)] = &[
    ("agent.toml", "the agent: mission, signature, tools, model", include_str!("agent.toml")),
    ("input.json", "the default input", include_str!("input.json")),
    ("inputs.jsonl", "three inputs, for `--inputs`", include_str!("inputs.jsonl")),
    ("rate.sh", "a tool: JSON in, JSON out", include_str!("rate.sh")),
    ("replies.jsonl", "recorded replies, used without a model", include_str!("replies.jsonl")),
    ("README.md", "the next steps", include_str!("README.md")),
];

/// The files of a new workflow.
const WORKFLOW: &[(&str, &str, &str)] = &[
    (
        "workflow.toml",
        "the workflow: signature, payload, agents",
        include_str!("workflow/workflow.toml"),
    ),
    ("workflow.clj", "its program, which runs the agents", include_str!("workflow/workflow.clj")),
    ("writer.toml", "the first agent", include_str!("workflow/writer.toml")),
    ("critic.toml", "the second agent", include_str!("workflow/critic.toml")),
    (
        "writer.jsonl",
        "recorded replies, used without a model",
        include_str!("workflow/writer.jsonl"),
    ),
    (
        "critic.jsonl",
        "recorded replies, used without a model",
        include_str!("workflow/critic.jsonl"),
    ),
    ("input.json", "the default input", include_str!("workflow/input.json")),
    ("README.md", "the next steps", include_str!("workflow/README.md")),
];

/// Runs `ptc init`.
pub(crate) fn command(args: &InitArgs) -> Result<u8> {
    let folder = args.folder.as_path();
    let (files, main) =
        if args.workflow { (WORKFLOW, "workflow.toml") } else { (FILES, "agent.toml") };
    let existing: Vec<&str> = files
        .iter()
        .map(|it| it.0)
        .filter(|name| folder.join(name).symlink_metadata().is_ok())
        .collect();
    if !existing.is_empty() {
        let message =
            format!("{} has {} already; nothing was written", shown(folder), existing.join(", "));
        return Err(
            Fault::new("file-exists", message).with_help("name a new folder: `ptc init FOLDER`")
        );
    }
    let unwritable = |path: &Path, error: &std::io::Error| {
        Fault::new("unwritable-file", format!("cannot write {}: {error}", path.display()))
    };
    fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    let mut text = format!("wrote in {}:\n", shown(folder));
    for (name, about, content) in files {
        let path = folder.join(name);
        // `create_new` keeps a file that another process has created in the meantime.
        let file = fs::OpenOptions::new().write(true).create_new(true).open(&path);
        file.and_then(|mut file| file.write_all(content.as_bytes()))
            .map_err(|error| unwritable(&path, &error))?;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {name:<16}{about}");
    }
    let main = folder.join(main);
    let main = main.display();
    let (first, second, page) =
        if args.workflow { ("check", "run", "workflows") } else { ("run", "doctor", "quickstart") };
    let _ = write!(
        text,
        "\nIt needs no key and no server:\n  \
         ptc {first} {main}\n  \
         ptc {second} {main}\n  \
         ptc repl {main}\n\
         `ptc docs {page}` continues from there, to a real model.\n"
    );
    if cfg!(windows) && !args.workflow {
        text.push_str(
            "The tool is a script for `sh`. Git for Windows has that program in `usr\\bin`.\n",
        );
    }
    report::print(&text)?;
    Ok(report::DONE)
}

fn shown(folder: &Path) -> String {
    if folder == Path::new(".") { "this folder".to_owned() } else { folder.display().to_string() }
}
