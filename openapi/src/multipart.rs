//! Bodies of `multipart/form-data`: their parts, and the bytes of a request (RFC 7578).

use std::borrow::{Borrow, Cow};
use std::collections::BTreeSet;

use ptc_signatures::{Coercible, Datum, View};
use serde_json::{Map, Value, json};

use crate::document::Document;
use crate::error::{Error, shown};
use crate::media_type::media_type;
use crate::style::scalar;

/// The content of a part, as an argument names it. The caller of [`Operation::request_with`] loads it.
///
/// [`Operation::request_with`]: crate::Operation::request_with
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source<'a> {
    /// The path of a file.
    File(&'a str),
    /// The hash of binary content.
    Content(&'a str),
}

/// The content of a part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loaded {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The media type, if it is known.
    pub media_type: Option<String>,
}

/// Loads the content of a part. An error is the reason, as the end of a sentence about the part.
pub type Load<'a> = dyn FnMut(Source<'_>) -> Result<Loaded, String> + 'a;

/// The maximum size of a body with parts, in bytes.
pub const MAX_MULTIPART: usize = 32 << 20;

/// The maximum length of a file name or a media type that an argument gives, in bytes.
const MAX_NAME: usize = 200;

/// The media types of files by the ends of their names.
const KINDS: &[(&str, &str)] = &[
    ("bin", OCTETS),
    ("csv", "text/csv"),
    ("gif", "image/gif"),
    ("html", "text/html"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("json", "application/json"),
    ("md", "text/markdown"),
    ("mp3", "audio/mpeg"),
    ("mp4", "video/mp4"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("txt", "text/plain"),
    ("wav", "audio/wav"),
    ("webp", "image/webp"),
    ("xml", "application/xml"),
    ("zip", "application/zip"),
];

const OCTETS: &str = "application/octet-stream";

/// A part that a document describes.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    name: String,
    /// Whether it is a file, or a list of files.
    is_file: bool,
    /// The media type that the document gives to it, if it gives exactly one.
    media_type: Option<String>,
}

impl Part {
    pub(crate) fn is_file(&self) -> bool {
        self.is_file
    }
}

/// Returns the parts of a body, and the schema of its argument: each file is a map that names its content.
pub(crate) fn read(document: &Document, content: &Value, files: bool) -> (Vec<Part>, Value) {
    let schema = content.get("schema").unwrap_or(&Value::Bool(true));
    let resolved = document.resolve(schema).unwrap_or(schema);
    let (mut properties, required) = properties(document, resolved);
    let mut parts = Vec::new();
    for (name, schema) in &mut properties {
        let stated = content.get("encoding").and_then(|it| it.get(name));
        let stated = stated.and_then(|it| it.get("contentType")).and_then(Value::as_str);
        let own = document.resolve(schema).unwrap_or(schema).clone();
        let items = own.get("items").map(|it| document.resolve(it).unwrap_or(it).clone());
        let items = items.filter(|_| is_of(&own, "array"));
        let leaf = items.as_ref().unwrap_or(&own);
        let is_file = is_file(leaf, stated);
        let given = stated.or_else(|| leaf.get("contentMediaType").and_then(Value::as_str));
        let media_type = given.filter(|it| is_media_type(it)).map(str::to_string);
        if is_file {
            *schema = with_files(&own, items.is_some(), files);
        }
        parts.push(Part { name: name.clone(), is_file, media_type });
    }
    if properties.is_empty() {
        return (parts, schema.clone());
    }
    let mut whole = json!({"type": "object", "properties": properties, "required": required});
    for key in ["additionalProperties", "description"] {
        if let (Some(map), Some(value)) = (whole.as_object_mut(), resolved.get(key)) {
            map.insert(key.to_string(), value.clone());
        }
    }
    (parts, whole)
}

/// The maximum number of schemas of `allOf` whose properties are parts.
const MAX_MEMBERS: usize = 64;

/// Returns the properties of a schema and of all its `allOf`, and the names of the required ones.
fn properties(document: &Document, schema: &Value) -> (Map<String, Value>, Vec<Value>) {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    let mut open = vec![schema];
    for _ in 0..MAX_MEMBERS {
        let Some(schema) = open.pop() else { break };
        let own = schema.get("properties").and_then(Value::as_object);
        for (name, it) in own.into_iter().flatten() {
            // The schema that refers to another one has the last word.
            properties.entry(name.clone()).or_insert_with(|| it.clone());
        }
        let names = schema.get("required").and_then(Value::as_array);
        required.extend(names.into_iter().flatten().cloned());
        let members = schema.get("allOf").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let members = members.get(..MAX_MEMBERS).unwrap_or(members).iter().rev();
        open.extend(members.map(|it| document.resolve(it).unwrap_or(it)));
    }
    (properties, required)
}

/// Returns whether a schema has this type.
fn is_of(schema: &Value, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::Array(names)) => names.iter().any(|it| it == name),
        Some(own) => own == name,
        None => false,
    }
}

