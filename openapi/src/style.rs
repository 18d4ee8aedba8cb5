//! Values as text of a request: the styles of parameters.

use std::fmt::Write as _;

use serde_json::Value;

use crate::error::Error;
use crate::parameter::{Parameter, Place};

/// The form of a parameter's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Simple,
    Label,
    Matrix,
    Form,
    Space,
    Pipe,
    Deep,
    /// JSON, which a parameter with `content` has.
    Json,
}

impl Style {
    /// The styles by name, with the places that can have them.
    const ALL: [(&str, Style, &[Place]); 7] = [
        ("simple", Style::Simple, &[Place::Path, Place::Header]),
        ("label", Style::Label, &[Place::Path]),
        ("matrix", Style::Matrix, &[Place::Path]),
        ("form", Style::Form, &[Place::Query, Place::Cookie]),
        ("spaceDelimited", Style::Space, &[Place::Query]),
        ("pipeDelimited", Style::Pipe, &[Place::Query]),
        ("deepObject", Style::Deep, &[Place::Query]),
    ];

    /// Returns the style of a parameter that states none.
    pub(crate) fn usual(place: Place) -> Style {
        match place {
            Place::Path | Place::Header => Style::Simple,
            Place::Query | Place::Cookie => Style::Form,
        }
    }

    /// Returns the style with a name, if a parameter in this place can have it.
    pub(crate) fn find(name: &str, place: Place) -> Option<Style> {
        let found = Style::ALL.iter().find(|(known, ..)| *known == name);
        found.filter(|(.., places)| places.contains(&place)).map(|(_, style, _)| *style)
    }

    /// Returns whether a parameter of the style that does not state `explode` has a part for each item.
    pub(crate) fn explodes(self) -> bool {
        matches!(self, Style::Form | Style::Deep)
    }
}

/// Returns the text of a path parameter. It has no `/`, `?` and `#`.
pub(crate) fn in_path(parameter: &Parameter, value: &Value) -> String {
    let name = percent_encoded(&parameter.name);
    let (start, between, is_named) = match parameter.style {
        Style::Label => (".", ".", false),
        Style::Matrix => (";", ";", true),
        _ => ("", ",", false),
    };
    let between = if parameter.explode { between } else { "," };
    let explode = parameter.explode && parameter.style != Style::Json;
    let text = match value {
        Value::Array(items) if parameter.style != Style::Json => {
            let items = items.iter().map(|it| percent_encoded(&scalar(it)));
            let items =
                items.map(|it| if is_named && explode { format!("{name}={it}") } else { it });
            items.collect::<Vec<String>>().join(between)
        }
        Value::Object(_) if parameter.style != Style::Json => {
            pairs(value, explode, percent_encoded).join(between)
        }
        value => percent_encoded(&scalar(value)),
    };
    // The name of a matrix is before every item that has no name of its own.
    let has_names = explode && (value.is_array() || value.is_object());
    if is_named && !has_names { format!("{start}{name}={text}") } else { format!("{start}{text}") }
}

/// Adds the parts of a query, a form or a cookie: `name=value`, encoded.
pub(crate) fn in_query(
    name: &str,
    style: Style,
    explode: bool,
    value: &Value,
    parts: &mut Vec<String>,
) {
    let own = percent_encoded(name);
    let between = match style {
        Style::Space => "%20",
        Style::Pipe => "%7C",
        _ => ",",
    };
    match value {
        _ if style == Style::Json => {
            parts.push(format!("{own}={}", percent_encoded(&value.to_string())));
        }
        Value::Array(_) | Value::Object(_) if style == Style::Deep => deep(own, value, parts),
        Value::Array(items) if explode => {
            parts.extend(items.iter().map(|it| format!("{own}={}", percent_encoded(&scalar(it)))));
        }
        Value::Object(_) if explode => parts.extend(pairs(value, true, percent_encoded)),
        Value::Array(items) if items.is_empty() => {}
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|it| percent_encoded(&scalar(it))).collect();
            parts.push(format!("{own}={}", items.join(between)));
        }
        Value::Object(_) => {
            parts.push(format!("{own}={}", pairs(value, false, percent_encoded).join(between)));
        }
        value => parts.push(format!("{own}={}", percent_encoded(&scalar(value)))),
    }
}

/// Returns the text of a header.
///
/// # Errors
///
/// The text has a control character, such as a line break.
pub(crate) fn in_header(parameter: &Parameter, value: &Value) -> Result<String, Error> {
    let text = match value {
        _ if parameter.style == Style::Json => value.to_string(),
        Value::Array(items) => items.iter().map(scalar).collect::<Vec<String>>().join(","),
        Value::Object(_) => pairs(value, parameter.explode, str::to_string).join(","),
        value => scalar(value),
    };
    if text.contains(char::is_control) {
        let message = format!("the argument `{}` has a control character", parameter.arg);
        return Err(Error::new(message));
    }
    Ok(text)
}

/// Adds the parts of a nested value, such as `filter[price][min]=1`. A list of lists or maps has numbers.
fn deep(name: String, value: &Value, parts: &mut Vec<String>) {
    let mut open = vec![(name, value)];
    while let Some((name, value)) = open.pop() {
        match value {
            Value::Null => {}
            Value::Object(map) => {
                let inner = map
                    .iter()
                    .map(|(key, it)| (format!("{name}%5B{}%5D", percent_encoded(key)), it));
                open.extend(inner.rev());
            }
            Value::Array(items) => {
                let is_flat = items.iter().all(|it| !it.is_array() && !it.is_object());
                let inner = items.iter().enumerate().map(|(index, it)| {
                    let step = if is_flat { String::new() } else { index.to_string() };
                    (format!("{name}%5B{step}%5D"), it)
                });
                open.extend(inner.rev());
            }
            value => parts.push(format!("{name}={}", percent_encoded(&scalar(value)))),
        }
    }
}

/// Returns the entries of a map, without those that are null: joined as `key=value`, or each key followed by its value.
fn pairs(value: &Value, is_joined: bool, encode: fn(&str) -> String) -> Vec<String> {
    let entries = value.as_object().into_iter().flatten().filter(|(_, it)| !it.is_null());
    let both = entries.map(|(key, it)| (encode(key), encode(&scalar(it))));
    if is_joined {
        both.map(|(key, it)| format!("{key}={it}")).collect()
    } else {
        both.flat_map(|(key, it)| [key, it]).collect()
    }
}

/// Returns a value as text: a string unchanged, null as an empty text, anything else as JSON.
pub(crate) fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        value => value.to_string(),
    }
}

/// Percent-encodes every byte except the unreserved characters of URLs (RFC 3986, 2.3).
pub fn percent_encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            // Writing to a string never fails.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}
