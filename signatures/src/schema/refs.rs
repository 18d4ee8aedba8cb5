//! Resolves a `$ref` within its document.

use serde_json::Value;

/// Returns the part of a document that the `$ref` with this text names: `#`, `#/$defs/name`,
/// `#anchor`, or one of them after the document's own `$id`. Other documents are never loaded.
///
/// # Errors
///
/// The end of the sentence "The reference …".
pub fn resolve<'s>(root: &'s Value, reference: &str) -> Result<&'s Value, &'static str> {
    const ELSEWHERE: &str = "is in another document";
    const NOWHERE: &str = "does not exist";
    let (document, fragment) = reference.split_once('#').unwrap_or((reference, ""));
    let id = root.get("$id").and_then(Value::as_str).unwrap_or_default();
    if !document.is_empty() && document != id.trim_end_matches('#') {
        // A definition may have its own `$id`.
        return definitions(root)
            .find(|it| it.get("$id").and_then(Value::as_str) == Some(reference))
            .ok_or(ELSEWHERE);
    }
    let fragment = decoded(fragment).ok_or(NOWHERE)?;
    if fragment.is_empty() || fragment.starts_with('/') {
        return root.pointer(&fragment).ok_or(NOWHERE);
    }
    let named = |key| move |it: &&Value| it.get(key).and_then(Value::as_str).is_some();
    definitions(root)
        .filter(named("$anchor"))
        .find(|it| it.get("$anchor").and_then(Value::as_str) == Some(&fragment))
        .ok_or(NOWHERE)
}

fn definitions(root: &Value) -> impl Iterator<Item = &Value> {
    let parts = ["$defs", "definitions"].into_iter().filter_map(|key| root.get(key)?.as_object());
    parts.flat_map(serde_json::Map::values)
}

/// Decodes the percent-encoding of a URI fragment.
fn decoded(fragment: &str) -> Option<String> {
    if !fragment.contains('%') {
        return Some(fragment.to_owned());
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let mut digit = || char::from(rest.next()?).to_digit(16);
            let code = digit()? * 16 + digit()?;
            bytes.push(u8::try_from(code).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}
