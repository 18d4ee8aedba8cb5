//! Reads forms, in the words of this library and in those of other systems.

use std::collections::BTreeSet;

use ptc_signatures::{Bounds, Signature, Type};
use serde_json::{Map, Value};

use super::control::Control;
use super::fields::{ANSWER, Choice, Form, FormField, FormProblem, label_of};
use crate::data::Data;

/// Names of other systems, and the names that they stand for.
const ALIASES: [(&str, &str); 8] = [
    ("description", "help"),
    ("helpText", "help"),
    ("submitLabel", "submit"),
    ("questions", "fields"),
    ("options", "choices"),
    ("defaultValue", "default"),
    ("widthHint", "width"),
    ("message", "title"),
];

/// The largest number of fields, and of choices of a field.
const MAX_FIELDS: usize = 100;
const MAX_CHOICES: usize = 1000;

type Problems = Vec<FormProblem>;

/// Reads a form.
pub(super) fn form(form: &Value) -> Result<Form, Problems> {
    let mut map = match form {
        Value::String(title) => Map::from_iter([("title".to_string(), title.clone().into())]),
        Value::Object(map) => own_names(map.clone()),
        _ => return Err(vec![FormProblem::new(None, "a form is a text or a map")]),
    };
    let mut problems = Vec::new();
    let title = text(&mut map, "title", None, &mut problems);
    let submit = text(&mut map, "submit", None, &mut problems);
    let expires = map.remove("expires");
    let expires = expires.filter(|it| !it.is_null()).and_then(|it| {
        let ms = it.as_u64();
        if ms.is_none() {
            let message = "`expires` is a number of milliseconds";
            problems.push(FormProblem::new(None, message));
        }
        ms
    });
    let help = text(&mut map, "help", None, &mut problems);
    let is_bare = !map.contains_key("fields");
    // A field of a list of `questions`, as other systems write it, is optional unless it says otherwise.
    let requires = form.get("questions").is_none();
    let fields = match map.remove("fields") {
        None => {
            map.insert("label".to_string(), title.clone().unwrap_or_default().into());
            field(map, Some(ANSWER), true, &mut problems).into_iter().collect()
        }
        Some(Value::String(signature)) => of_signature(&signature, &mut problems),
        Some(Value::Array(all)) if all.len() <= MAX_FIELDS => of_list(all, requires, &mut problems),
        Some(_) => {
            let message =
                format!("`fields` is a list of at most {MAX_FIELDS} maps, or a signature");
            problems.push(FormProblem::new(None, message));
            Vec::new()
        }
    };
    if fields.is_empty() && problems.is_empty() {
        problems.push(FormProblem::new(None, "a form has at least one field"));
    }
    if is_bare && title.as_deref().is_none_or(|it| it.trim().is_empty()) && problems.is_empty() {
        problems.push(FormProblem::new(None, "a form without fields needs a `title`"));
    }
    if problems.is_empty() {
        Ok(Form { title, help, submit, expires, fields, is_bare })
    } else {
        Err(problems)
    }
}

/// Returns the name of a key in this library.
fn own_name(key: &str) -> String {
    let known = ALIASES.iter().find(|(other, _)| *other == key);
    known.map_or(key, |(_, own)| own).to_string()
}

/// Returns a map with the names of this library. Of two keys with one name the texts are joined by a line break.
fn own_names(map: Map<String, Value>) -> Map<String, Value> {
    let mut named = Map::new();
    for (key, value) in map {
        let name = own_name(&key);
        match (named.get_mut(&name), value) {
            (Some(Value::String(known)), Value::String(more)) if *known != more => {
                // The name of this library comes first, then the order of the map.
                *known = if key == name {
                    format!("{more}\n{known}")
                } else {
                    format!("{known}\n{more}")
                };
            }
            (Some(known), value) if !value.is_null() && key == name => *known = value,
            (Some(_), _) => {}
            (None, Value::Null) => {}
            (None, value) => {
                named.insert(name, value);
            }
        }
    }
    named
}

/// Reads the inputs of a signature as fields. Descriptions are labels.
fn of_signature(text: &str, problems: &mut Problems) -> Vec<FormField> {
    // A form has inputs alone, which are no signature.
    let signature = text
        .parse::<Signature>()
        .or_else(|error| format!("{text} -> :any").parse::<Signature>().map_err(|_| error));
    let problem = match signature {
        Ok(signature) if signature.params.len() <= MAX_FIELDS => {
            return signature.params.into_iter().map(of_param).collect();
        }
        Ok(_) => format!("a form has at most {MAX_FIELDS} fields"),
        Err(error) => format!("`fields` is not a signature: {error}"),
    };
    problems.push(FormProblem::new(None, problem));
    Vec::new()
}

fn of_param(param: ptc_signatures::Field) -> FormField {
    let (ty, is_required) = required(param.ty);
    let label = param.description.unwrap_or_else(|| param.name.clone());
    FormField {
        id: param.name,
        label,
        ty,
        is_required,
        default: None,
        help: None,
        choices: Vec::new(),
        control: None,
        is_secret: false,
        hints: Map::new(),
    }
}

