//! Requests, as handlers read them.

use std::net::IpAddr;
use std::sync::Arc;

use hyper::HeaderMap;
use hyper::header::HeaderName;
use ptc_subagent::Data;
use ptc_subagent::store::RunSummary;
use serde_json::Value;

use crate::access::{Action, Caller};
use crate::problem::Problem;
use crate::state::State;

/// A request of a route.
pub(crate) struct Request {
    pub(crate) state: Arc<State>,
    pub(crate) caller: Caller,
    /// The address of the client.
    pub(crate) peer: IpAddr,
    /// The parts of the path that the route names, in order.
    pub(crate) path: Vec<String>,
    /// The parameters of the query that the route names, in order.
    pub(crate) query: Vec<(String, String)>,
    pub(crate) headers: HeaderMap,
    /// The body, null if there is none.
    pub(crate) body: Data,
}

impl Request {
    /// Returns the run that the path names, if the caller may do this with it.
    ///
    /// # Errors
    ///
    /// The problem to answer with.
    pub(crate) async fn run(&self, action: Action) -> Result<RunSummary, Problem> {
        self.state.run(&self.caller, action, self.named()).await
    }

    /// Returns the first part of the path that the route names.
    pub(crate) fn named(&self) -> &str {
        self.path.first().map_or("", String::as_str)
    }

    /// Returns a parameter of the query.
    pub(crate) fn query(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(it, _)| it == name).map(|(_, value)| value.as_str())
    }

    /// Returns a number of the query.
    ///
    /// # Errors
    ///
    /// The problem of another text, or of a number above `most`.
    pub(crate) fn number(&self, name: &str, most: u64) -> Result<Option<u64>, Problem> {
        let Some(text) = self.query(name) else { return Ok(None) };
        let number = text.parse().ok().filter(|it| *it <= most);
        number.map(Some).ok_or_else(|| {
            Problem::malformed(format!(
                "`{name}` must be a whole number from 0 to {most}, and is `{text}`"
            ))
        })
    }

    /// Returns a switch of the query.
    ///
    /// # Errors
    ///
    /// The problem of another text than `true` or `false`.
    pub(crate) fn switch(&self, name: &str) -> Result<bool, Problem> {
        match self.query(name) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(text) => Err(Problem::malformed(format!(
                "`{name}` must be `true` or `false`, and is `{text}`"
            ))),
        }
    }

    /// Returns a header that is a text.
    pub(crate) fn header(&self, name: &HeaderName) -> Option<&str> {
        self.headers.get(name).and_then(|it| it.to_str().ok())
    }

    /// Returns the value under a key of the body; null counts as absent.
    pub(crate) fn key(&self, name: &str) -> Option<Data> {
        self.body.get(name).filter(|it| !it.is_null())
    }

    /// Returns a text of the body.
    ///
    /// # Errors
    ///
    /// The problem of another type.
    pub(crate) fn text(&self, name: &str) -> Result<Option<String>, Problem> {
        let Some(value) = self.key(name) else { return Ok(None) };
        let text = value.as_str().map(str::to_string);
        text.map(Some).ok_or_else(|| wrong(name, "a string", &value))
    }

    /// Returns a whole number of the body.
    ///
    /// # Errors
    ///
    /// The problem of another type.
    pub(crate) fn whole(&self, name: &str) -> Result<Option<u64>, Problem> {
        let Some(value) = self.key(name) else { return Ok(None) };
        let number = value.to_json().ok().as_ref().and_then(Value::as_u64);
        number.map(Some).ok_or_else(|| wrong(name, "a whole number", &value))
    }

    /// Returns a boolean of the body.
    ///
    /// # Errors
    ///
    /// The problem of another type.
    pub(crate) fn flag(&self, name: &str) -> Result<Option<bool>, Problem> {
        let Some(value) = self.key(name) else { return Ok(None) };
        value.as_bool().map(Some).ok_or_else(|| wrong(name, "true or false", &value))
    }
}

/// Returns the problem of a value of another type.
pub(crate) fn wrong(name: &str, wanted: &str, value: &Data) -> Problem {
    const SHOWN: usize = 60;
    let text: String = value.to_string().chars().take(SHOWN).collect();
    Problem::malformed(format!("`{name}` must be {wanted}, and is `{text}`"))
}
