//! A model behind an HTTP server: requests, streams and retries.
//!
//! A [`Protocol`] defines everything that differs between protocols. The code in this file knows no particular
//! protocol.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ptc_lisp::json::marks::{self, Place};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response, StatusCode, Url};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use tokio::task::yield_now;

use super::Usage;
use super::options::ProviderOptions;
use super::price::Price;
use super::quirks::Quirks;
use super::refusal::Refusal;
use super::reply_builder::ReplyBuilder;
use super::stream::{Decoder, Framing};
use super::stream_relay::StreamRelay;
use super::{
    BoxFuture, Checked, Cost, Parameters, Partial, Prices, Provider, ProviderError,
    ProviderErrorKind, Reply, Request, WantedKey,
};
use crate::error::{Error, ErrorKind};
use crate::http::{client, place, retry_after, root_cause};
use crate::secrets::{Secrets, shown_url};

/// The maximum size of a response, in bytes. It exceeds every genuine reply, and an endless response cannot fill the
/// memory.
const MAX_BODY: usize = 16 << 20;

/// The places of the arguments of calls in replies and in events, where they are not texts. Marks keep their integers past
/// 64 bits.
const ARGUMENTS: [Place; 4] = [
    Place::of_parts(&["content", "*", "input"]),
    Place::of_parts(&["message", "tool_calls", "*", "function", "arguments"]),
    Place::of_parts(&["choices", "*", "message", "tool_calls", "*", "function", "arguments"]),
    Place::of_parts(&["choices", "*", "delta", "tool_calls", "*", "function", "arguments"]),
];

/// The maximum time to wait for the list of models. A healthy server sends it at once.
const MAX_CHECK: Duration = Duration::from_secs(10);

/// The maximum wait between attempts. If a server asks for more, its error is reported at once.
const MAX_WAIT: Duration = Duration::from_secs(30);

/// A protocol: the addresses, headers, requests and replies of a kind of server.
pub(super) struct Protocol {
    /// The prefix of such models: `openai` in `openai:NAME`.
    pub(super) prefix: &'static str,
    /// The name of the protocol in documentation.
    pub(super) title: &'static str,
    /// The name of the provider in OpenTelemetry's conventions.
    #[cfg_attr(not(feature = "tracing"), expect(dead_code, reason = "only spans name the vendor"))]
    pub(super) vendor: &'static str,
    /// The base URL of the protocol's own server.
    pub(super) base: &'static str,
    /// The addresses of the vendor's other servers, which may get the vendor's key too.
    pub(super) also: &'static [&'static str],
    /// The path for completing conversations.
    pub(super) path: &'static str,
    /// The list of models.
    pub(super) models: ModelList,
    /// The name of a reply in messages, such as "a chat completion".
    pub(super) reply_name: &'static str,
    /// Whether the protocol's own server needs a key.
    pub(super) needs_key: bool,
    /// Whether the built-in table has the prices of the protocol's own server.
    pub(super) is_priced: bool,
    /// The environment variable that holds the key.
    pub(super) key_variable: &'static str,
    /// The help if the server does not have the model, with `MODEL` for its name; `None` for the general one.
    pub(super) absent: Option<&'static str>,
    /// Returns the headers with the key, or `None` if a header cannot hold its characters.
    pub(super) headers: fn(Option<&SecretString>) -> Option<HeaderMap>,
    /// The framing of messages in a stream.
    pub(super) framing: Framing,
    /// Builds the body of a request. The error is a short phrase that says which part is not supported.
    pub(super) body: fn(&RequestParts<'_>) -> Result<Value, String>,
    /// Reads a complete reply. The error is a short phrase that names the missing part.
    pub(super) read: fn(&Value, &mut ReplyBuilder) -> Result<(), &'static str>,
    /// Reads one message of a stream. The error is a short phrase that names the missing part.
    pub(super) event: fn(&Value, &mut ReplyBuilder) -> Result<(), &'static str>,
}

