//! `ptc view`: runs as one self-contained page of HTML.
//!
//! The page has data and one script. Nothing in the record becomes markup: the data is JSON with `<` escaped, and the
//! script turns it into text. The policy of the page permits only that script, and no loading.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use ptc_subagent::replay::Replay;
use ptc_subagent::store::{Filter, RunRecord, Snapshot, Store};
use ptc_subagent::{Data, ErrorKind};
use serde_json::{Map, Value, json};

use crate::args::{HiddenArgs, ViewArgs};
use crate::figures::plural;
use crate::hidden;
use crate::output;
use crate::report::{self, Fault, Result};
use crate::run::runtime;
use crate::runs;
use crate::transfer;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The largest number of characters of one text; the page says where a text was cut.
const MAX_TEXT: usize = 65_536;

/// Runs `ptc view`.
pub(crate) fn command(args: &ViewArgs) -> Result<u8> {
    if !args.all && runs::filter(&args.filter, None)? != Filter::default() {
        return Err(Fault::new("usage", "a filter is for many runs, and one run is shown")
            .with_help("add `--all`"));
    }
    let (data, name) = if args.all {
        let store = runs::open_for_reading(args.store.file())?;
        let store = store.ok_or_else(|| runs::unknown(None))?;
        let filter = runs::filter(&args.filter, Some(args.limit))?;
        (matching_runs(&store, &filter, args)?, "runs.html".to_owned())
    } else {
        named_run(args)?
    };
    let count = data.get("runs").and_then(Value::as_array).map_or(0, Vec::len);
    let html = page(&data);
    if args.out.as_ref().is_some_and(|it| it.as_os_str() == "-") {
        report::print_raw(&html)?;
        return Ok(report::DONE);
    }
    let path = args.out.clone().unwrap_or_else(|| PathBuf::from(name));
    let (record, _) = runs::place(args.store.file())?;
    output::check_distinct(&[("`--out`", Some(&path))], &[("the record of runs", Some(&record))])?;
    std::fs::write(&path, html).map_err(|error| {
        Fault::new("output", format!("cannot write {}: {error}", path.display()))
    })?;
    report::say(&format!("{} in {}\n", plural(count as u64, "run"), path.display()));
    Ok(report::DONE)
}

/// Returns the data of the named run and of the runs below it, and the file name of the page. If the command line names
/// a file with several runs, the page has all of them.
fn named_run(args: &ViewArgs) -> Result<(Value, String)> {
    let (mut store, run) = transfer::find(args.run.as_deref(), &args.store)?;
    if args.redact {
        let redacted = runtime()?.block_on(Replay::of(&store, &run)?.redacted())?;
        report::say(&format!("{} removed\n", plural(redacted.hidden as u64, "value")));
        store = redacted.store;
    }
    let is_file = args.run.as_ref().is_some_and(|it| Path::new(it).is_file());
    if is_file && !args.redact {
        let mut roots = Filter::default();
        roots.roots = true;
        if store.find(&roots)?.runs.len() > 1 {
            return Ok((matching_runs(&store, &Filter::default(), args)?, "runs.html".to_owned()));
        }
    }
    let (family, records) = store
        .read(move |snapshot| Ok::<_, Fault>((snapshot.family(&run)?, snapshot.tree(&run)?)))?;
    let hidden = hidden::of(&family, &args.hidden)?;
    let name =
        records.first().map_or_else(String::new, |it| format!("run-{}.html", it.summary.run));
    let mut texts = Texts::default();
    let shown =
        records.iter().map(|it| texts.run(&hidden.cover(it))).collect::<Result<Vec<_>>>()?;
    Ok((json!({ "all": false, "runs": shown, "texts": texts.all }), name))
}

/// Returns the data of the runs that match a filter, and of the runs below them.
fn matching_runs(store: &Store, filter: &Filter, args: &ViewArgs) -> Result<Value> {
    let (filter, options) = (filter.clone(), args.hidden.clone());
    store.read(move |snapshot| matching_in(snapshot, &filter, &options))
}

