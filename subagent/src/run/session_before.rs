//! The session of a recorded run, as one of its programs found it.

use std::sync::Arc;

use super::context::RunContext;
use super::journal::{Journal, Shared};
use super::ledger::Ledger;
use super::mission::run_agent;
use super::outside::Outside;
use super::payload::GivenPayload;
use super::program::Programs;
use super::recorded::{RecordedReply, RecordedRun, end_of_record};
use crate::agent::Agent;
use crate::error::Error;
use crate::provider::NoProvider;
use crate::sources::Kept;

/// Replays the turns of a recorded run before `turn`, and returns the session as the program of that turn found it.
pub(crate) async fn session_before(
    agent: &Agent,
    recorded: &RecordedRun,
    turn: u32,
) -> Result<ptc_lisp::Session, Error> {
    let (store, folds, observer, approver) = (None, None, None, None);
    let (permit, observer_failed) = (None, None);
    let shared = Shared {
        store,
        folds,
        observer,
        observer_failed,
        approver,
        permit,
        elsewhere: None,
        streams: false,
    };
    let ledger = Ledger::root(agent, true, None);
    let (provider, seed) = (&NoProvider, recorded.seed());
    let payload = GivenPayload::recorded(&recorded.record);
    let start = payload.start.clone();
    let context = RunContext {
        shared,
        provider,
        ledger,
        parent: None,
        outside: Outside::Recorded(recorded),
        seed,
        payload,
        host: None,
        read: Kept::default(),
        after: recorded.record.after.as_ref(),
        in_loop: false,
        fallback: Arc::default(),
        effort: None,
        caller: None,
        origin: None,
        run_agent,
    };
    let input = recorded.record.setup.input.clone();
    let may_nest = context.ledger.may_nest();
    let prepared = {
        let called = (None, false, may_nest);
        Programs::of_run(agent, input, start, context.after, called, context.outside.semantics())
    };
    let (mut programs, _) = prepared?;
    programs.label_payload(&context.payload, context.after);
    programs.set_seed(seed);
    programs.remember_names();
    let mut journal = Journal::new(recorded.id(), shared, None);
    for before in 1..turn {
        let reply = match &agent.workflow {
            Some(workflow) => match recorded.workflow_reply(before, workflow) {
                Some(reply) => reply,
                None => continue,
            },
            None => match recorded.recorded_reply(before) {
                Some(RecordedReply::Reply(reply)) => reply,
                _ => return Err(end_of_record(&format!("turn {before}"))),
            },
        };
        programs.decide(&reply, before, &mut journal, &context).await?;
        if agent.snapshots {
            // Values without a text form did not reach later programs of the recorded run either.
            drop(programs.take_snapshot());
        }
    }
    Ok(programs.into_session(context.outside.program(turn).budget()))
}