impl Protocol {
    /// Returns whether a URL is that of a server of the vendor, whose key it may get.
    pub(super) fn is_vendors(&self, url: &Url) -> bool {
        let mut own = [self.base].into_iter().chain(self.also.iter().copied());
        own.any(|own| Url::parse(own).is_ok_and(|own| own.origin() == url.origin()))
    }
}

/// The list of models of a kind of server.
#[derive(Clone, Copy)]
pub(super) struct ModelList {
    /// Its path, behind the base URL.
    pub(super) path: &'static str,
    /// The key of the list in the response.
    pub(super) items: &'static str,
    /// The key of a name in an item.
    pub(super) name: &'static str,
}

/// The parts from which a body is built.
pub(super) struct RequestParts<'a> {
    pub(super) model: &'a str,
    pub(super) request: &'a Request,
    /// The parameters of the request, with the defaults of the model.
    pub(super) parameters: Parameters,
    pub(super) streamed: bool,
    pub(super) quirks: Quirks,
}

/// A model behind a server.
pub(super) struct HttpModel {
    protocol: &'static Protocol,
    model: String,
    url: Url,
    client: Client,
    headers: HeaderMap,
    sent_key: SentKey,
    /// The key, and the password or keys in the base URL.
    secrets: Secrets,
    options: ProviderOptions,
    price: Option<Price>,
    /// The quirks of the model that the server's errors have shown so far.
    quirks: Mutex<Quirks>,
}

impl HttpModel {
    /// Creates a client for the model. It sends nothing yet.
    pub(super) fn new(
        protocol: &'static Protocol,
        model: &str,
        options: &ProviderOptions,
    ) -> Result<HttpModel, Error> {
        let unusable = |message: String| Error::new(ErrorKind::Model, message);
        let base = options.base_url.as_deref().unwrap_or(protocol.base);
        let url = endpoint(base, protocol.path).ok_or_else(|| {
            unusable(format!("`{}` is not an http or https URL", shown_url(base)))
        })?;
        let (key, sent_key) = sent_key(protocol, model, &url, options)?;
        let headers = headers(protocol, key.as_ref(), options.key_header.as_deref())?;
        let Some(headers) = headers else {
            return Err(unusable("the key contains invalid characters".to_string())
                .with_help(format!("look for line breaks and quotes in {}", sent_key.variable)));
        };
        let client = client(&url).map_err(unusable)?;
        let mut secrets = Secrets::default();
        if let Some(key) = &key {
            secrets.add("key", key.expose_secret());
        }
        secrets.add_url("url", &url);
        let is_own = protocol.is_priced
            && Url::parse(protocol.base).is_ok_and(|own| own.host_str() == url.host_str());
        let prices = match &options.prices {
            Some(path) => Prices::read(path)?,
            None if is_own => Prices::built_in(),
            None => Prices::default(),
        };
        let price = prices.of(model);
        let (model, options, quirks) = (model.to_string(), options.clone(), Mutex::default());
        Ok(HttpModel {
            protocol,
            model,
            url,
            client,
            headers,
            sent_key,
            secrets,
            options,
            price,
            quirks,
        })
    }

    /// Makes attempts until one succeeds, one fails permanently, or none are left.
    async fn complete_with_retries(
        &self,
        request: &Request,
        mut relay: StreamRelay<'_>,
    ) -> Result<Reply, ProviderError> {
        let mut delay = self.options.retry_delay;
        let mut attempt = 1;
        loop {
            let quirks = *self.quirks();
            let parts = RequestParts {
                model: &self.model,
                request,
                parameters: self.parameters(request, quirks),
                streamed: relay.is_streamed(),
                quirks,
            };
            let body = (self.protocol.body)(&parts).map_err(|what| {
                let (kind, model) = (self.protocol.prefix, &self.model);
                let message = format!("`{kind}:{model}` {what}");
                self.with_help(ProviderError::new(ProviderErrorKind::Rejected, message))
            })?;
            relay.restart();
            let text = body.to_string();
            let mut error = match self.attempt(request, &marks::written(&text), &mut relay).await {
                Ok(reply) => return Ok(reply),
                Err(error) => error,
            };
            error.message = self.scrub(&error.message);
            // A new quirk changes the request, so this does not count as an attempt. Each quirk is learned once, so the
            // loop ends.
            if error.kind == ProviderErrorKind::Rejected
                && let Some(quirks) = quirks.with(&body, &error.message)
            {
                *self.quirks() = quirks;
                continue;
            }
            let too_long = error.retry_after.is_some_and(|it| it > MAX_WAIT);
            if !error.kind.is_transient() || too_long || attempt >= self.options.attempts {
                return Err(self.give_up(error, attempt));
            }
            relay.retry(&error, attempt, self.options.attempts);
            tokio::time::sleep(retry_wait(delay, error.retry_after, random())).await;
            delay = delay.saturating_mul(2).min(MAX_WAIT);
            attempt += 1;
        }
    }

