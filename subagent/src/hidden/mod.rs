//! Hidden fields: finding their values, and covering every copy of them.
//!
//! The search has two uses. [`Hidden`] covers a record that people view. `replay::redact` puts stand-ins into data from
//! outside, so that the run still replays.

mod printed;

use std::collections::BTreeMap;

use aho_corasick::{AhoCorasick, MatchKind};
use ptc_lisp::{Repair, Value as Exact};
use ptc_signatures::HIDDEN;
use serde_json::Value;

use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::record::{Fail, RunError, RunRecord};

/// The hidden values of a run and its sub-agents, for showing the run without them.
///
/// A field is hidden if its name starts with `_`. Its value shows as `[Hidden]` at every depth. A text of at least six
/// characters in such a field is covered everywhere: in prompts, replies, programs, printed lines and messages. A
/// shorter text, a number and a boolean are covered only in their fields.
///
/// ```
/// use ptc_subagent::provider::Scripted;
/// use ptc_subagent::store::{Hidden, Store};
/// use ptc_subagent::{Agent, Mission};
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), ptc_subagent::Error> {
/// let store = Store::in_memory()?;
/// let provider = Scripted::new(["```clojure\n(return (:_mail ctx))\n```"]);
/// let input = json!({"_mail": "ada@example.com", "n": 1});
/// let report =
///     Mission::new(&Agent::new("Go."), input).record_in(&store).run(&provider).await?;
///
/// let family = store.family(report.run.as_str())?;
/// let shown = Hidden::of(&family)?.cover(&family[0]);
/// assert_eq!(shown.setup.input, json!({"_mail": "[Hidden]", "n": 1}));
/// assert_eq!(shown.value, json!("[Hidden]"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Hidden(Option<Cover>);

impl Hidden {
    /// A cover that hides nothing, for viewers who may see everything.
    pub const NOTHING: Hidden = Hidden(None);

    /// Finds the hidden values of runs. Pass all runs of a tree ([`Store::family`](crate::store::Store::family)),
    /// because a run may pass a hidden value to a sub-agent under another name.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Replay`](crate::ErrorKind::Replay) if the hidden values are too many to search for.
    pub fn of<'a>(runs: impl IntoIterator<Item = &'a RunRecord>) -> Result<Hidden, Error> {
        let mut secrets = Secrets::new(|name| name.starts_with('_'));
        for run in runs {
            secrets.find_data(&run.setup.input);
            secrets.find_data(&run.value);
            run.fail.iter().for_each(|it| secrets.find_data(&it.details));
            let given = run.setup.definition.iter().chain(&run.setup.settings);
            given.for_each(|it| secrets.find(it));
            if let Some(payload) = &run.payload {
                secrets.find_data(&payload.start);
                payload.end.iter().for_each(|it| secrets.find_data(it));
            }
            let decisions = run.queued.iter().flat_map(|it| &it.decisions);
            for given in decisions.flat_map(|it| it.answers.values().chain(it.done.values())) {
                secrets.find_data(given);
            }
            if let Some(after) = &run.after {
                secrets.find_data(&after.messages);
                after.state.iter().for_each(|it| secrets.find_in_texts(it));
            }
            for turn in &run.turn_records {
                for call in &turn.calls {
                    secrets.find_data(&call.args);
                    call.result.iter().for_each(|it| secrets.find_data(it));
                }
                let changes = turn.payload_changes.iter().flat_map(|it| it.patch.ops());
                changes.for_each(|op| secrets.find_data(&op.shaped()));
                turn.value.iter().chain(&turn.prints).for_each(|it| secrets.find_printed(it));
            }
        }
        Ok(Hidden(Some(secrets.cover(Instead::Mark)?)))
    }

    /// Returns a record without hidden values. Names, numbers, times and states of the run remain.
    #[must_use]
    pub fn cover(&self, record: &RunRecord) -> RunRecord {
        let mut record = record.clone();
        if self.0.is_none() {
            return record;
        }
        record.setup.input = self.data(&record.setup.input);
        record.value = self.data(&record.value);
        let told = |text: &str| {
            let mut prompts = record.turn_records.iter().map(|it| it.prompt.as_str());
            prompts.any(|prompt| prompt.contains(text))
        };
        let prints: Vec<Vec<bool>> = record
            .turn_records
            .iter()
            .map(|turn| turn.prints.iter().map(|line| told(line)).collect())
            .collect();
        record.setup.system = self.seen_source(&record.setup.system);
        // The definition contains programs and signatures.
        record.setup.definition = record.setup.definition.as_ref().map(|it| self.source_value(it));
        record.setup.settings = record.setup.settings.as_ref().map(|it| self.source_value(it));
        record.fail.iter_mut().for_each(|it| self.failure(it));
        self.values(&mut record.remarks);
        self.errors(&mut record.error);
        if let Some(payload) = &mut record.payload {
            payload.start = self.data(&payload.start);
            payload.end = payload.end.as_ref().map(|it| self.data(it));
        }
        if let Some(after) = &mut record.after {
            after.messages = self.data(&after.messages);
            after.artifacts = self.data(&after.artifacts);
            self.values(&mut after.state);
        }
        record.artifacts.iter_mut().for_each(|it| it.value = self.data(&it.value));
        let decisions = record.queued.iter_mut().flat_map(|it| &mut it.decisions);
        for given in decisions.flat_map(|it| it.answers.values_mut().chain(it.done.values_mut())) {
            *given = self.data(given);
        }
        for warning in &mut record.warnings {
            warning.message = self.text(&warning.message);
        }
        for (turn, told) in record.turn_records.iter_mut().zip(prints) {
            turn.prompt = self.seen_text(&turn.prompt);
            for text in [&mut turn.reply, &mut turn.program].into_iter().flatten() {
                *text = self.source_text(text);
            }
            turn.results.iter_mut().for_each(|it| it.text = self.seen_text(&it.text));
            for call in &mut turn.model_calls {
                call.arguments = self.source_text(&call.arguments);
            }
            for request in &mut turn.requests {
                request.each_text(|it| self.seen_text(it));
            }
            turn.refused.iter_mut().for_each(|it| it.message = self.text(&it.message));
            // Nobody can read their contents.
            turn.opaque.clear();
            turn.value.iter_mut().for_each(|text| *text = self.text(text));
            for (line, was_told) in turn.prints.iter_mut().zip(told) {
                *line = if was_told { self.seen_line(line) } else { self.text(line) };
            }
            let repair = turn.repair.as_ref().map(|it| self.source_value(&it.to_json()));
            turn.repair = repair.as_ref().and_then(Repair::from_json);
            self.values(&mut turn.report);
            self.errors(turn.warnings.iter_mut().flatten());
            self.errors(turn.rejection.iter_mut().flatten());
            turn.notes.iter_mut().flatten().for_each(|it| *it = self.text(it));
            self.errors(&mut turn.error);
            for change in &mut turn.payload_changes {
                let ops = change.patch.ops().iter();
                change.patch = ops.map(|op| op.reshaped(&self.data(&op.shaped()))).collect();
            }
            for call in &mut turn.calls {
                call.args = self.data(&call.args);
                call.result = call.result.as_ref().map(|it| self.data(it));
                call.forget_unnamed_blobs();
                for form in call.labels.iter_mut().flat_map(|it| &mut it.path) {
                    *form = self.text(form);
                }
                self.errors(call.error.as_deref_mut());
            }
        }
        record
    }

    /// Returns JSON without hidden values.
    #[must_use]
    pub fn value(&self, value: &Value) -> Value {
        self.0
            .as_ref()
            .map_or_else(|| value.clone(), |cover| cover.value(value, &|it| self.text(it)))
    }

    /// Returns data without hidden values.
    #[must_use]
    pub fn data(&self, data: &Data) -> Data {
        let cover = self.0.as_ref();
        cover.map_or_else(|| data.clone(), |cover| cover.data(data, &|it| self.text(it)))
    }

    /// Returns data whose texts are prompts, replies or programs, without hidden values.
    pub(crate) fn source_data(&self, data: &Data) -> Data {
        let cover = self.0.as_ref();
        cover.map_or_else(|| data.clone(), |cover| cover.data(data, &|it| cover.text(it)))
    }

    /// Returns a text without copies of hidden texts, and without the hidden fields of maps printed in it.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        if self.0.is_none() {
            return text.to_string();
        }
        without_fields(&self.source_text(text), |_| HIDDEN)
    }

    /// Returns a text that a model read, with [`SEEN`] for each value that it saw.
    fn seen_text(&self, text: &str) -> String {
        if self.0.is_none() {
            return text.to_string();
        }
        // A type or an expression of a program is not a value.
        let is_value =
            |it: &str| it.starts_with(|c: char| c == '"' || c == '-' || c.is_ascii_digit());
        without_fields(&self.seen_source(text), |value| {
            if is_value(value.trim()) || value.contains(SEEN) { SEEN } else { HIDDEN }
        })
    }

    /// Returns a printed line that a model read.
    fn seen_line(&self, line: &str) -> String {
        if self.0.is_none() {
            return line.to_string();
        }
        without_fields(&self.seen_source(line), |_| SEEN)
    }

    /// Returns a text by an author that a model read, with [`SEEN`] for each copy of a hidden text.
    fn seen_source(&self, text: &str) -> String {
        self.0.as_ref().map_or_else(|| text.to_string(), |cover| cover.seen(text))
    }

    /// Returns a text by a model or an author without copies of hidden texts. Its maps are programs and types, so their
    /// fields remain.
    fn source_text(&self, text: &str) -> String {
        self.0.as_ref().map_or_else(|| text.to_string(), |cover| cover.text(text))
    }

    /// Returns JSON whose texts are by a model or an author, without hidden values.
    fn source_value(&self, value: &Value) -> Value {
        self.0
            .as_ref()
            .map_or_else(|| value.clone(), |cover| cover.value(value, &|it| cover.text(it)))
    }

    fn errors<'e>(&self, errors: impl IntoIterator<Item = &'e mut RunError>) {
        for error in errors {
            error.each_text(|it| self.text(it));
            error.fail.iter_mut().for_each(|it| self.failure(it));
        }
    }

    fn failure(&self, fail: &mut Fail) {
        fail.reason = self.text(&fail.reason);
        fail.message = self.text(&fail.message);
        fail.details = self.data(&fail.details);
    }

    fn values(&self, value: &mut Option<Value>) {
        *value = value.as_ref().map(|it| self.value(it));
    }
}

