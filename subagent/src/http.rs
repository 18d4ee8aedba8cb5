//! The HTTP code that providers and tools share: the client, `Retry-After`, and short error messages.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{DATE, HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Url, redirect};

/// Builds a client that loads certificates only for `https`. Plain HTTP must work on a machine without certificates.
pub(crate) fn client(url: &Url) -> Result<Client, String> {
    client_with(url, HeaderMap::new())
}

/// Builds a client whose requests have these headers.
pub(crate) fn client_with(url: &Url, headers: HeaderMap) -> Result<Client, String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("cannot set up TLS: {error}"))?;
    let config = if url.scheme() == "https" {
        let verifier = rustls_platform_verifier::Verifier::new(provider)
            .map_err(|error| format!("cannot load this machine's certificates: {error}"))?;
        config.dangerous().with_custom_certificate_verifier(Arc::new(verifier))
    } else {
        config.with_root_certificates(rustls::RootCertStore::empty())
    };
    let mut builder = Client::builder()
        .default_headers(headers)
        .tls_backend_preconfigured(config.with_no_client_auth())
        // A redirect would send the request to a server that nobody configured, and a 301 would turn it into a GET.
        .redirect(redirect::Policy::none())
        .connect_timeout(Duration::from_secs(20));
    if is_loopback(url) {
        builder = builder.no_proxy();
    }
    builder.build().map_err(|error| format!("cannot set up HTTP: {}", root_cause(&error)))
}

/// Returns the scheme, host, port and path of a URL. The other parts may hold a password or a key.
pub(crate) fn place(url: &Url) -> String {
    let (scheme, host) = (url.scheme(), url.host_str().unwrap_or_default());
    let port = url.port().map(|it| format!(":{it}")).unwrap_or_default();
    format!("{scheme}://{host}{port}{}", url.path())
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    host == "localhost" || host.starts_with("127.") || host == "[::1]"
}

/// Returns the innermost message of an error. The outer ones only say "error sending request for url (…)".
pub(crate) fn root_cause(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause.to_string()
}

/// Returns the wait that a server asks for. A date counts from the date of the response, so no other clock has to agree
/// with the server's clock.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let header =
        |name| headers.get(name).and_then(|it: &HeaderValue| it.to_str().ok()).map(str::trim);
    let after = header(RETRY_AFTER)?;
    if let Ok(seconds) = after.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = |text: &str| jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(text).ok();
    let wait = date(after)?.duration_since(date(header(DATE)?)?);
    Some(wait.try_into().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_reads_seconds_and_dates() {
        let check = |after: &str, date: &str, expected: Option<u64>| {
            let header = |it: &str| HeaderValue::from_str(it).unwrap();
            let headers =
                HeaderMap::from_iter([(RETRY_AFTER, header(after)), (DATE, header(date))]);
            assert_eq!(retry_after(&headers), expected.map(Duration::from_secs), "{after}");
        };
        let date = "Wed, 21 Oct 2026 07:28:00 GMT";
        check("7", date, Some(7));
        check("Wed, 21 Oct 2026 07:29:30 GMT", date, Some(90));
        check("Wed, 21 Oct 2026 07:27:00 GMT", date, Some(0));
        check("Wed, 21 Oct 2026 07:29:30 GMT", "today", None);
        check("soon", date, None);
        assert_eq!(retry_after(&HeaderMap::new()), None);
    }
}