    /// Returns the parameters of a request, with the defaults of the model.
    fn parameters(&self, request: &Request, quirks: Quirks) -> Parameters {
        let Parameters { temperature, max_tokens, effort } = request.parameters;
        Parameters {
            temperature,
            max_tokens: max_tokens.or(self.options.max_tokens),
            effort: effort.or(self.options.effort).filter(|_| !quirks.no_effort),
        }
    }

    fn quirks(&self) -> std::sync::MutexGuard<'_, Quirks> {
        self.quirks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn give_up(&self, mut error: ProviderError, attempts: u32) -> ProviderError {
        if attempts > 1 {
            error.message = format!("{} (after {attempts} attempts)", error.message);
        }
        self.with_help(error)
    }

    async fn attempt(
        &self,
        request: &Request,
        body: &str,
        relay: &mut StreamRelay<'_>,
    ) -> Result<Reply, ProviderError> {
        let timeout = self.options.request_timeout;
        match tokio::time::timeout(timeout, self.exchange(request, body, relay)).await {
            Ok(result) => result,
            Err(_) => Err(ProviderError::new(
                ProviderErrorKind::Timeout,
                format!("no complete reply from {} within {timeout:?}", place(&self.url)),
            )),
        }
    }

    async fn exchange(
        &self,
        asked: &Request,
        body: &str,
        relay: &mut StreamRelay<'_>,
    ) -> Result<Reply, ProviderError> {
        let request = self.client.post(self.url.clone()).headers(self.headers.clone());
        let request = request.header(CONTENT_TYPE, "application/json").body(body.to_string());
        let mut response = request.send().await.map_err(|error| self.connection_error(&error))?;
        let status = response.status();
        if !status.is_success() {
            let retry_after = retry_after(response.headers());
            let body = self.read(&mut response).await?;
            let mut error = self.status_error(status, &body);
            error.retry_after = retry_after;
            return Err(error);
        }
        // A server without streaming sends a complete reply.
        let builder = if relay.is_streamed() && !is_complete_reply(&response) {
            self.read_stream(asked, &mut response, relay).await?
        } else {
            let builder = self.parse_reply(asked, &self.read(&mut response).await?)?;
            relay.push(builder.text());
            relay.end();
            builder
        };
        let (mut reply, tokens) = builder.reply(self.protocol.prefix);
        reply.text = self.scrub(&reply.text);
        for call in &mut reply.calls {
            call.arguments = self.scrub(&call.arguments);
        }
        reply.usage = tokens.usage(self.price);
        Ok(reply)
    }

