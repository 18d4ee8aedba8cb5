//! Runs as one self-contained page of HTML.
//!
//! The page has data and one script. Nothing in the record becomes markup: the data is JSON with `<` escaped, and the
//! script turns it into text. The policy of the page permits only that script, and no loading.
//!
//! The script is written as modules (`page/`), which a server gives to browsers as they are. In a page of one file they are
//! joined to one script, since a browser loads no module from a file.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use ptc_signatures::shown::UNSAFE;
use ptc_subagent::Data;
use ptc_subagent::store::RunRecord;
use serde_json::{Map, Value, json};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");

/// The modules, each after those that it imports, so that they can be joined.
const MODULES: [(&str, &str); 8] = [
    ("record.js", include_str!("page/record.js")),
    ("text.js", include_str!("page/text.js")),
    ("program.js", include_str!("page/program.js")),
    ("json.js", include_str!("page/json.js")),
    ("timeline.js", include_str!("page/timeline.js")),
    ("flow.js", include_str!("page/flow.js")),
    ("run.js", include_str!("page/run.js")),
    ("main.js", include_str!("page/main.js")),
];

/// The largest number of characters of one text; the page says where a text was cut.
const MAX_TEXT: usize = 65_536;

/// Runs for a page.
#[derive(Default)]
pub struct RunsPage {
    runs: Vec<Value>,
    texts: Texts,
}

impl RunsPage {
    /// Adds a run. A run precedes the runs below it.
    ///
    /// # Errors
    ///
    /// The reason that the record cannot be written as JSON.
    pub fn add(&mut self, record: &RunRecord) -> Result<(), serde_json::Error> {
        self.runs.push(self.texts.run(record)?);
        Ok(())
    }

    /// Returns the number of runs.
    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// Returns whether there are no runs.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Returns the data of the page of one run, as the modules read it.
    pub fn data(self) -> Value {
        json!({ "all": false, "runs": self.runs, "texts": self.texts.all })
    }

    /// Writes the page of one run with the runs below it.
    pub fn of_one(self) -> String {
        page(&self.data())
    }

    /// Writes the page of a list of runs: `listed` of the `matching` ones, with the runs below them.
    pub fn of_many(self, listed: usize, matching: u64) -> String {
        page(&json!({
            "all": true,
            "listed": listed,
            "matching": matching,
            "runs": self.runs,
            "texts": self.texts.all,
        }))
    }
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
    let script = script();
    let mut html = String::with_capacity(data.len() + PAGE.len() + STYLE.len() + script.len());
    let mut rest = PAGE;
    let places =
        [("{nonce}", nonce.as_str()), ("{style}", STYLE), ("{data}", &data), ("{script}", &script)];
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

/// Returns the modules that draw runs, by name, for a server whose page imports them. They touch only the elements that
/// they make.
pub fn modules() -> impl Iterator<Item = (&'static str, String)> {
    let ranges = format!("[{}]", unsafe_ranges());
    let drawing = MODULES.into_iter().filter(|(name, _)| *name != "main.js");
    drawing.map(move |(name, text)| (name, text.replacen("[UNSAFE]", &ranges, 1)))
}

/// Returns the style of the page, for a server whose page has the same elements.
pub fn style() -> &'static str {
    STYLE
}

/// Joins the modules to one script.
fn script() -> String {
    let mut script = String::from("'use strict';\n");
    for (_, text) in MODULES {
        for line in text.lines().filter(|it| !it.starts_with("import ")) {
            script.push_str(line.strip_prefix("export ").unwrap_or(line));
            script.push('\n');
        }
    }
    script.replacen("[UNSAFE]", &format!("[{}]", unsafe_ranges()), 1)
}

/// Returns the characters that are shown as escapes, as the ranges of a class of a regular expression.
fn unsafe_ranges() -> String {
    let range = |(first, last): &(char, char)| {
        format!("\\u{{{:x}}}-\\u{{{:x}}}", u32::from(*first), u32::from(*last))
    };
    UNSAFE.iter().map(range).collect()
}

/// The texts of a page, each once: `[text]`, or `[text, characters in all]` if the text was cut.
#[derive(Default)]
struct Texts {
    all: Vec<Value>,
    numbers: BTreeMap<String, usize>,
}

