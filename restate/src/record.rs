//! The record of a run: an object with the log of the run in its state. It lets the run go on, a stretch at a time.
//!
//! A stretch is an invocation with a journal of its own. Each entry of it has the events up to the next step outside, and
//! the run takes that step only when the entry is kept. So the journal never has a step that happened without the events
//! before it, and a repeated invocation has the log of everything that was done.

use std::fmt::Write as _;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use ptc_subagent::replay::Resume;
use ptc_subagent::{AgentCall, RunQueued};
use restate_sdk::context::{DurableFuture, RequestTarget};
use restate_sdk::prelude::*;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

use crate::agents::Agents;
use crate::decide::Decide;
use crate::log::{End, Line, Log};
use crate::names;
use crate::stretch::{Step, Stretch, Work, behind, cut, newest, store_of};
use crate::text::{self, PART, Page, parts};

/// The number of steps after which a run goes on in an invocation of its own.
const MAX_STEPS: u64 = 1000;

/// The size up to which chunks of the log are joined, in bytes.
const CHUNK: usize = 256 << 10;

/// The start of the names of the chunks. Their numbers have the same width, so names have the order of chunks.
const CHUNKS: &str = "log-";

/// The state with the number of stretches.
const STRETCHES: &str = "stretches";

/// The state with the keys of the sub-agents that work elsewhere.
const BELOW: &str = "below";

/// The state with the number of lines that the caller of a sub-agent gave it.
const GIVEN: &str = "given";

/// A sub-agent to run, or to let go on.
#[derive(Serialize, Deserialize)]
struct Errand {
    call: AgentCall,
    /// The lines with which the runs above it began.
    above: Vec<Line>,
    /// The lines of its log that its caller has.
    lines: Vec<Line>,
}

/// The end of a sub-agent, by the number of its call, or of a wait beside it.
type Arrival = Result<Option<(usize, End)>, TerminalError>;

/// Something that a run waits for beside its steps.
type Awaited<'c> = Pin<Box<dyn DurableFuture<Output = Arrival> + Send + 'c>>;

/// The object with the record of a run.
pub(crate) struct Record {
    pub(crate) agents: Arc<Agents>,
}

/// Reads the log from the state, and the names of its chunks.
macro_rules! read {
    ($ctx:expr) => {{
        let (mut text, names) = (Vec::new(), chunks(&$ctx.get_keys().await?));
        for name in &names {
            text.extend($ctx.get::<Vec<u8>>(name).await?.unwrap_or_default());
        }
        let mut log = Log::default();
        log.extend(text::lines(&text).map_err(terminal)?).map_err(terminal)?;
        (log, names)
    }};
}

#[restate_sdk::object(name = "PtcRecord")]
impl Record {
    /// Begins the record with the first events of a run. One that has begun stays as it is.
    #[handler]
    async fn begin(&self, ctx: ObjectContext<'_>, log: Json<Vec<Line>>) -> HandlerResult<()> {
        if ctx.get_keys().await?.is_empty() {
            set_chunks(&ctx, 0, &log.into_inner());
        }
        Ok(())
    }

    /// Lets the run go on until it ends, waits, or has taken many steps.
    #[handler]
    async fn go(&self, ctx: ObjectContext<'_>) -> HandlerResult<Json<End>> {
        let (mut log, names) = read!(ctx);
        let stretches = ctx.get::<u64>(STRETCHES).await?.unwrap_or_default() + 1;
        ctx.set(STRETCHES, stretches);
        let work = Work::default();
        Ok(Json(advance(&self.agents, &ctx, &mut log, names.len(), work).await?))
    }

    /// Runs a sub-agent until it ends, waits, or has taken many steps. Its record is here until its caller has it.
    #[handler]
    async fn work(&self, ctx: ObjectContext<'_>, errand: Json<Errand>) -> HandlerResult<Json<End>> {
        let Errand { call, above, lines } = errand.into_inner();
        let (mut log, names) = read!(ctx);
        let mut count = names.len();
        if names.is_empty() {
            ctx.set(GIVEN, lines.len() as u64);
            count = set_chunks(&ctx, 0, &lines);
            log.extend(lines).map_err(terminal)?;
        }
        let given = ctx.get::<u64>(GIVEN).await?.unwrap_or_default() as usize;
        let work = Work { answers: Some((call, above)), given, ..Work::default() };
        Ok(Json(advance(&self.agents, &ctx, &mut log, count, work).await?))
    }