    /// Requests the list of models, which is free of charge.
    async fn check_models(&self) -> Result<Checked, ProviderError> {
        let ModelList { path, items, name } = self.protocol.models;
        let mut url = self.url.clone();
        let before = url.path().strip_suffix(self.protocol.path).unwrap_or_default().to_string();
        url.set_path(&format!("{before}{path}"));
        let request = self.client.get(url.clone()).headers(self.headers.clone());
        let mut response = request.send().await.map_err(|error| self.connection_error(&error))?;
        let status = response.status();
        let body = self.read(&mut response).await?;
        let (server, model) = (place(&url), &self.model);
        let found = |message, is_certain| Ok(Checked { message, is_certain });
        if matches!(status.as_u16(), 404 | 405 | 501) {
            return found(format!("{server} answers, but has no list of models"), false);
        }
        if !status.is_success() {
            return Err(self.status_error(status, &body));
        }
        let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
        let Some(models) = body.get(items).and_then(Value::as_array) else {
            let message = format!("{server} did not return a list of models");
            return found(message, false);
        };
        // Ollama adds the tag `latest` to a name without a tag.
        let is = |it: &str| it == model || it.strip_suffix(":latest") == Some(model);
        if models.iter().any(|it| it.get(name).and_then(Value::as_str).is_some_and(is)) {
            return found(format!("{server} has `{model}`"), true);
        }
        found(format!("{server} answers; `{model}` is not in its list of {}", models.len()), false)
    }

    async fn read(&self, response: &mut Response) -> Result<Vec<u8>, ProviderError> {
        let mut body = Vec::new();
        while let Some(chunk) = self.chunk(response, body.len()).await? {
            body.extend_from_slice(chunk.as_ref());
        }
        Ok(body)
    }

    /// Returns the next bytes of a response, and checks the maximum size. `before` is the number of bytes so far.
    async fn chunk(
        &self,
        response: &mut Response,
        before: usize,
    ) -> Result<Option<impl AsRef<[u8]> + use<>>, ProviderError> {
        let chunk = response.chunk().await.map_err(|error| self.connection_error(&error))?;
        if chunk.as_ref().is_some_and(|it| before + it.len() > MAX_BODY) {
            return Err(ProviderError::new(
                ProviderErrorKind::Malformed,
                format!("the reply of {} is longer than {MAX_BODY} bytes", place(&self.url)),
            ));
        }
        Ok(chunk)
    }

    fn parse_reply(&self, request: &Request, body: &[u8]) -> Result<ReplyBuilder, ProviderError> {
        let text = || String::from_utf8_lossy(body);
        let json = parse(body).ok_or_else(|| self.malformed("no JSON", &text()))?;
        // OpenRouter sends errors with a success status.
        if let Some(refusal) = Refusal::read(&json) {
            return Err(self.refusal_error(&refusal, "in the reply"));
        }
        let mut builder = ReplyBuilder::new(request);
        (self.protocol.read)(&json, &mut builder).map_err(|what| self.malformed(what, &text()))?;
        builder.end();
        Ok(builder)
    }

    async fn read_stream(
        &self,
        request: &Request,
        response: &mut Response,
        relay: &mut StreamRelay<'_>,
    ) -> Result<ReplyBuilder, ProviderError> {
        let mut decoder = Decoder::new(self.protocol.framing);
        let mut builder = ReplyBuilder::new(request);
        // The bytes before the first message. The response may not be a stream.
        let mut before = Some(Vec::new());
        let (mut length, mut relayed) = (0, 0);
        let mut relay_new = |builder: &ReplyBuilder| {
            let text = builder.text();
            relay.push(text.get(relayed..).unwrap_or_default());
            relayed = text.len();
        };
        // Some servers keep the connection open after the last message.
        while !builder.is_over
            && let Some(chunk) = self.chunk(response, length).await?
        {
            length += chunk.as_ref().len();
            if let Some(before) = &mut before {
                before.extend_from_slice(chunk.as_ref());
            }
            for message in decoder.feed(chunk.as_ref()) {
                if !builder.is_over {
                    before = None;
                    self.read_message(&message, &mut builder)?;
                    relay_new(&builder);
                    // An observer may be slow and a chunk may have many messages. Yielding lets time limits and signals
                    // act.
                    yield_now().await;
                }
            }
        }
        // An incomplete message means a broken connection, not a malformed reply.
        if !builder.is_over
            && let Some(message) = decoder.end().filter(|it| is_message(it))
        {
            self.read_message(&message, &mut builder)?;
        }
        if let Some(body) = before.filter(|_| !builder.is_over && decoder.is_foreign()) {
            let builder = self.parse_reply(request, &body)?;
            relay.push(builder.text());
            relay.end();
            return Ok(builder);
        }
        if builder.finish.is_none() && !builder.is_over {
            return Err(ProviderError::new(
                ProviderErrorKind::Network,
                format!("the stream from {} ended before the reply was complete", place(&self.url)),
            ));
        }
        builder.end();
        relay_new(&builder);
        relay.end();
        Ok(builder)
    }

