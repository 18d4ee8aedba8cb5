//! Tools that are HTTP endpoints: arguments in the URL, the query or a JSON body, a JSON result.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::OnceLock;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue};
use reqwest::{Client, Method, Response, StatusCode, Url};
use serde_json::{Map, Value};

use super::{CallContext, Effect, Tool, ToolError, ToolErrorKind, ToolNeeds, ToolPlace, output};
use crate::error::{Error, ErrorKind, cut};
use crate::http::{client, place, retry_after, root_cause};
use crate::provider::BoxFuture;
use crate::secrets::{Secrets, shown_url};

/// A tool that is an HTTP endpoint.
///
/// `{name}` in the path or the query of the URL stands for an argument. The other arguments go into the query
/// for GET and DELETE, else into a body, one JSON object. Every request says `Idempotency-Key`; a redirect is
/// an error. A secret is replaced by its name in results and errors, in every usual encoding: what comes from the
/// environment into a header, a header or a parameter that is called like a secret, a password in the URL.
/// GET [reads](super::ToolDef::effect); the other methods count as writing until their author says otherwise.
#[derive(Debug)]
pub struct HttpTool {
    method: Method,
    url: String,
    headers: Vec<(HeaderName, String)>,
    client: OnceLock<Client>,
}

impl HttpTool {
    /// Makes a tool of a method (GET, POST, PUT, PATCH or DELETE) and a URL, such as
    /// `https://api.example.com/orders/{id}?full={full}`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`] if the method or the URL is invalid.
    pub fn new(method: &str, url: &str) -> Result<HttpTool, Error> {
        let wrong = |message: String| Error::new(ErrorKind::Agent, message);
        let method = match method {
            "GET" => Method::GET,
            "POST" => Method::POST,
            "PUT" => Method::PUT,
            "PATCH" => Method::PATCH,
            "DELETE" => Method::DELETE,
            _ => {
                let message = format!("`{method}` is no method that a tool can have");
                return Err(wrong(message).with_help("write GET, POST, PUT, PATCH or DELETE"));
            }
        };
        let is_name = |name: &str| !name.is_empty() && !name.contains(['/', '?', '#']);
        let whole = fill(url, |name| if is_name(name) { Ok("x".to_string()) } else { Err(()) });
        let parsed = whole.ok().and_then(|it| Url::parse(&it).ok());
        let usable = parsed
            .as_ref()
            .is_some_and(|it| matches!(it.scheme(), "http" | "https") && it.host_str().is_some());
        if !usable {
            return Err(wrong(format!("`{}` is not an http or https URL", shown_url(url))));
        }
        // An argument may not say which server is asked.
        let path = url.find("://").and_then(|at| url.get(at + 3..)).and_then(|it| it.find('/'));
        let before = path.and_then(|it| url.get(..url.find("://").unwrap_or(0) + 3 + it));
        if before.unwrap_or(url).contains('{') {
            let message = format!("an argument is before the path of `{}`", shown_url(url));
            return Err(wrong(message).with_help("write arguments in the path or in the query"));
        }
        Ok(HttpTool { method, url: url.to_string(), headers: Vec::new(), client: OnceLock::new() })
    }

    /// Adds a header. `$NAME` in its value names an environment variable, which is read at each call.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`] if the name or the value is not that of a header.
    pub fn with_header(mut self, name: &str, value: &str) -> Result<HttpTool, Error> {
        let wrong = |what: &str| {
            Err(Error::new(ErrorKind::Agent, format!("the header `{name}` has {what}")))
        };
        let Ok(header) = HeaderName::from_bytes(name.as_bytes()) else {
            return wrong("a name that no header can have");
        };
        if HeaderValue::from_str(value).is_err() {
            return wrong("a value that no header can have");
        }
        if variables(value).any(str::is_empty) {
            return wrong("a `$` without the name of a variable behind it");
        }
        self.headers.push((header, value.to_string()));
        Ok(self)
    }