/// Returns whether a part is a file: binary text, or text of a media type that is not text or JSON.
fn is_file(schema: &Value, stated: Option<&str>) -> bool {
    let text = |key| schema.get(key).and_then(Value::as_str);
    if text("contentEncoding").is_some() {
        return false;
    }
    if text("format") == Some("binary") || text("contentMediaType").is_some() {
        return true;
    }
    let has_no_type = schema.get("type").is_none() && schema.get("enum").is_none();
    let is_text = is_of(schema, "string") || has_no_type;
    let is_plain = |kind: &str| {
        let kind = media_type(kind);
        kind.is_json() || kind.is_text()
    };
    is_text && stated.is_some_and(|it| !it.split(',').any(is_plain))
}

/// Returns the schema of the argument for a file, or for a list of them.
fn with_files(own: &Value, is_list: bool, files: bool) -> Value {
    let text = || json!({"type": "string"});
    let of = |key: &str| {
        let properties = json!({key: text(), "filename": text(), "type": text()});
        json!({"type": "object", "properties": properties, "required": [key]})
    };
    let mut forms: Vec<Value> = Vec::new();
    if files {
        forms.push(of("file"));
    }
    forms.extend([of("text"), of("hash")]);
    let file = json!({"anyOf": forms});
    let (mut schema, key, value) = if is_list {
        (own.clone(), "items", Some(file))
    } else {
        (file, "description", own.get("description").cloned())
    };
    if let (Some(map), Some(value)) = (schema.as_object_mut(), value) {
        map.insert(key.to_string(), value);
    }
    schema
}

/// Makes the body of a map. Returns its media type and its bytes.
pub(crate) fn body<D: Coercible>(
    map: &D,
    parts: &[Part],
    json: fn(&D) -> String,
    load: &mut Load<'_>,
) -> Result<(String, Vec<u8>), Error> {
    let mut made: Vec<(String, Vec<u8>)> = Vec::new();
    let mut size = 0;
    for (name, value) in map.entries().filter(|(_, it)| it.view() != View::Nil) {
        let part = parts.iter().find(|it| it.name == name);
        let stated = part.and_then(|it| it.media_type.as_deref());
        let is_json = stated.is_some_and(|it| media_type(it).is_json());
        let values: Vec<Cow<'_, D>> = match value.view() {
            View::List if !is_json => {
                value.items().map(|it| Cow::Owned(it.borrow().clone())).collect()
            }
            _ => vec![Cow::Borrowed(value)],
        };
        for value in values.iter().filter(|it| it.view() != View::Nil) {
            let (head, bytes) = match part {
                Some(part) if part.is_file => file(part, &**value, load)?,
                _ => field(&name, stated, &**value, json)?,
            };
            size += head.len() + bytes.len() + 2 * BOUNDARY;
            if size > MAX_MULTIPART {
                let most = MAX_MULTIPART >> 20;
                return Err(Error::new(format!("the parts have more than {most} MiB")));
            }
            made.push((head, bytes));
        }
    }
    let boundary = boundary(made.iter().map(|(_, bytes)| bytes.as_slice()));
    let mut out = Vec::with_capacity(size + 2 * BOUNDARY);
    for (head, bytes) in made {
        out.extend_from_slice(format!("--{boundary}\r\n{head}\r\n").as_bytes());
        out.extend(bytes);
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    Ok((format!("multipart/form-data; boundary={boundary}"), out))
}

/// Makes a part that is not a file.
fn field<D: Coercible>(
    name: &str,
    stated: Option<&str>,
    value: &D,
    json: fn(&D) -> String,
) -> Result<(String, Vec<u8>), Error> {
    let is_data = matches!(value.view(), View::List | View::Map);
    let kind = stated.or(is_data.then_some("application/json"));
    let is_json = kind.is_some_and(|it| media_type(it).is_json());
    let text = if is_json { json(value) } else { scalar(value, json) };
    Ok((head(name, None, kind)?, text.into_bytes()))
}

