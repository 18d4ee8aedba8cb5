//! The session of a run's programs, before the first one.

use ptc_lisp::{Session, Value};

use super::labels::{sources_of, without_server_texts};
use crate::agent::{Agent, ToolOf};
use crate::run::call_state::check_form;
use crate::run::payload::RunPayload;

/// The size of a program that is made from a reply, in bytes.
const MAX_SOURCE: u32 = 64 << 20;

/// Returns a session for the first program of an agent's run.
pub(super) fn new_session(
    agent: &Agent,
    (tools, may_nest): (&[ToolOf<'_>], bool),
    ctx: Value,
    payload: Option<&RunPayload<'_>>,
    conversation: &[Value],
) -> Session {
    let mut declarations: Vec<_> = tools.iter().map(|tool| tool.declaration()).collect();
    let sources = sources_of(agent, tools);
    for (declaration, tool) in declarations.iter_mut().zip(tools) {
        without_server_texts(declaration, tool, &sources);
        let may_start = may_nest || tool.as_agent().is_none();
        declaration.shown = may_start && agent.policy.allows(declaration);
    }
    // Prompts show one part of the list.
    declarations.sort_by_key(|tool| !tool.shown);
    let rules = agent.answers.style().rules();
    let mut limits = agent.limits.clone();
    if !rules.writes_programs {
        // The source is made from a reply, whose size has a limit of its own.
        limits.source_bytes = limits.source_bytes.max(MAX_SOURCE);
    }
    let mut session = Session::new(ctx, declarations, limits);
    session.set_form_check(check_form);
    if let Some(signature) = &agent.signature {
        if rules.writes_programs {
            session.expect(signature.output.clone(), agent.signature_mode);
        }
        session.declare(&signature.params);
    }
    if let Some(payload) = payload {
        session.set_payload(payload.for_session());
    }
    session.set_labels(sources);
    session.set_conversation(conversation.to_vec());
    // Without an entry, admission would reject the name.
    for name in agent.readable_inputs() {
        if session.ctx().get(name).is_none() {
            session.set_ctx_key(name, Value::Nil);
        }
    }
    session
}
