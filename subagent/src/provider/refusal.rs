//! The errors that servers send in responses, and their kinds.
//!
//! The protocols wrap errors in similar ways, and servers forward the errors of other servers. So one table covers all
//! protocols.

use serde_json::Value;

use super::ProviderErrorKind;

/// An error that a server sent in a response.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Refusal {
    /// The HTTP status, or the status in the body of a response with status 200.
    pub(super) status: Option<u16>,
    /// The error codes in lower case, separated by a space.
    code: String,
    /// The message of the server.
    pub(super) message: String,
}

impl Refusal {
    /// Reads the error in a body, or returns `None` if there is none.
    pub(super) fn read(body: &Value) -> Option<Refusal> {
        let error = match body.get("error").filter(|it| !it.is_null()) {
            Some(error) => error,
            // The Responses protocol puts the error into the response or into an event `error`. vLLM sends an object
            // `error`.
            None => match body.pointer("/response/error").filter(|it| !it.is_null()) {
                Some(error) => error,
                None if ["type", "object"].iter().any(|key| body[key] == "error") => body,
                None => return None,
            },
        };
        if let Some(message) = error.as_str() {
            return Some(Refusal { message: message.to_string(), ..Refusal::default() });
        }
        let mut message = error["message"].as_str().unwrap_or_default().to_string();
        // OpenRouter keeps the message of the server behind it separate.
        if let Some(raw) = error.pointer("/metadata/raw").and_then(Value::as_str) {
            message = format!("{message}: {raw}");
        }
        let codes = ["code", "type"].map(|key| error[key].as_str().unwrap_or_default());
        let code = codes.join(" ").trim().to_lowercase();
        let status = error["code"].as_u64().and_then(|it| u16::try_from(it).ok());
        Some(Refusal { status, code, message })
    }

    /// Returns the kind of the failure. Unambiguous texts decide first, then the status, then the codes.
    pub(super) fn kind(&self) -> ProviderErrorKind {
        let message = self.message.to_lowercase();
        let says =
            |words: &[&str]| words.iter().any(|it| self.code.contains(it) || message.contains(it));
        if says(&QUOTA) || self.status == Some(402) {
            return ProviderErrorKind::Quota;
        }
        if says(&CONTEXT) || self.status == Some(413) {
            return ProviderErrorKind::Context;
        }
        if says(&FILTERED) {
            return ProviderErrorKind::Filtered;
        }
        let coded = |words: &[&str]| words.iter().any(|it| self.code.contains(it));
        match self.status {
            Some(401 | 403) => ProviderErrorKind::Auth,
            Some(404) => ProviderErrorKind::Model,
            Some(429) => ProviderErrorKind::Rate,
            Some(408 | 500..=599) => ProviderErrorKind::Server,
            _ if coded(&["authentication", "invalid_api_key", "permission"]) => {
                ProviderErrorKind::Auth
            }
            _ if coded(&["model_not_found", "not_found_error"]) || says(&["not a valid model"]) => {
                ProviderErrorKind::Model
            }
            _ if coded(&["rate_limit"]) => ProviderErrorKind::Rate,
            _ if coded(&["overloaded", "server_error", "api_error", "timeout"]) => {
                ProviderErrorKind::Server
            }
            Some(_) => ProviderErrorKind::Rejected,
            // The reply had begun, so the server caused the failure.
            None if self.code.is_empty() => ProviderErrorKind::Server,
            None => ProviderErrorKind::Rejected,
        }
    }
}

const QUOTA: [&str; 4] =
    ["insufficient_quota", "billing", "credit balance is too low", "insufficient credits"];

const CONTEXT: [&str; 12] = [
    "context_length_exceeded",
    "exceed_context_size",
    "request_too_large",
    "maximum context length",
    "max context length",
    "context window",
    "context size",
    "exceeds the context",
    "exceed context",
    "exceeds context",
    "prompt is too long",
    "prompt too long",
];

const FILTERED: [&str; 7] = [
    "content_filter",
    "content_policy",
    "content management policy",
    "content filtering policy",
    "invalid_prompt",
    "usage policy",
    "requires moderation",
];

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(body: &Value, status: Option<u16>, expected: ProviderErrorKind, message: &str) {
        let mut refusal = Refusal::read(body).unwrap();
        refusal.status = status.or(refusal.status);
        assert_eq!((refusal.kind(), refusal.message.as_str()), (expected, message), "{body}");
    }

    /// Errors without a status, or with a success status.
    #[test]
    fn errors_in_bodies() {
        use ProviderErrorKind as Kind;
        check(&json!({"error": "it broke"}), None, Kind::Server, "it broke");
        check(&json!({"error": {"code": 429, "message": "slow"}}), None, Kind::Rate, "slow");
        check(
            &json!({"object": "error", "message": "no", "code": 400}),
            None,
            Kind::Rejected,
            "no",
        );
        let raw = json!({"error": {"code": 400, "message": "Provider returned error",
            "metadata": {"raw": "prompt is too long"}}});
        let said = "Provider returned error: prompt is too long";
        check(&raw, None, Kind::Context, said);
        let event = |kind: &str| json!({"type": "error", "error": {"type": kind, "message": "m"}});
        check(&event("overloaded_error"), None, Kind::Server, "m");
        check(&event("rate_limit_error"), None, Kind::Rate, "m");
        check(&event("authentication_error"), None, Kind::Auth, "m");
        check(&event("invalid_request_error"), None, Kind::Rejected, "m");
        assert_eq!(Refusal::read(&json!({"choices": [], "error": null})), None);
    }
}
