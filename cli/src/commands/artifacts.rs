//! `ptc artifacts`: the named results of a conversation and their versions.

use std::fmt::Write as _;

use ptc_lisp::Value;
use ptc_subagent::payload::Diff;
use ptc_subagent::store::{ArtifactVersion, Hidden, Store};
use ptc_subagent::{Artifact, Data};
use serde_json::json;

use crate::args::ArtifactsArgs;
use crate::input;
use crate::process::runtime;
use crate::records;
use crate::report::{self, Fault, Result};

/// Runs `ptc artifacts`.
pub(crate) fn command(args: &ArtifactsArgs) -> Result<u8> {
    match (&args.name, &args.put) {
        (Some(name), Some(value)) => put(args, name, value),
        (Some(name), None) => show(args, name),
        (None, _) => list(args),
    }
}

fn list(args: &ArtifactsArgs) -> Result<u8> {
    let store = open(args)?;
    let run = args.run.clone();
    let mut all = store.read(move |snapshot| snapshot.artifacts(&run))?;
    all.retain(|it| args.all || !it.artifact.hidden);
    if args.output.json {
        let hidden = hidden(&store, args)?;
        let all = all.iter().map(|it| json_of(it, &hidden)).collect::<Result<Vec<_>>>()?;
        report::print_json(&Data::object([("artifacts".to_owned(), Data::list(all))]))?;
        return Ok(report::DONE);
    }
    if all.is_empty() {
        report::print("no artifacts\n")?;
        return Ok(report::DONE);
    }
    let rows = all.iter().map(|ArtifactVersion { run, at, artifact: it, .. }| {
        let by = it.by.as_ref().map(|by| format!("  by {by}")).unwrap_or_default();
        let when = records::local_time(*at);
        [
            report::clean(&it.name),
            it.version.to_string(),
            report::clean(&it.media_type),
            run.to_string(),
            format!("{when}{}", report::clean(&by)),
        ]
    });
    let head = ["artifact", "version", "type", "run", "when"].map(str::to_owned);
    let rows: Vec<[String; 5]> = [head].into_iter().chain(rows).collect();
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let [name, number, kind, run, _] = [0, 1, 2, 3, 4].map(width);
    let mut text = String::new();
    for row in &rows {
        let row = format!(
            "{:<name$}  {:>number$}  {:<kind$}  {:<run$}  {}",
            row[0], row[1], row[2], row[3], row[4]
        );
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", row.trim_end());
    }
    report::print(&text)?;
    Ok(report::DONE)
}

fn show(args: &ArtifactsArgs, name: &str) -> Result<u8> {
    let store = open(args)?;
    let hidden = hidden(&store, args)?;
    let version = |number: Option<u32>| {
        let (run, name) = (args.run.clone(), name.to_owned());
        store.read(move |snapshot| snapshot.artifact(&run, &name, number))
    };
    let found = version(args.number)?;
    let value = hidden.data(&found.artifact.value);
    let Some(since) = args.since else {
        if args.output.json {
            report::print_json(&json_of(&found, &hidden)?)?;
        } else {
            match value.value() {
                Value::Str(text) => report::print(&format!("{}\n", report::clean(text)))?,
                _ => report::print(&format!("{}\n", report::clean(&format!("{value:#}"))))?,
            }
        }
        return Ok(report::DONE);
    };
    let before = hidden.data(&version(Some(since))?.artifact.value);
    let changed = Diff::between(&before, &value);
    if args.output.json {
        let json = Data::from(json!({"name": name, "from": since, "to": found.artifact.version}));
        report::print_json(&json.with("changes", Data::written(&changed.changes())?))?;
    } else if changed.is_empty() {
        report::print("no differences\n")?;
    } else {
        report::print(&format!("{}\n", report::clean(changed.to_string().trim_end())))?;
    }
    Ok(if changed.is_empty() { report::DONE } else { report::NO_PROGRAM })
}

fn put(args: &ArtifactsArgs, name: &str, value: &str) -> Result<u8> {
    let store = records::open_for_writing(args.store.file())?;
    let value = Data::of(&input::json_input("--put", value)?)?;
    let mut artifact = Artifact::new(name, value);
    if let Some(media_type) = &args.media_type {
        artifact.media_type.clone_from(media_type);
    }
    let person = std::env::var("USER").ok().filter(|it| !it.is_empty());
    let person = person.unwrap_or_else(|| "somebody".to_owned());
    let made = runtime()?.block_on(store.put_artifact(&args.run, artifact, &person))?;
    if args.output.json {
        report::print_json(&json_of(&made, &Hidden::NOTHING)?)?;
    } else {
        let Artifact { name, version, .. } = &made.artifact;
        report::print(&format!("{} version {version}\n", report::clean(name)))?;
    }
    Ok(report::DONE)
}

fn open(args: &ArtifactsArgs) -> Result<Store> {
    let store = records::open_for_reading(args.store.file())?;
    store.ok_or_else(|| records::unknown(Some(&args.run)))
}

/// Returns the hidden fields of the runs of the conversation.
fn hidden(store: &Store, args: &ArtifactsArgs) -> Result<Hidden> {
    let run = args.run.clone();
    let family = store.read(move |snapshot| {
        let all = snapshot.artifacts(&run)?;
        let mut runs: Vec<String> = all.iter().map(|it| it.run.to_string()).collect();
        runs.dedup();
        let mut family = Vec::new();
        for run in runs {
            family.extend(snapshot.family(&run)?);
        }
        Ok::<_, ptc_subagent::Error>(family)
    })?;
    crate::hidden::of(&family, &args.hidden)
}

fn json_of(it: &ArtifactVersion, hidden: &Hidden) -> Result<Data> {
    let value = hidden.data(&it.artifact.value);
    let json = Data::from(json!({"run": it.run, "at": it.at}));
    let artifact = Data::written(&it.artifact).map_err(Fault::from)?;
    Ok(artifact
        .fields()
        .fold(json, |json, (key, value)| json.with(&key, value))
        .with("value", value))
}
