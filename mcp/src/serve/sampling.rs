//! The model of a client, as the provider of a run: sampling. The newest revision of the protocol has no such requests.
#![expect(deprecated, reason = "clients of the older revisions offer sampling")]

use std::time::Duration;

use ptc_subagent::provider::{
    BoxFuture, Finish, Message, Provider, ProviderError, ProviderErrorKind, Reply, Request, Role,
};
use ptc_subagent::tool::Secrets;
use rmcp::ServiceError;
use rmcp::model::{
    CreateMessageRequestParams, CreateMessageResult, SamplingMessage, SamplingMessageContentBlock,
};
use rmcp::service::{Peer, RequestContext, RoleServer};

use super::revision::is_newest;
use crate::wire::exact;

/// The maximum number of tokens of a reply, which the protocol requires.
const MAX_TOKENS: u32 = 4_096;

/// The model of a client.
pub(super) struct ClientModel {
    peer: Peer<RoleServer>,
    limit: Duration,
}

impl ClientModel {
    /// Returns the model of the client that makes a request; `None` if it offers none. `limit` is the time of one request.
    pub(super) fn of(cx: &RequestContext<RoleServer>, limit: Duration) -> Option<ClientModel> {
        let offers = cx.client_capabilities().is_some_and(|it| it.sampling.is_some());
        (offers && !is_newest(cx)).then(|| ClientModel { peer: cx.peer.clone(), limit })
    }
}

impl Provider for ClientModel {
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        Box::pin(async move {
            if !request.tools.is_empty() {
                let message = "the model of an MCP client is asked for texts, not for calls";
                return Err(ProviderError::new(ProviderErrorKind::Rejected, message)
                    .with_help("let the agent answer with programs"));
            }
            let asked = self.peer.create_message(params(request));
            match tokio::time::timeout(self.limit, asked).await {
                Ok(Ok(result)) => Ok(reply(&result)),
                Ok(Err(error)) => Err(failure(&error)),
                Err(_) => {
                    let message = format!("the client gave no reply within {:?}", self.limit);
                    Err(ProviderError::new(ProviderErrorKind::Timeout, message))
                }
            }
        })
    }

    fn name(&self) -> String {
        "client".to_string()
    }
}

/// Returns a request in the words of the protocol.
fn params(request: &Request) -> CreateMessageRequestParams {
    let message = |it: &Message| match it.role {
        Role::User => SamplingMessage::user_text(&it.text),
        Role::Assistant => SamplingMessage::assistant_text(&it.text),
    };
    let messages = request.messages.iter().map(message).collect();
    let most = request.parameters.max_tokens.unwrap_or(MAX_TOKENS);
    let mut params = CreateMessageRequestParams::new(messages, most);
    params.system_prompt = Some(request.system.text());
    params.temperature = request.parameters.temperature.map(|it| it as f32);
    params.stop_sequences = Some(request.stop.clone()).filter(|it| !it.is_empty());
    params
}

fn reply(result: &CreateMessageResult) -> Reply {
    let text = |it: &SamplingMessageContentBlock| match it {
        // A number instead of a text would have a mark.
        SamplingMessageContentBlock::Text(text) => {
            Some(exact::number(&text.text).unwrap_or(&text.text).to_string())
        }
        _ => None,
    };
    let texts: Vec<String> = result.message.content.iter().filter_map(text).collect();
    let mut reply = Reply::new(texts.join("\n"));
    if result.stop_reason.as_deref() == Some(CreateMessageResult::STOP_REASON_END_MAX_TOKEN) {
        reply.finish = Finish::Length;
    }
    reply
}

fn failure(error: &ServiceError) -> ProviderError {
    match error {
        ServiceError::McpError(error) => {
            let said = crate::outcome::cut(&Secrets::default(), &error.message);
            let message = format!("the client refused: {said}");
            ProviderError::new(ProviderErrorKind::Rejected, message)
        }
        error => {
            let message = format!("the client gave no reply: {error}");
            ProviderError::new(ProviderErrorKind::Network, message)
        }
    }
}