    async fn run(&self, args: Value, cx: &CallContext) -> Result<Value, ToolError> {
        let Value::Object(mut args) = args else {
            return Err(ToolError::new(ToolErrorKind::Arguments, "takes a map of arguments"));
        };
        let url = self.url(&mut args)?;
        let mut secrets = Secrets::default();
        secrets.add_url("url", &url);
        let client = self.client(&url)?;
        let mut request = client.request(self.method.clone(), url.clone());
        request = request.header(ACCEPT, "application/json");
        request = request.header("idempotency-key", cx.idempotency_key.as_str());
        for (name, value) in &self.headers {
            request = request.header(name, expand(name, value, &mut secrets)?);
        }
        if !self.puts_all_in_the_url() {
            request = request.header(CONTENT_TYPE, "application/json");
            request = request.body(Value::Object(args).to_string());
        }
        let asked = format!("{} {}", self.method, place(&url));
        let broken = |error: &reqwest::Error| {
            let message = format!("no answer to {asked}: {}", root_cause(error));
            ToolError::failed(secrets.clean(&message))
        };
        let mut response = request.send().await.map_err(|error| broken(&error))?;
        let status = response.status();
        let retry_after = retry_after(response.headers());
        let is_text = content_type(&response).starts_with("text/");
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| broken(&error))? {
            if body.len() + chunk.len() > cx.max_output {
                let max = cx.max_output;
                let message = format!("answered with more than its `max_output` of {max} bytes");
                return Err(ToolError::new(ToolErrorKind::TooLarge, message));
            }
            body.extend_from_slice(&chunk);
        }
        let body = String::from_utf8_lossy(&body);
        if !status.is_success() {
            let said = cut(secrets.clean(&body).trim(), 400);
            let said = if said.is_empty() { String::new() } else { format!(": {said}") };
            let error = ToolError::failed(format!("{asked} gave HTTP {}{said}", status.as_u16()));
            return Err(match retry_after {
                _ if !may_pass(status) => error.permanent(),
                Some(time) => error.with_retry_after(time),
                None => error,
            });
        }
        if body.trim().is_empty() {
            return Ok(Value::Null);
        }
        output::read(&body, &secrets).or_else(|error| {
            let text = secrets.clean(&body);
            if is_text {
                return Ok(Value::String(text.into_owned()));
            }
            let message = format!("{asked} gave no JSON ({error}): {}", cut(text.trim(), 200));
            Err(ToolError::new(ToolErrorKind::Output, message))
        })
    }

    fn puts_all_in_the_url(&self) -> bool {
        matches!(self.method, Method::GET | Method::DELETE)
    }

    /// The URL with arguments in their places; those are taken out.
    fn url(&self, args: &mut Map<String, Value>) -> Result<Url, ToolError> {
        let wrong = |message: String| ToolError::new(ToolErrorKind::Arguments, message);
        let mut used = BTreeSet::new();
        let filled = fill(&self.url, |name| {
            used.insert(name.to_string());
            match args.get(name) {
                None | Some(Value::Null) => {
                    Err(wrong(format!("the argument `{name}` is missing, and the URL has it")))
                }
                Some(value) => Ok(encoded(&plain(value))),
            }
        })?;
        args.retain(|name, _| !used.contains(name));
        // An argument has no `/` any more, so that the parts of both paths stand side by side.
        let mut parts = path_of(&self.url).split('/').zip(path_of(&filled).split('/'));
        // Nothing, `.` and `..` would lead to another endpoint: that of the whole collection.
        if parts.any(|(written, part)| written.contains('{') && matches!(part, "" | "." | "..")) {
            return Err(wrong("an argument stands for no part of a path".to_string()));
        }
        let mut url = Url::parse(&filled).map_err(|error| wrong(format!("no URL: {error}")))?;
        if self.puts_all_in_the_url() {
            let rest = args.iter().filter(|(_, value)| !value.is_null());
            let pairs: Vec<(&String, String)> = rest.map(|(name, it)| (name, plain(it))).collect();
            if !pairs.is_empty() {
                url.query_pairs_mut().extend_pairs(pairs);
            }
        }
        Ok(url)
    }

    fn client(&self, url: &Url) -> Result<&Client, ToolError> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        let made = client(url).map_err(|it| ToolError::new(ToolErrorKind::Missing, it))?;
        Ok(self.client.get_or_init(|| made))
    }
}

