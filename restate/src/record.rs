//! The record of a run: an object with the log of the run in its state. It lets the run go on, a stretch at a time.
//!
//! A stretch is an invocation with a journal of its own. Each entry of it has the events up to the next step outside, and
//! the run takes that step only when the entry is kept. So the journal never has a step that happened without the events
//! before it, and a repeated invocation has the log of everything that was done.

use std::sync::Arc;

use ptc_subagent::RunQueued;
use ptc_subagent::replay::Resume;
use restate_sdk::context::RequestTarget;
use restate_sdk::prelude::*;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

use crate::agents::Agents;
use crate::decide::Decide;
use crate::log::{End, Line, Log};
use crate::names;
use crate::stretch::{Stretch, behind, cut, newest, store_of};

/// The number of steps after which a run goes on in an invocation of its own.
const MAX_STEPS: u64 = 1000;

/// The size up to which chunks of the log are joined, in bytes.
const CHUNK: usize = 256 << 10;

/// The start of the names of the chunks. Their numbers have the same width, so names have the order of chunks.
const CHUNKS: &str = "log-";

/// The state with the number of stretches.
const STRETCHES: &str = "stretches";

/// The events of one step.
#[derive(Serialize, Deserialize)]
struct Batch {
    lines: Vec<Line>,
    /// Whether the stretch ends here although the run goes on.
    is_cut: bool,
}

/// The object with the record of a run.
pub(crate) struct Record {
    pub(crate) agents: Arc<Agents>,
}

/// Reads the log from the state, and the names of its chunks.
macro_rules! read {
    ($ctx:expr) => {{
        let (mut log, mut names) = (Log::default(), $ctx.get_keys().await?);
        names.retain(|name| name.starts_with(CHUNKS));
        names.sort();
        for name in &names {
            let chunk = $ctx.get::<Json<Vec<Line>>>(name).await?;
            log.extend(chunk.map(Json::into_inner).unwrap_or_default()).map_err(terminal)?;
        }
        (log, names)
    }};
}

#[restate_sdk::object(name = "PtcRecord")]
impl Record {
    /// Begins the record with the first events of a run. One that has begun stays as it is.
    #[handler]
    async fn begin(&self, ctx: ObjectContext<'_>, log: Json<Vec<Line>>) -> HandlerResult<()> {
        if ctx.get_keys().await?.is_empty() {
            ctx.set(&chunk(0), log);
        }
        Ok(())
    }

    /// Lets the run go on until it ends, waits, or has taken many steps.
    #[handler]
    async fn go(&self, ctx: ObjectContext<'_>) -> HandlerResult<Json<End>> {
        let (mut log, names) = read!(ctx);
        let stretches = ctx.get::<u64>(STRETCHES).await?.unwrap_or_default() + 1;
        ctx.set(STRETCHES, stretches);
        let first = names.len();
        let stretch = Mutex::new(None);
        let mut new = Vec::new();
        let end = loop {
            match log.end() {
                Some(over @ End::Over(_)) => break over.clone(),
                Some(end) if !new.is_empty() => break end.clone(),
                _ => {}
            }
            let taken = new.len() as u64;
            let step = || step(&self.agents, &stretch, &log, taken);
            let Json(Batch { lines, is_cut }) = ctx.run(step).name(log.step()).await?;
            log.extend(lines.iter().cloned()).map_err(terminal)?;
            ctx.set(&chunk(first + new.len()), Json(lines.clone()));
            new.push(lines);
            if is_cut {
                break End::Again;
            }
            if let Some(stretch) = stretch.lock().await.as_ref() {
                Stretch::release(stretch);
            }
        };
        drop(stretch);
        let (count, joined) = (new.len(), joined(new));
        for number in joined.len()..count {
            ctx.clear(&chunk(first + number));
        }
        if joined.len() < count {
            for (number, lines) in joined.into_iter().enumerate() {
                ctx.set(&chunk(first + number), Json(lines));
            }
        }
        Ok(Json(end))
    }

    /// Adds the decisions of a person to the record of a run that waits, and wakes the run.
    #[handler]
    async fn decide(&self, ctx: ObjectContext<'_>, decide: Json<Decide>) -> HandlerResult<()> {
        let (log, names) = read!(ctx);
        let stretches = ctx.get::<u64>(STRETCHES).await?.unwrap_or_default();
        if !matches!(log.end(), Some(End::Waits(_))) {
            let message = format!("run {} does not wait", ctx.key());
            return Err(TerminalError::new_with_code(409, message).into());
        }
        let (agents, decide) = (&self.agents, decide.into_inner());
        let decided = || async { add_decisions(agents, &log, decide).await.map(Json) };
        let Json(lines) = ctx.run(decided).name("decide").await?;
        ctx.set(&chunk(names.len()), Json(lines));
        let wake = RequestTarget::workflow(names::RUN, ctx.key(), "wake");
        ctx.request::<u64, ()>(wake, stretches).send();
        Ok(())
    }

