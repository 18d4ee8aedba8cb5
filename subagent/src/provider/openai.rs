//! Any server that speaks chat completions.

use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Response, StatusCode, Url};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value, json};

use super::spec::ProviderOptions;
use super::{
    BoxFuture, Checked, Finish, Parameters, Provider, ProviderError, ProviderErrorKind, Reply,
};
use super::{Request, Usage};
use crate::error::{Error, ErrorKind, cut};
use crate::http::{client, place, root_cause};

const DEFAULT_BASE_URL: &str = "https://api.openai.com/v1";

/// No honest reply of a model is longer; a server that goes on for ever must not fill the memory.
const MAX_BODY: usize = 16 << 20;

/// A list of models is there at once, or there is something wrong.
const MAX_CHECK: Duration = Duration::from_secs(10);

/// A server may ask for any wait; past this it is better to say that it is overloaded.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(30);

/// Shorter keys are placeholders for servers that want none ("none", "EMPTY"); replacing those in
/// every reply would damage ordinary words.
const SHORTEST_SECRET: usize = 8;

/// A model behind a chat-completions server.
#[derive(Debug)]
pub struct OpenAi {
    model: String,
    url: Url,
    client: Client,
    key: Option<SecretString>,
    options: ProviderOptions,
}

impl OpenAi {
    /// Prepares the connection; nothing is sent yet.
    pub fn new(model: &str, options: &ProviderOptions) -> Result<OpenAi, Error> {
        let unusable = |message: String| Error::new(ErrorKind::Model, message);
        let base = options.base_url.as_deref().unwrap_or(DEFAULT_BASE_URL);
        let url = endpoint(base)
            .ok_or_else(|| unusable(format!("`{base}` is not an http or https URL")))?;
        if options.key.is_none() && options.base_url.is_none() {
            return Err(unusable(format!("no key for `openai:{model}`")).with_help(
                "set OPENAI_API_KEY, or give the base URL of a server that needs none",
            ));
        }
        if let Some(key) = &options.key
            && authorization(key).is_none()
        {
            return Err(unusable("the key holds characters that no key has".to_string())
                .with_help("look for line breaks and quotes in OPENAI_API_KEY"));
        }
        let client = client(&url).map_err(unusable)?;
        let (model, key) = (model.to_string(), options.key.clone());
        Ok(OpenAi { model, url, client, key, options: options.clone() })
    }

    async fn with_retries(&self, request: &Request) -> Result<Reply, ProviderError> {
        let body = body(&self.model, request).to_string();
        let mut delay = self.options.retry_delay;
        let mut attempt = 1;
        loop {
            let error = match self.attempt(&body).await {
                Ok(reply) => return Ok(reply),
                Err(error) => error,
            };
            let too_long = error.retry_after.is_some_and(|it| it > MAX_RETRY_AFTER);
            if !error.kind.is_transient() || too_long || attempt >= self.options.attempts {
                return Err(self.give_up(error, attempt));
            }
            tokio::time::sleep(error.retry_after.unwrap_or(delay)).await;
            delay = delay.saturating_mul(2);
            attempt += 1;
        }
    }

    fn give_up(&self, mut error: ProviderError, attempts: u32) -> ProviderError {
        if attempts > 1 {
            error.message = format!("{} (after {attempts} attempts)", error.message);
        }
        error.message = self.scrub(&error.message);
        error
    }

    async fn attempt(&self, body: &str) -> Result<Reply, ProviderError> {
        let timeout = self.options.request_timeout;
        match tokio::time::timeout(timeout, self.exchange(body)).await {
            Ok(result) => result,
            Err(_) => Err(ProviderError::new(
                ProviderErrorKind::Timeout,
                format!("no complete reply from {} within {timeout:?}", place(&self.url)),
            )),
        }
    }

