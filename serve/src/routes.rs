//! The table of the routes. It is the router, and later the description of the API.

use std::pin::Pin;

use hyper::Method;
use ptc_http::Kind;

use crate::access::Action;
use crate::answer::Answer;
use crate::api::{agents, changes, events, questions, runs, start};
use crate::problem::Problem;
use crate::request::Request;

/// The answer of a handler, later.
pub(crate) type Answering = Pin<Box<dyn Future<Output = Result<Answer, Problem>> + Send>>;

/// A route of the API.
pub(crate) struct Route {
    pub(crate) method: Method,
    /// The path; a part in braces is any text.
    pub(crate) path: &'static str,
    /// What a caller needs.
    pub(crate) action: Action,
    /// The places that requests take.
    pub(crate) kind: Kind,
    pub(crate) handle: fn(Request) -> Answering,
}

/// Makes the row of a route.
macro_rules! route {
    ($method:ident $path:literal $action:ident $kind:ident $handle:path) => {
        Route {
            method: Method::$method,
            path: $path,
            action: Action::$action,
            kind: Kind::$kind,
            handle: |request| Box::pin($handle(request)),
        }
    };
}

/// All routes.
pub(crate) const ROUTES: &[Route] = &[
    route!(GET "/v1/agents" View Short agents::list),
    route!(GET "/v1/agents/{agent}" View Short agents::one),
    route!(GET "/v1/runs" View Short runs::list),
    route!(POST "/v1/runs" Run Call start::start),
    route!(GET "/v1/runs/{run}" View Short runs::one),
    route!(GET "/v1/runs/{run}/record" View Short runs::record),
    route!(GET "/v1/runs/{run}/events" View Stream events::of_run),
    route!(POST "/v1/runs/{run}/cancel" Run Call changes::cancel),
    route!(POST "/v1/runs/{run}/answer" Run Call changes::answer),
    route!(POST "/v1/runs/{run}/resume" Run Call changes::resume),
    route!(POST "/v1/runs/{run}/replay" View Call changes::replay),
    route!(POST "/v1/runs/{run}/fork" Run Call changes::fork),
    route!(GET "/v1/questions" View Short questions::list),
    route!(GET "/v1/events" View Stream events::all),
];

/// The route of a request.
pub(crate) enum Found {
    /// The route, and the parts of the path that it names.
    Route(&'static Route, Vec<String>),
    /// The path has other methods.
    OtherMethod(Vec<Method>),
    /// There is no such path.
    Nothing,
}

/// Finds the route of a method and a path.
pub(crate) fn find(method: &Method, path: &str) -> Found {
    let mut others = Vec::new();
    for route in ROUTES {
        let Some(parts) = parts(route.path, path) else { continue };
        if route.method == *method {
            return Found::Route(route, parts);
        }
        others.push(route.method.clone());
    }
    if others.is_empty() { Found::Nothing } else { Found::OtherMethod(others) }
}

/// Returns the parts of a path that a pattern names; `None` if they do not fit.
fn parts(pattern: &str, path: &str) -> Option<Vec<String>> {
    let (mut wanted, mut given) = (pattern.split('/'), path.split('/'));
    let mut parts = Vec::new();
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return Some(parts),
            (Some(wanted), Some(given)) if wanted.starts_with('{') => {
                let part = percent_encoding::percent_decode_str(given).decode_utf8().ok()?;
                if part.is_empty() {
                    return None;
                }
                parts.push(part.into_owned());
            }
            (Some(wanted), Some(given)) if wanted == given => {}
            _ => return None,
        }
    }
}
