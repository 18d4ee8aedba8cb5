//! Messages to another server about runs, signed as <https://www.standardwebhooks.com> says.

use std::fmt;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, Url};
use ring::hmac;

use crate::error::{Error, ErrorKind};
use crate::http;

/// The time in which the other server must answer.
const ANSWERS: Duration = Duration::from_secs(15);

/// The start of a secret that is Base64.
const BASE64: &str = "whsec_";

/// A server that is told about runs.
pub struct Webhook {
    url: Url,
    client: Client,
    key: hmac::Key,
}

impl Webhook {
    /// Creates a webhook. The secret is a text, or `whsec_` and Base64.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Server`] if the URL is not one of HTTP, if the secret is empty or malformed, or if the certificates of
    /// this machine cannot be loaded.
    pub fn new(url: &str, secret: &str) -> Result<Webhook, Error> {
        let wrong = |message: String| Error::new(ErrorKind::Server, message);
        let url: Url = url.parse().map_err(|_| wrong("the webhook is not a URL".to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(wrong("the webhook is not a URL of HTTP".to_string()));
        }
        let secret = match secret.strip_prefix(BASE64) {
            Some(text) => STANDARD
                .decode(text)
                .map_err(|_| wrong("the secret of the webhook is not Base64".to_string()))?,
            None => secret.as_bytes().to_vec(),
        };
        if secret.is_empty() {
            return Err(wrong("the secret of the webhook is empty".to_string()));
        }
        let client = http::client(&url).map_err(wrong)?;
        Ok(Webhook { url, client, key: hmac::Key::new(hmac::HMAC_SHA256, &secret) })
    }

    /// Returns the URL without a password or a key.
    pub fn place(&self) -> String {
        http::place(&self.url)
    }

    /// Sends a message once. `id` is the same at each attempt, and `at` is the time of this one in seconds since 1970.
    ///
    /// # Errors
    ///
    /// The reason that the server did not take it.
    pub async fn send(&self, id: &str, at: u64, body: String) -> Result<(), String> {
        let request = self
            .client
            .post(self.url.clone())
            .timeout(ANSWERS)
            .header(CONTENT_TYPE, "application/json")
            .header("webhook-id", id)
            .header("webhook-timestamp", at)
            .header("webhook-signature", self.signature(id, at, &body))
            .body(body);
        let response = request.send().await.map_err(|error| http::root_cause(&error))?;
        match response.status() {
            status if status.is_success() => Ok(()),
            status => Err(format!("status {}", status.as_u16())),
        }
    }

    fn signature(&self, id: &str, at: u64, body: &str) -> String {
        let tag = hmac::sign(&self.key, format!("{id}.{at}.{body}").as_bytes());
        format!("v1,{}", STANDARD.encode(tag.as_ref()))
    }
}

impl fmt::Debug for Webhook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Webhook").field("place", &self.place()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_signed_as_the_standard_says() {
        // The example of the standard.
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        let webhook = Webhook::new("https://example.com/hook?key=1", secret).unwrap();
        let signature = webhook.signature(
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1_614_265_330,
            "{\"test\": 2432232314}",
        );
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        assert_eq!(webhook.place(), "https://example.com/hook");
        for (url, secret) in [("x", "s"), ("file:///etc/passwd", "s"), ("http://a", "")] {
            assert_eq!(Webhook::new(url, secret).unwrap_err().kind(), ErrorKind::Server);
        }
    }
}