    fn read_message(
        &self,
        message: &[u8],
        builder: &mut ReplyBuilder,
    ) -> Result<(), ProviderError> {
        if message == b"[DONE]" {
            builder.is_over = true;
            return Ok(());
        }
        let text = || String::from_utf8_lossy(message);
        let json = parse(message).ok_or_else(|| self.malformed("no JSON", &text()))?;
        if let Some(refusal) = Refusal::read(&json) {
            return Err(self.refusal_error(&refusal, "in the stream"));
        }
        (self.protocol.event)(&json, builder).map_err(|what| self.malformed(what, &text()))
    }

    fn malformed(&self, what: &str, said: &str) -> ProviderError {
        // Scrubbing comes before cutting, because half a key is a leak too.
        let (place, start) = (place(&self.url), self.secrets.cut_with_length(said, 200));
        let reply = self.protocol.reply_name;
        let message = format!("{place} did not answer with {reply}: {what}: {start}");
        ProviderError::new(ProviderErrorKind::Malformed, message)
    }

    fn status_error(&self, status: StatusCode, body: &[u8]) -> ProviderError {
        let json: Value = serde_json::from_slice(body).unwrap_or(Value::Null);
        let mut refusal = Refusal::read(&json).unwrap_or_default();
        if refusal.message.is_empty() {
            refusal.message = String::from_utf8_lossy(body).into_owned();
        }
        refusal.status = Some(status.as_u16());
        self.refusal_error(&refusal, &format!("HTTP {status}"))
    }

    fn refusal_error(&self, refusal: &Refusal, place_of_error: &str) -> ProviderError {
        let kind = refusal.kind();
        let what = match kind {
            ProviderErrorKind::Auth => "does not accept the key",
            ProviderErrorKind::Quota => "says that there is no credit left",
            ProviderErrorKind::Rate => "limits the rate of requests",
            ProviderErrorKind::Model => "does not know the model or the address",
            ProviderErrorKind::Context => "finds the conversation too long",
            ProviderErrorKind::Filtered => "blocked the request with its content filter",
            ProviderErrorKind::Server => "failed",
            _ => "refused the request",
        };
        let (at, model) = (place(&self.url), &self.model);
        let mut message = format!("{at} {what} ({place_of_error}, model `{model}`)");
        let said = self.secrets.cut_with_length(&refusal.message, 400);
        if !said.is_empty() {
            message = format!("{message}: {said}");
        }
        ProviderError::new(kind, message)
    }

    fn connection_error(&self, error: &reqwest::Error) -> ProviderError {
        let (kind, what) = if error.is_connect() {
            (ProviderErrorKind::Network, "cannot connect to")
        } else if error.is_timeout() {
            (ProviderErrorKind::Timeout, "no complete reply in time from")
        } else {
            (ProviderErrorKind::Network, "the connection broke to")
        };
        ProviderError::new(kind, format!("{what} {}: {}", place(&self.url), root_cause(error)))
    }