impl Texts {
    /// Returns a run with the numbers of its texts and of its JSON values instead of them.
    fn run(&mut self, record: &RunRecord) -> Result<Value, serde_json::Error> {
        let mut run = serde_json::to_value(record)?;
        let payload = record.payload_diffs().unwrap_or_default();
        if let Some(run) = run.as_object_mut() {
            if let Some(flow) = run.get("definition").and_then(|it| it.get("flow")).cloned() {
                run.insert("flow".to_owned(), flow);
            }
            for key in ["definition", "file", "process", "limits", "payload"] {
                run.remove(key);
            }
            self.texts(run, &["system"]);
            self.exact(run, "input", &record.setup.input);
            self.exact(run, "value", &record.value);
            for (artifact, written) in objects(run, "artifacts").zip(&record.artifacts) {
                self.exact(artifact, "value", &written.value);
            }
            for (turn, written) in objects(run, "turn_records").zip(&record.turn_records) {
                let prints = turn.get("prints").and_then(Value::as_array).into_iter().flatten();
                let prints: Vec<&str> = prints.filter_map(Value::as_str).collect();
                let prints = Value::from(prints.join("\n"));
                turn.insert("prints".to_owned(), prints);
                if let Some(diff) = payload.get(&written.turn) {
                    turn.insert("payload".to_owned(), diff.to_string().into());
                }
                let changes = written.requests.iter().flat_map(|it| &it.changes);
                let changes: Vec<String> = changes.map(ToString::to_string).collect();
                if !changes.is_empty() {
                    turn.insert("transcript".to_owned(), changes.into());
                }
                for key in
                    ["payload_changes", "requests", "results", "model_calls", "opaque", "refused"]
                {
                    turn.remove(key);
                }
                turn.insert("prompt".to_owned(), written.told().into());
                turn.insert("reply".to_owned(), written.said().into());
                self.texts(turn, &["prompt", "reply", "program", "value", "prints", "payload"]);
                for (call, written) in objects(turn, "calls").zip(&written.calls) {
                    self.exact(call, "args", &written.args);
                    // A call with an unknown result keeps its null.
                    if let Some(result) = written.result.as_ref().filter(|it| !it.is_null()) {
                        self.exact(call, "result", result);
                    }
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

    /// The script has the table of the library, as a class of a regular expression.
    #[test]
    fn the_script_escapes_the_characters_of_the_table() {
        let html = page(&json!({}));
        let ranges = r"const UNSAFE = /[\u{0}-\u{8}\u{b}-\u{1f}\u{7f}-\u{9f}";
        assert!(html.contains(ranges) && html.contains(r"\u{e0000}-\u{e0fff}]/gu;"), "{html}");
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
        // The name of a kind of element, which no browser requests.
        let script = script().replace("'http://www.w3.org/2000/svg'", "");
        for word in [
            "innerHTML",
            "outerHTML",
            "insertAdjacent",
            "document.write",
            "eval(",
            "http",
            "fetch(",
        ] {
            assert!(!script.contains(word) && !STYLE.contains(word), "{word}");
        }
        assert!(!STYLE.contains("url(") && !script.contains("</script"));
    }

    /// A joined script has all functions in one scope, and hides an import that a browser would miss.
    #[test]
    fn modules_import_the_functions_that_they_call() {
        let exported = |text: &'static str| {
            let words = text.lines().filter_map(|it| it.strip_prefix("export "));
            words.filter_map(|it| it.split(|c: char| !c.is_alphanumeric()).nth(1))
        };
        let calls = |text: &str, name: &str| {
            let is_inside = |c: char| c.is_alphanumeric() || "._'".contains(c);
            text.match_indices(&format!("{name}(")).any(|(at, _)| !text[..at].ends_with(is_inside))
        };
        for (of, text) in MODULES {
            let known = |name: &str| {
                let mut lines = text.lines();
                let own = [format!("function {name}("), format!("const {name} ")];
                lines.any(|it| {
                    it.starts_with("import ") && it.split([' ', ',']).any(|it| it == name)
                        || own.iter().any(|own| it.contains(own))
                })
            };
            for (_, other) in MODULES {
                for name in exported(other).filter(|it| calls(text, it)) {
                    assert!(known(name), "{of} calls {name}");
                }
            }
        }
    }

    /// Joined modules have no line of a module, and each module imports only those before it.
    #[test]
    fn modules_are_joined_in_their_order() {
        for line in script().lines() {
            assert!(!line.starts_with("import") && !line.starts_with("export"), "{line}");
        }
        let mut before = Vec::new();
        for (name, text) in MODULES {
            for line in text.lines().filter(|it| it.starts_with("import ")) {
                let from = line.split('\'').nth(1).and_then(|it| it.strip_prefix("./"));
                assert!(from.is_some_and(|it| before.contains(&it)), "{name}: {line}");
            }
            before.push(name);
        }
    }
}