fn matching_in(snapshot: &Snapshot<'_>, filter: &Filter, options: &HiddenArgs) -> Result<Value> {
    let found = snapshot.find(filter)?;
    runs::say_damaged(&found);
    let mut seen = BTreeSet::new();
    let mut texts = Texts::default();
    let mut shown = Vec::new();
    // A run precedes the runs below it, so each tree is read once.
    for run in found.runs.iter().rev() {
        let run = run.run.as_str();
        if seen.contains(run) {
            continue;
        }
        let trees = snapshot.family(run).and_then(|family| Ok((family, snapshot.tree(run)?)));
        let (family, tree) = match trees {
            Ok(trees) => trees,
            Err(error) if error.kind() == ErrorKind::DamagedRun => {
                report::say(&format!("warning: {}\n", report::clean(error.message())));
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        let hidden = hidden::of(&family, options)?;
        for record in tree {
            if seen.insert(record.summary.run.to_string()) {
                shown.push(texts.run(&hidden.cover(&record))?);
            }
        }
    }
    let listed = found.runs.len();
    Ok(json!({
        "all": true, "listed": listed, "matching": found.totals.runs, "runs": shown, "texts": texts.all,
    }))
}

/// Fills the page with data.
fn page(data: &Value) -> String {
    // In JSON, `<` occurs only in strings. Without it, nothing ends the element or begins a comment.
    let data = data.to_string().replace('<', "\\u003c");
    // The nonce is a hash of the whole record. An author of a part of the record does not know the rest, so no part
    // can contain the nonce.
    let mut hasher = DefaultHasher::new();
    data.hash(&mut hasher);
    let nonce = format!("{:016x}", hasher.finish());
    let mut html = String::with_capacity(data.len() + PAGE.len() + STYLE.len() + SCRIPT.len());
    let mut rest = PAGE;
    let places =
        [("{nonce}", nonce.as_str()), ("{style}", STYLE), ("{data}", &data), ("{script}", SCRIPT)];
    // Inserted text is not searched for placeholders.
    while let Some((at, (place, text))) =
        places.iter().filter_map(|it| Some((rest.find(it.0)?, it))).min_by_key(|(at, _)| *at)
    {
        html.push_str(rest.get(..at).unwrap_or_default());
        html.push_str(text);
        rest = rest.get(at + place.len()..).unwrap_or_default();
    }
    html.push_str(rest);
    html
}

/// The texts of a page, each once: `[text]`, or `[text, characters in all]` if the text was cut.
#[derive(Default)]
struct Texts {
    all: Vec<Value>,
    numbers: BTreeMap<String, usize>,
}

impl Texts {
    /// Returns a run with the numbers of its texts and of its JSON values instead of them.
    fn run(&mut self, record: &RunRecord) -> Result<Value> {
        let wrong = |error| Fault::new("output", format!("cannot write the run: {error}"));
        let mut run = serde_json::to_value(record).map_err(wrong)?;
        let payload = record.payload_diffs().unwrap_or_default();
        if let Some(run) = run.as_object_mut() {
            for key in ["definition", "file", "process", "limits", "payload"] {
                run.remove(key);
            }
            self.texts(run, &["system"]);
            self.exact(run, "input", &record.input);
            self.values(run, &["value"]);
            for (turn, written) in objects(run, "turn_records").zip(&record.turn_records) {
                let prints = turn.get("prints").and_then(Value::as_array).into_iter().flatten();
                let prints: Vec<&str> = prints.filter_map(Value::as_str).collect();
                let prints = Value::from(prints.join("\n"));
                turn.insert("prints".to_owned(), prints);
                if let Some(diff) = payload.get(&written.turn) {
                    turn.insert("payload".to_owned(), diff.to_string().into());
                }
                for key in ["payload_changes", "results", "model_calls", "opaque", "refused"] {
                    turn.remove(key);
                }
                turn.insert("prompt".to_owned(), written.told().into());
                turn.insert("reply".to_owned(), written.said().into());
                self.texts(turn, &["prompt", "reply", "program", "value", "prints", "payload"]);
                for (call, written) in objects(turn, "calls").zip(&written.calls) {
                    self.exact(call, "args", &written.args);
                    self.values(call, &["result"]);
                }
            }
        }
        Ok(run)
    }

    fn texts(&mut self, object: &mut Map<String, Value>, keys: &[&str]) {
        for key in keys {
            if let Some(value) = object.get_mut(*key)
                && let Some(text) = value.as_str()
            {
                *value = self.number(text).into();
            }
        }
    }

    /// Replaces a field by the number of recorded data, which keeps every digit of its integers.
    fn exact(&mut self, object: &mut Map<String, Value>, key: &str, data: &Data) {
        object.insert(key.to_owned(), self.number(&data.to_string()).into());
    }

    fn values(&mut self, object: &mut Map<String, Value>, keys: &[&str]) {
        for key in keys {
            if let Some(value) = object.get_mut(*key)
                // A call with an unknown result keeps its null.
                && !(*key == "result" && value.is_null())
            {
                *value = self.number(&value.to_string()).into();
            }
        }
    }

    fn number(&mut self, text: &str) -> usize {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.all.len();
        self.all.push(match text.char_indices().nth(MAX_TEXT) {
            None => json!([text]),
            Some((at, _)) => json!([text.get(..at), text.chars().count()]),
        });
        self.numbers.insert(text.to_owned(), number);
        number
    }
}

/// Returns the objects of a list.
fn objects<'a>(
    object: &'a mut Map<String, Value>,
    key: &str,
) -> impl Iterator<Item = &'a mut Map<String, Value>> + use<'a> {
    let list = object.get_mut(key).and_then(Value::as_array_mut);
    list.into_iter().flatten().filter_map(Value::as_object_mut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_never_markup() {
        let data = json!({ "texts": ["</script><!-- {script} <SCRIPT> {nonce}"] });
        let html = page(&data);
        let start = html.find("id=\"data\">").unwrap_or_default() + 10;
        let end = start + html.get(start..).and_then(|it| it.find("</script>")).unwrap_or_default();
        let written = html.get(start..end).unwrap_or_default();
        assert!(!written.contains('<'), "{written}");
        assert_eq!(serde_json::from_str::<Value>(written).ok(), Some(data));
        assert_eq!(html, page(&serde_json::from_str(written).unwrap_or_default()));
    }

    #[test]
    fn a_text_is_stored_once_and_cut() {
        let mut texts = Texts::default();
        let long = "ü".repeat(MAX_TEXT + 1);
        let numbers = ["a", "b", "a", &long, &long].map(|it| texts.number(it));
        assert_eq!(numbers, [0, 1, 0, 2, 2]);
        let cut = "ü".repeat(MAX_TEXT);
        assert_eq!(texts.all, [json!(["a"]), json!(["b"]), json!([cut, MAX_TEXT + 1])]);
    }

    /// The script and the style load nothing from the network, and the script writes no markup.
    #[test]
    fn the_script_writes_no_markup() {
        for word in [
            "innerHTML",
            "outerHTML",
            "insertAdjacent",
            "document.write",
            "eval(",
            "http",
            "fetch(",
        ] {
            assert!(!SCRIPT.contains(word) && !STYLE.contains(word), "{word}");
        }
        assert!(!STYLE.contains("url(") && !SCRIPT.contains("</script"));
    }
}