    /// Adds advice to an error.
    fn with_help(&self, error: ProviderError) -> ProviderError {
        let (SentKey { variable, is_sent, is_withheld }, model) = (&self.sent_key, &self.model);
        let help = match error.kind {
            ProviderErrorKind::Auth if *is_withheld => format!(
                "{variable} was not sent, since this is no server of its vendor: name the variable with a key of this \
                 server with `api_key_env` (`--key-env`), or send {variable} with `send_key = true`"
            ),
            ProviderErrorKind::Auth if !is_sent => {
                format!("{variable} is not set: set it to a key of this server")
            }
            ProviderErrorKind::Auth => {
                format!("see whether {variable} has a key of this server that may use `{model}`")
            }
            ProviderErrorKind::Quota => "add credit to the account of the key".to_string(),
            ProviderErrorKind::Rate | ProviderErrorKind::Server => match error.retry_after {
                Some(wait) => format!("run it again; the server asks to wait {wait:?}"),
                None => "run it again later".to_string(),
            },
            ProviderErrorKind::Model => match self.protocol.absent {
                Some(help) => help.replace("MODEL", model),
                None => "see whether the server has a model of this name, and \
                    whether the base URL is right"
                    .to_string(),
            },
            ProviderErrorKind::Context => "use a model with a longer context, or make the prompt \
                shorter with the sizes under `[system]`"
                .to_string(),
            ProviderErrorKind::Filtered => {
                "change the prompt or the data, or use another model".to_string()
            }
            ProviderErrorKind::Rejected => "read the server's message; a model may not support \
                `temperature`, `max_tokens`, `effort`, `grammar` or `transport` of the agent"
                .to_string(),
            ProviderErrorKind::Timeout => {
                "raise `request_timeout`, or use a faster model".to_string()
            }
            ProviderErrorKind::Network => {
                "see whether the server runs and the base URL is right".to_string()
            }
            ProviderErrorKind::Malformed => {
                let kind = self.protocol.prefix;
                format!("see whether the base URL is that of a server for `{kind}:` models")
            }
            ProviderErrorKind::Recording => return error,
        };
        error.with_help(help)
    }

    /// Replaces the secrets that a server echoes.
    fn scrub(&self, text: &str) -> String {
        self.secrets.clean(text).into_owned()
    }
}

impl Provider for HttpModel {
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        Box::pin(self.complete_with_retries(request, StreamRelay::silent()))
    }

    fn check(&self) -> BoxFuture<'_, Result<Checked, ProviderError>> {
        Box::pin(async {
            let timeout = self.options.request_timeout.min(MAX_CHECK);
            let checked =
                tokio::time::timeout(timeout, self.check_models()).await.unwrap_or_else(|_| {
                    let message = format!("no answer from {} within {timeout:?}", place(&self.url));
                    Err(ProviderError::new(ProviderErrorKind::Timeout, message))
                });
            checked.map_err(|mut error| {
                error.message = self.scrub(&error.message);
                self.give_up(error, 1)
            })
        })
    }

    fn ask<'a>(
        &'a self,
        request: &'a Request,
        on: &'a mut (dyn FnMut(Partial<'_>) + Send),
    ) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        let relay = StreamRelay::new(on, request.streamed, &self.secrets);
        Box::pin(self.complete_with_retries(request, relay))
    }

    fn price_of(&self, usage: &Usage) -> Option<Cost> {
        self.price?.cost(usage)
    }

    fn name(&self) -> String {
        format!("{}:{}", self.protocol.prefix, self.model)
    }
}

/// The key that a server gets.
struct SentKey {
    /// The variable that has it, or would have it.
    variable: String,
    is_sent: bool,
    /// Whether the vendor's key is there, and does not go to this server.
    is_withheld: bool,
}

/// Finds the key for a server. It is that of the variable that was named for the server, or else that of the vendor for
/// its own servers, or else the one of the host's resolver.
fn sent_key(
    protocol: &Protocol,
    model: &str,
    url: &Url,
    options: &ProviderOptions,
) -> Result<(Option<SecretString>, SentKey), Error> {
    let is_allowed = options.api_key_env.is_some() || options.send_key || protocol.is_vendors(url);
    let variable = options.api_key_env.as_deref().unwrap_or(protocol.key_variable);
    let model = format!("{}:{model}", protocol.prefix);
    let server = url.origin().ascii_serialization();
    let wanted = WantedKey { model: &model, variable, server: &server };
    let known = options.keys.get(variable);
    let key = known.filter(|_| is_allowed).cloned().or_else(|| options.keys.resolve(&wanted));
    let is_missing =
        options.api_key_env.is_some() || protocol.needs_key && options.base_url.is_none();
    if key.is_none() && is_missing {
        let help = match options.api_key_env {
            Some(_) => format!("set {variable}, which was named for this model"),
            None => format!("set {variable}, or give the base URL of a server that needs none"),
        };
        let message = format!("no key for `{model}`");
        return Err(Error::new(ErrorKind::Model, message).with_help(help));
    }
    let is_withheld = key.is_none() && known.is_some();
    let sent = SentKey { variable: variable.to_string(), is_sent: key.is_some(), is_withheld };
    Ok((key, sent))
}