    /// Ends a run that does not work, and returns how it ended.
    #[handler]
    async fn withdraw(&self, ctx: ObjectContext<'_>) -> HandlerResult<Json<End>> {
        let (mut log, names) = read!(ctx);
        if !matches!(log.end(), Some(End::Over(_))) {
            let cancelled = || async { cancel(&self.agents, &log).await.map(Json) };
            let Json(lines) = ctx.run(cancelled).name("cancel").await?;
            log.extend(lines.iter().cloned()).map_err(terminal)?;
            ctx.set(&chunk(names.len()), Json(lines));
        }
        Ok(Json(log.end().cloned().unwrap_or(End::Waits(None))))
    }

    /// Returns the log of the run so far.
    #[handler]
    async fn log(&self, ctx: SharedObjectContext<'_>) -> HandlerResult<Json<Vec<Line>>> {
        let (log, _) = read!(ctx);
        Ok(Json(log.lines().to_vec()))
    }
}

/// Takes the next step of a run: lets it work until it has new events that the journal must have.
async fn step(
    agents: &Agents,
    stretch: &Mutex<Option<Stretch>>,
    log: &Log,
    taken: u64,
) -> HandlerResult<Json<Batch>> {
    let mut stretch = stretch.lock().await;
    if stretch.is_none() {
        *stretch = Some(Stretch::begin(agents, log)?);
    }
    let Some(stretch) = stretch.as_mut() else { return Err("the run has not begun".into()) };
    let lines = stretch.next().await?;
    if lines.is_empty() {
        return Err("the run has ended without an event".into());
    }
    let cut = if taken + 1 < MAX_STEPS { None } else { cut(log, &lines) };
    Ok(Json(match cut {
        Some(lines) => Batch { lines, is_cut: true },
        None => Batch { lines, is_cut: false },
    }))
}

/// Returns the events that give a waiting run its decisions and let it continue.
async fn add_decisions(agents: &Agents, log: &Log, decide: Decide) -> HandlerResult<Vec<Line>> {
    let store = tokio::task::block_in_place(|| store_of(log))?;
    let seen = newest(&store)?;
    let resume = tokio::task::block_in_place(|| Resume::of(&store, root(log)));
    // A decision that does not fit fits at no later time either.
    let wrong = |error: ptc_subagent::Error| TerminalError::new_with_code(400, error.to_string());
    let resume = resume.and_then(|it| it.decide(decide.into())).map_err(wrong)?;
    let agent = agents.of_record(resume.record())?;
    resume.enqueue(&agent, RunQueued::new()).await.map_err(wrong)?;
    Ok(behind(&store, seen)?.0)
}

/// Returns the events by which a run ends as cancelled.
async fn cancel(agents: &Agents, log: &Log) -> HandlerResult<Vec<Line>> {
    let store = tokio::task::block_in_place(|| store_of(log))?;
    let seen = newest(&store)?;
    let resume = tokio::task::block_in_place(|| Resume::of(&store, root(log)))?;
    let agent = agents.of_record(resume.record())?;
    resume.cancel(&agent).await?;
    Ok(behind(&store, seen)?.0)
}

fn root(log: &Log) -> &str {
    log.root().unwrap_or_default()
}

/// Returns the name of a chunk.
fn chunk(number: usize) -> String {
    format!("{CHUNKS}{number:09}")
}

/// Joins chunks up to a size.
fn joined(chunks: Vec<Vec<Line>>) -> Vec<Vec<Line>> {
    let mut all: Vec<Vec<Line>> = Vec::new();
    let mut room = 0;
    for mut lines in chunks {
        let bytes: usize = lines.iter().map(|it| it.get().len()).sum();
        match all.last_mut().filter(|_| bytes <= room) {
            Some(last) => {
                room -= bytes;
                last.append(&mut lines);
            }
            None => {
                room = CHUNK.saturating_sub(bytes);
                all.push(lines);
            }
        }
    }
    all
}

fn terminal(why: String) -> TerminalError {
    TerminalError::new(why)
}