    async fn exchange(&self, body: &str) -> Result<Reply, ProviderError> {
        let mut request = self.client.post(self.url.clone()).body(body.to_string());
        request = request.header(CONTENT_TYPE, "application/json");
        if let Some(value) = self.key.as_ref().and_then(authorization) {
            request = request.header(AUTHORIZATION, value);
        }
        let mut response = request.send().await.map_err(|error| self.broken(&error))?;
        let status = response.status();
        let retry_after = retry_after(&response);
        let body = self.read(&mut response).await?;
        if !status.is_success() {
            let mut error = self.refused(status, &body);
            error.retry_after = retry_after;
            return Err(error);
        }
        self.reply(&body)
    }

    /// Asks for the list of models, which costs nothing.
    async fn look(&self) -> Result<Checked, ProviderError> {
        let mut url = self.url.clone();
        url.set_path(&url.path().replace("/chat/completions", "/models"));
        let mut request = self.client.get(url.clone());
        if let Some(value) = self.key.as_ref().and_then(authorization) {
            request = request.header(AUTHORIZATION, value);
        }
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
        let Some(models) = body.get("data").and_then(Value::as_array) else {
            return found(
                format!("{server} answers with something else than a list of models"),
                false,
            );
        };
        let has = |it: &Value| it.get("id").and_then(Value::as_str) == Some(model);
        if models.iter().any(has) {
            return found(format!("{server} has `{model}`"), true);
        }
        found(format!("{server} answers; `{model}` is not in its list of {}", models.len()), false)
    }

    async fn read(&self, response: &mut Response) -> Result<Vec<u8>, ProviderError> {
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.broken(&error))? {
            if body.len() + chunk.len() > MAX_BODY {
                return Err(ProviderError::new(
                    ProviderErrorKind::Malformed,
                    format!("the reply of {} is longer than {MAX_BODY} bytes", place(&self.url)),
                ));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    fn reply(&self, body: &[u8]) -> Result<Reply, ProviderError> {
        let malformed = |what: &str| {
            // Scrubbed before it is cut: half a key is a leak too.
            let start = cut(&self.scrub(&String::from_utf8_lossy(body)), 200);
            ProviderError::new(
                ProviderErrorKind::Malformed,
                format!(
                    "{} did not answer with a chat completion: {what}: {start}",
                    place(&self.url)
                ),
            )
        };
        let body: Value = serde_json::from_slice(body).map_err(|_| malformed("no JSON"))?;
        let choice = body.pointer("/choices/0").ok_or_else(|| malformed("no `choices`"))?;
        let message = choice.get("message").ok_or_else(|| malformed("no `message`"))?;
        let text = match message.get("content") {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Array(parts)) => {
                parts.iter().filter_map(|it| it.get("text")?.as_str()).collect()
            }
            // A refusal or an empty reply: the turn loop says what is wanted instead.
            None | Some(Value::Null) => {
                message.get("refusal").and_then(Value::as_str).unwrap_or_default().to_string()
            }
            Some(_) => return Err(malformed("`content` is no text")),
        };
        let finish = match choice.get("finish_reason").and_then(Value::as_str) {
            Some("stop") => Finish::Stop,
            Some("length") => Finish::Length,
            Some("content_filter") => Finish::Filtered,
            _ => Finish::Other,
        };
        let tokens = |name| body.pointer(&format!("/usage/{name}")).and_then(Value::as_u64);
        let usage = match (tokens("prompt_tokens"), tokens("completion_tokens")) {
            (None, None) => None,
            (input, output) => {
                let (input_tokens, output_tokens) = (input.unwrap_or(0), output.unwrap_or(0));
                Some(Usage { input_tokens, output_tokens, cost: None })
            }
        };
        Ok(Reply { text: self.scrub(&text), usage, finish })
    }

    fn refused(&self, status: StatusCode, body: &[u8]) -> ProviderError {
        let body_text = String::from_utf8_lossy(body);
        let json: Value = serde_json::from_slice(body).unwrap_or(Value::Null);
        let field = |name: &str| json.pointer(&format!("/error/{name}")).and_then(Value::as_str);
        let said = field("message").or_else(|| json.get("error")?.as_str());
        let said = cut(&self.scrub(said.unwrap_or(&body_text)), 400);
        let code = field("code").or_else(|| field("type")).unwrap_or_default();
        let (kind, what) = match status.as_u16() {
            401 | 403 => (ProviderErrorKind::Auth, "does not accept the key"),
            402 => (ProviderErrorKind::Quota, "says that there is no credit left"),
            429 if code == "insufficient_quota" => {
                (ProviderErrorKind::Quota, "says that there is no credit left")
            }
            429 => (ProviderErrorKind::Rate, "wants fewer requests"),
            404 => (ProviderErrorKind::Model, "does not know the model or the address"),
            400 if code == "model_not_found" => {
                (ProviderErrorKind::Model, "does not know the model")
            }
            408 | 500..=599 => (ProviderErrorKind::Server, "failed"),
            _ => (ProviderErrorKind::Rejected, "refused the request"),
        };
        let model = &self.model;
        let mut message = format!("{} {what} (HTTP {status}, model `{model}`)", place(&self.url));
        if !said.is_empty() {
            message = format!("{message}: {said}");
        }
        if kind == ProviderErrorKind::Auth && self.key.is_none() {
            message = format!("{message}; OPENAI_API_KEY is not set");
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

    /// Replaces the key wherever a server echoes it.
    fn scrub(&self, text: &str) -> String {
        match &self.key {
            Some(key) if key.expose_secret().len() >= SHORTEST_SECRET => {
                text.replace(key.expose_secret(), "[key]")
            }
            _ => text.to_string(),
        }
    }
}

impl Provider for OpenAi {
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        Box::pin(self.with_retries(request))
    }

    fn name(&self) -> String {
        format!("openai:{}", self.model)
    }

    fn check(&self) -> BoxFuture<'_, Result<Checked, ProviderError>> {
        Box::pin(async {
            let timeout = self.options.request_timeout.min(MAX_CHECK);
            match tokio::time::timeout(timeout, self.look()).await {
                Ok(result) => result,
                Err(_) => Err(ProviderError::new(
                    ProviderErrorKind::Timeout,
                    format!("no answer from {} within {timeout:?}", place(&self.url)),
                )),
            }
        })
    }
}

fn endpoint(base: &str) -> Option<Url> {
    let mut url = Url::parse(base.trim()).ok()?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return None;
    }
    let path = url.path().trim_end_matches('/');
    // People paste the address of the method as often as that of the server.
    if !path.ends_with("/chat/completions") {
        let path = format!("{path}/chat/completions");
        url.set_path(&path);
    }
    Some(url)
}

