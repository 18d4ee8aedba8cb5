//! A model behind an HTTP server: asking, listening, trying again.
//!
//! What differs from protocol to protocol stands in a [`Protocol`]; nothing here knows one of them.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, Response, StatusCode, Url};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use tokio::task::yield_now;

use super::Usage;
use super::price::Price;
use super::quirks::Quirks;
use super::refusal::Refusal;
use super::reply_builder::ReplyBuilder;
use super::spec::{Keys, ProviderOptions};
use super::stream::{Decoder, Framing};
use super::stream_relay::StreamRelay;
use super::{
    BoxFuture, Checked, Cost, Partial, Prices, Provider, ProviderError, ProviderErrorKind, Reply,
    Request,
};
use crate::error::{Error, ErrorKind, cut};
use crate::http::{client, place, retry_after, root_cause};
use crate::secrets::{Secrets, shown_url};

/// No honest reply of a model is longer; a server that goes on for ever must not fill the memory.
const MAX_BODY: usize = 16 << 20;

/// A list of models is there at once, or there is something wrong.
const MAX_CHECK: Duration = Duration::from_secs(10);

/// A server may ask for any wait; past this it is better to say that it is overloaded.
const MAX_WAIT: Duration = Duration::from_secs(30);

/// What one protocol says where.
pub(super) struct Protocol {
    /// How a model of this kind is written: `openai` in `openai:NAME`.
    pub(super) kind: &'static str,
    /// Where its own server is.
    pub(super) base: &'static str,
    /// Where on the server conversations are completed.
    pub(super) path: &'static str,
    /// Where on the server the models are listed, under which key, and under which key of each its name.
    pub(super) list: (&'static str, &'static str, &'static str),
    /// What a reply is called: "a chat completion".
    pub(super) reply: &'static str,
    /// Whether its own server wants a key, and is one that prices are known of.
    pub(super) is_paid: bool,
    /// The environment variable of the key.
    pub(super) variable: &'static str,
    /// The key among all keys.
    pub(super) key: fn(&Keys) -> Option<&SecretString>,
    /// The headers with the key; `None` if it has characters that no header can hold.
    pub(super) headers: fn(Option<&SecretString>) -> Option<HeaderMap>,
    /// How the messages of a stream follow each other.
    pub(super) framing: Framing,
    /// Makes the body of a request; what cannot be asked for is an error in a few words.
    pub(super) body: fn(&Asked<'_>) -> Result<Value, String>,
    /// Reads a whole reply; what is missing is an error in a few words.
    pub(super) read: fn(&Value, &mut ReplyBuilder) -> Result<(), &'static str>,
    /// Reads one message of a stream.
    pub(super) event: fn(&Value, &mut ReplyBuilder) -> Result<(), &'static str>,
}

/// What a body is made of.
pub(super) struct Asked<'a> {
    pub(super) model: &'a str,
    pub(super) request: &'a Request,
    pub(super) streamed: bool,
    pub(super) learned: Quirks,
}

/// A model behind a server.
pub(super) struct HttpModel {
    protocol: &'static Protocol,
    model: String,
    url: Url,
    client: Client,
    headers: HeaderMap,
    has_key: bool,
    /// The key, and what the base URL has of a password or a key.
    secrets: Secrets,
    options: ProviderOptions,
    price: Option<Price>,
    /// What the server has said that this model does not take.
    learned: Mutex<Quirks>,
}

impl HttpModel {
    /// Prepares the connection; nothing is sent yet.
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
        let key = (protocol.key)(&options.keys).cloned();
        let (kind, variable) = (protocol.kind, protocol.variable);
        if protocol.is_paid && key.is_none() && options.base_url.is_none() {
            return Err(unusable(format!("no key for `{kind}:{model}`")).with_help(format!(
                "set {variable}, or give the base URL of a server that needs none",
            )));
        }
        let Some(headers) = (protocol.headers)(key.as_ref()) else {
            return Err(unusable("the key holds characters that no key has".to_string())
                .with_help(format!("look for line breaks and quotes in {variable}")));
        };
        let client = client(&url).map_err(unusable)?;
        let mut secrets = Secrets::default();
        if let Some(key) = &key {
            secrets.add("key", key.expose_secret());
        }
        secrets.add_url("url", &url);
        let has_key = key.is_some();
        let is_own = protocol.is_paid
            && Url::parse(protocol.base).is_ok_and(|own| own.host_str() == url.host_str());
        let prices = match &options.prices {
            Some(path) => Prices::read(path)?,
            None if is_own => Prices::built_in(),
            None => Prices::default(),
        };
        let price = prices.of(model);
        let (model, options, learned) = (model.to_string(), options.clone(), Mutex::default());
        Ok(HttpModel {
            protocol,
            model,
            url,
            client,
            headers,
            has_key,
            secrets,
            options,
            price,
            learned,
        })
    }