/// Returns the headers of requests, or `None` if a header cannot hold the characters of the key.
fn headers(
    protocol: &Protocol,
    key: Option<&SecretString>,
    name: Option<&str>,
) -> Result<Option<HeaderMap>, Error> {
    let Some(name) = name else { return Ok((protocol.headers)(key)) };
    let name = HeaderName::try_from(name).map_err(|_| {
        Error::new(ErrorKind::Model, format!("`{name}` is not the name of a header"))
    })?;
    let of_key = match key {
        Some(_) if name == AUTHORIZATION => bearer(key),
        Some(key) => secret(key.expose_secret()).map(|value| HeaderMap::from_iter([(name, value)])),
        None => Some(HeaderMap::new()),
    };
    let all = (protocol.headers)(None).zip(of_key).map(|(mut all, of_key)| {
        all.extend(of_key);
        all
    });
    Ok(all)
}

/// Returns the URL of a method. Users configure either the URL of the server or that of a method, with any part of the
/// path.
fn endpoint(base: &str, method: &str) -> Option<Url> {
    let mut url = Url::parse(base.trim()).ok()?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return None;
    }
    let path = url.path().trim_end_matches('/').to_string();
    let starts = method.match_indices('/').map(|(at, _)| at).chain([method.len()]);
    let known = starts.filter(|at| path.ends_with(method.get(..*at).unwrap_or_default())).max();
    url.set_path(&format!("{path}{}", method.get(known.unwrap_or(0)..).unwrap_or_default()));
    Some(url)
}

/// Returns the headers with the key as a bearer token.
pub(super) fn bearer(key: Option<&SecretString>) -> Option<HeaderMap> {
    let mut headers = HeaderMap::new();
    if let Some(key) = key {
        let value = secret(&format!("Bearer {}", key.expose_secret()))?;
        headers.insert(AUTHORIZATION, value);
    }
    Some(headers)
}

/// Returns a header value that is never printed.
pub(super) fn secret(value: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(value).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// Returns whether a message of a stream is complete.
fn is_message(message: &[u8]) -> bool {
    message == b"[DONE]" || serde_json::from_slice::<serde::de::IgnoredAny>(message).is_ok()
}

/// Returns whether a response is a complete reply where a stream was requested.
fn is_complete_reply(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|it| it.to_str().ok());
    kind.is_some_and(|it| it.starts_with("application/json"))
}

/// Returns the wait before the next attempt. It is the wait that the server asks for, or half of the delay. A random
/// part of up to half of the delay is added, so that clients do not all retry at once.
fn retry_wait(delay: Duration, asked: Option<Duration>, random: u64) -> Duration {
    let half = delay / 2;
    let spread = half.mul_f64((random >> 11) as f64 / (1_u64 << 53) as f64);
    asked.unwrap_or(half).saturating_add(spread)
}

/// Returns random bits. The standard library seeds its hashers from the operating system. Only waits depend on these
/// bits.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Parses a message of a server.
fn parse(message: &[u8]) -> Option<Value> {
    let marked = marks::read(message, &ARGUMENTS).ok()?;
    serde_json::from_slice(marked.as_deref().map_or(message, str::as_bytes)).ok()
}

#[cfg(test)]
mod tests {
    use super::super::{KeyResolver, Keys, openai};
    use super::*;

