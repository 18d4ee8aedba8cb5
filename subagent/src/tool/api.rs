//! Operations of OpenAPI documents as tools.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use ptc_lisp::{Effect, json};
use ptc_openapi::{Document, Endpoint, Given, Operation, Source, Types};
use ptc_signatures::{Signature, Type};
use reqwest::header::{CONTENT_TYPE, HeaderName, HeaderValue, USER_AGENT};
use reqwest::{Client, Method, RequestBuilder, Url};
use serde_json::Value;
use tokio::sync::OnceCell;

use super::definition::Implementation;
use super::http::{Answer, not_json, send};
use super::part::load;
use super::selection::source_error;
use super::server::Setting;
use super::{
    CallContext, LeftOut, Selection, ServerDef, TakenTools, Tool, ToolDef, ToolNeeds, ToolPlace,
    output,
};
use crate::blob::Blob;
use crate::data::Data;
use crate::error::Error;
use crate::files::read_text;
use crate::http::{client, place};
use crate::provider::BoxFuture;
use crate::record::{ToolError, ToolErrorKind};
use crate::secrets::Secrets;

/// An HTTP API that an OpenAPI document describes, as an agent file names it. Its operations are tools.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ApiDef {
    /// The name in messages and records.
    pub name: String,
    /// The place of the document.
    pub document: ApiDocument,
    /// The address below which the paths are; `None` is the first server of the document.
    pub base_url: Option<Url>,
    /// The headers of each request.
    pub headers: BTreeMap<String, Setting>,
    /// The parameters in the query of each request.
    pub query: BTreeMap<String, Setting>,
    /// The operations to take.
    pub tools: Selection,
    /// The folder of the files that arguments may name as parts of a body; `None` if they may name none.
    pub files: Option<PathBuf>,
    /// The time limit of reading the document.
    pub start_timeout: Duration,
}

/// The place of an OpenAPI document, in JSON or YAML.
#[derive(Clone, Debug, PartialEq)]
pub enum ApiDocument {
    /// A file.
    File(PathBuf),
    /// An address of HTTP.
    Url(Url),
}

/// The maximum size of a document, in bytes.
const MAX_DOCUMENT: usize = 32 << 20;

/// The header with the name of this program, which some servers need.
const US: &str = concat!("ptc/", env!("CARGO_PKG_VERSION"));

impl ApiDef {
    /// Creates the definition of an API. Its tools have the defaults of [`ToolDef`].
    pub fn new(name: impl Into<String>, document: ApiDocument) -> ApiDef {
        ApiDef {
            name: name.into(),
            document,
            base_url: None,
            headers: BTreeMap::new(),
            query: BTreeMap::new(),
            tools: Selection::default(),
            files: None,
            start_timeout: ServerDef::DEFAULT_START_TIMEOUT,
        }
    }

    /// Reads the document, and returns the operations that are taken as tools. Blocks the calling thread. An operation
    /// that cannot be a tool is left out.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Server`](crate::ErrorKind::Server) if the document cannot be read, or if it has no operation that can
    /// be a tool. It is the error too if `allow` has the whole name of one that cannot.
    pub fn tools(&self) -> Result<TakenTools, Error> {
        let source = format!("API `{}`", self.name);
        self.read(&source).map_err(|error| source_error(&source, &self.secrets(), &error))
    }

    /// Returns a tool on record. The document is read when the tool is first called.
    pub(crate) fn recall(&self, recorded: ToolDef) -> ToolDef {
        let name = recorded.name.clone();
        let tool = ApiTool { api: Arc::new(Api::new(self.clone())), which: Which::Recalled(name) };
        let implementation = Implementation::Tool(Arc::new(tool));
        let (timeout, max_output) = (self.tools.timeout, self.tools.max_output);
        ToolDef { timeout, max_output, implementation, ..recorded }
    }

