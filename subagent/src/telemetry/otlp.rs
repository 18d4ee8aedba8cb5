//! An exporter of spans to a collector: OTLP as protobuf over HTTP, with the client that providers use.

use std::env;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use opentelemetry::trace::TracerProvider as _;
use opentelemetry::{Array, InstrumentationScope, Key, StringValue, Value};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{
    OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TIMEOUT, OTEL_EXPORTER_OTLP_TIMEOUT_DEFAULT,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_TIMEOUT, RetryPolicy,
    WithExportConfig as _, WithHttpConfig as _,
};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData, SpanExporter};
use reqwest::Url;
use tokio::runtime::Handle;
use tracing::Dispatch;
use tracing_subscriber::Registry;
use tracing_subscriber::layer::SubscriberExt as _;

use super::Spans;
use crate::error::{Error, ErrorKind};
use crate::http::{self, root_cause};
use crate::provider::BoxFuture;

/// An exporter that sends the spans of runs to a collector. It sends them in batches while runs continue.
///
/// OpenTelemetry's variables for exporters apply: headers (`OTEL_EXPORTER_OTLP_HEADERS`), the timeout of a request
/// (`OTEL_EXPORTER_OTLP_TIMEOUT`), the resource (`OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`), sampling
/// (`OTEL_TRACES_SAMPLER`) and batches (`OTEL_BSP_…`). The same variables with `_TRACES` in their names apply too.
///
/// [`Otlp::finish`] sends the remaining spans. Without it, spans may be lost, and dropping the exporter may take
/// seconds.
pub struct Otlp {
    place: String,
    provider: SdkTracerProvider,
    subscriber: Dispatch,
    has_contents: bool,
    errors: SendErrors,
}

/// The maximum wait of [`Otlp::finish`].
const LAST_WAIT: Duration = Duration::from_secs(3);

impl Otlp {
    /// Creates an exporter if the environment requests one. `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` is the address of the
    /// collector. Otherwise `OTEL_EXPORTER_OTLP_ENDPOINT` is the address for all signals, to which `/v1/traces` is
    /// added. `service` is the name of the service, unless the environment sets one.
    ///
    /// Returns `None` with `OTEL_SDK_DISABLED=true` or `OTEL_TRACES_EXPORTER=none`. Spans have
    /// [contents](Spans::with_contents) if `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` is `true`, `span_only`
    /// or `span_and_event`. Call this inside a tokio runtime.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Telemetry`] if the endpoint is not a URL or the exporter cannot start.
    pub fn from_env(service: &str) -> Result<Option<Otlp>, Error> {
        let is = |name: &str, values: &[&str]| {
            let value = variable(name).unwrap_or_default();
            values.iter().any(|it| value.eq_ignore_ascii_case(it))
        };
        if is("OTEL_SDK_DISABLED", &["true"]) || is("OTEL_TRACES_EXPORTER", &["none"]) {
            return Ok(None);
        }
        let for_all_signals = || {
            let base = variable(OTEL_EXPORTER_OTLP_ENDPOINT)?;
            Some(format!("{}/v1/traces", base.trim_end_matches('/')))
        };
        let Some(endpoint) = variable(OTEL_EXPORTER_OTLP_TRACES_ENDPOINT).or_else(for_all_signals)
        else {
            return Ok(None);
        };
        let contents = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";
        let has_contents = is(contents, &["true", "span_only", "span_and_event"]);
        Ok(Some(Otlp::new(&endpoint, service)?.with_contents(has_contents)))
    }

