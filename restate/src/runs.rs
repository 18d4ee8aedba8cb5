//! The service that starts runs, and the workflow that each of them is.

use std::sync::Arc;
use std::time::Duration;

use ptc_subagent::host::Start;
use ptc_subagent::store::Store;
use ptc_subagent::{Error, RunQueued};
use restate_sdk::context::RequestTarget;
use restate_sdk::prelude::*;
use serde_json::Value;

use crate::agents::Agents;
use crate::decide::{Begin, Begun};
use crate::log::{End, Line, Log};
use crate::names;
use crate::stretch::behind;

/// The code with which the server ends what is cancelled.
const CANCELLED: u16 = 409;

/// The state with the id of the invocation of a run.
const INVOCATION: &str = "invocation";

/// The service that starts runs.
pub(crate) struct Runs {
    pub(crate) agents: Arc<Agents>,
}

/// The workflow of a run.
pub(crate) struct Run;

#[restate_sdk::service(name = "PtcRuns")]
impl Runs {
    /// Starts a run. Its id is in the answer at once; the run goes on by itself.
    #[handler]
    async fn start(&self, ctx: Context<'_>, begin: Json<Begin>) -> HandlerResult<Json<Begun>> {
        let begin = begin.into_inner();
        let agents = Arc::clone(&self.agents);
        let first = || async move {
            let wrong = |error: Error| TerminalError::new_with_code(400, error.to_string());
            first_events(&agents, begin).await.map(Json).map_err(|it| wrong(it).into())
        };
        let Json(lines) = ctx.run(first).name("begin").await?;
        let mut log = Log::default();
        log.extend(lines.iter().cloned()).map_err(TerminalError::new)?;
        let run = log.root().unwrap_or_default().to_owned();
        let target = RequestTarget::workflow(names::RUN, &run, "run");
        ctx.request::<Json<Vec<Line>>, Json<Value>>(target, Json(lines)).send();
        Ok(Json(Begun { run }))
    }
}

#[restate_sdk::workflow(name = "PtcRun")]
impl Run {
    /// Lets the run go on until it ends. The events of its record have what it did.
    #[handler]
    async fn run(
        &self,
        ctx: WorkflowContext<'_>,
        log: Json<Vec<Line>>,
    ) -> HandlerResult<Json<Value>> {
        ctx.set(INVOCATION, ctx.invocation_id().to_owned());
        let record = |handler: &str| RequestTarget::object(names::RECORD, ctx.key(), handler);
        ctx.request::<Json<Vec<Line>>, ()>(record("begin"), log).call().await?;
        let mut stretch = 0_u64;
        loop {
            stretch += 1;
            let went = ctx.request::<(), Json<End>>(record("go"), ()).call().await;
            let woken = wake(stretch);
            let went = match went.map(Json::into_inner) {
                Ok(End::Over(end)) => return Ok(Json(end)),
                Ok(End::Again) => Ok(()),
                Ok(End::Waits(None)) => ctx.promise::<()>(&woken).await,
                Ok(End::Waits(Some(ms))) => {
                    restate_sdk::select! {
                        answered = ctx.promise::<()>(&woken) => answered,
                        over = ctx.sleep(Duration::from_millis(ms)) => over,
                        on_cancel => Err(TerminalError::new_with_code(CANCELLED, "cancelled")),
                    }
                }
                Err(error) => Err(error),
            };
            match went {
                Ok(()) => {}
                Err(error) if error.code() == CANCELLED => {
                    let ended = ctx.request::<(), Json<End>>(record("withdraw"), ()).call().await?;
                    let Json(End::Over(end)) = ended else { continue };
                    return Ok(Json(end));
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Wakes the run from its wait behind a stretch.
    #[handler]
    async fn wake(&self, ctx: SharedWorkflowContext<'_>, stretch: u64) -> HandlerResult<()> {
        let promise = wake(stretch);
        // Two decisions may come behind one stretch.
        if ctx.peek_promise::<()>(&promise).await?.is_none() {
            ctx.resolve_promise(&promise, ());
        }
        Ok(())
    }

    /// Cancels the run.
    #[handler]
    async fn cancel(&self, ctx: SharedWorkflowContext<'_>) -> HandlerResult<()> {
        match ctx.get::<String>(INVOCATION).await? {
            Some(invocation) => ctx.invocation_handle(invocation).cancel(),
            None => return Err(TerminalError::new_with_code(404, "there is no such run").into()),
        }
        Ok(())
    }
}

/// Returns the first events of a run, which is on record as queued then.
async fn first_events(agents: &Agents, begin: Begin) -> Result<Vec<Line>, Error> {
    let agent = agents.named(&begin.agent)?;
    let store = Store::in_memory()?;
    let provider = tokio::task::block_in_place(|| agents.provider(&agent))?;
    let mut queued = RunQueued::new();
    queued.by.clone_from(&begin.by);
    Start::from(begin).enqueue(agent, &store, &*provider, queued).await?;
    Ok(behind(&store, 0)?.0)
}

/// Returns the name of the promise that ends the wait behind a stretch.
fn wake(stretch: u64) -> String {
    format!("wake-{stretch}")
}