/// The mark of a hidden value that the model saw. Prompts have `[Hidden]` where it saw that.
const SEEN: &str = "[Hidden: the model saw it]";

/// Replaces the values of hidden fields of maps that are printed in a text.
fn without_fields(text: &str, mark: impl Fn(&str) -> &'static str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut end = 0;
    for value in printed::hidden(text) {
        shown.push_str(text.get(end..value.start).unwrap_or_default());
        shown.push_str(mark(text.get(value.clone()).unwrap_or_default()));
        end = value.end;
    }
    shown.push_str(text.get(end..).unwrap_or_default());
    shown
}

/// The minimum length of a text that is covered outside its field, in characters. A shorter text such as `DE` may occur
/// anywhere by chance.
const MIN_CHARS: usize = 6;

/// The values in secret fields.
#[derive(Debug)]
pub(crate) struct Secrets {
    /// The test whether the name of a field makes it secret.
    hides: fn(&str) -> bool,
    /// Each text, with its number in order of discovery.
    texts: BTreeMap<String, usize>,
    numbers: usize,
}

/// The replacement of secrets.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Instead {
    /// `[Hidden]`, for the whole value of a field of any type.
    Mark,
    /// A text made from each text and its number. A collection keeps its shape, and a number becomes 0.
    Text(fn(&str, usize) -> String),
}