    /// Makes attempts until one gives a reply, or fails for good, or was the last.
    async fn attempts(
        &self,
        request: &Request,
        mut told: StreamRelay<'_>,
    ) -> Result<Reply, ProviderError> {
        let mut delay = self.options.retry_delay;
        let mut attempt = 1;
        loop {
            let learned = *self.learned();
            let asked =
                Asked { model: &self.model, request, streamed: told.is_streamed(), learned };
            let body = (self.protocol.body)(&asked).map_err(|what| {
                let (kind, model) = (self.protocol.kind, &self.model);
                let message = format!("`{kind}:{model}` {what}");
                self.with_help(ProviderError::new(ProviderErrorKind::Rejected, message))
            })?;
            told.restart();
            let mut error = match self.attempt(&body.to_string(), &mut told).await {
                Ok(reply) => return Ok(reply),
                Err(error) => error,
            };
            error.message = self.scrub(&error.message);
            // What was learned makes another request of it, and one that it can be learned from only once.
            if error.kind == ProviderErrorKind::Rejected
                && let Some(learned) = learned.with(&body, &error.message)
            {
                *self.learned() = learned;
                continue;
            }
            let too_long = error.retry_after.is_some_and(|it| it > MAX_WAIT);
            if !error.kind.is_transient() || too_long || attempt >= self.options.attempts {
                return Err(self.give_up(error, attempt));
            }
            told.retry(&error, attempt, self.options.attempts);
            tokio::time::sleep(wait(delay, error.retry_after, random())).await;
            delay = delay.saturating_mul(2).min(MAX_WAIT);
            attempt += 1;
        }
    }

    fn learned(&self) -> std::sync::MutexGuard<'_, Quirks> {
        self.learned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn give_up(&self, mut error: ProviderError, attempts: u32) -> ProviderError {
        if attempts > 1 {
            error.message = format!("{} (after {attempts} attempts)", error.message);
        }
        self.with_help(error)
    }

    async fn attempt(
        &self,
        body: &str,
        told: &mut StreamRelay<'_>,
    ) -> Result<Reply, ProviderError> {
        let timeout = self.options.request_timeout;
        match tokio::time::timeout(timeout, self.exchange(body, told)).await {
            Ok(result) => result,
            Err(_) => Err(ProviderError::new(
                ProviderErrorKind::Timeout,
                format!("no complete reply from {} within {timeout:?}", place(&self.url)),
            )),
        }
    }

    async fn exchange(
        &self,
        body: &str,
        told: &mut StreamRelay<'_>,
    ) -> Result<Reply, ProviderError> {
        let request = self.client.post(self.url.clone()).headers(self.headers.clone());
        let request = request.header(CONTENT_TYPE, "application/json").body(body.to_string());
        let mut response = request.send().await.map_err(|error| self.broken(&error))?;
        let status = response.status();
        if !status.is_success() {
            let retry_after = retry_after(response.headers());
            let body = self.read(&mut response).await?;
            let mut error = self.refused(status, &body);
            error.retry_after = retry_after;
            return Err(error);
        }
        // A server that does not know of streams answers with the whole.
        let heard = if told.is_streamed() && !is_whole(&response) {
            self.listen(&mut response, told).await?
        } else {
            let heard = self.whole(&self.read(&mut response).await?)?;
            told.hear(heard.text());
            told.end();
            heard
        };
        let (mut reply, tokens) = heard.reply();
        reply.text = self.scrub(&reply.text);
        reply.usage = tokens.usage(self.price);
        Ok(reply)
    }

