//! An operation: its signature, and the parts of its request.

use ptc_signatures::{Signature, Type};
use serde_json::{Map, Value, json};

use crate::body::{self, Body};
use crate::document::{Document, Endpoint, Given};
use crate::error::{Error, cut, shown};
use crate::method::Method;
use crate::parameter::{self, Parameter};
use crate::place::Place;
use crate::types::Types;

/// An operation of a document.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Operation {
    /// The method.
    pub method: Method,
    /// The path below the server, with placeholders.
    pub path: String,
    /// The first server of the operation, its path or the document. It may be relative to the document.
    pub server: Option<String>,
    /// The summary and description.
    pub description: Option<String>,
    /// The types of the arguments and the result.
    pub signature: Signature,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Option<Body>,
    pub(crate) accept: String,
}

/// The maximum length of a description, in characters.
const MAX_DESCRIPTION: usize = 1_000;

impl Operation {
    /// Reads an operation. `item` is the path that has it.
    pub(crate) fn read(
        document: &Document,
        item: &Value,
        operation: &Value,
        endpoint: &Endpoint,
        given: &Given,
        types: &mut Types,
    ) -> Result<Operation, Error> {
        let mut parameters = parameter::read(document, [item, operation], given)?;
        check_path(endpoint.path(), &parameters)?;
        let mut body = Body::read(document, operation, given.files)?;
        if let Some(body) = &mut body {
            let is_taken = parameters.iter().any(|it| it.arg == BODY);
            body.arg = if is_taken { format!("request_{BODY}") } else { BODY.to_string() };
        }
        let results = body::results(document, operation)?;
        let schema = (endpoint.method() != Method::Head).then_some(results.schema).flatten();
        let input = input(&parameters, body.as_ref());
        let (mut signature, _) = Signature::from_schemas_in(document.root(), &input, None);
        types.add(signature.to_string().len());
        signature.output = schema.map_or(Type::Any, |it| types.result(document, &it));
        // Requests need no schema, and many operations may share a large one.
        for it in &mut parameters {
            it.schema = Value::Null;
        }
        if let Some(body) = &mut body {
            body.schema = Value::Null;
        }
        Ok(Operation {
            method: endpoint.method(),
            path: endpoint.path().to_string(),
            server: document.server([operation, item])?,
            description: description(operation),
            signature,
            parameters,
            body,
            accept: results.accept,
        })
    }
}

impl Operation {
    /// Returns whether arguments can name the content of parts, for [`Operation::request_with`].
    pub fn takes_content(&self) -> bool {
        self.body.as_ref().is_some_and(Body::has_files)
    }
}

impl Document {
    /// Reads the parts of an operation. The parameters that the caller gives itself are not arguments.
    ///
    /// # Errors
    ///
    /// The problem, as the end of a sentence about the operation.
    pub fn operation(&self, endpoint: &Endpoint, given: &Given) -> Result<Operation, Error> {
        self.operation_of(endpoint, given, &mut Types::default())
    }

    /// Reads the parts of one of several operations, which share their types.
    ///
    /// # Errors
    ///
    /// The problem, as the end of a sentence about the operation.
    pub fn operation_of(
        &self,
        endpoint: &Endpoint,
        given: &Given,
        types: &mut Types,
    ) -> Result<Operation, Error> {
        let item = self.root().get("paths").and_then(|it| it.get(endpoint.path()));
        let item = item.map_or(Ok(&Value::Null), |it| self.resolve(it))?;
        let operation = item.get(endpoint.method().key()).unwrap_or(&Value::Null);
        if !operation.is_object() {
            return Err(Error::new("is not a map"));
        }
        Operation::read(self, item, operation, endpoint, given, types)
    }
}

/// The argument with the body.
const BODY: &str = "body";

/// Returns the schema of the arguments.
fn input(parameters: &[Parameter], body: Option<&Body>) -> Value {
    let arguments = parameters.iter().map(|it| (&it.arg, &it.schema, it.is_required));
    let body = body.into_iter().map(|it| (&it.arg, &it.schema, it.is_required));
    let (mut properties, mut required) = (Map::new(), Vec::new());
    // A model reads the arguments that it must give first.
    let mut arguments: Vec<(&String, &Value, bool)> = arguments.chain(body).collect();
    arguments.sort_by_key(|(.., is_required)| !is_required);
    for (name, schema, is_required) in arguments {
        properties.insert(name.clone(), schema.clone());
        required.extend(is_required.then(|| Value::from(name.as_str())));
    }
    json!({"type": "object", "properties": properties, "required": required})
}

/// Checks that the placeholders of a path are its parameters, and that it stays below its server.
fn check_path(path: &str, parameters: &[Parameter]) -> Result<(), Error> {
    if !path.starts_with('/') || path.contains(['?', '#', '\\']) || path.contains(char::is_control)
    {
        let message = format!("has a path that is none: `{}`", shown(path));
        return Err(Error::new(message).with_help("a path begins with `/`, and has no query"));
    }
    if path.split('/').any(|part| matches!(part, "." | "..")) {
        return Err(Error::new(format!("has a path with dots as a part: `{}`", shown(path))));
    }
    let of_path = |it: &&Parameter| it.place == Place::Path;
    let known = |name: &str| parameters.iter().filter(of_path).any(|it| it.name == name);
    if let Some(name) = placeholders(path).find(|it| !known(it)) {
        let message = format!("has no path parameter for `{{{}}}`", shown(name));
        return Err(Error::new(message));
    }
    let unused = |it: &&Parameter| !placeholders(path).any(|name| name == it.name);
    match parameters.iter().filter(of_path).find(unused) {
        Some(it) => {
            let name = shown(&it.name);
            Err(Error::new(format!("has the path parameter `{name}`, which its path lacks")))
        }
        None => Ok(()),
    }
}

/// Returns the names in the placeholders of a path.
fn placeholders(path: &str) -> impl Iterator<Item = &str> {
    path.split('{').skip(1).filter_map(|it| it.split_once('}').map(|(name, _)| name))
}

/// Returns the summary and description of an operation.
fn description(operation: &Value) -> Option<String> {
    let text = |key| operation.get(key).and_then(Value::as_str).map(str::trim);
    let summary = text("summary").unwrap_or_default();
    let whole = match text("description") {
        None => summary.to_string(),
        Some(long) if long.starts_with(summary) => long.to_string(),
        Some(long) => format!("{summary}\n{long}"),
    };
    let is_deprecated = operation.get("deprecated").and_then(Value::as_bool) == Some(true);
    let whole = if is_deprecated { format!("Deprecated. {whole}") } else { whole };
    Some(cut(&whole, MAX_DESCRIPTION)).filter(|it| !it.is_empty())
}
