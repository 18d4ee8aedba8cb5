//! The remarks of a decision beside its action: message, reasoning, confidence, form and commands. A
//! wrong part is left out, and a note says so.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::Value as Json;

use super::envelope::Envelope;
use crate::text::one_line;

/// The types of questions of a form.
const QUESTIONS: [&str; 14] = [
    "text",
    "textarea",
    "email",
    "number",
    "currency",
    "date",
    "datetime",
    "time",
    "daterange",
    "buttongroup",
    "radio",
    "dropdown",
    "checkbox",
    "slider",
];
/// The types of questions with options.
const CHOICES: [&str; 4] = ["buttongroup", "radio", "dropdown", "checkbox"];

/// The schemes of addresses that a command may open.
const SCHEMES: [&str; 3] = ["https", "http", "mailto"];

/// A field of a command: its name, whether it is required, and what it holds.
type Field = (&'static str, bool, Kind);

/// The values that a field of a command may have. A host relies on them.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    Address,
    Flag,
    /// Milliseconds, from 0.
    Milliseconds,
    Texts,
    Values,
}

/// Commands that a person starts, by their type.
const ACTIONABLE: [(&str, &[Field]); 2] = [
    (
        "open:resource",
        &[
            ("label", true, Kind::Text),
            ("icon", false, Kind::Text),
            ("resourceType", true, Kind::Word(&["Record", "Dashboard", "Report", "Form", "View"])),
            ("entityName", false, Kind::Text),
            ("resourceId", true, Kind::Text),
            ("mode", false, Kind::Word(&["view", "edit"])),
            ("parameters", false, Kind::Values),
        ],
    ),
    (
        "open:url",
        &[
            ("label", true, Kind::Text),
            ("icon", false, Kind::Text),
            ("url", true, Kind::Address),
            ("newTab", false, Kind::Flag),
        ],
    ),
];
/// Commands that a host runs, by their type.
const AUTOMATIC: [(&str, &[Field]); 2] = [
    (
        "refresh:data",
        &[
            ("scope", true, Kind::Word(&["entity", "cache"])),
            ("entityNames", false, Kind::Texts),
            ("cacheName", false, Kind::Word(&["Core", "AI", "Actions"])),
        ],
    ),
    (
        "notification",
        &[
            ("message", true, Kind::Text),
            ("severity", false, Kind::Word(&["success", "info", "warning", "error"])),
            ("duration", false, Kind::Milliseconds),
        ],
    ),
];

impl Envelope {
    /// Returns the remarks, by their keys. Wrong parts become notes.
    pub(super) fn remarks(&mut self) -> BTreeMap<String, Json> {
        let mut remarks = BTreeMap::new();
        for key in ["message", "reasoning"] {
            match self.given(key) {
                None => {}
                Some(text @ Json::String(_)) => {
                    remarks.insert(key.to_owned(), text);
                }
                Some(_) => self.notes.push(format!("`{key}` is not a text, and was ignored.")),
            }
        }
        if let Some(confidence) = self.given("confidence") {
            match confidence.as_f64() {
                Some(it) if (0.0..=1.0).contains(&it) => {
                    remarks.insert("confidence".to_owned(), confidence);
                }
                Some(it) => {
                    self.notes.push(format!("`confidence` is a number from 0 to 1, and was {it}."));
                    remarks.insert("confidence".to_owned(), it.clamp(0.0, 1.0).into());
                }
                None => {
                    self.notes.push("`confidence` is not a number, and was ignored.".to_owned());
                }
            }
        }
        if let Some(form) = self.given("responseForm") {
            match usable_form(form, &mut self.notes) {
                Some(form) => {
                    remarks.insert("responseForm".to_owned(), form);
                }
                None => {
                    let fault = "`responseForm` was ignored: it has no usable `questions`.";
                    self.notes.push(fault.to_owned());
                }
            }
        }
        for (key, known) in [("actionableCommands", ACTIONABLE), ("automaticCommands", AUTOMATIC)] {
            let Some(commands) = self.given(key) else { continue };
            let Json::Array(commands) = commands else {
                self.notes.push(format!("`{key}` is not a list, and was ignored."));
                continue;
            };
            let mut kept = Vec::new();
            for (number, command) in (1..).zip(commands) {
                match command_fault(&command, &known) {
                    None => kept.push(command),
                    Some(fault) => {
                        self.notes
                            .push(format!("command {number} of `{key}` was ignored: {fault}."));
                    }
                }
            }
            if !kept.is_empty() {
                remarks.insert(key.to_owned(), kept.into());
            }
        }
        remarks
    }

    fn given(&self, key: &str) -> Option<Json> {
        self.fields.get(key).filter(|it| !it.is_null()).cloned()
    }
}

/// Returns the types of questions as prompts list them.
pub(super) fn questions() -> String {
    QUESTIONS.map(|it| format!("`{it}`")).join(", ")
}