    /// Forgets the record of a sub-agent, which its caller has now.
    #[expect(clippy::unused_async, reason = "a handler is asynchronous")]
    #[handler]
    async fn forget(&self, ctx: ObjectContext<'_>) -> HandlerResult<()> {
        ctx.clear_all();
        Ok(())
    }

    /// Adds to the record of a sub-agent what those below it did that worked elsewhere. It works no longer.
    #[handler]
    async fn gather(&self, ctx: ObjectContext<'_>) -> HandlerResult<()> {
        let (mut log, names) = read!(ctx);
        gather_below(&ctx, &mut log, names.len()).await?;
        Ok(())
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
        set_chunks(&ctx, names.len(), &lines);
        let wake = RequestTarget::workflow(names::RUN, ctx.key(), "wake");
        ctx.request::<u64, ()>(wake, stretches).send();
        Ok(())
    }

    /// Ends a run that does not work, and returns how it ended.
    #[handler]
    async fn withdraw(&self, ctx: ObjectContext<'_>) -> HandlerResult<Json<End>> {
        let (mut log, names) = read!(ctx);
        let count = gather_below(&ctx, &mut log, names.len()).await?;
        if !matches!(log.end(), Some(End::Over(_))) {
            let cancelled = || async { cancel(&self.agents, &log).await.map(Json) };
            let Json(lines) = ctx.run(cancelled).name("cancel").await?;
            set_chunks(&ctx, count, &lines);
            log.extend(lines).map_err(terminal)?;
        }
        Ok(Json(log.end().cloned().unwrap_or(End::Waits(None))))
    }

    /// Returns the log of the run so far, a part at a time: JSON lines, which a long line may divide.
    #[handler]
    async fn log(&self, ctx: SharedObjectContext<'_>, from: u64) -> HandlerResult<Json<Page>> {
        let (mut text, mut next) = (Vec::new(), None);
        for (number, name) in (0_u64..).zip(chunks(&ctx.get_keys().await?)) {
            if number < from {
                continue;
            }
            if text.len() >= PART {
                next = Some(number);
                break;
            }
            text.extend(ctx.get::<Vec<u8>>(&name).await?.unwrap_or_default());
        }
        let text = String::from_utf8(text).map_err(|_| terminal(text::BROKEN.to_owned()))?;
        Ok(Json(Page { text, next }))
    }
}

/// Lets a run go on until it ends, waits, or has taken many steps. Its state has `first` chunks of its log.
async fn advance(
    agents: &Agents,
    ctx: &ObjectContext<'_>,
    log: &mut Log,
    first: usize,
    mut work: Work,
) -> HandlerResult<End> {
    let stretch = Mutex::new(None);
    let (mut taken, mut count, before) = (0, first, log.lines().len());
    let mut awaited: DurableFuturesUnordered<Awaited<'_>> = DurableFuturesUnordered::new();
    let mut calls: Vec<AgentCall> = Vec::new();
    let end = loop {
        match log.end() {
            Some(over @ End::Over(_)) => break over.clone(),
            Some(end) if count > first => break end.clone(),
            _ => {}
        }
        let next = || step(agents, &stretch, log, &work, taken);
        let step = match ctx.run(next).name(log.step()).await {
            Ok(Json(step)) => step,
            Err(error) => {
                // The step has ended before the cancellation was heard. A call that follows waits for the journal: it was
                // not made, and with its start in the log it would be in doubt.
                let last = || async { Ok(Json(last(&stretch).await)) };
                let Json(lines) = ctx.run(last).name("last step").await?;
                let lines = cut(log, &lines).unwrap_or(lines);
                keep(ctx, log, lines, count)?;
                return Err(error.into());
            }
        };
        let Step { mut lines, parts, calls: asked, rests, longest, is_cut } = step;
        taken += 1;
        if parts > 0 {
            let mut text = String::new();
            let mut is_whole = true;
            for number in 0..parts {
                let part = || async { Ok(Json(part(&stretch, number).await)) };
                let Json(part) = ctx.run(part).name("part").await?;
                is_whole &= part.is_some();
                text.push_str(&part.unwrap_or_default());
            }
            // The process may have ended before it gave all parts. Then the step has not happened.
            if !is_whole {
                continue;
            }
            lines = text::lines(text.as_bytes()).map_err(terminal)?;
        }
        count = keep(ctx, log, lines, count)?;
        if is_cut {
            break End::Again;
        }
        for call in asked {
            awaited.push(start(ctx, log, &work, calls.len(), &call));
            work.begun.push(call.clone());
            calls.push(call);
            note_below(ctx, &work);
        }
        if let Some(stretch) = stretch.lock().await.as_mut() {
            Stretch::release(stretch);
        }
        if !rests {
            continue;
        }
        if let Some(ms) = longest {
            awaited.push(Box::pin(ctx.sleep(Duration::from_millis(ms)).map_ok(|()| None)));
        }
        let Some((_, arrival)) = awaited.next().await? else {
            return Err("the run waits for nothing".into());
        };
        let Some((number, end)) = arrival? else { continue };
        let Some(call) = calls.get(number) else { return Err("no call has this end".into()) };
        if end == End::Again {
            awaited.push(start(ctx, log, &work, number, call));
            continue;
        }
        let known = call.parent().map(|it| log.lines_of(it)).unwrap_or_default().len();
        let lines = whole_log(ctx, &key(call)).await?.into_iter().skip(known).collect();
        count = keep(ctx, log, lines, count)?;
        work.begun.retain(|it| it != call);
        note_below(ctx, &work);
        ctx.request::<(), ()>(record(&key(call), "forget"), ()).send();
        if let Some(stretch) = stretch.lock().await.as_ref() {
            Stretch::end(stretch, call, log)?;
        }
    };
    drop(stretch);
    join_chunks(ctx, first, count, log.lines().get(before..).unwrap_or_default());
    Ok(end)
}

