//! Spans to a collector: OTLP as protobuf over HTTP, by the client that providers use.

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

/// Sends the spans of runs to a collector, in batches, beside the runs.
///
/// The variables that OpenTelemetry has for exporters apply: headers (`OTEL_EXPORTER_OTLP_HEADERS`), the time of a
/// request (`OTEL_EXPORTER_OTLP_TIMEOUT`), resource (`OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`), sampling
/// (`OTEL_TRACES_SAMPLER`), batches (`OTEL_BSP_…`), and the same with `_TRACES` in their names.
///
/// [`Otlp::finish`] sends what is left at the end. Without it spans may be lost, and dropping this may take seconds.
pub struct Otlp {
    place: String,
    provider: SdkTracerProvider,
    subscriber: Dispatch,
    has_contents: bool,
    trouble: Trouble,
}

/// The longest that [`Otlp::finish`] waits.
const LAST_WAIT: Duration = Duration::from_secs(3);

impl Otlp {
    /// Makes an exporter if the environment asks for one: `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` is the address of the
    /// collector, or `OTEL_EXPORTER_OTLP_ENDPOINT` that of all signals, where `/v1/traces` is added. `service` is the
    /// name of the service, unless the environment has one.
    ///
    /// There is none with `OTEL_SDK_DISABLED=true` or `OTEL_TRACES_EXPORTER=none`. Spans have
    /// [contents](Spans::with_contents) if `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` is `true`, `span_only`
    /// or `span_and_event`. To be called inside of a tokio runtime.
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
        let of_all = || {
            let base = variable(OTEL_EXPORTER_OTLP_ENDPOINT)?;
            Some(format!("{}/v1/traces", base.trim_end_matches('/')))
        };
        let Some(endpoint) = variable(OTEL_EXPORTER_OTLP_TRACES_ENDPOINT).or_else(of_all) else {
            return Ok(None);
        };
        let contents = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";
        let has_contents = is(contents, &["true", "span_only", "span_and_event"]);
        Ok(Some(Otlp::new(&endpoint, service)?.with_contents(has_contents)))
    }

    /// Makes an exporter to an address, `http://localhost:4318/v1/traces`. To be called inside of a tokio runtime.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Telemetry`] if the endpoint is not a URL or the exporter cannot start.
    pub fn new(endpoint: &str, service: &str) -> Result<Otlp, Error> {
        let url = Url::parse(endpoint.trim())
            .ok()
            .filter(|it| matches!(it.scheme(), "http" | "https") && it.has_host())
            .ok_or_else(|| failed("spans cannot be sent: the endpoint is no address"))
            .map_err(|error| error.with_help("give one like `http://localhost:4318`"))?;
        let place = http::place(&url);
        let unable = |why: String| failed(format!("spans cannot be sent to {place}: {why}"));
        let runtime = Handle::try_current().map_err(|error| unable(error.to_string()))?;
        let client = http::client(&url).map_err(unable)?;
        let (trouble, timeout) = (Trouble::default(), request_timeout());
        let http = Http { client, runtime, timeout, trouble: trouble.clone() };
        let exporter = opentelemetry_otlp::SpanExporter::builder()
            .with_http()
            .with_http_client(http)
            .with_endpoint(url.as_str())
            .with_timeout(timeout)
            // A collector that is not there must not hold up the end of a run for long.
            .with_retry_policy(RetryPolicy::recommended().with_max_retries(1))
            .build()
            .map_err(|error| unable(error.to_string()))?;
        let provider = SdkTracerProvider::builder()
            .with_resource(resource(service))
            .with_batch_exporter(Sender { exporter, trouble: trouble.clone() })
            .build();
        let scope = InstrumentationScope::builder("ptc_subagent")
            .with_version(env!("CARGO_PKG_VERSION"))
            .build();
        // What `tracing` knows besides is of no use here: where spans are made, and on which thread.
        let layer = tracing_opentelemetry::layer()
            .with_tracer(provider.tracer_with_scope(scope))
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_tracked_inactivity(false);
        let subscriber = Dispatch::new(Registry::default().with(layer));
        Ok(Otlp { place, provider, subscriber, has_contents: false, trouble })
    }

    /// Sets whether spans have what was said: see [`Spans::with_contents`].
    #[must_use]
    pub fn with_contents(mut self, has_contents: bool) -> Otlp {
        self.has_contents = has_contents;
        self
    }

    /// Makes what turns the events of a mission into spans that are sent. Each mission needs its own.
    pub fn spans(&self) -> Spans {
        Spans::to(self.subscriber.clone()).with_contents(self.has_contents)
    }

    /// Sends the remaining spans. Waits for three seconds at most.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Telemetry`] says why spans were lost.
    pub async fn finish(self) -> Result<(), Error> {
        let provider = self.provider;
        let close = move || provider.shutdown_with_timeout(LAST_WAIT);
        let closed = tokio::task::spawn_blocking(close).await;
        let why = self.trouble.first().or_else(|| match closed {
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

/// Returns what a variable is set to; an empty one is none.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().map(|it| it.trim().to_string()).filter(|it| !it.is_empty())
}

/// The longest that a request may take.
fn request_timeout() -> Duration {
    let names = [OTEL_EXPORTER_OTLP_TRACES_TIMEOUT, OTEL_EXPORTER_OTLP_TIMEOUT];
    let set = names.iter().find_map(|name| variable(name)?.parse().ok());
    set.map_or(OTEL_EXPORTER_OTLP_TIMEOUT_DEFAULT, Duration::from_millis)
}

/// Who sends: what the environment says, and a name in any case.
fn resource(service: &str) -> Resource {
    let found = Resource::builder().build();
    let name = found.get(&Key::new("service.name"));
    if name.is_none_or(|it| it.as_str().starts_with("unknown_service")) {
        return Resource::builder().with_service_name(service.to_string()).build();
    }
    found
}

/// What went wrong: the newest error of a request, and the first that made spans be lost. A request that goes wrong
/// may be made again.
#[derive(Clone, Debug, Default)]
struct Trouble(Arc<Mutex<(Option<String>, Option<String>)>>);

impl Trouble {
    fn of_request(&self, why: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0 = Some(why);
    }

    fn of_batch(&self, why: &dyn fmt::Display) {
        let mut trouble = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let why = trouble.0.take().unwrap_or_else(|| why.to_string());
        trouble.1.get_or_insert(why);
    }

    fn first(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1.clone()
    }
}

/// The exporter, which does what `tracing` cannot, and remembers what went wrong.
#[derive(Debug)]
struct Sender {
    exporter: opentelemetry_otlp::SpanExporter,
    trouble: Trouble,
}

impl SpanExporter for Sender {
    async fn export(&self, mut batch: Vec<SpanData>) -> OTelSdkResult {
        batch.iter_mut().for_each(make_lists);
        let sent = self.exporter.export(batch).await;
        if let Err(error) = &sent {
            self.trouble.of_batch(error);
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

/// Makes a list of the one attribute that is to be one: a field of `tracing` cannot hold it.
fn make_lists(span: &mut SpanData) {
    let texts = span.attributes.iter_mut();
    for it in texts.filter(|it| it.key.as_str() == "gen_ai.response.finish_reasons") {
        if let Ok(list) = serde_json::from_str::<Vec<String>>(&it.value.as_str()) {
            let list = list.into_iter().map(StringValue::from).collect();
            it.value = Value::Array(Array::String(list));
        }
    }
}

/// The client that providers use, on the runtime of whoever made the exporter: batches are sent by a thread that has
/// none.
#[derive(Debug)]
struct Http {
    client: reqwest::Client,
    runtime: Handle,
    timeout: Duration,
    trouble: Trouble,
}

/// The most of an answer that is read; nothing in it is needed.
const MAX_ANSWER: usize = 64 << 10;

impl HttpClient for Http {
    // As `async_trait` writes it, which the trait is declared with.
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
                self.trouble.of_request("the runtime has ended".to_string());
                "the runtime has ended"
            })?;
            match answered {
                Ok((response, body)) => {
                    let response = response.body(Bytes::from(body))?;
                    if !response.status().is_success() {
                        self.trouble.of_request(format!("the answer was {}", response.status()));
                    }
                    Ok(response)
                }
                Err(error) => {
                    self.trouble.of_request(if error.is_timeout() {
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
