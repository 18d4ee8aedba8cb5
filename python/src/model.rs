//! A function or a coroutine of Python as a provider.

use ptc_subagent::provider::{
    BoxFuture, Cost, Finish, ModelCall, Provider, ProviderError, ProviderErrorKind, Reply, Request,
    Usage,
};
use pyo3::prelude::*;

use crate::callback::{Arguments, Callback};

/// A model as the Python half describes it.
#[derive(FromPyObject)]
pub(crate) struct ModelFn {
    name: String,
    function: Py<PyAny>,
    is_async: bool,
}

impl ModelFn {
    pub(crate) fn provider(self) -> PythonModel {
        PythonModel { callback: Callback::new(self.function, self.is_async), name: self.name }
    }
}

pub(crate) struct PythonModel {
    callback: Callback,
    name: String,
}

/// A reply as the Python half describes it.
#[derive(FromPyObject)]
struct ReplySpec {
    text: String,
    /// The id, the name and the arguments as JSON text.
    calls: Vec<(String, String, String)>,
    /// Input, output and cached tokens, and the cost in dollars.
    usage: Option<(u64, u64, u64, Option<f64>)>,
    finish: String,
}

impl ReplySpec {
    fn reply(self) -> Reply {
        let call = |(id, name, arguments)| ModelCall { id, name, arguments };
        let usage = self.usage.map(|(input_tokens, output_tokens, cached_input_tokens, cost)| {
            let cost = cost.and_then(Cost::from_dollars);
            Usage { input_tokens, output_tokens, cached_input_tokens, cost }
        });
        let finish = self.finish.parse().unwrap_or(Finish::Other);
        let calls = self.calls.into_iter().map(call).collect();
        Reply { calls, usage, finish, ..Reply::new(self.text) }
    }
}

impl Provider for PythonModel {
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        let fields = request.to_json();
        Box::pin(async move {
            let read = |reply: &Bound<'_, PyAny>| reply.extract::<ReplySpec>();
            self.callback
                .call(Arguments::Object(fields.into()), read)
                .await
                .map(ReplySpec::reply)
                .map_err(|fault| {
                    let kind = ProviderErrorKind::Server;
                    let error =
                        ProviderError::new(kind, format!("{}: {}", self.name, fault.message));
                    fault.help.into_iter().fold(error, ProviderError::with_help)
                })
        })
    }

    fn name(&self) -> String {
        self.name.clone()
    }
}
