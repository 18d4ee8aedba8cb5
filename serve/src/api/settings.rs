//! The settings of a run that a caller may choose over HTTP.
//!
//! A setting that reads a file, starts a program, or sends a key to a server is for the owner of the server alone.

use std::path::Path;

use ptc_subagent::{Data, RunSettings};

use crate::problem::Problem;

/// The keys of a change that a caller may set.
const KEYS: &[&str] = &[
    "for",
    "model",
    "fallback_models",
    "effort",
    "tools",
    "prompt",
    "transcript",
    "budget",
    "sources",
    "artifacts",
];

/// The keys of a change of tools that a caller may set.
const TOOLS: &[&str] = &["remove", "allow", "effects"];

/// Reads settings: one change, or a list of changes.
///
/// # Errors
///
/// The problem of settings that are malformed, or that a caller may not set.
pub(crate) fn read(settings: &Data) -> Result<RunSettings, Problem> {
    let changes: Vec<Data> = match settings.items() {
        Some(items) => items.collect(),
        None => vec![settings.clone()],
    };
    for change in &changes {
        check(change)?;
    }
    let text = Data::list(changes).to_string();
    RunSettings::from_keys(&text, Path::new(""), &ptc_subagent::tool::NoServers)
        .map_err(Problem::from)
}

fn check(change: &Data) -> Result<(), Problem> {
    if !change.is_object() {
        return Err(Problem::malformed("`settings` must be an object, or a list of objects"));
    }
    for (key, value) in change.fields() {
        if !KEYS.contains(&key.as_str()) {
            return Err(refused(&key, KEYS));
        }
        if key == "tools" {
            for (key, _) in value.fields() {
                if !TOOLS.contains(&key.as_str()) {
                    return Err(refused(&format!("tools.{key}"), TOOLS));
                }
            }
        }
    }
    let fallbacks = change.get("fallback_models");
    let fallbacks = fallbacks.iter().filter_map(Data::items).flatten();
    for model in change.get("model").into_iter().chain(fallbacks) {
        if model.as_str().is_some_and(|it| it.trim_start().starts_with("recorded:")) {
            let detail = "a recording is a file of the server, so callers cannot choose one";
            return Err(Problem::malformed(detail));
        }
    }
    Ok(())
}

fn refused(key: &str, known: &[&str]) -> Problem {
    let detail = format!("`settings` has the key `{key}`, which callers cannot set");
    Problem::malformed(detail).with_help(format!("they can set {}", known.join(", ")))
}
