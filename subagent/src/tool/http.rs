//! Tools that are HTTP endpoints. Arguments go into the URL, the query or a JSON body; the result is JSON.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::OnceLock;

use ptc_lisp::{Effect, Map, Value, json};
use ptc_openapi::percent_encoded;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue, LOCATION};
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, Url};

use super::{CallContext, Tool, ToolNeeds, ToolPlace, decode, output};
use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::http::{client, place, retry_after, root_cause};
use crate::provider::BoxFuture;
use crate::record::{ToolError, ToolErrorKind};
use crate::secrets::{Secrets, shown_url};

/// A tool that is an HTTP endpoint.
///
/// `{name}` in the path or the query of the URL is replaced by an argument. The other arguments go into the query for
/// GET and DELETE, and into a JSON object in the body for other methods. Every request has the header
/// `Idempotency-Key`. A redirect is an error.
///
/// In results and errors, the name of a secret replaces the secret, in every usual encoding. Secrets are values from
/// the environment in headers, headers and parameters whose name suggests a secret, and the password of a URL.
///
/// GET [reads](super::ToolDef::effect). The other methods count as writing until their author states otherwise.
#[derive(Debug)]
pub struct HttpTool {
    method: Method,
    url: String,
    headers: Vec<(HeaderName, String)>,
    client: OnceLock<Client>,
}