    fn read(&self, source: &str) -> Result<TakenTools, ToolError> {
        let document = self.document()?;
        let endpoints = document.endpoints().map_err(|error| unusable(&error))?;
        let taken = self.tools.pick(&endpoints, Endpoint::name)?;
        let (given, secrets) = (self.given(), self.secrets());
        let api = Arc::new(Api::new(self.clone()));
        let (mut tools, mut faults) = (Vec::new(), Vec::new());
        let mut types = Types::default();
        for endpoint in taken {
            let operation = self.operation(&document, endpoint, &given, &mut types);
            Document::check_size(&types).map_err(|error| unusable(&error))?;
            match operation {
                Ok(operation) => tools.push(tool(&api, endpoint, operation, &secrets)),
                Err(error) => faults.push((endpoint, error)),
            }
        }
        let asked = faults.iter().find(|it| self.tools.names(it.0.name()));
        // If no operation can be a tool, the agent file or the document is wrong as a whole.
        let first = faults.first().filter(|_| tools.is_empty());
        if let Some((endpoint, error)) = asked.or(first) {
            let message =
                format!("has the operation `{}`, which {}", endpoint.name(), error.message);
            let problem = ToolError::new(ToolErrorKind::Missing, message);
            return Err(match (error.help(), asked) {
                (Some(help), Some(_)) => {
                    problem.with_help(format!("{help}; or take it out of `allow`"))
                }
                (None, Some(_)) => problem.with_help("take it out of `allow`"),
                (Some(help), None) => problem.with_help(help),
                (None, None) => problem,
            });
        }
        let mut taken = TakenTools::distinct(source, tools);
        taken.left_out.extend(faults.iter().map(|(endpoint, error)| LeftOut {
            source: source.to_string(),
            name: secrets.clean(&self.tools.name_in_programs(endpoint.name())).into_owned(),
            why: secrets.clean(&error.message).into_owned(),
        }));
        Ok(taken)
    }

    /// Reads an operation, and checks that it has a server.
    fn operation(
        &self,
        document: &Document,
        endpoint: &Endpoint,
        given: &Given,
        types: &mut Types,
    ) -> Result<Operation, ToolError> {
        let operation = document.operation_of(endpoint, given, types);
        let operation = operation.map_err(|error| unusable(&error))?;
        self.base(&operation)?;
        Ok(operation)
    }

    /// Reads the document on the calling thread, or on one with a runtime of its own.
    fn document(&self) -> Result<Document, ToolError> {
        let text = match &self.document {
            ApiDocument::File(path) => file(path)?,
            // The caller may be a task of a runtime, which must not start another one.
            ApiDocument::Url(url) => std::thread::scope(|scope| {
                scope.spawn(|| self.fetch_blocking(url)).join().unwrap_or_else(|_| {
                    Err(ToolError::new(ToolErrorKind::Missing, "cannot be read: its thread ended"))
                })
            })?,
        };
        self.parse(&text)
    }

    /// Reads the text of the document, and replaces the secrets in it.
    fn parse(&self, text: &str) -> Result<Document, ToolError> {
        let secrets = self.secrets();
        let hide = |value: &mut Value| secrets.clean_value(value);
        Document::parse_with(text, &hide).map_err(|error| unusable(&error))
    }

