//! The request of an operation, made of arguments.

use ptc_signatures::{Coercible, View};

use crate::error::Error;
use crate::method::Method;
use crate::multipart::Load;
use crate::operation::Operation;
use crate::place::Place;
use crate::style::{in_header, in_path, in_query};

/// A request below the server of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Request {
    /// The method.
    pub method: Method,
    /// The path and query, encoded. It begins with `/`.
    pub target: String,
    /// The headers, without `Content-Type`.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub content: Option<Content>,
}

/// The body of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Content {
    /// The media type.
    pub media_type: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl Operation {
    /// Makes the request for a map of arguments. An argument that is null is the same as one that is left out. `json`
    /// writes a value as JSON.
    ///
    /// # Errors
    ///
    /// The problem of an argument: one is missing or unknown, names a file, or would change the meaning of the request.
    pub fn request<D: Coercible>(
        &self,
        args: &D,
        json: fn(&D) -> String,
    ) -> Result<Request, Error> {
        self.request_with(
            args,
            json,
            &mut |_| Err("cannot name a file or content here".to_string()),
        )
    }

    /// Makes the request for arguments that may name the content of [parts](crate::Source). `load` gives that content.
    ///
    /// # Errors
    ///
    /// Those of [`Operation::request`], and those of `load`.
    pub fn request_with<D: Coercible>(
        &self,
        args: &D,
        json: fn(&D) -> String,
        load: &mut Load<'_>,
    ) -> Result<Request, Error> {
        self.check_names(args)?;
        let mut path = self.path.clone();
        let (mut query, mut cookies) = (Vec::new(), Vec::new());
        let mut headers = vec![("accept".to_string(), self.accept.clone())];
        for parameter in &self.parameters {
            let Some(value) = given(args, &parameter.arg, parameter.is_required)? else { continue };
            let (style, explode) = (parameter.style, parameter.explode);
            match parameter.place {
                Place::Path => {
                    let text = in_path(parameter, value, json);
                    path = path.replace(&format!("{{{}}}", parameter.name), &text);
                }
                Place::Query => {
                    in_query(&parameter.name, style, explode, value, json, &mut query);
                }
                Place::Cookie => {
                    in_query(&parameter.name, style, explode, value, json, &mut cookies);
                }
                Place::Header => {
                    headers.push((parameter.name.clone(), in_header(parameter, value, json)?));
                }
            }
        }
        // A value has no `/` once it is encoded, so both paths have the same number of parts.
        let mut parts = self.path.split('/').zip(path.split('/'));
        // An empty part, `.` or `..` would lead to another endpoint, such as that of the whole collection.
        if parts.any(|(own, part)| own.contains('{') && matches!(part, "" | "." | "..")) {
            return Err(Error::new("an argument cannot be empty, `.` or `..` in a path"));
        }
        if !cookies.is_empty() {
            headers.push(("cookie".to_string(), cookies.join("; ")));
        }
        let content = match &self.body {
            None => None,
            Some(body) => match given(args, &body.arg, body.is_required)? {
                None => None,
                Some(value) => {
                    let (media_type, bytes) = body.content(value, json, load)?;
                    Some(Content { media_type, bytes })
                }
            },
        };
        let target = if query.is_empty() { path } else { format!("{path}?{}", query.join("&")) };
        Ok(Request { method: self.method, target, headers, content })
    }

    fn check_names(&self, args: &impl Coercible) -> Result<(), Error> {
        let known =
            self.parameters.iter().map(|it| &it.arg).chain(self.body.iter().map(|it| &it.arg));
        let known: Vec<&String> = known.collect();
        match args.entries().find(|(name, _)| !known.iter().any(|it| **it == *name)) {
            Some((name, _)) => {
                let known: Vec<String> = known.iter().map(|it| format!("`{it}`")).collect();
                let known = match known.as_slice() {
                    [] => "it takes none".to_owned(),
                    known => format!("it takes {}", known.join(", ")),
                };
                Err(Error::new(format!("has no parameter for the argument `{name}`: {known}")))
            }
            None => Ok(()),
        }
    }
}

/// Returns the value of an argument, unless it is null or left out.
fn given<'a, D: Coercible>(
    args: &'a D,
    name: &str,
    is_required: bool,
) -> Result<Option<&'a D>, Error> {
    match args.field(name).filter(|it| it.view() != View::Nil) {
        None if is_required => Err(Error::new(format!("the argument `{name}` is missing"))),
        given => Ok(given),
    }
}