impl HttpTool {
    /// Creates a tool from a method (GET, POST, PUT, PATCH or DELETE) and a URL, such as
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
                let message = format!("`{method}` is not a supported method");
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
        // An argument must not decide which server gets the request.
        let path = url.find("://").and_then(|at| url.get(at + 3..)).and_then(|it| it.find('/'));
        let before = path.and_then(|it| url.get(..url.find("://").unwrap_or(0) + 3 + it));
        if before.unwrap_or(url).contains('{') {
            let message = format!("`{}` has an argument before its path", shown_url(url));
            return Err(wrong(message).with_help("write arguments in the path or in the query"));
        }
        Ok(HttpTool { method, url: url.to_string(), headers: Vec::new(), client: OnceLock::new() })
    }

    /// Adds a header. `$NAME` in its value names an environment variable, which each call reads. `{{context.NAME}}` is a
    /// text, number or boolean of the [host context](CallContext::context), and a call without it fails.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`] if the name or the value is not valid in a header.
    pub fn with_header(mut self, name: &str, value: &str) -> Result<HttpTool, Error> {
        let wrong = |what: &str| {
            Err(Error::new(ErrorKind::Agent, format!("the header `{name}` has {what}")))
        };
        let Ok(header) = HeaderName::from_bytes(name.as_bytes()) else {
            return wrong("an invalid name");
        };
        if HeaderValue::from_str(value).is_err() {
            return wrong("an invalid value");
        }
        if let Err(what) = context_paths(value) {
            return wrong(what);
        }
        if variables(value).any(str::is_empty) {
            return wrong("a `$` without the name of a variable after it");
        }
        self.headers.push((header, value.to_string()));
        Ok(self)
    }

    async fn run(&self, args: Data, cx: &CallContext) -> Result<Data, ToolError> {
        let Some(args) = args.value().as_map() else {
            return Err(ToolError::new(ToolErrorKind::Arguments, "takes a map of arguments"));
        };
        let (url, rest) = self.url(args)?;
        let mut secrets = Secrets::default();
        secrets.add_url("url", &url);
        let client = self.client(&url)?;
        let mut request = client.request(self.method.clone(), url.clone());
        request = request.header(ACCEPT, "application/json");
        request = request.header("idempotency-key", cx.idempotency_key.as_str());
        for (name, value) in &self.headers {
            request = request.header(name, expand(name, value, cx, &mut secrets)?);
        }
        if self.has_body() {
            request = request.header(CONTENT_TYPE, "application/json");
            request = request.body(Data::made(Value::map(rest)).to_string());
        }
        let endpoint = format!("{} {}", self.method, place(&url));
        let answer = send(request, &endpoint, &secrets, cx.max_output).await?;
        let is_text = answer.content_type.starts_with("text/");
        let body = answer.text(&endpoint)?;
        if body.trim().is_empty() {
            return Ok(Data::default());
        }
        output::read(&body, &secrets).or_else(|error| {
            if is_text {
                return Ok(Data::made(Value::str(secrets.clean(&body))));
            }
            Err(not_json(&endpoint, &error, &body, &secrets))
        })
    }

    fn has_body(&self) -> bool {
        !matches!(self.method, Method::GET | Method::DELETE)
    }

    /// Returns the URL with its placeholders filled, and the arguments that it does not use.
    fn url(&self, args: &Map) -> Result<(Url, Vec<(Value, Value)>), ToolError> {
        let wrong = |message: String| ToolError::new(ToolErrorKind::Arguments, message);
        let mut used = BTreeSet::new();
        let filled = fill(&self.url, |name| {
            used.insert(name.to_string());
            match args.get(&Value::str(name)) {
                None | Some(Value::Nil) => {
                    Err(wrong(format!("the argument `{name}` is missing, and the URL needs it")))
                }
                Some(value) => Ok(percent_encoded(&url_text(value))),
            }
        })?;
        let is_left = |name: &Value| name.name().is_none_or(|it| !used.contains(it));
        let rest: Vec<(Value, Value)> = args
            .iter()
            .filter(|(name, _)| is_left(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        // An encoded argument contains no `/`, so both paths have the same number of parts.
        let mut parts = path_of(&self.url).split('/').zip(path_of(&filled).split('/'));
        // An empty part, `.` or `..` would lead to another endpoint, such as that of the whole collection.
        if parts.any(|(written, part)| written.contains('{') && matches!(part, "" | "." | "..")) {
            return Err(wrong("an argument cannot be empty, `.` or `..` in a path".to_string()));
        }
        let mut url =
            Url::parse(&filled).map_err(|error| wrong(format!("invalid URL: {error}")))?;
        if !self.has_body() {
            let given = rest.iter().filter(|(_, value)| !value.is_nil());
            let pairs: Vec<(&str, String)> =
                given.map(|(name, it)| (name.name().unwrap_or_default(), url_text(it))).collect();
            if !pairs.is_empty() {
                url.query_pairs_mut().extend_pairs(pairs);
            }
        }
        Ok((url, rest))
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
        args: Data,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<Data, ToolError>> {
        Box::pin(self.run(args, cx))
    }

    fn place(&self) -> Option<ToolPlace<'_>> {
        // No argument is part of the host, so any text will do.
        let url = fill(&self.url, |_| Ok::<_, ()>("x".to_string())).ok()?;
        let url = Url::parse(&url).ok()?;
        let port = url.port_or_known_default()?;
        Some(ToolPlace::Server { host: url.host_str()?.to_string(), port })
    }

    fn needs(&self) -> ToolNeeds {
        let mut needs = ToolNeeds::default();
        // Only the names matter here, so every placeholder is empty.
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

    /// Returns [`Effect::Read`] for GET, which HTTP defines as safe. The effect of POST is known only to the author.
    fn effect(&self) -> Option<Effect> {
        (self.method == Method::GET).then_some(Effect::Read)
    }
}

/// The answer of a server that has done what a request asks for.
pub(super) struct Answer {
    /// The header `Content-Type`. It is empty if there is none.
    pub(super) content_type: String,
    pub(super) bytes: Vec<u8>,
}

impl Answer {
    /// Returns the text.
    ///
    /// # Errors
    ///
    /// [`ToolErrorKind::Output`] if the bytes are not text in the declared charset.
    pub(super) fn text(&self, endpoint: &str) -> Result<Cow<'_, str>, ToolError> {
        decode::decoded(&self.bytes, &self.content_type).map_err(|why| {
            ToolError::new(ToolErrorKind::Output, format!("{endpoint} gave no text: {why}"))
        })
    }
}

/// Sends a request, and reads the answer up to a number of bytes. Errors name the endpoint and show no secret.
///
/// # Errors
///
/// [`ToolErrorKind::Failed`] without an answer or with a status that is not a success, and [`ToolErrorKind::TooLarge`]
/// for a longer answer.
pub(super) async fn send(
    request: RequestBuilder,
    endpoint: &str,
    secrets: &Secrets,
    max: usize,
) -> Result<Answer, ToolError> {
    let broken = |error: &reqwest::Error| {
        let message = format!("no answer to {endpoint}: {}", root_cause(error));
        ToolError::failed(secrets.clean(&message))
    };
    let mut response = request.send().await.map_err(|error| broken(&error))?;
    let status = response.status();
    let retry_after = retry_after(response.headers());
    let content_type = content_type(&response).to_string();
    let target = response.headers().get(LOCATION).and_then(|it| it.to_str().ok());
    let target = target.map(str::to_string);
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| broken(&error))? {
        if bytes.len() + chunk.len() > max {
            let message = format!("answered with more than its `max_output` of {max} bytes");
            return Err(ToolError::new(ToolErrorKind::TooLarge, message));
        }
        bytes.extend_from_slice(&chunk);
    }
    if status.is_success() {
        return Ok(Answer { content_type, bytes });
    }
    if let Some(target) = target.filter(|_| status.is_redirection()) {
        let target = secrets.cut(&shown_url(&target), 400);
        let message = format!(
            "{endpoint} gave HTTP {}, a redirect to {target}, which is not followed",
            status.as_u16()
        );
        return Err(ToolError::failed(message).permanent());
    }
    let body = decode::said(&bytes, &content_type);
    let said = secrets.cut_with_length(&body, 400);
    let said = if said.is_empty() { String::new() } else { format!(": {said}") };
    let error = ToolError::failed(format!("{endpoint} gave HTTP {}{said}", status.as_u16()));
    Err(match retry_after {
        _ if !is_transient(status) => error.permanent(),
        Some(time) => error.with_retry_after(time),
        None => error,
    })
}