    fn fetch_blocking(&self, url: &Url) -> Result<String, ToolError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| {
            ToolError::new(ToolErrorKind::Missing, format!("cannot be read: {error}"))
        })?;
        runtime.block_on(self.fetch(url))
    }

    async fn fetch(&self, url: &Url) -> Result<String, ToolError> {
        let client = client(url).map_err(|it| ToolError::new(ToolErrorKind::Missing, it))?;
        let mut secrets = Secrets::default();
        let mut request = client.get(url.clone());
        // Headers with secrets are for the server that the agent file names for them.
        if self.base_url.as_ref().is_some_and(|base| base.origin() == url.origin()) {
            request = self.with_headers(request, &mut secrets)?;
        }
        secrets.add_url("url", url);
        let endpoint = format!("GET {}", place(url));
        let limit = self.start_timeout;
        let answer = send(request, &endpoint, &secrets, MAX_DOCUMENT);
        let answer = tokio::time::timeout(limit, answer).await.unwrap_or_else(|_| {
            let message = format!("{endpoint} gave no answer within {limit:?}");
            Err(ToolError::new(ToolErrorKind::Timeout, message))
        });
        let answer = answer.map_err(|error| {
            let why = match error.kind {
                ToolErrorKind::TooLarge => TOO_LONG.to_string(),
                _ => error.message,
            };
            ToolError::new(error.kind, format!("has no document: {why}"))
        })?;
        let text = answer.text(&endpoint).map_err(|error| {
            ToolError::new(error.kind, format!("has no document: {}", error.message))
        })?;
        Ok(text.into_owned())
    }

    /// Returns the address of the server of an operation.
    fn base(&self, operation: &Operation) -> Result<Url, ToolError> {
        let wrong = |message: String| {
            let error = ToolError::new(ToolErrorKind::Missing, message);
            Err(error.with_help("give the address with `base_url`"))
        };
        if let Some(base) = &self.base_url {
            return Ok(base.clone());
        }
        let server = operation.server.as_deref();
        let base = match &self.document {
            ApiDocument::Url(url) => url.join(server.unwrap_or("/")).ok(),
            ApiDocument::File(_) => match server {
                None => return wrong("has no server in the document".to_string()),
                Some(server) => Url::parse(server).ok(),
            },
        };
        let base = base.filter(|it| matches!(it.scheme(), "http" | "https") && it.has_host());
        let Some(base) = base else {
            let server = crate::secrets::shown_url(server.unwrap_or_default());
            return wrong(format!("has the server `{server}`, which is not an http or https URL"));
        };
        // A document from outside must not send secrets to a server of its choice.
        if let ApiDocument::Url(url) = &self.document
            && base.origin() != url.origin()
            && !(self.headers.is_empty() && self.query.is_empty())
        {
            let host = base.host_str().unwrap_or_default();
            return wrong(format!(
                "is at `{host}`, another server than its document: the headers are not sent there"
            ));
        }
        Ok(base)
    }

    fn given(&self) -> Given {
        let (headers, query) = (self.headers.keys(), self.query.keys());
        let (headers, query) = (headers.cloned().collect(), query.cloned().collect());
        Given { headers, query, files: self.files.is_some() }
    }

    /// Adds the headers to a request, and their secrets to `secrets`.
    fn with_headers(
        &self,
        request: RequestBuilder,
        secrets: &mut Secrets,
    ) -> Result<RequestBuilder, ToolError> {
        let mut request = request;
        if !self.headers.keys().any(|it| it.eq_ignore_ascii_case(USER_AGENT.as_str())) {
            request = request.header(USER_AGENT, US);
        }
        for (name, setting) in &self.headers {
            let value = HeaderValue::from_str(&setting.header_value(name, secrets)?);
            let (Ok(header), Ok(mut value)) = (HeaderName::from_bytes(name.as_bytes()), value)
            else {
                let message = format!("the header `{name}` contains invalid characters");
                return Err(ToolError::new(ToolErrorKind::Missing, message));
            };
            value.set_sensitive(true);
            request = request.header(header, value);
        }
        Ok(request)
    }

    /// Returns the secrets that requests have.
    fn secrets(&self) -> Secrets {
        let mut secrets = Secrets::default();
        for (name, setting) in self.headers.iter().chain(&self.query) {
            // A variable that is missing is an error of the call.
            drop(setting.header_value(name, &mut secrets));
        }
        for url in self.base_url.iter().chain(match &self.document {
            ApiDocument::Url(url) => Some(url),
            ApiDocument::File(_) => None,
        }) {
            secrets.add_url("url", url);
        }
        secrets
    }
}

const TOO_LONG: &str = "it is longer than 32 MiB";

/// Reads a file with a document.
fn file(path: &std::path::Path) -> Result<String, ToolError> {
    let wrong = |why: String| {
        let message = format!("has no document: cannot read `{}`: {why}", path.display());
        ToolError::new(ToolErrorKind::Missing, message)
    };
    read_text(path, MAX_DOCUMENT as u64).map_err(wrong)
}