/// Writes lines again that the state has in chunks from `first` on, in fewer ones if that can be.
fn join_chunks(ctx: &ObjectContext<'_>, first: usize, count: usize, lines: &[Line]) {
    let mut joined: Vec<&[Line]> = Vec::new();
    let (mut from, mut bytes) = (0, 0);
    for (at, line) in lines.iter().enumerate() {
        if at > from && bytes + line.get().len() > CHUNK {
            joined.extend(lines.get(from..at));
            (from, bytes) = (at, 0);
        }
        bytes += line.get().len();
    }
    joined.extend(lines.get(from..));
    if first + joined.len() >= count {
        return;
    }
    let next = joined.into_iter().fold(first, |next, lines| set_chunks(ctx, next, lines));
    for at in next..count {
        ctx.clear(&chunk(at));
    }
}

/// Adds lines to the log, and to the state, which has `count` chunks. Returns the number of chunks then.
fn keep(
    ctx: &ObjectContext<'_>,
    log: &mut Log,
    lines: Vec<Line>,
    count: usize,
) -> HandlerResult<usize> {
    let count = set_chunks(ctx, count, &lines);
    log.extend(lines).map_err(terminal)?;
    Ok(count)
}

/// Adds lines to the state, which has `count` chunks. Returns the number of chunks then.
fn set_chunks(ctx: &ObjectContext<'_>, count: usize, lines: &[Line]) -> usize {
    let parts = parts(lines);
    let next = count + parts.len();
    for (number, part) in (count..).zip(parts) {
        ctx.set(&chunk(number), part.into_bytes());
    }
    next
}

/// Starts a sub-agent elsewhere, or lets it go on. `number` is that of its call.
fn start<'c>(
    ctx: &ObjectContext<'c>,
    log: &Log,
    work: &Work,
    number: usize,
    call: &AgentCall,
) -> Awaited<'c> {
    let mut above: Vec<Line> = Vec::new();
    above.extend(work.answers.iter().flat_map(|(_, above)| above).cloned());
    above.extend(log.beginning().cloned());
    let lines = call.parent().map(|it| log.lines_of(it)).unwrap_or_default();
    let errand = Json(Errand { call: call.clone(), above, lines });
    let target = record(&key(call), "work");
    let end = ctx.request::<Json<Errand>, Json<End>>(target, errand).call();
    Box::pin(end.map_ok(move |Json(end)| Some((number, end))))
}

/// Notes which sub-agents work elsewhere.
fn note_below(ctx: &ObjectContext<'_>, work: &Work) {
    if work.begun.is_empty() {
        ctx.clear(BELOW);
    } else {
        ctx.set(BELOW, Json(work.begun.clone()));
    }
}

/// Adds to a log what the sub-agents did that worked elsewhere. They work no longer. Returns the number of chunks then.
async fn gather_below(
    ctx: &ObjectContext<'_>,
    log: &mut Log,
    mut count: usize,
) -> HandlerResult<usize> {
    let below = ctx.get::<Json<Vec<AgentCall>>>(BELOW).await?.map(Json::into_inner);
    for call in below.unwrap_or_default() {
        let key = key(&call);
        // It waits until the sub-agent has been cancelled.
        ctx.request::<(), ()>(record(&key, "gather"), ()).call().await?;
        let known = call.parent().map(|it| log.lines_of(it)).unwrap_or_default().len();
        let lines = whole_log(ctx, &key).await?.into_iter().skip(known).collect();
        count = keep(ctx, log, lines, count)?;
        ctx.request::<(), ()>(record(&key, "forget"), ()).send();
    }
    ctx.clear(BELOW);
    Ok(count)
}

