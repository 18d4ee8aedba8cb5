//! A route: what a request must look like, and what answers it.

use std::pin::Pin;

use ptc_http::Kind;

use crate::access::Action;
use crate::answer::Answer;
use crate::problem::Problem;
use crate::request::Request;

/// The answer of a handler, later.
pub(crate) type Answering = Pin<Box<dyn Future<Output = Result<Answer, Problem>> + Send>>;

/// A route of the API.
pub(crate) struct Route {
    pub(crate) method: &'static str,
    /// The path; a part in braces is any text.
    pub(crate) path: &'static str,
    /// Its name in clients.
    pub(crate) id: &'static str,
    /// What it does, in a line.
    pub(crate) about: &'static str,
    /// What a caller needs; `None` if everybody may ask, also without a token.
    pub(crate) action: Option<Action>,
    /// The places that requests take.
    pub(crate) kind: Kind,
    /// The parameters of the query.
    pub(crate) query: &'static [Field],
    /// The headers that it reads.
    pub(crate) headers: &'static [Field],
    /// The keys of the body.
    pub(crate) body: &'static [Field],
    /// The status of an answer without a problem, and what the answer is.
    pub(crate) answers: &'static [(u16, Content)],
    pub(crate) handle: fn(Request) -> Answering,
}

/// A named part of a request.
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) ty: Type,
    pub(crate) is_required: bool,
    /// What it means.
    pub(crate) about: &'static str,
}

/// The type of a part of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// A text.
    Text,
    /// A whole number from 0 to this one.
    Whole(u64),
    /// True or false.
    Flag,
    /// An object.
    Object,
    /// A list of texts.
    Texts,
    /// An object, or a list of objects.
    Objects,
    /// Any value.
    Any,
}

/// What an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// JSON of the schema with this name.
    Json(&'static str),
    /// Server-sent events.
    Events,
    /// A text.
    Text,
    /// Nothing.
    Nothing,
    /// A file of the page, which is no part of the API.
    Page,
}

impl Field {
    /// Makes a part that may be absent.
    pub(crate) const fn new(name: &'static str, ty: Type, about: &'static str) -> Field {
        Field { name, ty, is_required: false, about }
    }

    /// Makes a part that may not be absent.
    pub(crate) const fn required(name: &'static str, ty: Type, about: &'static str) -> Field {
        Field { name, ty, is_required: true, about }
    }
}