    /// Creates an exporter to an address such as `http://localhost:4318/v1/traces`. Call this inside a tokio runtime.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Telemetry`] if the endpoint is not a URL or the exporter cannot start.
    pub fn new(endpoint: &str, service: &str) -> Result<Otlp, Error> {
        let url = Url::parse(endpoint.trim())
            .ok()
            .filter(|it| matches!(it.scheme(), "http" | "https") && it.has_host())
            .ok_or_else(|| failed("spans cannot be sent: the endpoint is not a URL"))
            .map_err(|error| error.with_help("give one like `http://localhost:4318`"))?;
        let place = http::place(&url);
        let unable = |why: String| failed(format!("spans cannot be sent to {place}: {why}"));
        let runtime = Handle::try_current().map_err(|error| unable(error.to_string()))?;
        let client = http::client(&url).map_err(unable)?;
        let (errors, timeout) = (SendErrors::default(), request_timeout());
        let http = Http { client, runtime, timeout, errors: errors.clone() };
        let exporter = opentelemetry_otlp::SpanExporter::builder()
            .with_http()
            .with_http_client(http)
            .with_endpoint(url.as_str())
            .with_timeout(timeout)
            // One retry only: an unreachable collector must not delay the end of a run for long.
            .with_retry_policy(RetryPolicy::recommended().with_max_retries(1))
            .build()
            .map_err(|error| unable(error.to_string()))?;
        let provider = SdkTracerProvider::builder()
            .with_resource(resource(service))
            .with_batch_exporter(Sender { exporter, errors: errors.clone() })
            .build();
        let scope = InstrumentationScope::builder("ptc_subagent")
            .with_version(env!("CARGO_PKG_VERSION"))
            .build();
        // Without `tracing`'s own attributes: source location, thread and target say nothing about a run.
        let layer = tracing_opentelemetry::layer()
            .with_tracer(provider.tracer_with_scope(scope))
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_tracked_inactivity(false);
        let subscriber = Dispatch::new(Registry::default().with(layer));
        Ok(Otlp { place, provider, subscriber, has_contents: false, errors })
    }

    /// Sets whether spans have contents. See [`Spans::with_contents`].
    #[must_use]
    pub fn with_contents(mut self, has_contents: bool) -> Otlp {
        self.has_contents = has_contents;
        self
    }

    /// Creates an observer that turns the events of a mission into exported spans. Each mission needs its own.
    pub fn spans(&self) -> Spans {
        Spans::to(self.subscriber.clone()).with_contents(self.has_contents)
    }

    /// Sends the remaining spans. It waits for at most three seconds.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Telemetry`] with the reason that spans were lost.
    pub async fn finish(self) -> Result<(), Error> {
        let provider = self.provider;
        let close = move || provider.shutdown_with_timeout(LAST_WAIT);
        let closed = tokio::task::spawn_blocking(close).await;
        let why = self.errors.first_loss().or_else(|| match closed {
            Ok(Ok(())) => None,
            _ => Some(format!("no answer within {LAST_WAIT:?}")),
        });
        why.map_or(Ok(()), |why| {
            let place = self.place;
            Err(failed(format!("spans were not sent to {place}: {why}")).with_help(
                "a collector takes them as protobuf over HTTP, most of them at port 4318",
            ))
        })
    }
}

impl fmt::Debug for Otlp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Otlp").field("place", &self.place).finish_non_exhaustive()
    }
}

#[cold]
fn failed(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Telemetry, message)
}

/// Returns the trimmed value of an environment variable, or `None` if it is unset or blank.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().map(|it| it.trim().to_string()).filter(|it| !it.is_empty())
}

/// Returns the timeout of a request.
fn request_timeout() -> Duration {
    let names = [OTEL_EXPORTER_OTLP_TRACES_TIMEOUT, OTEL_EXPORTER_OTLP_TIMEOUT];
    let set = names.iter().find_map(|name| variable(name)?.parse().ok());
    set.map_or(OTEL_EXPORTER_OTLP_TIMEOUT_DEFAULT, Duration::from_millis)
}

/// Returns the resource that the environment defines. It always has the name of a service.
fn resource(service: &str) -> Resource {
    let found = Resource::builder().build();
    let name = found.get(&Key::new("service.name"));
    if name.is_none_or(|it| it.as_str().starts_with("unknown_service")) {
        return Resource::builder().with_service_name(service.to_string()).build();
    }
    found
}