fn of_list(all: Vec<Value>, requires: bool, problems: &mut Problems) -> Vec<FormField> {
    let (mut ids, mut fields) = (BTreeSet::new(), Vec::new());
    for it in all {
        let Value::Object(map) = it else {
            problems.push(FormProblem::new(None, "each of the `fields` is a map"));
            continue;
        };
        let Some(field) = field(own_names(map), None, requires, problems) else { continue };
        if !ids.insert(field.id.clone()) {
            problems.push(FormProblem::new(Some(&field.id), "the id is there twice"));
        }
        fields.push(field);
    }
    fields
}

/// Reads a field. `id` is the id of a field that cannot name its own, and `requires` whether a field that does not say
/// so is required.
fn field(
    mut map: Map<String, Value>,
    id: Option<&str>,
    requires: bool,
    problems: &mut Problems,
) -> Option<FormField> {
    let found = text(&mut map, "id", None, problems).filter(|it| !it.is_empty());
    let Some(id) = id.map(str::to_string).or(found) else {
        problems.push(FormProblem::new(None, "each field needs an `id`"));
        return None;
    };
    let known = problems.len();
    let own = Some(id.as_str());
    let label = text(&mut map, "label", own, problems).unwrap_or_else(|| id.clone());
    let help = text(&mut map, "help", own, problems);
    let ty = unfolded_type(&mut map);
    let choices = choices(map.remove("choices"), own, problems);
    let is_multiple = map.remove("multiple").is_some_and(|it| it == true);
    let control = text(&mut map, "control", own, problems);
    let mut is_secret = map.remove("secret").is_some_and(|it| it == true);
    let word = match &ty {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text.as_str()),
        Some(_) => {
            problems.push(FormProblem::new(own, "`type` is a type or a control, as text"));
            return None;
        }
    };
    // A keyword arrives without its colon, so the word of a control wins over that of a type.
    let spelled = word.filter(|it| is_type_name(it)).map(|it| format!(":{it}"));
    let word = spelled.as_deref().or(word);
    let written = word.filter(|it| it.starts_with([':', '[', '{']));
    let mut control_word = control.as_deref().or(word.filter(|_| written.is_none()));
    if control_word == Some("secret") || control_word == Some("password") {
        (is_secret, control_word) = (true, None);
    }
    let control = control_word.and_then(|word| known_control(word, own, problems));
    let (ty, is_optional) = match written.map(str::parse::<Type>) {
        Some(Ok(ty)) => {
            let (ty, is_required) = required(ty);
            (ty, !is_required)
        }
        Some(Err(error)) => {
            let message = format!("`type` is not a type: {error}");
            problems.push(FormProblem::new(own, message));
            return None;
        }
        None => {
            let several = is_multiple || control == Some(Control::Checkbox);
            (implied(control, &choices, several, own, problems)?, false)
        }
    };
    let ty = bounded(ty, &mut map, own, problems);
    let is_required = match map.remove("required") {
        Some(Value::Bool(is_required)) => is_required && !is_optional,
        _ => requires && !is_optional,
    };
    let default = map.remove("default").filter(|it| !it.is_null());
    map.remove("id");
    let hints = map;
    let made = FormField {
        id,
        label,
        ty,
        is_required,
        default: None,
        help,
        choices,
        control,
        is_secret,
        hints,
    };
    let default = default.filter(|_| problems.len() == known);
    let default = default.and_then(|default| checked_default(&made, default, problems));
    Some(FormField { default, ..made })
}

/// Removes and returns the type. It may be a map of its own, whose other keys then belong to the field.
fn unfolded_type(map: &mut Map<String, Value>) -> Option<Value> {
    match map.remove("type") {
        Some(Value::Object(inner)) => {
            for (key, it) in inner {
                map.entry(own_name(&key)).or_insert(it);
            }
            map.remove("type")
        }
        ty => ty,
    }
}

/// Returns the default as an answer of the field.
fn checked_default(field: &FormField, default: Value, problems: &mut Problems) -> Option<Value> {
    let json = |it: Data| {
        it.to_json().map_err(|why| vec![FormProblem::new(Some(&field.id), why.message())])
    };
    let checked = super::check::value(field, default.into()).and_then(json);
    let about =
        |it: FormProblem| FormProblem { message: format!("the default: {}", it.message), ..it };
    checked.map_err(|found| problems.extend(found.into_iter().map(about))).ok()
}

/// Returns whether a word that names no control is a type without its colon.
fn is_type_name(word: &str) -> bool {
    let is_control = !matches!(word.parse(), Ok(Control::Unknown(_)) | Err(_));
    let is_secret = ["secret", "password"].contains(&word);
    let starts = word.starts_with(|c: char| c.is_ascii_alphabetic());
    starts && !is_control && !is_secret && format!(":{word}").parse::<Type>().is_ok()
}

