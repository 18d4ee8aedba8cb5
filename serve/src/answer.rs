//! Answers to requests.

use hyper::body::Bytes;
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use hyper::{Response, StatusCode};
use ptc_subagent::Data;

use crate::body::Body;
use crate::problem::Problem;

/// The answer to a request.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) content_type: &'static str,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) body: Body,
}

/// The media type of problems.
pub(crate) const PROBLEM: &str = "application/problem+json";

/// The media type of JSON.
const JSON: &str = "application/json";

impl Answer {
    /// Makes an answer with JSON.
    pub(crate) fn json(status: StatusCode, data: impl Into<Data>) -> Answer {
        Answer::text(status, JSON, data.into().to_string())
    }

    /// Makes an answer with a text.
    pub(crate) fn text(status: StatusCode, content_type: &'static str, text: String) -> Answer {
        Answer { status, content_type, headers: Vec::new(), body: Body::Whole(Bytes::from(text)) }
    }

    /// Adds a header.
    pub(crate) fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Answer {
        self.headers.push((name, value));
        self
    }

    /// Returns the answer as a response.
    pub(crate) fn into_response(self) -> Response<Body> {
        let mut response = Response::new(self.body);
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        // Runs change, and what a token may see is for its owner alone.
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(NO_SNIFF.0, NO_SNIFF.1);
        for (name, value) in self.headers {
            headers.insert(name, value);
        }
        response
    }
}

/// Keeps browsers from running a text of a model as a script.
const NO_SNIFF: (HeaderName, HeaderValue) =
    (hyper::header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));

impl From<Problem> for Answer {
    fn from(problem: Problem) -> Answer {
        let text = problem.to_json().to_string();
        let answer = Answer::text(problem.status, PROBLEM, text);
        match problem.retry_after {
            Some(seconds) => answer.with_header(RETRY_AFTER, HeaderValue::from(seconds)),
            None => answer,
        }
    }
}
