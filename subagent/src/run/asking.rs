//! Asks the questions of a program, and waits for their answers.

use std::time::Duration;

use tokio::time::sleep;

use super::answer::Answer;
use super::call_state::Asking;
use super::context::RunContext;
use super::question::answer_of;
use crate::provider::BoxFuture;
use crate::record::{ToolError, ToolErrorKind, now_ms};

/// Adds a question to those of the tree. Returns the work of waiting for its answer.
pub(super) fn ask_person<'a>(
    context: &'a RunContext<'a>,
    asking: Asking<'a>,
) -> BoxFuture<'a, Answer> {
    let Asking { mut open, form, since, about, .. } = asking;
    let host = context.shared.approver;
    let (has_store, nobody) = match context.shared.store {
        Some(store) => (store.is_kept(), LOST),
        None => (false, NOBODY),
    };
    let rest = form.expires.map(|all| Duration::from_millis(all).saturating_sub(since));
    if rest.is_some_and(|rest| rest.is_zero()) {
        return Box::pin(std::future::ready(unanswered("the question has expired")));
    }
    if host.is_none() && !has_store {
        return Box::pin(std::future::ready(unanswered(nobody)));
    }
    let ms = rest.map(|rest| u64::try_from(rest.as_millis()).unwrap_or(u64::MAX));
    open.expires = ms.map(|ms| now_ms().saturating_add(ms));
    let wait = context.ledger.waits().add_question(open.clone(), host.is_some());
    Box::pin(async move {
        let answered = async {
            let answer = match host {
                Some(host) => answer_of(host, &open, &form, &about).await,
                None => None,
            };
            match answer {
                Some(answer) => Answer::new(Ok(answer)),
                None if !has_store => unanswered(nobody),
                None => {
                    wait.leave_open();
                    context.ledger.leave_if_quiet();
                    std::future::pending().await
                }
            }
        };
        let answer = match rest {
            None => answered.await,
            Some(rest) => tokio::select! {
                biased;
                answer = answered => answer,
                () = sleep(rest) => unanswered("the question has expired"),
            },
        };
        wait.end();
        answer
    })
}

const NOBODY: &str =
    "nobody can answer: the host answers no questions, and the run is not on record";

const LOST: &str = "nobody can answer: the record is in memory, and ends with this process";

fn unanswered(why: &str) -> Answer {
    Answer::new(Err(ToolError::new(ToolErrorKind::Unanswered, why)))
}
