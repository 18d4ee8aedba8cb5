//! A document: its version, its references, its servers, and the list of its operations.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use ptc_signatures::schema;
use serde_json::Value;

use crate::error::{Error, shown};
use crate::method::Method;
use crate::yaml;

/// The maximum number of operations. A longer document is not written for programs.
const MAX_ENDPOINTS: usize = 10_000;

/// The maximum number of references from one part to the next.
const MAX_HOPS: usize = 32;

/// An OpenAPI document.
#[derive(Clone, Debug)]
pub struct Document {
    root: Value,
}

/// An operation of a document, whose parts are not read yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    name: String,
    method: Method,
    path: String,
}

/// The facts of the caller: the parameters that it adds to every request, and whether it has files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// The names of headers, in any case.
    pub headers: Vec<String>,
    /// The names of parameters in the query.
    pub query: Vec<String>,
    /// Whether arguments may name files.
    pub files: bool,
}

impl Endpoint {
    /// Returns the `operationId`, or a name made of method and path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the method.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Returns the path, with its placeholders.
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl Document {
    /// Reads a document from JSON or YAML.
    ///
    /// # Errors
    ///
    /// The problem, as the end of a sentence about the document.
    pub fn parse(text: &str) -> Result<Document, Error> {
        Document::parse_with(text, &|_| {})
    }

    /// Reads a document whose texts may hold secrets. `hide` replaces them in a value of the document. Nothing that the
    /// document gives has them, and no message does.
    ///
    /// # Errors
    ///
    /// The problem, as the end of a sentence about the document.
    pub fn parse_with(text: &str, hide: &dyn Fn(&mut Value)) -> Result<Document, Error> {
        let text = text.trim_start_matches('\u{feff}');
        // A document of JSON is YAML too, but the JSON reader is faster and has better messages.
        let mut root: Value = if text.trim_start().starts_with('{') {
            let read = serde_json::from_str(text);
            match read {
                Ok(root) => root,
                Err(error) => yaml::parse(text, hide)
                    .map_err(|_| Error::new(format!("is not JSON: {error}")))?,
            }
        } else {
            yaml::parse(text, hide)?
        };
        hide(&mut root);
        let document = Document { root };
        document.check_version()?;
        document.check_references()?;
        Ok(document)
    }

    /// Returns the operations in the order of the document.
    ///
    /// # Errors
    ///
    /// The problem: no paths, too many operations, or two operations of one name.
    pub fn endpoints(&self) -> Result<Vec<Endpoint>, Error> {
        let paths = match self.root.get("paths") {
            None => None,
            Some(Value::Object(paths)) => Some(paths),
            Some(_) => return Err(Error::new("has `paths` that are not a map")),
        };
        let mut found: Vec<(Endpoint, bool)> = Vec::new();
        for (path, item) in paths.into_iter().flatten() {
            if path.starts_with("x-") {
                continue;
            }
            let item = self.resolve(item).map_err(|error| {
                Error::new(format!("has the path `{}`, which {}", shown(path), error.message()))
            })?;
            for method in Method::ALL {
                let Some(operation) = item.get(method.key()) else { continue };
                let id = operation.get("operationId").and_then(Value::as_str).map(str::trim);
                let id = id.filter(|it| !it.is_empty());
                let name = id.map_or_else(|| derived(method, path), str::to_string);
                found.push((Endpoint { name, method, path: path.clone() }, id.is_some()));
                if found.len() > MAX_ENDPOINTS {
                    let message = format!("has more than {MAX_ENDPOINTS} operations");
                    return Err(Error::new(message));
                }
            }
        }
        distinct(found)
    }

    /// Returns the whole document, to which references lead.
    pub(crate) fn root(&self) -> &Value {
        &self.root
    }

    /// Follows the `$ref` of a part that is not a schema.
    pub(crate) fn resolve<'d>(&'d self, part: &'d Value) -> Result<&'d Value, Error> {
        let mut part = part;
        for _ in 0..MAX_HOPS {
            let Some(reference) = part.get("$ref").and_then(Value::as_str) else { return Ok(part) };
            part = schema::resolve(&self.root, reference).map_err(|why| {
                Error::new(format!("refers to `{}`, which {why}", shown(reference)))
            })?;
        }
        Err(Error::new("refers to itself"))
    }

    /// Returns the first server of the innermost list, with the defaults of its variables.
    pub(crate) fn server(&self, places: [&Value; 2]) -> Result<Option<String>, Error> {
        let mut lists = places.into_iter().chain([&self.root]);
        let first = lists.find_map(|it| it.get("servers")?.as_array()?.first());
        let Some(server) = first else { return Ok(None) };
        let Some(url) = server.get("url").and_then(Value::as_str) else {
            return Err(Error::new("has a server without `url`"));
        };
        let mut filled = String::new();
        let mut rest = url;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, after)) = after.split_once('}') else { break };
            let default = server.get("variables").and_then(|it| it.get(name)?.get("default"));
            let Some(default) = default.and_then(Value::as_str) else {
                let what = "has a server whose variable has no default";
                return Err(Error::new(format!("{what}: `{}`", shown(name))));
            };
            filled.push_str(before);
            filled.push_str(default);
            rest = after;
        }
        filled.push_str(rest);
        Ok(Some(filled))
    }

    fn check_version(&self) -> Result<(), Error> {
        let text = |key| match self.root.get(key)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        match text("openapi") {
            Some(version) if version.starts_with("3.0") || version.starts_with("3.1") => Ok(()),
            Some(version) => Err(Error::new(format!("has version {} of OpenAPI", shown(&version)))
                .with_help("the supported versions are 3.0 and 3.1")),
            None if self.root.get("swagger").is_some() => {
                Err(Error::new("is a Swagger document of version 2")
                    .with_help("convert it to OpenAPI 3.0 or 3.1"))
            }
            None => Err(Error::new("has no key `openapi`")),
        }
    }

    /// Refuses references to other documents.
    fn check_references(&self) -> Result<(), Error> {
        let mut open = vec![&self.root];
        while let Some(part) = open.pop() {
            match part {
                Value::Array(items) => open.extend(items),
                Value::Object(map) => {
                    if let Some(reference) = map.get("$ref").and_then(Value::as_str)
                        && !reference.starts_with('#')
                    {
                        let reference = shown(reference);
                        let message = format!("refers to `{reference}`, which is another document");
                        return Err(
                            Error::new(message).with_help("bundle all documents into one file")
                        );
                    }
                    let parts = map.iter().filter(|(key, _)| !is_data(key));
                    open.extend(parts.map(|(_, part)| part));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Returns whether the value of a key is data, in which a `$ref` has no meaning.
fn is_data(key: &str) -> bool {
    matches!(key, "example" | "examples" | "default" | "enum" | "const") || key.starts_with("x-")
}

/// Returns a name for an operation without an `operationId`, such as `get_pets_id` for `GET /pets/{id}`.
fn derived(method: Method, path: &str) -> String {
    let words = path.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty());
    let mut name = method.key().to_string();
    for word in words {
        // Writing to a string never fails.
        let _ = write!(name, "_{word}");
    }
    name
}

/// Returns operations with distinct names. A derived name gets a number if another operation has it.
fn distinct(found: Vec<(Endpoint, bool)>) -> Result<Vec<Endpoint>, Error> {
    let mut names = HashSet::new();
    for (endpoint, has_id) in &found {
        if *has_id && !names.insert(endpoint.name.clone()) {
            let message = format!("has two operations named `{}`", shown(&endpoint.name));
            return Err(Error::new(message).with_help("change the `operationId` of one of them"));
        }
    }
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let numbered = found.into_iter().map(|(mut endpoint, has_id)| {
        if !has_id {
            let plain = endpoint.name.clone();
            let number = numbers.entry(plain.clone()).or_insert(1);
            while !names.insert(endpoint.name.clone()) {
                *number += 1;
                endpoint.name = format!("{plain}_{number}");
            }
        }
        endpoint
    });
    Ok(numbered.collect())
}