impl Tool for HttpTool {
    fn call<'a>(
        &'a self,
        args: Value,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(self.run(args, cx))
    }

    fn place(&self) -> Option<ToolPlace<'_>> {
        // Arguments stand behind the server.
        let url = fill(&self.url, |_| Ok::<_, ()>("x".to_string())).ok()?;
        let url = Url::parse(&url).ok()?;
        let port = url.port_or_known_default()?;
        Some(ToolPlace::Server { host: url.host_str()?.to_string(), port })
    }

    fn needs(&self) -> ToolNeeds {
        let mut needs = ToolNeeds::default();
        // A place is filled with anything here.
        let _ = fill(&self.url, |name| {
            needs.arguments.push(name.to_string());
            Ok::<_, ()>(String::new())
        });
        for name in self.headers.iter().flat_map(|(_, value)| variables(value)) {
            if !needs.header_variables.iter().any(|it| it == name) {
                needs.header_variables.push(name.to_string());
            }
        }
        needs
    }

    /// HTTP defines GET as safe. POST may be a question or an order: only the author knows.
    fn effect(&self) -> Option<Effect> {
        (self.method == Method::GET).then_some(Effect::Read)
    }
}

/// The text with what `value` says in the place of every `{name}`.
fn fill<E>(template: &str, mut value: impl FnMut(&str) -> Result<String, E>) -> Result<String, E> {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else { break };
        out.push_str(before);
        out.push_str(&value(name)?);
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

/// A URL without its query and what is behind it.
fn path_of(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or_default()
}

/// A value as it stands in a URL: a text as it is, anything else as JSON.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

/// The text with every byte escaped that means something in a URL (RFC 3986, 2.3).
fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            // A string takes everything that is written to it.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// The names behind each `$` of a header's value.
fn variables(value: &str) -> impl Iterator<Item = &str> {
    value.split('$').skip(1).map(|rest| rest.split(is_no_name).next().unwrap_or_default())
}

/// Whether a character ends the name of a variable.
fn is_no_name(c: char) -> bool {
    !(c.is_ascii_alphanumeric() || c == '_')
}

/// The value of a header with variables of the environment, which are secrets.
fn expand(
    header: &HeaderName,
    value: &str,
    secrets: &mut Secrets,
) -> Result<HeaderValue, ToolError> {
    let wrong = |message: String| ToolError::new(ToolErrorKind::Missing, message);
    let mut out = String::new();
    let mut rest = value;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        let end = after.find(is_no_name);
        let (name, after) = after.split_at(end.unwrap_or(after.len()));
        let secret = std::env::var(name)
            .map_err(|_| wrong(format!("the environment has no `{name}`, which a header needs")))?;
        out.push_str(&secret);
        secrets.add(name, &secret);
        rest = after;
    }
    out.push_str(rest);
    secrets.add_header(header.as_str(), &out);
    let mut header = HeaderValue::from_str(&out)
        .map_err(|_| wrong("a header has characters that no header can have".to_string()))?;
    header.set_sensitive(true);
    Ok(header)
}

/// Whether a server that gave this status may do better later.
fn may_pass(status: StatusCode) -> bool {
    status.is_server_error() || matches!(status.as_u16(), 408 | 425 | 429)
}

fn content_type(response: &Response) -> &str {
    let value = response.headers().get(CONTENT_TYPE);
    value.and_then(|it| it.to_str().ok()).unwrap_or_default()
}