    /// Asks for the list of models, which costs nothing.
    async fn look(&self) -> Result<Checked, ProviderError> {
        let (path, list, name) = self.protocol.list;
        let mut url = self.url.clone();
        let before = url.path().strip_suffix(self.protocol.path).unwrap_or_default().to_string();
        url.set_path(&format!("{before}{path}"));
        let request = self.client.get(url.clone()).headers(self.headers.clone());
        let mut response = request.send().await.map_err(|error| self.broken(&error))?;
        let status = response.status();
        let body = self.read(&mut response).await?;
        let (server, model) = (place(&url), &self.model);
        let found = |message, is_certain| Ok(Checked { message, is_certain });
        if matches!(status.as_u16(), 404 | 405 | 501) {
            return found(format!("{server} answers and has no list of models"), false);
        }
        if !status.is_success() {
            return Err(self.refused(status, &body));
        }
        let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
        let Some(models) = body.get(list).and_then(Value::as_array) else {
            let message = format!("{server} answers with something else than a list of models");
            return found(message, false);
        };
        // Ollama adds a tag to a name that has none.
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

    /// Returns the next bytes, if they are not too many together with those before.
    async fn chunk(
        &self,
        response: &mut Response,
        before: usize,
    ) -> Result<Option<impl AsRef<[u8]> + use<>>, ProviderError> {
        let chunk = response.chunk().await.map_err(|error| self.broken(&error))?;
        if chunk.as_ref().is_some_and(|it| before + it.len() > MAX_BODY) {
            return Err(ProviderError::new(
                ProviderErrorKind::Malformed,
                format!("the reply of {} is longer than {MAX_BODY} bytes", place(&self.url)),
            ));
        }
        Ok(chunk)
    }

    fn whole(&self, body: &[u8]) -> Result<ReplyBuilder, ProviderError> {
        let text = || String::from_utf8_lossy(body);
        let json: Value =
            serde_json::from_slice(body).map_err(|_| self.malformed("no JSON", &text()))?;
        // OpenRouter has errors with the status of success.
        if let Some(refusal) = Refusal::read(&json) {
            return Err(self.refusal(&refusal, "in the reply"));
        }
        let mut heard = ReplyBuilder::default();
        (self.protocol.read)(&json, &mut heard).map_err(|what| self.malformed(what, &text()))?;
        heard.end();
        Ok(heard)
    }

    async fn listen(
        &self,
        response: &mut Response,
        told: &mut StreamRelay<'_>,
    ) -> Result<ReplyBuilder, ProviderError> {
        let mut decoder = Decoder::new(self.protocol.framing);
        let mut heard = ReplyBuilder::default();
        // What came before the first message: it may be something else than a stream.
        let mut before = Some(Vec::new());
        let (mut length, mut told_to) = (0, 0);
        let mut tell = |heard: &ReplyBuilder| {
            let text = heard.text();
            told.hear(text.get(told_to..).unwrap_or_default());
            told_to = text.len();
        };
        // Some servers leave the connection open behind the last message.
        while !heard.over
            && let Some(chunk) = self.chunk(response, length).await?
        {
            length += chunk.as_ref().len();
            if let Some(before) = &mut before {
                before.extend_from_slice(chunk.as_ref());
            }
            for message in decoder.feed(chunk.as_ref()) {
                if !heard.over {
                    before = None;
                    self.message(&message, &mut heard)?;
                    tell(&heard);
                    // Telling may take long, and a chunk may have many messages: time limits and signals hold.
                    yield_now().await;
                }
            }
        }
        // Half a message means that the connection broke, not that the server talks nonsense.
        if !heard.over
            && let Some(message) = decoder.end().filter(|it| is_message(it))
        {
            self.message(&message, &mut heard)?;
        }
        if let Some(body) = before.filter(|_| !heard.over && decoder.is_foreign()) {
            let heard = self.whole(&body)?;
            told.hear(heard.text());
            told.end();
            return Ok(heard);
        }
        if heard.finish.is_none() && !heard.over {
            return Err(ProviderError::new(
                ProviderErrorKind::Network,
                format!("the stream of {} ended before the reply did", place(&self.url)),
            ));
        }
        heard.end();
        tell(&heard);
        told.end();
        Ok(heard)
    }

    fn message(&self, message: &[u8], heard: &mut ReplyBuilder) -> Result<(), ProviderError> {
        if message == b"[DONE]" {
            heard.over = true;
            return Ok(());
        }
        let text = || String::from_utf8_lossy(message);
        let json: Value =
            serde_json::from_slice(message).map_err(|_| self.malformed("no JSON", &text()))?;
        if let Some(refusal) = Refusal::read(&json) {
            return Err(self.refusal(&refusal, "in the stream"));
        }
        (self.protocol.event)(&json, heard).map_err(|what| self.malformed(what, &text()))
    }

    fn malformed(&self, what: &str, said: &str) -> ProviderError {
        // Scrubbed before it is cut: half a key is a leak too.
        let (place, start) = (place(&self.url), cut(&self.scrub(said), 200));
        let reply = self.protocol.reply;
        let message = format!("{place} did not answer with {reply}: {what}: {start}");
        ProviderError::new(ProviderErrorKind::Malformed, message)
    }

    fn refused(&self, status: StatusCode, body: &[u8]) -> ProviderError {
        let json: Value = serde_json::from_slice(body).unwrap_or(Value::Null);
        let mut refusal = Refusal::read(&json).unwrap_or_default();
        if refusal.message.is_empty() {
            refusal.message = String::from_utf8_lossy(body).into_owned();
        }
        refusal.status = Some(status.as_u16());
        self.refusal(&refusal, &format!("HTTP {status}"))
    }

    fn refusal(&self, refusal: &Refusal, place_said: &str) -> ProviderError {
        let kind = refusal.kind();
        let what = match kind {
            ProviderErrorKind::Auth => "does not accept the key",
            ProviderErrorKind::Quota => "says that there is no credit left",
            ProviderErrorKind::Rate => "wants fewer requests",
            ProviderErrorKind::Model => "does not know the model or the address",
            ProviderErrorKind::Context => "finds the conversation too long",
            ProviderErrorKind::Filtered => "holds back what its content filter finds",
            ProviderErrorKind::Server => "failed",
            _ => "refused the request",
        };
        let (at, model) = (place(&self.url), &self.model);
        let mut message = format!("{at} {what} ({place_said}, model `{model}`)");
        let said = cut(&self.scrub(&refusal.message), 400);
        if !said.is_empty() {
            message = format!("{message}: {said}");
        }
        ProviderError::new(kind, message)
    }

    fn broken(&self, error: &reqwest::Error) -> ProviderError {
        let (kind, what) = if error.is_connect() {
            (ProviderErrorKind::Network, "cannot connect to")
        } else if error.is_timeout() {
            (ProviderErrorKind::Timeout, "no complete reply in time from")
        } else {
            (ProviderErrorKind::Network, "the connection broke to")
        };
        ProviderError::new(kind, format!("{what} {}: {}", place(&self.url), root_cause(error)))
    }

    /// Says what to do about an error.
    fn with_help(&self, error: ProviderError) -> ProviderError {
        let (variable, model) = (self.protocol.variable, &self.model);
        let help = match error.kind {
            ProviderErrorKind::Auth if !self.has_key => {
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
            ProviderErrorKind::Model if self.protocol.kind == "ollama" => {
                format!(
                    "see whether `ollama list` has `{model}`, or get it with `ollama pull {model}`"
                )
            }
            ProviderErrorKind::Model => "see whether the server has a model of this name, and \
                whether the base URL is right"
                .to_string(),
            ProviderErrorKind::Context => "take a model with a longer context, or make the prompt \
                shorter with the sizes under `[system]`"
                .to_string(),
            ProviderErrorKind::Filtered => "change what the prompt or the data says, or take \
                another model"
                .to_string(),
            ProviderErrorKind::Rejected => "see what it says; `temperature`, `max_tokens`, \
                `effort`, `grammar` and `transport` of the agent are what a model may not take"
                .to_string(),
            ProviderErrorKind::Timeout => {
                "raise `request_timeout`, or take a faster model".to_string()
            }
            ProviderErrorKind::Network => {
                "see whether the server runs and the base URL is right".to_string()
            }
            ProviderErrorKind::Malformed => {
                let kind = self.protocol.kind;
                format!("see whether the base URL is that of a server for `{kind}:` models")
            }
            ProviderErrorKind::Recording => return error,
        };
        error.with_help(help)
    }

    /// Replaces secrets wherever a server echoes them.
    fn scrub(&self, text: &str) -> String {
        self.secrets.clean(text).into_owned()
    }
}

impl Provider for HttpModel {
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        Box::pin(self.attempts(request, StreamRelay::nobody()))
    }

    fn check(&self) -> BoxFuture<'_, Result<Checked, ProviderError>> {
        Box::pin(async {
            let timeout = self.options.request_timeout.min(MAX_CHECK);
            let checked = tokio::time::timeout(timeout, self.look()).await.unwrap_or_else(|_| {
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
        let told = StreamRelay::new(on, request.streamed, &self.secrets);
        Box::pin(self.attempts(request, told))
    }

    fn price_of(&self, usage: &Usage) -> Option<Cost> {
        self.price?.cost(usage)
    }

    fn name(&self) -> String {
        format!("{}:{}", self.protocol.kind, self.model)
    }
}

/// Returns the address of the method: people paste it as often as that of the server, and with as much of the
/// path as they happen to know.
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

/// Returns the headers of a key that goes as a bearer token.
pub(super) fn bearer(key: Option<&SecretString>) -> Option<HeaderMap> {
    let mut headers = HeaderMap::new();
    if let Some(key) = key {
        let value = secret(&format!("Bearer {}", key.expose_secret()))?;
        headers.insert(reqwest::header::AUTHORIZATION, value);
    }
    Some(headers)
}

/// Returns the value of a header that nothing may show.
pub(super) fn secret(value: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(value).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// Says whether a message of a stream is whole.
fn is_message(message: &[u8]) -> bool {
    message == b"[DONE]" || serde_json::from_slice::<serde::de::IgnoredAny>(message).is_ok()
}

/// Says whether a reply that was to be a stream is none.
fn is_whole(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|it| it.to_str().ok());
    kind.is_some_and(|it| it.starts_with("application/json"))
}

/// Returns how long to wait: what the server asks for, or half of the delay, and up to another half of it, so that
/// those who were refused together do not come back together.
fn wait(delay: Duration, asked: Option<Duration>, random: u64) -> Duration {
    let half = delay / 2;
    let spread = half.mul_f64((random >> 11) as f64 / (1_u64 << 53) as f64);
    asked.unwrap_or(half).saturating_add(spread)
}

/// Returns bits that differ from process to process and from call to call: the standard library seeds its
/// hashers from the operating system. Nothing but a wait depends on them.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits() {
        let ms = Duration::from_millis;
        let check = |asked: Option<u64>, random: u64, expected: Duration| {
            assert_eq!(wait(ms(1000), asked.map(Duration::from_secs), random), expected);
        };
        check(None, 0, ms(500));
        check(None, 1 << 63, ms(750));
        check(None, u64::MAX, Duration::from_secs(1));
        check(Some(7), 0, ms(7000));
        check(Some(0), 1 << 63, ms(250));
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
