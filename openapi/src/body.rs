//! Bodies of requests and responses: their media types and schemas.

use ptc_signatures::{Coercible, View};
use serde_json::{Value, json};

use crate::document::Document;
use crate::error::{Error, shown};
use crate::media_type::{MediaType, media_type};
use crate::multipart::{self, Load, Part};
use crate::parameter::described;
use crate::place::{Place, Style};
use crate::style::{in_query, scalar};

/// The body of a request.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    /// The name of the argument.
    pub(crate) arg: String,
    pub(crate) is_required: bool,
    pub(crate) media_type: String,
    pub(crate) schema: Value,
    form: Form,
}

/// The text that a body is made of.
#[derive(Clone, Debug)]
enum Form {
    Json,
    Text,
    /// A form, with the style of each field that states one.
    Fields(Vec<(String, Style, bool)>),
    /// Parts, each with its headers.
    Parts(Vec<Part>),
}

impl Body {
    /// Reads the body of an operation, if it has one. `files` tells whether a part can be a file.
    pub(crate) fn read(
        document: &Document,
        operation: &Value,
        files: bool,
    ) -> Result<Option<Body>, Error> {
        let Some(part) = operation.get("requestBody") else { return Ok(None) };
        let part = document.resolve(part)?;
        let is_required = part.get("required").and_then(Value::as_bool) == Some(true);
        let content = part.get("content").and_then(Value::as_object);
        let content: Vec<(&String, &Value)> = content.into_iter().flatten().collect();
        let find =
            |fits: fn(&MediaType) -> bool| content.iter().find(|(kind, _)| fits(&media_type(kind)));
        let found = find(MediaType::is_json).or_else(|| find(MediaType::is_form));
        let found = found.or_else(|| find(MediaType::is_text));
        let Some((kind, content)) = found.or_else(|| find(MediaType::is_multipart)) else {
            let kinds: Vec<String> =
                content.iter().take(5).map(|(kind, _)| format!("`{}`", shown(kind))).collect();
            if kinds.is_empty() {
                return Ok(None);
            }
            let message = format!("takes a body of {} only", kinds.join(", "));
            return Err(Error::new(message).with_help("supported are JSON, forms and text"));
        };
        let kind = media_type(kind);
        let schema = || content.get("schema").cloned().unwrap_or(Value::Bool(true));
        let (form, schema) = if kind.is_json() {
            (Form::Json, schema())
        } else if kind.is_form() {
            (Form::Fields(fields(content)), schema())
        } else if kind.is_multipart() {
            let (parts, schema) = multipart::read(document, content, files);
            (Form::Parts(parts), schema)
        } else {
            (Form::Text, json!({"type": "string"}))
        };
        let schema = described(document, &schema, part.get("description").and_then(Value::as_str));
        let (arg, media_type) = (String::new(), kind.concrete());
        Ok(Some(Body { arg, is_required, media_type, schema, form }))
    }

    /// Returns the media type and the bytes of a body.
    ///
    /// # Errors
    ///
    /// The value is not a map, and the body is a form; or the content of a part cannot be used.
    pub(crate) fn content<D: Coercible>(
        &self,
        value: &D,
        json: fn(&D) -> String,
        load: &mut Load<'_>,
    ) -> Result<(String, Vec<u8>), Error> {
        let fields = || match value.view() {
            View::Map => Ok(value),
            _ => Err(Error::new(format!("the argument `{}` is not a map", self.arg))),
        };
        let text = match &self.form {
            Form::Json => json(value),
            Form::Text => scalar(value, json),
            Form::Fields(styles) => encoded_fields(fields()?, styles, json),
            Form::Parts(parts) => return multipart::body(fields()?, parts, json, load),
        };
        Ok((self.media_type.clone(), text.into_bytes()))
    }

    /// Returns whether arguments can name the content of parts.
    pub(crate) fn has_files(&self) -> bool {
        matches!(&self.form, Form::Parts(parts) if parts.iter().any(Part::is_file))
    }
}

fn encoded_fields<D: Coercible>(
    map: &D,
    styles: &[(String, Style, bool)],
    json: fn(&D) -> String,
) -> String {
    let mut parts = Vec::new();
    for (name, value) in map.entries().filter(|(_, it)| it.view() != View::Nil) {
        let stated = styles.iter().find(|(known, ..)| *known == name);
        let (style, explode) = match (stated, value.view()) {
            (Some((_, style, explode)), _) => (*style, *explode),
            // A map is JSON if the document does not say otherwise.
            (None, View::Map) => (Style::Json, true),
            (None, _) => (Style::Form, true),
        };
        in_query(&name, style, explode, value, json, &mut parts);
    }
    parts.join("&")
}

/// Returns the styles of the fields of a form.
fn fields(content: &Value) -> Vec<(String, Style, bool)> {
    let encodings = content.get("encoding").and_then(Value::as_object);
    let stated = encodings.into_iter().flatten().filter_map(|(name, encoding)| {
        let word = encoding.get("style").and_then(Value::as_str)?;
        let style = Style::find(word, Place::Query)?;
        let explode = encoding.get("explode").and_then(Value::as_bool);
        Some((name.clone(), style, explode.unwrap_or(style.explodes())))
    });
    stated.collect()
}

/// The results of an operation.
pub(crate) struct Results {
    /// The schema of a result.
    pub(crate) schema: Option<Value>,
    /// The media types that a request asks for.
    pub(crate) accept: String,
}

/// The maximum number of media types that a request asks for.
const MAX_ACCEPTED: usize = 8;

/// Reads the successful responses of an operation.
pub(crate) fn results(document: &Document, operation: &Value) -> Result<Results, Error> {
    let all = operation.get("responses").and_then(Value::as_object);
    let is_success = |code: &str| code.len() == 3 && code.starts_with('2');
    let mut codes: Vec<&Value> = all
        .into_iter()
        .flatten()
        .filter(|(code, _)| is_success(code))
        .map(|(_, response)| response)
        .collect();
    if codes.is_empty() {
        codes.extend(all.and_then(|it| it.get("default")));
    }
    let (mut schemas, mut kinds, mut is_empty): (Vec<Value>, Vec<String>, bool) =
        (Vec::new(), Vec::new(), false);
    for response in codes {
        let content = document.resolve(response)?.get("content").and_then(Value::as_object);
        let content: Vec<(&String, &Value)> = content.into_iter().flatten().collect();
        if content.is_empty() {
            is_empty = true;
            continue;
        }
        let json = content.iter().find(|(kind, _)| media_type(kind).is_json());
        let taken = json.map_or(content.clone(), |it| vec![*it]);
        for (kind, content) in taken {
            let kind = media_type(kind);
            let schema = if kind.is_json() {
                content.get("schema").cloned().unwrap_or(Value::Bool(true))
            } else if kind.is_text() {
                json!({"type": "string"})
            } else {
                Value::Bool(true)
            };
            if !schemas.contains(&schema) {
                schemas.push(schema);
            }
            if !kinds.contains(&kind.0) && kinds.len() < MAX_ACCEPTED {
                kinds.push(kind.0);
            }
        }
    }
    let is_any = schemas.iter().any(|it| it == &Value::Bool(true));
    let schema = match (schemas.len(), is_empty) {
        (0, _) => None,
        _ if is_any => None,
        (1, false) => schemas.pop(),
        _ => {
            schemas.extend(is_empty.then(|| json!({"type": "null"})));
            Some(json!({"anyOf": schemas}))
        }
    };
    let accept = if kinds.is_empty() { "*/*".to_string() } else { kinds.join(", ") };
    Ok(Results { schema, accept })
}