    #[test]
    fn retry_waits() {
        let ms = Duration::from_millis;
        let check = |asked: Option<u64>, random: u64, expected: Duration| {
            assert_eq!(retry_wait(ms(1000), asked.map(Duration::from_secs), random), expected);
        };
        check(None, 0, ms(500));
        check(None, 1 << 63, ms(750));
        check(None, u64::MAX, Duration::from_secs(1));
        check(Some(7), 0, ms(7000));
        check(Some(0), 1 << 63, ms(250));
    }

    /// A key goes to the server that it was named for: the vendor's own servers, or the one that a definition names.
    #[test]
    fn m151_keys_of_servers() {
        let resolver = KeyResolver::new(|wanted| {
            assert_eq!((wanted.model, wanted.server), ("openai:m", "https://theirs"));
            (wanted.variable == "RESOLVED").then(|| "resolved".to_string())
        });
        let keys = Keys::default().with("OPENAI_API_KEY", "vendor").with("NAMED", "named");
        let check = |base: Option<&str>, named: Option<&str>, sends: bool, expected: &str| {
            let options = ProviderOptions {
                base_url: base.map(str::to_string),
                api_key_env: named.map(str::to_string),
                send_key: sends,
                keys: keys.clone().with_resolver(resolver.clone()),
                ..ProviderOptions::default()
            };
            let protocol = &openai::PROTOCOL;
            let url = Url::parse(base.unwrap_or(protocol.base)).unwrap();
            let found = match sent_key(protocol, "m", &url, &options) {
                Ok((Some(key), sent)) => format!("{} {}", sent.variable, key.expose_secret()),
                Ok((None, sent)) if sent.is_withheld => "withheld".to_string(),
                Ok((None, _)) => "none".to_string(),
                Err(error) => error.to_string(),
            };
            assert_eq!(found, expected, "{base:?} {named:?} {sends}");
        };
        check(None, None, false, "OPENAI_API_KEY vendor");
        check(Some("https://api.openai.com/v1/responses"), None, false, "OPENAI_API_KEY vendor");
        check(Some("https://theirs/v1"), None, false, "withheld");
        check(Some("https://theirs/v1"), None, true, "OPENAI_API_KEY vendor");
        check(Some("https://theirs/v1"), Some("NAMED"), false, "NAMED named");
        check(None, Some("NAMED"), false, "NAMED named");
        check(Some("https://theirs/v1"), Some("RESOLVED"), false, "RESOLVED resolved");
        check(Some("https://theirs/v1"), Some("UNSET"), true, "no key for `openai:m`");
        // Neither another host, nor another port, nor a connection that anyone can read.
        for other in [
            "https://api.openai.com.evil/v1",
            "https://api.openai.com:8443",
            "http://api.openai.com",
        ] {
            let options = ProviderOptions { keys: keys.clone(), ..ProviderOptions::default() };
            let url = Url::parse(other).unwrap();
            let options = ProviderOptions { base_url: Some(other.to_string()), ..options };
            let protocol = &openai::PROTOCOL;
            let (key, sent) = sent_key(protocol, "m", &url, &options).unwrap();
            assert!(key.is_none() && sent.is_withheld, "{other}");
        }
    }

    #[test]
    fn endpoints() {
        let check = |base: &str, method: &str, expected: Option<&str>| {
            let found = endpoint(base, method).map(|it| it.to_string());
            assert_eq!(found.as_deref(), expected, "{base} {method}");
        };
        let chat = "/chat/completions";
        check("http://h/v1", chat, Some("http://h/v1/chat/completions"));
        check(" http://h/v1/ ", chat, Some("http://h/v1/chat/completions"));
        check("http://h/v1/chat/completions", chat, Some("http://h/v1/chat/completions"));
        check("http://h", "/v1/messages", Some("http://h/v1/messages"));
        check("http://h/x/v1", "/v1/messages", Some("http://h/x/v1/messages"));
        check("http://h/v1/messages", "/v1/messages", Some("http://h/v1/messages"));
        check("http://h/api", "/api/chat", Some("http://h/api/chat"));
        check("http://h?key=1", "/api/chat", Some("http://h/api/chat?key=1"));
        check("h:80", chat, None);
        check("ftp://h", chat, None);
    }
}
