//! Errors of requests, as `application/problem+json` (RFC 9457).

use hyper::StatusCode;
use ptc_subagent::{Data, Error, ErrorKind};
use serde_json::{Value, json};

/// The reason that a request is refused.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    /// The status of the response.
    pub(crate) status: StatusCode,
    /// The stable code in kebab-case.
    pub(crate) code: &'static str,
    /// What is wrong with this request.
    pub(crate) detail: String,
    /// Advice on how to solve it.
    pub(crate) help: Option<String>,
    /// The seconds after which the same request may succeed.
    pub(crate) retry_after: Option<u64>,
}

impl Problem {
    /// Makes a problem.
    pub(crate) fn new(
        status: StatusCode,
        code: &'static str,
        detail: impl Into<String>,
    ) -> Problem {
        Problem { status, code, detail: detail.into(), help: None, retry_after: None }
    }

    /// Makes the problem of a request that is not well formed.
    pub(crate) fn malformed(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, "malformed-request", detail)
    }

    /// Sets the advice.
    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(help.into());
        self
    }

    /// Returns the object of the response.
    pub(crate) fn to_json(&self) -> Data {
        let mut json = json!({
            "type": format!("urn:ptc:problem:{}", self.code),
            "title": self.status.canonical_reason().unwrap_or("Error"),
            "status": self.status.as_u16(),
            "code": self.code,
            "detail": self.detail,
        });
        if let Some(help) = &self.help {
            json["help"] = Value::from(help.as_str());
        }
        json.into()
    }
}

impl From<Error> for Problem {
    /// The file that an error is about stays on the server.
    fn from(error: Error) -> Problem {
        let status = match error.kind() {
            ErrorKind::UnknownRun | ErrorKind::UnknownCall => StatusCode::NOT_FOUND,
            ErrorKind::Replay | ErrorKind::Value => StatusCode::CONFLICT,
            ErrorKind::Agent
            | ErrorKind::Settings
            | ErrorKind::Input
            | ErrorKind::Model
            | ErrorKind::Prompt => StatusCode::UNPROCESSABLE_ENTITY,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let problem = Problem::new(status, error.code(), error.message());
        match error.help() {
            Some(help) => problem.with_help(help),
            None => problem,
        }
    }
}

/// Returns the problem of a fault of the server.
pub(crate) fn internal() -> Problem {
    Problem::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "internal",
        "the server could not finish the request",
    )
}
