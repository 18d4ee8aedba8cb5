//! A function of JavaScript as a provider.

use ptc_subagent::provider::{
    BoxFuture, Cost, Finish, ModelCall, Provider, ProviderError, ProviderErrorKind, Reply, Request,
    Usage,
};
use serde::Deserialize;

use crate::work::{Fault, call};

/// A model as the JavaScript half describes it.
#[derive(Deserialize)]
pub(crate) struct NodeModel {
    name: String,
    /// The number of its function.
    function: u32,
}

/// A reply as the JavaScript half describes it.
#[derive(Deserialize)]
struct ReplySpec {
    text: String,
    /// The id, the name and the arguments as JSON text.
    calls: Vec<(String, String, String)>,
    usage: Option<UsageSpec>,
    finish: String,
}

#[derive(Deserialize)]
struct UsageSpec {
    input_tokens: u64,
    output_tokens: u64,
    #[serde(default)]
    cached_input_tokens: u64,
    /// In dollars.
    cost: Option<f64>,
}

impl ReplySpec {
    fn reply(self) -> Reply {
        let call = |(id, name, arguments)| ModelCall { id, name, arguments };
        let usage = self.usage.map(|it| Usage {
            input_tokens: it.input_tokens,
            output_tokens: it.output_tokens,
            cached_input_tokens: it.cached_input_tokens,
            cost: it.cost.and_then(Cost::from_dollars),
        });
        let finish = self.finish.parse().unwrap_or(Finish::Other);
        let calls = self.calls.into_iter().map(call).collect();
        Reply { calls, usage, finish, ..Reply::new(self.text) }
    }
}

impl Provider for NodeModel {
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        let fields = request.to_json();
        Box::pin(async move {
            let failed = |fault: Fault| {
                let message = format!("{}: {}", self.name, fault.message);
                let error = ProviderError::new(ProviderErrorKind::Server, message);
                fault.help.into_iter().fold(error, ProviderError::with_help)
            };
            let reply = call(self.function, "", &fields.to_string()).await.map_err(failed)?;
            let reply: ReplySpec = serde_json::from_str(&reply).map_err(|error| {
                let message = format!("{}: gave a wrong reply: {error}", self.name);
                ProviderError::new(ProviderErrorKind::Server, message)
            })?;
            Ok(reply.reply())
        })
    }

    fn name(&self) -> String {
        self.name.clone()
    }
}