/// Reads the log of a sub-agent.
async fn whole_log(ctx: &ObjectContext<'_>, key: &str) -> HandlerResult<Vec<Line>> {
    let (mut text, mut from) = (String::new(), Some(0));
    while let Some(number) = from {
        let page = ctx.request::<u64, Json<Page>>(record(key, "log"), number).call().await?;
        let Page { text: part, next } = page.into_inner();
        text.push_str(&part);
        from = next;
    }
    Ok(text::lines(text.as_bytes()).map_err(terminal)?)
}

/// Returns the key of the record of a sub-agent: the first run, and the places of the calls that lead to it.
fn key(call: &AgentCall) -> String {
    let mut key = String::new();
    for it in call.callers() {
        if key.is_empty() {
            key.push_str(it.run.as_str());
        }
        // Writing to a string never fails.
        let _ = write!(key, "/{}.{}", it.turn, it.call);
    }
    key
}

fn record(key: &str, handler: &str) -> RequestTarget {
    RequestTarget::object(names::RECORD, key, handler)
}

/// Takes the next step of a run: lets it work until it has new events that the journal must have.
async fn step(
    agents: &Agents,
    stretch: &Mutex<Option<Stretch>>,
    log: &Log,
    work: &Work,
    taken: u64,
) -> HandlerResult<Json<Step>> {
    let mut stretch = stretch.lock().await;
    if stretch.is_none() {
        *stretch = Some(Stretch::begin(agents, log, work)?);
    }
    let Some(stretch) = stretch.as_mut() else { return Err("the run has not begun".into()) };
    let step = stretch.next(log).await?;
    let ends = taken + 1 >= MAX_STEPS && step.calls.is_empty() && work.begun.is_empty();
    if let Some(parts) = stretch.divide(&step) {
        return Ok(Json(Step { parts, lines: Vec::new(), ..step }));
    }
    Ok(Json(match ends.then(|| cut(log, &step.lines)).flatten() {
        Some(lines) => Step { lines, is_cut: true, ..Step::default() },
        None => step,
    }))
}

/// Returns the lines of the last step, unless another process took it.
async fn last(stretch: &Mutex<Option<Stretch>>) -> Vec<Line> {
    stretch.lock().await.as_ref().map(Stretch::last).unwrap_or_default()
}

/// Returns a part of the lines of the last step; `None` if another process took it.
async fn part(stretch: &Mutex<Option<Stretch>>, number: u64) -> Option<String> {
    stretch.lock().await.as_ref()?.part(number)
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

/// Returns the events by which a run ends as cancelled, and those below it that have worked elsewhere.
async fn cancel(agents: &Agents, log: &Log) -> HandlerResult<Vec<Line>> {
    let store = tokio::task::block_in_place(|| store_of(log))?;
    let seen = newest(&store)?;
    let tree = tokio::task::block_in_place(|| store.tree(root(log)))?;
    // With the results of its sub-agents, a run that goes on could end before it hears of the cancellation.
    if log.end().is_some() || tree.len() == 1 {
        let resume = tokio::task::block_in_place(|| Resume::of(&store, root(log)))?;
        let agent = agents.of_record(resume.record())?;
        resume.cancel(&agent).await?;
    }
    let mut runs = tree.iter().map(|it| &it.summary.run);
    tokio::task::block_in_place(|| {
        runs.try_for_each(|run| store.end_stuck(run, CANCELLED).map(drop))
    })?;
    Ok(behind(&store, seen)?.0)
}

/// The reason that the record gives for the end of a run with sub-agents, and for theirs.
const CANCELLED: &str = "the run was cancelled";

fn root(log: &Log) -> &str {
    log.root().unwrap_or_default()
}

/// Returns the name of a chunk.
fn chunk(number: usize) -> String {
    format!("{CHUNKS}{number:09}")
}

/// Returns the names of the chunks in a state, in their order.
fn chunks(names: &[String]) -> Vec<String> {
    let mut chunks: Vec<String> =
        names.iter().filter(|name| name.starts_with(CHUNKS)).cloned().collect();
    chunks.sort();
    chunks
}

fn terminal(why: String) -> TerminalError {
    TerminalError::new(why)
}