fn authorization(key: &SecretString) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(&format!("Bearer {}", key.expose_secret())).ok()?;
    value.set_sensitive(true);
    Some(value)
}

fn body(model: &str, request: &Request) -> Value {
    let mut messages = vec![json!({"role": "system", "content": request.system})];
    messages.extend(
        request.messages.iter().map(|it| json!({"role": it.role.as_str(), "content": it.text})),
    );
    let mut body = Map::new();
    body.insert("model".to_string(), model.into());
    body.insert("messages".to_string(), messages.into());
    let Parameters { temperature, max_tokens, effort } = request.parameters;
    if let Some(temperature) = temperature {
        body.insert("temperature".to_string(), temperature.into());
    }
    if let Some(max_tokens) = max_tokens {
        body.insert("max_tokens".to_string(), max_tokens.into());
    }
    if let Some(effort) = effort {
        let word = match effort {
            0..=33 => "low",
            34..=66 => "medium",
            _ => "high",
        };
        body.insert("reasoning_effort".to_string(), word.into());
    }
    if let Some(grammar) = &request.grammar {
        body.insert("grammar".to_string(), grammar.as_str().into());
    }
    Value::Object(body)
}

/// Reads the form in seconds; the form with a date needs a clock that agrees with the server's.
fn retry_after(response: &Response) -> Option<Duration> {
    let seconds: u64 = response.headers().get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}
