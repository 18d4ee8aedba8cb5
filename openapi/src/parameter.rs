//! Parameters: their places, styles and schemas, and the arguments that give their values.

use serde_json::{Value, json};

use crate::document::{Document, Given};
use crate::error::{Error, shown};
use crate::media_type::media_type;
use crate::place::{Place, Style};

/// A parameter of an operation.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    /// The name of the argument.
    pub(crate) arg: String,
    /// The name in the request.
    pub(crate) name: String,
    pub(crate) place: Place,
    pub(crate) style: Style,
    pub(crate) explode: bool,
    pub(crate) is_required: bool,
    /// The schema of the argument, with its description.
    pub(crate) schema: Value,
}

/// The maximum number of parameters of an operation.
const MAX_PARAMETERS: usize = 1_000;

/// The headers that no argument decides: OpenAPI ignores the first three, and the client sets the others.
const NO_ARGUMENTS: &[&str] = &[
    "accept",
    "content-type",
    "authorization",
    "connection",
    "content-length",
    "host",
    "proxy-authorization",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Reads the parameters of a path and those of its operation, which replace the former.
pub(crate) fn read(
    document: &Document,
    lists: [&Value; 2],
    given: &Given,
) -> Result<Vec<Parameter>, Error> {
    let mut found: Vec<Parameter> = Vec::new();
    for list in lists {
        let items = match list.get("parameters") {
            None => continue,
            Some(Value::Array(items)) => items,
            Some(_) => return Err(Error::new("has `parameters` that are not a list")),
        };
        for item in items {
            let Some(parameter) = one(document, document.resolve(item)?, given)? else { continue };
            let same = |it: &Parameter| it.name == parameter.name && it.place == parameter.place;
            match found.iter_mut().find(|it| same(it)) {
                Some(known) => *known = parameter,
                None => found.push(parameter),
            }
            if found.len() > MAX_PARAMETERS {
                return Err(Error::new(format!("has more than {MAX_PARAMETERS} parameters")));
            }
        }
    }
    name_arguments(&mut found);
    Ok(found)
}

/// Reads one parameter, unless no argument decides it.
fn one(document: &Document, part: &Value, given: &Given) -> Result<Option<Parameter>, Error> {
    let text = |key| part.get(key).and_then(Value::as_str);
    let Some(name) = text("name").filter(|it| !it.is_empty()) else {
        return Err(Error::new("has a parameter without `name`"));
    };
    let whose = || format!("has the parameter `{}`", shown(name));
    let word = text("in").unwrap_or_default();
    let Some((_, place)) = Place::ALL.into_iter().find(|(known, _)| *known == word) else {
        let message = format!("{} in `{}`", whose(), shown(word));
        return Err(
            Error::new(message).with_help("a parameter is in path, query, header or cookie")
        );
    };
    let is_given = match place {
        Place::Header => {
            let is_name = |it: &String| it.eq_ignore_ascii_case(name);
            NO_ARGUMENTS.contains(&name.to_ascii_lowercase().as_str())
                || given.headers.iter().any(is_name)
        }
        Place::Query => given.query.iter().any(|it| it == name),
        Place::Path | Place::Cookie => false,
    };
    if is_given {
        return Ok(None);
    }
    let style = match text("style") {
        None => Style::usual(place),
        Some(word) => Style::find(word, place).ok_or_else(|| {
            let message = format!("{} with the style `{}`", whose(), shown(word));
            Error::new(format!("{message}, which a {} parameter cannot have", place.word()))
        })?,
    };
    let explode = part.get("explode").and_then(Value::as_bool).unwrap_or(style.explodes());
    let content = part.get("content").and_then(Value::as_object);
    let (style, schema) = match content.and_then(|it| it.iter().next()) {
        None => (style, part.get("schema")),
        Some((kind, content)) if media_type(kind).is_json() => (Style::Json, content.get("schema")),
        Some((kind, _)) => {
            let message = format!("{} of the type `{}`", whose(), shown(kind));
            return Err(Error::new(format!("{message}, which is not supported")));
        }
    };
    let is_required =
        place == Place::Path || part.get("required").and_then(Value::as_bool) == Some(true);
    let schema = schema.unwrap_or(&Value::Bool(true));
    Ok(Some(Parameter {
        arg: String::new(),
        name: name.to_string(),
        place,
        style,
        explode,
        is_required,
        schema: described(document, schema, text("description")),
    }))
}

/// Returns a schema with a description: the given one, its own, or that of the schema to which it refers.
pub(crate) fn described(document: &Document, schema: &Value, description: Option<&str>) -> Value {
    let of = |schema: &Value| schema.get("description").and_then(Value::as_str).map(str::to_string);
    let text = description.map(str::to_string).or_else(|| of(schema));
    let text = text.or_else(|| of(document.resolve(schema).ok()?));
    let mut schema = if schema == &Value::Bool(true) { json!({}) } else { schema.clone() };
    if let (Some(map), Some(text)) = (schema.as_object_mut(), text) {
        map.insert("description".to_string(), Value::from(text));
    }
    schema
}

/// Gives each parameter the name of an argument that programs can write as a keyword and that models see.
fn name_arguments(parameters: &mut [Parameter]) {
    let mut taken: Vec<String> = Vec::new();
    for parameter in parameters {
        let usual = |c: char| if c.is_alphanumeric() || "-.".contains(c) { c } else { '_' };
        let name: String = parameter.name.chars().map(usual).collect();
        let name = name.trim_matches('_');
        let name = if name.is_empty() { parameter.place.word() } else { name };
        let mut arg = name.to_string();
        if taken.contains(&arg) {
            arg = format!("{}_{name}", parameter.place.word());
        }
        let plain = arg.clone();
        let mut number = 2;
        while taken.contains(&arg) {
            arg = format!("{plain}_{number}");
            number += 1;
        }
        taken.push(arg.clone());
        parameter.arg = arg;
    }
}
