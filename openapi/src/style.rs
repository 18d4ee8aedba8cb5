//! Values as text of a request: the styles of parameters.

use std::borrow::Borrow as _;
use std::fmt::Write as _;

use ptc_signatures::{Coercible, View};

use crate::error::Error;
use crate::parameter::Parameter;
use crate::place::Style;

/// Returns the text of a path parameter. It has no `/`, `?` and `#`.
pub(crate) fn in_path<D: Coercible>(
    parameter: &Parameter,
    value: &D,
    json: fn(&D) -> String,
) -> String {
    let name = percent_encoded(&parameter.name);
    let (start, between, is_named) = match parameter.style {
        Style::Label => (".", ".", false),
        Style::Matrix => (";", ";", true),
        _ => ("", ",", false),
    };
    let between = if parameter.explode { between } else { "," };
    let explode = parameter.explode && parameter.style != Style::Json;
    let text = match value.view() {
        View::List if parameter.style != Style::Json => {
            let items = value.items().map(|it| percent_encoded(&scalar(it.borrow(), json)));
            let items =
                items.map(|it| if is_named && explode { format!("{name}={it}") } else { it });
            items.collect::<Vec<String>>().join(between)
        }
        View::Map if parameter.style != Style::Json => {
            pairs(value, explode, json, percent_encoded).join(between)
        }
        _ => percent_encoded(&scalar(value, json)),
    };
    // The name of a matrix is before every item that has no name of its own.
    let has_names = explode && is_nested(value);
    if is_named && !has_names { format!("{start}{name}={text}") } else { format!("{start}{text}") }
}

/// Adds the parts of a query, a form or a cookie: `name=value`, encoded.
pub(crate) fn in_query<D: Coercible>(
    name: &str,
    style: Style,
    explode: bool,
    value: &D,
    json: fn(&D) -> String,
    parts: &mut Vec<String>,
) {
    let own = percent_encoded(name);
    let between = match style {
        Style::Space => "%20",
        Style::Pipe => "%7C",
        _ => ",",
    };
    match value.view() {
        _ if style == Style::Json => {
            parts.push(format!("{own}={}", percent_encoded(&json(value))));
        }
        View::List | View::Map if style == Style::Deep => deep(own, value, json, parts),
        View::List => {
            let items = value.items().map(|it| percent_encoded(&scalar(it.borrow(), json)));
            let items: Vec<String> = items.collect();
            if explode {
                parts.extend(items.iter().map(|it| format!("{own}={it}")));
            } else if !items.is_empty() {
                parts.push(format!("{own}={}", items.join(between)));
            }
        }
        View::Map if explode => parts.extend(pairs(value, true, json, percent_encoded)),
        View::Map => {
            let pairs = pairs(value, false, json, percent_encoded);
            parts.push(format!("{own}={}", pairs.join(between)));
        }
        _ => parts.push(format!("{own}={}", percent_encoded(&scalar(value, json)))),
    }
}

/// Returns the text of a header.
///
/// # Errors
///
/// The text has a control character, such as a line break.
pub(crate) fn in_header<D: Coercible>(
    parameter: &Parameter,
    value: &D,
    json: fn(&D) -> String,
) -> Result<String, Error> {
    let text = match value.view() {
        _ if parameter.style == Style::Json => json(value),
        View::List => {
            let items = value.items().map(|it| scalar(it.borrow(), json));
            items.collect::<Vec<String>>().join(",")
        }
        View::Map => pairs(value, parameter.explode, json, str::to_string).join(","),
        _ => scalar(value, json),
    };
    if text.contains(char::is_control) {
        let message = format!("the argument `{}` has a control character", parameter.arg);
        return Err(Error::new(message));
    }
    Ok(text)
}

/// Adds the parts of a nested value, such as `filter[price][min]=1`. A list of lists or maps has numbers.
fn deep<D: Coercible>(name: String, value: &D, json: fn(&D) -> String, parts: &mut Vec<String>) {
    let mut open = vec![(name, value.clone())];
    while let Some((name, value)) = open.pop() {
        let mut inner: Vec<(String, D)> = match value.view() {
            View::Nil => continue,
            View::Map => {
                let step = |key: &str| format!("{name}%5B{}%5D", percent_encoded(key));
                value.entries().map(|(key, it)| (step(&key), it.clone())).collect()
            }
            View::List => {
                let is_flat = value.items().all(|it| !is_nested(it.borrow()));
                let items = value.items().enumerate().map(|(index, it)| {
                    let step = if is_flat { String::new() } else { index.to_string() };
                    (format!("{name}%5B{step}%5D"), it.borrow().clone())
                });
                items.collect()
            }
            _ => {
                parts.push(format!("{name}={}", percent_encoded(&scalar(&value, json))));
                continue;
            }
        };
        inner.reverse();
        open.append(&mut inner);
    }
}

/// Returns whether a value has parts.
fn is_nested(value: &impl Coercible) -> bool {
    matches!(value.view(), View::List | View::Map)
}

/// Returns the entries of a map, without those that are null: joined as `key=value`, or each key followed by its value.
fn pairs<D: Coercible>(
    value: &D,
    is_joined: bool,
    json: fn(&D) -> String,
    encode: fn(&str) -> String,
) -> Vec<String> {
    let entries = value.entries().filter(|(_, it)| it.view() != View::Nil);
    let both = entries.map(|(key, it)| (encode(&key), encode(&scalar(it, json))));
    if is_joined {
        both.map(|(key, it)| format!("{key}={it}")).collect()
    } else {
        both.flat_map(|(key, it)| [key, it]).collect()
    }
}

/// Returns a value as text: a string unchanged, null as an empty text, anything else as JSON.
pub(crate) fn scalar<D: Coercible>(value: &D, json: fn(&D) -> String) -> String {
    match value.view() {
        View::Str(text) => text.to_owned(),
        View::Nil => String::new(),
        _ => json(value),
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