/// Returns the error of an answer that should be JSON.
pub(super) fn not_json(endpoint: &str, error: &str, text: &str, secrets: &Secrets) -> ToolError {
    let text = secrets.cut_with_length(text, 200);
    let message = format!("{endpoint} did not return JSON ({error}): {text}");
    ToolError::new(ToolErrorKind::Output, message)
}

/// Returns the template with `value(name)` for every `{name}`.
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

/// Returns a URL without its query and fragment.
fn path_of(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or_default()
}

/// Returns a value as text for a URL: a string unchanged, anything else as JSON.
fn url_text(value: &Value) -> String {
    value.as_str().map_or_else(|| json::write(value).unwrap_or_default(), str::to_string)
}

/// Returns the names that follow each `$` in the value of a header.
fn variables(value: &str) -> impl Iterator<Item = &str> {
    value.split('$').skip(1).map(|rest| rest.split(ends_name).next().unwrap_or_default())
}

/// Returns whether a character ends the name of a variable.
pub(super) fn ends_name(c: char) -> bool {
    !(c.is_ascii_alphanumeric() || c == '_')
}

/// The start and the end of a value of the host context in the value of a header.
const CONTEXT: (&str, &str) = ("{{context.", "}}");

/// Returns the paths into the host context in the value of a header. The error says what is wrong with the value.
fn context_paths(value: &str) -> Result<Vec<&str>, &'static str> {
    let mut paths = Vec::new();
    let mut parts = value.split("{{");
    // The text before the first one.
    parts.next();
    for part in parts {
        let path = part.strip_prefix("context.").and_then(|it| it.split_once(CONTEXT.1));
        match path {
            Some((path, _)) if path.split('.').all(|it| !it.is_empty()) => paths.push(path),
            _ => return Err("a `{{` that does not begin `{{context.NAME}}`"),
        }
    }
    Ok(paths)
}

/// Returns a value of the host context as text for a header.
fn context_text(path: &str, cx: &CallContext) -> Result<String, ToolError> {
    let missing = |what: &str| {
        let message = format!("the host context has {what} `{path}`, which a header needs");
        ToolError::new(ToolErrorKind::Missing, message)
    };
    match cx.host.as_ref().and_then(|it| it.at(path)) {
        None | Some(Value::Nil) => Err(missing("no")),
        Some(Value::Vector(_) | Value::Map(_)) => Err(missing("no text, number or boolean")),
        Some(value) => Ok(url_text(value)),
    }
}

/// Expands the environment variables and the values of the host context in the value of a header, and adds them as
/// secrets.
fn expand(
    header: &HeaderName,
    value: &str,
    cx: &CallContext,
    secrets: &mut Secrets,
) -> Result<HeaderValue, ToolError> {
    let wrong = |message: String| ToolError::new(ToolErrorKind::Missing, message);
    let mut out = String::new();
    let mut rest = value;
    while let Some(at) = rest.find(['$', '{']) {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        if let Some((path, after)) =
            after.strip_prefix(CONTEXT.0).and_then(|it| it.split_once(CONTEXT.1))
        {
            let secret = context_text(path, cx)?;
            out.push_str(&secret);
            secrets.add(&format!("context.{path}"), &secret);
            rest = after;
            continue;
        }
        let Some(after) = after.strip_prefix('$') else {
            out.push('{');
            rest = after.get(1..).unwrap_or_default();
            continue;
        };
        let end = after.find(ends_name);
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
        .map_err(|_| wrong("a header contains invalid characters".to_string()))?;
    header.set_sensitive(true);
    Ok(header)
}

/// Returns whether a server that gave this status may succeed later.
fn is_transient(status: StatusCode) -> bool {
    status.is_server_error() || matches!(status.as_u16(), 408 | 425 | 429)
}

fn content_type(response: &Response) -> &str {
    let value = response.headers().get(CONTENT_TYPE);
    value.and_then(|it| it.to_str().ok()).unwrap_or_default()
}
