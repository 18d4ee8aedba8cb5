//! The estimate of the tokens of a request and its reply.

use ptc_prompt::CHARS_PER_TOKEN;

use crate::provider::{Message, Request, Usage};

/// Estimates the tokens of a reply and its prompt, which are reserved until the reply arrives.
pub(super) fn estimated_usage(request: &Request) -> Usage {
    const REPLY: u64 = 500;
    let texts = request.messages.iter().map(Message::len).sum::<usize>();
    let prompt = ((request.fixed_len() + texts) as f64 / CHARS_PER_TOKEN).ceil() as u64;
    let reply = request.parameters.max_tokens.map_or(REPLY, u64::from);
    Usage { input_tokens: prompt, output_tokens: reply, ..Usage::default() }
}