/// Removes and returns a text.
fn text(
    map: &mut Map<String, Value>,
    key: &str,
    field: Option<&str>,
    problems: &mut Problems,
) -> Option<String> {
    match map.remove(key)? {
        Value::String(text) => Some(text),
        Value::Null => None,
        _ => {
            problems.push(FormProblem::new(field, format!("`{key}` is a text")));
            None
        }
    }
}

fn known_control(word: &str, field: Option<&str>, problems: &mut Problems) -> Option<Control> {
    match word.parse() {
        Ok(Control::Unknown(_)) | Err(_) => {
            let all: Vec<&str> = Control::ALL.iter().map(Control::as_str).collect();
            let shown: String = word.chars().take(40).collect();
            let message = format!(
                "unknown type `{shown}`: write a type such as `:int`, or one of {}",
                all.join(", ")
            );
            problems.push(FormProblem::new(field, message));
            None
        }
        Ok(control) => Some(control),
    }
}

/// Reads choices: values, or maps with a value and a label.
fn choices(given: Option<Value>, field: Option<&str>, problems: &mut Problems) -> Vec<Choice> {
    let all = match given {
        None | Some(Value::Null) => return Vec::new(),
        Some(Value::Array(all)) if !all.is_empty() && all.len() <= MAX_CHOICES => all,
        Some(_) => {
            let message = format!("`choices` is a list of 1 to {MAX_CHOICES} values");
            problems.push(FormProblem::new(field, message));
            return Vec::new();
        }
    };
    let (mut seen, mut choices) = (BTreeSet::new(), Vec::new());
    for it in all {
        let (value, label, icon) = match it {
            Value::Object(mut map) => {
                let value = map.remove("value").unwrap_or_default();
                let label = text(&mut map, "label", field, problems);
                (value, label, text(&mut map, "icon", field, problems))
            }
            value => (value, None, None),
        };
        if !matches!(value, Value::String(_) | Value::Number(_) | Value::Bool(_)) {
            let message = "the value of a choice is a text, a number or a boolean";
            problems.push(FormProblem::new(field, message));
            continue;
        }
        if !seen.insert(value.to_string()) {
            problems.push(FormProblem::new(field, format!("the choice {value} is there twice")));
        }
        let label = label.unwrap_or_else(|| label_of(&value));
        choices.push(Choice { value, label, icon });
    }
    choices
}

/// Returns the type of a field that names none.
fn implied(
    control: Option<Control>,
    choices: &[Choice],
    several: bool,
    field: Option<&str>,
    problems: &mut Problems,
) -> Option<Type> {
    if choices.is_empty() {
        let ty = control.map_or(Some(Type::STRING), Control::ty);
        if ty.is_none() {
            let control = control.map(|it| it.as_str().to_string()).unwrap_or_default();
            problems.push(FormProblem::new(field, format!("a `{control}` needs `choices`")));
        }
        return ty;
    }
    let all = |is: fn(&Value) -> bool| choices.iter().all(|it| is(&it.value));
    let item = if all(Value::is_string) {
        let words = choices.iter().filter_map(|it| it.value.as_str().map(str::to_string));
        Type::Enum(words.collect())
    } else if all(Value::is_i64) {
        Type::INT
    } else if all(Value::is_number) {
        Type::FLOAT
    } else if all(Value::is_boolean) {
        Type::Bool
    } else {
        Type::Any
    };
    Some(if several { Type::list(item) } else { item })
}

/// Adds `min`, `max` and `maxLength` to a type. They stay hints for a type that has no such bounds.
fn bounded(
    mut ty: Type,
    map: &mut Map<String, Value>,
    field: Option<&str>,
    problems: &mut Problems,
) -> Type {
    let mut end = |key: &str| {
        let end = map.remove(key).filter(|it| !it.is_null())?;
        if !end.is_number() {
            problems.push(FormProblem::new(field, format!("`{key}` is a number")));
        }
        Some(end)
    };
    match &mut ty {
        Type::Float(bounds) => {
            let (min, max) = (end("min"), end("max"));
            bounds.min = min.and_then(|it| it.as_f64()).or(bounds.min);
            bounds.max = max.and_then(|it| it.as_f64()).or(bounds.max);
        }
        Type::Int(bounds) => {
            let (min, max) = (end("min"), end("max"));
            bounds.min = min.and_then(|it| it.as_i64()).or(bounds.min);
            bounds.max = max.and_then(|it| it.as_i64()).or(bounds.max);
        }
        Type::String(bounds) => {
            let most = end("maxLength").and_then(|it| it.as_u64());
            *bounds = Bounds { max: most.or(bounds.max), ..*bounds };
        }
        _ => {}
    }
    ty
}

/// Returns a type without its `?`, and whether a value is required.
fn required(ty: Type) -> (Type, bool) {
    match ty {
        Type::Optional(inner) => (*inner, false),
        ty => {
            let is_required = !ty.is_optional();
            (ty, is_required)
        }
    }
}