impl Secrets {
    pub(crate) fn new(hides: fn(&str) -> bool) -> Secrets {
        Secrets { hides, texts: BTreeMap::new(), numbers: 0 }
    }

    /// Returns the number of values that were found.
    pub(crate) fn count(&self) -> usize {
        self.texts.len() + self.numbers
    }

    /// Finds the secrets in a value.
    pub(crate) fn find(&mut self, value: &Value) {
        self.find_within(value, false);
    }

    fn find_within(&mut self, value: &Value, is_secret: bool) {
        match value {
            Value::Object(map) => {
                for (name, value) in map {
                    self.find_within(value, is_secret || (self.hides)(name));
                }
            }
            Value::Array(items) => items.iter().for_each(|it| self.find_within(it, is_secret)),
            Value::String(text) if is_secret => self.add(text),
            Value::Number(_) if is_secret => self.numbers += 1,
            _ => {}
        }
    }

    /// Finds the secrets in data.
    pub(crate) fn find_data(&mut self, data: &Data) {
        self.find_data_within(data.value(), false);
    }

    fn find_data_within(&mut self, value: &Exact, is_secret: bool) {
        match value {
            Exact::Str(text) if is_secret => self.add(text),
            Exact::Int(_) | Exact::Float(_) | Exact::Big(_) if is_secret => self.numbers += 1,
            Exact::Map(map) => {
                for (name, value) in map.iter() {
                    let is_secret = is_secret || name.name().is_some_and(self.hides);
                    self.find_data_within(value, is_secret);
                }
            }
            Exact::Vector(items) => {
                items.iter().for_each(|it| self.find_data_within(it, is_secret));
            }
            _ => {}
        }
    }

    /// Finds the secrets in maps that are printed in a text.
    fn find_printed(&mut self, text: &str) {
        for value in printed::hidden(text) {
            for text in printed::texts(text.get(value).unwrap_or_default()) {
                self.add(&text);
            }
        }
    }

    /// Finds the hidden fields of values that are printed in the texts of a state.
    pub(crate) fn find_in_texts(&mut self, state: &Value) {
        match state {
            Value::Object(map) => map.values().for_each(|it| self.find_in_texts(it)),
            Value::Array(items) => items.iter().for_each(|it| self.find_in_texts(it)),
            Value::String(text) => self.find_printed(text),
            _ => {}
        }
    }