/// Makes a part that is a file.
fn file<D: Coercible>(
    part: &Part,
    value: &D,
    load: &mut Load<'_>,
) -> Result<(String, Vec<u8>), Error> {
    let name = shown(&part.name);
    let wrong = |why: &str| Error::new(format!("the part `{name}` {why}"));
    let given = |key| match value.field(key).map(Datum::view) {
        Some(View::Str(text)) => Some(text),
        _ => None,
    };
    let sources = (given("file"), given("text"), given("hash"));
    let loaded = match sources {
        (Some(path), None, None) => load(Source::File(path)),
        (None, Some(text), None) => Ok(Loaded { bytes: text.into(), media_type: None }),
        (None, None, Some(hash)) => load(Source::Content(hash)),
        _ => return Err(wrong("needs one of `file`, `text` and `hash`")),
    };
    let loaded = loaded.map_err(|why| wrong(&why))?;
    let path = sources.0.map(|it| it.rsplit('/').next().unwrap_or(it));
    let of_name = given("filename").or(path).and_then(kind_of);
    let kind = given("type").map(str::to_string);
    if kind.as_ref().is_some_and(|it| it.len() > MAX_NAME || !is_media_type(it)) {
        return Err(wrong("has a `type` that is not a media type"));
    }
    let kind = kind.or_else(|| part.media_type.clone()).or(loaded.media_type);
    let usual = if sources.1.is_some() { "text/plain" } else { OCTETS };
    let kind = kind.unwrap_or_else(|| of_name.unwrap_or(usual).to_string());
    // Servers read a part without a file name as a field of text.
    let end = || KINDS.iter().find(|it| it.1 == kind).map_or("bin", |it| it.0);
    let filename = given("filename").or(path);
    let filename = filename.map_or_else(|| format!("file.{}", end()), str::to_string);
    if filename.is_empty() || filename.len() > MAX_NAME || filename.contains(['/', '\\']) {
        return Err(wrong("has a `filename` that is not the name of a file"));
    }
    Ok((head(&part.name, Some(&filename), Some(&kind))?, loaded.bytes))
}

/// Returns the media type that the end of a name tells.
fn kind_of(name: &str) -> Option<&'static str> {
    let (_, end) = name.rsplit_once('.')?;
    KINDS.iter().find(|it| end.eq_ignore_ascii_case(it.0)).map(|it| it.1)
}

/// Returns the headers of a part.
fn head(name: &str, filename: Option<&str>, kind: Option<&str>) -> Result<String, Error> {
    if [Some(name), filename].into_iter().flatten().any(|it| it.contains(char::is_control)) {
        let message = format!("the part `{}` has a control character in its names", shown(name));
        return Err(Error::new(message));
    }
    let mut head = format!("Content-Disposition: form-data; name=\"{}\"", quoted(name));
    if let Some(filename) = filename {
        head.extend(["; filename=\"", &quoted(filename), "\""]);
    }
    head.push_str("\r\n");
    if let Some(kind) = kind {
        head.extend(["Content-Type: ", kind, "\r\n"]);
    }
    Ok(head)
}

/// Returns a name for quotes: some servers read a backslash as the start of an escape.
fn quoted(name: &str) -> String {
    name.replace('"', "%22").replace('\\', "%5C")
}

/// Returns whether a text is one media type without wildcards, and with parameters at most.
fn is_media_type(text: &str) -> bool {
    let is_word = |it: &str| {
        !it.is_empty() && it.chars().all(|c| c.is_ascii_alphanumeric() || "!#$&^_.+-".contains(c))
    };
    let mut parts = text.split(';').map(|it| it.trim_matches(' '));
    let kind = parts.next().and_then(|it| it.split_once('/'));
    kind.is_some_and(|(kind, name)| is_word(kind) && is_word(name))
        && parts.all(|it| it.split_once('=').is_some_and(|(key, it)| is_word(key) && is_word(it)))
}

const PREFIX: &[u8] = b"ptc-part-";

/// The number of digits behind the prefix.
const DIGITS: usize = 8;

/// The number of bytes of a boundary.
const BOUNDARY: usize = PREFIX.len() + DIGITS;

/// Returns the first boundary that no content has. Equal contents have equal boundaries, so a repeated request has the
/// same bytes.
fn boundary<'a>(contents: impl Iterator<Item = &'a [u8]>) -> String {
    let mut taken = BTreeSet::new();
    for content in contents {
        let mut rest = content;
        while let Some(at) = rest.iter().position(|it| *it == PREFIX[0]) {
            rest = &rest[at..];
            if rest.starts_with(PREFIX)
                && let Some(digits) = rest.get(PREFIX.len()..BOUNDARY)
                && let Ok(digits) = str::from_utf8(digits)
                && let Ok(number) = u32::from_str_radix(digits, 16)
            {
                taken.insert(number);
            }
            rest = &rest[1..];
        }
    }
    // The numbers of 32 MiB are fewer than all numbers.
    let free = (0..=u32::MAX).zip(taken.iter().map(Some).chain(std::iter::repeat(None)));
    let free = free.filter(|(number, taken)| taken.is_none_or(|it| it != number));
    let number = free.map(|(number, _)| number).next().unwrap_or_default();
    format!("ptc-part-{number:08x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_content_has_the_boundary() {
        let check = |contents: &[&str], expected: &str| {
            assert_eq!(boundary(contents.iter().map(|it| it.as_bytes())), expected, "{contents:?}");
        };
        check(&[], "ptc-part-00000000");
        check(&["pptc-part-1", "ptc-part-", "ptc-part-0000000x"], "ptc-part-00000000");
        check(&["a\r\n--ptc-part-000000001\r\n"], "ptc-part-00000001");
        check(&["ptc-part-00000001 ptc-part-00000000", "ptc-part-00000003"], "ptc-part-00000002");
    }
}