fn unusable(error: &ptc_openapi::Error) -> ToolError {
    let made = ToolError::new(ToolErrorKind::Missing, error.message());
    match error.help() {
        Some(help) => made.with_help(help),
        None => made,
    }
}

/// Returns an operation as a tool.
fn tool(
    api: &Arc<Api>,
    endpoint: &Endpoint,
    mut operation: Operation,
    secrets: &Secrets,
) -> ToolDef {
    let none = Signature { params: Vec::new(), output: Type::Any };
    let signature = std::mem::replace(&mut operation.signature, none);
    let description = operation.description.clone();
    let implementation = ApiTool { api: Arc::clone(api), which: Which::Known(Box::new(operation)) };
    let method = endpoint.method();
    let hinted = if method.is_safe() { Effect::Read } else { Effect::Write };
    let mut tool = api.def.tools.tool(endpoint.name(), secrets, implementation);
    tool.effect = tool.effect.or(Some(hinted));
    tool.idempotent = method.is_idempotent() && !method.is_safe();
    tool.signature = Some(signature);
    tool.description = description;
    tool.server = Some(api.def.name.clone());
    tool
}

/// An API that is called.
struct Api {
    def: ApiDef,
    client: OnceLock<Client>,
    /// The document, for tools on record.
    document: OnceCell<Document>,
}

impl Api {
    fn new(def: ApiDef) -> Api {
        Api { def, client: OnceLock::new(), document: OnceCell::new() }
    }

    /// Finds an operation by its name in programs.
    async fn find(&self, name: &str) -> Result<Operation, ToolError> {
        let document = self
            .document
            .get_or_try_init(|| async {
                let text = match &self.def.document {
                    ApiDocument::File(path) => file(path)?,
                    ApiDocument::Url(url) => self.def.fetch(url).await?,
                };
                self.def.parse(&text)
            })
            .await?;
        let endpoints = document.endpoints().map_err(|error| unusable(&error))?;
        let found = endpoints.iter().find(|it| self.def.tools.name_in_programs(it.name()) == name);
        let Some(endpoint) = found else {
            let message = "is no longer an operation of its document";
            return Err(ToolError::new(ToolErrorKind::Missing, message));
        };
        self.def.operation(document, endpoint, &self.def.given(), &mut Types::default())
    }

    fn client(&self, url: &Url) -> Result<&Client, ToolError> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        let made = client(url).map_err(|it| ToolError::new(ToolErrorKind::Missing, it))?;
        Ok(self.client.get_or_init(|| made))
    }

    async fn call(
        &self,
        operation: &Operation,
        args: Data,
        cx: &CallContext,
    ) -> Result<Data, ToolError> {
        let wrong = |message: String| ToolError::new(ToolErrorKind::Arguments, message);
        let args = args.value();
        if args.as_map().is_none() {
            return Err(wrong("takes a map of arguments".to_string()));
        }
        let json = |value: &ptc_lisp::Value| json::write(value).unwrap_or_default();
        let mut secrets = self.def.secrets();
        let mut load = |source: Source<'_>| load(source, self.def.files.as_deref(), &secrets, cx);
        let made = operation.request_with(args, json, &mut load);
        let made = made.map_err(|error| wrong(error.to_string()))?;
        let base = self.def.base(operation)?;
        secrets.add_url("url", &base);
        let mut url = below(&base, &made.target).ok_or_else(|| wrong("has no URL".to_string()))?;
        for (name, setting) in &self.def.query {
            let value = setting.header_value(name, &mut secrets)?;
            url.query_pairs_mut().append_pair(name, &value);
        }
        let method = Method::from_bytes(made.method.as_str().as_bytes());
        let method = method.map_err(|error| wrong(error.to_string()))?;
        let mut request = self.client(&url)?.request(method, url.clone());
        request = self.def.with_headers(request, &mut secrets)?;
        if !made.method.is_safe() {
            request = request.header("idempotency-key", cx.idempotency_key.as_str());
        }
        for (name, value) in &made.headers {
            let (Ok(name), Ok(value)) =
                (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value))
            else {
                return Err(wrong(format!("the header `{name}` has invalid characters")));
            };
            request = request.header(name, value);
        }
        if let Some(content) = made.content {
            request = request.header(CONTENT_TYPE, content.media_type).body(content.bytes);
        }
        let endpoint = format!("{} {}", made.method.as_str(), place(&url));
        let answer = send(request, &endpoint, &secrets, cx.max_output).await?;
        result(&answer, &endpoint, &secrets, cx)
    }
}