    fn add(&mut self, text: &str) {
        // `HIDDEN` is the value of a field that is already covered.
        if !text.is_empty() && text != HIDDEN {
            let number = self.texts.len() + 1;
            self.texts.entry(text.to_string()).or_insert(number);
        }
    }

    /// Builds the cover for the secrets.
    pub(crate) fn cover(self, instead: Instead) -> Result<Cover, Error> {
        let mut words = BTreeMap::new();
        let mut stand_ins = BTreeMap::new();
        for (text, number) in self.texts {
            let with = match instead {
                Instead::Mark => HIDDEN.to_string(),
                Instead::Text(make) => make(&text, number),
            };
            stand_ins.insert(text.clone(), with.clone());
            if text.chars().count() >= MIN_CHARS {
                // The text is escaped in programs, in printed values and in JSON inside texts.
                for form in [printed::in_json(&text), printed::in_program(&text), text] {
                    words.insert(form, with.clone());
                }
            }
        }
        let (words, with): (Vec<String>, Vec<String>) = words.into_iter().unzip();
        let words = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&words);
        let words = words.map_err(|error| {
            let message = format!("there is too much hidden text to search for: {error}");
            Error::new(ErrorKind::Replay, message)
        })?;
        let is_mark = matches!(instead, Instead::Mark);
        Ok(Cover { hides: self.hides, is_mark, stand_ins, words, with })
    }
}

/// A cover that replaces secrets by other values.
#[derive(Debug)]
pub(crate) struct Cover {
    hides: fn(&str) -> bool,
    is_mark: bool,
    stand_ins: BTreeMap<String, String>,
    words: AhoCorasick,
    /// The replacement of each word.
    with: Vec<String>,
}

impl Cover {
    /// Returns a value without secrets. `text` covers the texts outside secret fields.
    pub(crate) fn value(&self, value: &Value, text: &dyn Fn(&str) -> String) -> Value {
        self.value_within(value, false, text)
    }

    /// Returns data without secrets. `text` covers the texts outside secret fields.
    pub(crate) fn data(&self, data: &Data, text: &dyn Fn(&str) -> String) -> Data {
        Data::made(self.data_within(data.value(), false, text))
    }

    fn data_within(
        &self,
        value: &Exact,
        is_secret: bool,
        cleared: &dyn Fn(&str) -> String,
    ) -> Exact {
        match value {
            _ if is_secret && self.is_mark => Exact::str(HIDDEN),
            Exact::Map(map) => Exact::map(map.iter().map(|(key, value)| {
                let name = key.name().unwrap_or_default();
                let is_secret = is_secret || (self.hides)(name);
                (Exact::str(self.text(name)), self.data_within(value, is_secret, cleared))
            })),
            Exact::Vector(items) => {
                let items = items.iter().map(|item| self.data_within(item, is_secret, cleared));
                Exact::vector(items.collect())
            }
            Exact::Str(text) if is_secret => {
                Exact::str(self.stand_ins.get(text.as_str()).cloned().unwrap_or_default())
            }
            Exact::Str(text) => Exact::str(cleared(text)),
            Exact::Float(_) if is_secret => Exact::Float(0.0),
            Exact::Int(_) | Exact::Big(_) if is_secret => Exact::Int(0),
            other => other.clone(),
        }
    }

    /// Returns the text without the secrets that are long enough to be recognized.
    pub(crate) fn text(&self, text: &str) -> String {
        self.words.replace_all(text, &self.with)
    }

    /// Returns a text with [`SEEN`] instead of its secrets.
    fn seen(&self, text: &str) -> String {
        let mut covered = String::with_capacity(text.len());
        self.words.replace_all_with(text, &mut covered, |_, _, covered| {
            covered.push_str(SEEN);
            true
        });
        covered
    }

    fn value_within(
        &self,
        value: &Value,
        is_secret: bool,
        cleared: &dyn Fn(&str) -> String,
    ) -> Value {
        match value {
            _ if is_secret && self.is_mark => HIDDEN.into(),
            Value::Object(map) => {
                let rows = map.iter().map(|(name, value)| {
                    let is_secret = is_secret || (self.hides)(name);
                    (self.text(name), self.value_within(value, is_secret, cleared))
                });
                Value::Object(rows.collect())
            }
            Value::Array(items) => {
                items.iter().map(|item| self.value_within(item, is_secret, cleared)).collect()
            }
            Value::String(text) if is_secret => {
                self.stand_ins.get(text).cloned().unwrap_or_default().into()
            }
            Value::String(text) => cleared(text).into(),
            Value::Number(number) if is_secret && number.is_f64() => 0.0.into(),
            Value::Number(_) if is_secret => 0.into(),
            other => other.clone(),
        }
    }
}