/// The errors of sending: the newest error of a request, and the first error that lost spans. A failed request may be
/// retried, so its error alone does not mean a loss.
#[derive(Clone, Debug, Default)]
struct SendErrors(Arc<Mutex<(Option<String>, Option<String>)>>);

impl SendErrors {
    fn record_request(&self, why: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0 = Some(why);
    }

    fn record_batch(&self, why: &dyn fmt::Display) {
        let mut errors = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let why = errors.0.take().unwrap_or_else(|| why.to_string());
        errors.1.get_or_insert(why);
    }

    fn first_loss(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1.clone()
    }
}

/// An exporter that adds the list attributes, which `tracing` cannot hold, and keeps errors.
#[derive(Debug)]
struct Sender {
    exporter: opentelemetry_otlp::SpanExporter,
    errors: SendErrors,
}

impl SpanExporter for Sender {
    async fn export(&self, mut batch: Vec<SpanData>) -> OTelSdkResult {
        batch.iter_mut().for_each(make_lists);
        let sent = self.exporter.export(batch).await;
        if let Err(error) = &sent {
            self.errors.record_batch(error);
        }
        sent
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}

/// Turns the finish reasons into a list, because a field of `tracing` cannot hold one.
fn make_lists(span: &mut SpanData) {
    let texts = span.attributes.iter_mut();
    for it in texts.filter(|it| it.key.as_str() == "gen_ai.response.finish_reasons") {
        if let Ok(list) = serde_json::from_str::<Vec<String>>(&it.value.as_str()) {
            let list = list.into_iter().map(StringValue::from).collect();
            it.value = Value::Array(Array::String(list));
        }
    }
}

/// An HTTP client on the runtime that created the exporter. The thread that sends batches has no runtime.
#[derive(Debug)]
struct Http {
    client: reqwest::Client,
    runtime: Handle,
    timeout: Duration,
    errors: SendErrors,
}

/// The maximum size of a response that is read, in bytes. Its contents are not needed.
const MAX_ANSWER: usize = 64 << 10;

impl HttpClient for Http {
    // The signature is the expansion of `async_trait`, with which the trait is declared.
    fn send_bytes<'a, 'future>(
        &'a self,
        request: Request<Bytes>,
    ) -> BoxFuture<'future, Result<Response<Bytes>, HttpError>>
    where
        'a: 'future,
        Self: 'future,
    {
        let (client, timeout) = (self.client.clone(), self.timeout);
        let asked = self.runtime.spawn(async move {
            let mut request = reqwest::Request::try_from(request)?;
            *request.timeout_mut() = Some(timeout);
            let mut answer = client.execute(request).await?;
            let mut response = Response::builder().status(answer.status());
            if let Some(headers) = response.headers_mut() {
                headers.clone_from(answer.headers());
            }
            let mut body = Vec::new();
            while let Some(part) = answer.chunk().await? {
                body.extend_from_slice(&part);
                if body.len() > MAX_ANSWER {
                    body.clear();
                    break;
                }
            }
            Ok::<_, reqwest::Error>((response, body))
        });
        Box::pin(async move {
            let answered = asked.await.map_err(|_| {
                self.errors.record_request("the runtime has ended".to_string());
                "the runtime has ended"
            })?;
            match answered {
                Ok((response, body)) => {
                    let response = response.body(Bytes::from(body))?;
                    if !response.status().is_success() {
                        self.errors.record_request(format!("the answer was {}", response.status()));
                    }
                    Ok(response)
                }
                Err(error) => {
                    self.errors.record_request(if error.is_timeout() {
                        format!("no answer within {:?}", self.timeout)
                    } else {
                        root_cause(&error)
                    });
                    Err(error.into())
                }
            }
        })
    }
}