/// Returns the URL of a path and query below an address, unless it leaves the address.
fn below(base: &Url, target: &str) -> Option<Url> {
    let mut base = base.clone();
    base.set_query(None);
    base.set_fragment(None);
    let url = Url::parse(&format!("{}{target}", base.as_str().trim_end_matches('/'))).ok()?;
    let stays =
        url.origin() == base.origin() && url.path().starts_with(base.path().trim_end_matches('/'));
    stays.then_some(url)
}

/// Returns an answer as a value: JSON, text, or binary content.
fn result(
    answer: &Answer,
    endpoint: &str,
    secrets: &Secrets,
    cx: &CallContext,
) -> Result<Data, ToolError> {
    if answer.bytes.is_empty() {
        return Ok(Data::default());
    }
    let kind = answer.content_type.split(';').next().unwrap_or_default().trim();
    let kind = kind.to_ascii_lowercase();
    let is_json = kind == "application/json" || kind.ends_with("+json");
    if !is_json && !kind.is_empty() && !is_text(&kind) {
        return cx.keep(Blob::new(&kind, &answer.bytes)).map(Data::from);
    }
    let text = answer.text(endpoint)?;
    if is_json && text.trim().is_empty() {
        return Ok(Data::default());
    }
    if !is_json && !kind.is_empty() {
        return Ok(Data::from(Value::from(secrets.clean(&text))));
    }
    output::read(&text, secrets).or_else(|error| {
        if is_json {
            Err(not_json(endpoint, &error, &text, secrets))
        } else {
            Ok(Data::from(Value::from(secrets.clean(&text))))
        }
    })
}

/// Returns whether content of a media type is text.
fn is_text(kind: &str) -> bool {
    const TEXTS: &[&str] = &["xml", "yaml", "javascript", "x-ndjson", "x-www-form-urlencoded"];
    kind.starts_with("text/")
        || ["+xml", "+yaml"].iter().any(|end| kind.ends_with(end))
        || kind.strip_prefix("application/").is_some_and(|it| {
            TEXTS.contains(&it.strip_prefix("x-").filter(|it| *it == "yaml").unwrap_or(it))
        })
}

/// An operation as a tool.
struct ApiTool {
    api: Arc<Api>,
    which: Which,
}

/// The operation that a call is for.
enum Which {
    Known(Box<Operation>),
    /// The name in programs, of a tool on record.
    Recalled(String),
}

impl Tool for ApiTool {
    fn call<'a>(
        &'a self,
        args: Data,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<Data, ToolError>> {
        Box::pin(async move {
            match &self.which {
                Which::Known(operation) => self.api.call(operation, args, cx).await,
                Which::Recalled(name) => {
                    let operation = self.api.find(name).await?;
                    self.api.call(&operation, args, cx).await
                }
            }
        })
    }

    fn place(&self) -> Option<ToolPlace<'_>> {
        let base = match &self.which {
            Which::Known(operation) => self.api.def.base(operation).ok(),
            Which::Recalled(_) => self.api.def.base_url.clone(),
        }?;
        let port = base.port_or_known_default()?;
        Some(ToolPlace::Server { host: base.host_str()?.to_string(), port })
    }

    fn takes_content(&self) -> bool {
        match &self.which {
            Which::Known(operation) => operation.takes_content(),
            // The document is not read yet.
            Which::Recalled(_) => true,
        }
    }

    fn needs(&self) -> ToolNeeds {
        let mut needs = ToolNeeds::default();
        for name in self.api.def.headers.values().chain(self.api.def.query.values()) {
            for variable in name.variables() {
                if !needs.header_variables.contains(&variable) {
                    needs.header_variables.push(variable);
                }
            }
        }
        needs
    }
}