/// Returns the commands as prompts list them, for a person and for a host.
pub(super) fn commands() -> [String; 2] {
    let field = |(name, is_required, kind): &Field| {
        let mut text = format!("`{name}`");
        let holds = match kind {
            Kind::Text | Kind::Address => String::new(),
            Kind::Word(words) => words.join(", "),
            other => other.name(),
        };
        if !holds.is_empty() {
            let _ = write!(text, " ({holds})");
        }
        if !is_required {
            text.push('?');
        }
        text
    };
    let command = |(kind, fields): &(&str, &[Field])| {
        let fields: Vec<String> = fields.iter().map(field).collect();
        format!("`{kind}` with {}", fields.join(", "))
    };
    [ACTIONABLE, AUTOMATIC].map(|all| all.iter().map(command).collect::<Vec<_>>().join("; "))
}

/// Returns a form with its usable questions; `None` if it has none. Notes name the others.
fn usable_form(mut form: Json, notes: &mut Vec<String>) -> Option<Json> {
    let questions = form.get_mut("questions").and_then(Json::as_array_mut)?;
    let (mut ids, mut number) = (BTreeSet::new(), 0);
    questions.retain(|question| {
        number += 1;
        let fault = question_fault(question, &ids);
        match &fault {
            Some(fault) => {
                notes.push(format!("question {number} of `responseForm` was ignored: {fault}."));
            }
            None => ids.extend(text(question, "id").map(str::to_owned)),
        }
        fault.is_none()
    });
    (!questions.is_empty()).then_some(form)
}

/// Returns the fault of a question. `ids` are those of the questions before it.
fn question_fault(question: &Json, ids: &BTreeSet<String>) -> Option<String> {
    let Some(id) = text(question, "id") else { return Some("it has no `id`".to_owned()) };
    if ids.contains(id) {
        return Some(format!("another one has the id `{}`", one_line(id, 100)));
    }
    if text(question, "label").is_none() {
        return Some("it has no `label`".to_owned());
    }
    // The type is a word, or an object with the word and its options.
    let kind = question.get("type");
    let word = kind.and_then(Json::as_str).or_else(|| kind.and_then(|it| text(it, "type")));
    let Some(word) = word.filter(|it| QUESTIONS.contains(it)) else {
        return Some(format!("its `type` is none of {}", QUESTIONS.join(", ")));
    };
    let options =
        question.get("options").or_else(|| kind?.get("options")).filter(|it| !it.is_null());
    // A checkbox without options is a yes or a no.
    if !CHOICES.contains(&word) || word == "checkbox" && options.is_none() {
        return None;
    }
    let options = options.and_then(Json::as_array).filter(|it| !it.is_empty());
    let Some(options) = options else { return Some("it has no `options`".to_owned()) };
    let mut values = BTreeSet::new();
    options.iter().find_map(|option| match option.get("value") {
        Some(value @ (Json::String(_) | Json::Number(_) | Json::Bool(_))) => {
            let is_new = values.insert(value.to_string());
            let value = one_line(&value.to_string(), 100);
            (!is_new).then(|| format!("two of its options are {value}"))
        }
        _ => Some("one of its options has no `value`".to_owned()),
    })
}

/// Returns the fault of a command.
fn command_fault(command: &Json, known: &[(&str, &[Field])]) -> Option<String> {
    let kind = text(command, "type").unwrap_or_default();
    let Some((_, fields)) = known.iter().find(|(it, _)| *it == kind) else {
        let known: Vec<&str> = known.iter().map(|it| it.0).collect();
        return Some(format!("its `type` is none of {}", known.join(", ")));
    };
    fields.iter().find_map(|(name, is_required, kind)| match command.get(*name) {
        None | Some(Json::Null) => is_required.then(|| format!("it has no `{name}`")),
        Some(value) => {
            (!kind.allows(value)).then(|| format!("its `{name}` is not {}", kind.name()))
        }
    })
}

impl Kind {
    /// Returns what a value has to be, as notes to the model say it.
    fn name(self) -> String {
        match self {
            Kind::Text => "a text".to_owned(),
            Kind::Word(words) => format!("one of {}", words.join(", ")),
            Kind::Address => format!("an address with {}:", SCHEMES.join(":, ")),
            Kind::Flag => "true or false".to_owned(),
            Kind::Milliseconds => "milliseconds".to_owned(),
            Kind::Texts => "a list of texts".to_owned(),
            Kind::Values => "an object".to_owned(),
        }
    }

    fn allows(self, value: &Json) -> bool {
        match (self, value) {
            (Kind::Word(words), Json::String(text)) => words.contains(&text.as_str()),
            // A host may open the address. Other schemes run code or read files.
            (Kind::Address, Json::String(text)) => {
                text.split_once(':').is_some_and(|(scheme, _)| {
                    SCHEMES.iter().any(|it| scheme.eq_ignore_ascii_case(it))
                })
            }
            (Kind::Text, Json::String(_))
            | (Kind::Flag, Json::Bool(_))
            | (Kind::Values, Json::Object(_)) => true,
            (Kind::Milliseconds, Json::Number(number)) => {
                number.as_f64().is_some_and(|it| it >= 0.0)
            }
            (Kind::Texts, Json::Array(items)) => items.iter().all(Json::is_string),
            _ => false,
        }
    }
}

fn text<'j>(of: &'j Json, key: &str) -> Option<&'j str> {
    of.get(key).and_then(Json::as_str).filter(|it| !it.trim().is_empty())
}
