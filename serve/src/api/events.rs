//! Events of runs, as server-sent events.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use hyper::StatusCode;
use hyper::body::Bytes;
use hyper::header::HeaderName;
use ptc_subagent::store::{Hidden, Placed, Snapshot};
use ptc_subagent::{Data, Error, Event, RunId, Status};
use tokio::sync::mpsc::{self, Sender};

use crate::access::{self, Action, Caller};
use crate::answer::Answer;
use crate::body::Body;
use crate::hub::Passing;
use crate::problem::Problem;
use crate::request::Request;
use crate::state::State;

/// The header with the id of the last event that a client has seen.
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// The number of events of one look at the record.
const PAGE: u32 = 200;

/// The number of parts that wait for a slow client.
const WAITING: usize = 8;

/// The time between two looks at the record, while it changes.
const PAUSE: Duration = Duration::from_millis(30);

/// The time after which the record is looked at although nothing was told: another process may write to it.
const LOOK: Duration = Duration::from_secs(2);

/// The number of quiet looks after which the client is told that the connection lives.
const QUIET: u32 = 7;

/// Streams the events of all runs: those behind the last one that the client has seen, or else the new ones.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "a path to the method holds for one lifetime alone"
)]
pub(crate) async fn all(request: Request) -> Result<Answer, Problem> {
    let seen = match last(&request)? {
        Some(seen) => seen,
        None => request.state.ask(|snapshot| snapshot.newest_event()).await?,
    };
    Ok(stream(&request, None, seen))
}

/// Streams the events of one run and those below it, from its start or behind the last one that the client has seen. The
/// stream ends with the run. A client that has seen the end gets no content, so that it does not come again.
pub(crate) async fn of_run(request: Request) -> Result<Answer, Problem> {
    let summary = request.run(Action::View).await?;
    let seen = last(&request)?.unwrap_or_default();
    let run = summary.run.clone();
    let is_over = request.state.ask(move |snapshot| is_over(snapshot, &run, seen)).await?;
    if is_over && seen > 0 {
        let mut answer = Answer::text(StatusCode::NO_CONTENT, STREAM, String::new());
        answer.body = Body::Empty;
        return Ok(answer);
    }
    Ok(stream(&request, Some(summary.run), seen))
}

/// The media type of server-sent events.
const STREAM: &str = "text/event-stream";

/// Returns the number of the last event that a client has seen.
fn last(request: &Request) -> Result<Option<u64>, Problem> {
    let given = match request.header(&LAST_EVENT_ID) {
        Some(text) => Some(text),
        None => request.query("after"),
    };
    let number = |text: &str| {
        let number = text.parse().ok();
        number.ok_or_else(|| Problem::malformed("`Last-Event-ID` must be the id of an event"))
    };
    given.filter(|it| !it.is_empty()).map(number).transpose()
}

/// Returns whether a run has ended for good, and a client has seen its last event.
fn is_over(snapshot: &Snapshot<'_>, run: &RunId, seen: u64) -> Result<bool, Error> {
    let status = snapshot.summary(run.as_str())?.status;
    let is_open = matches!(status, Status::Queued | Status::Running | Status::Waiting);
    Ok(!is_open && snapshot.events_behind(seen, Some(run.as_str()), 1)?.is_empty())
}

fn stream(request: &Request, run: Option<RunId>, seen: u64) -> Answer {
    let (sender, parts) = mpsc::channel(WAITING);
    let reader = Reader {
        state: Arc::clone(&request.state),
        caller: request.caller.clone(),
        run,
        seen,
        covers: HashMap::new(),
        sender,
    };
    tokio::spawn(reader.run());
    let mut answer = Answer::text(StatusCode::OK, STREAM, String::new());
    answer.body = Body::Parts(parts);
    answer
}

/// Sends events to one client.
struct Reader {
    state: Arc<State>,
    caller: Caller,
    run: Option<RunId>,
    seen: u64,
    /// Whether runs have hidden fields, as far as the events so far tell.
    covers: HashMap<RunId, bool>,
    sender: Sender<Bytes>,
}

impl Reader {
    async fn run(mut self) {
        let (mut ticks, mut passing) = (self.state.hub.ticks(), self.state.hub.passing());
        let state = Arc::clone(&self.state);
        let mut quiet = 0;
        loop {
            ticks.borrow_and_update();
            match self.send_new().await {
                Some(0) => {}
                Some(_) => {
                    quiet = 0;
                    continue;
                }
                None => return,
            }
            let told = tokio::select! {
                told = passing.recv() => told.ok(),
                _ = ticks.changed() => {
                    tokio::time::sleep(PAUSE).await;
                    None
                }
                () = tokio::time::sleep(LOOK) => {
                    quiet += 1;
                    None
                }
                () = self.sender.closed() => return,
                () = state.host.ending() => return,
            };
            let mut texts = told.iter().filter_map(|it| self.passing(it)).collect::<Vec<String>>();
            while let Ok(it) = passing.try_recv() {
                texts.extend(self.passing(&it));
            }
            if quiet >= QUIET {
                quiet = 0;
                texts.push(": alive\n\n".to_string());
            }
            if !texts.is_empty() && self.sender.send(texts.concat().into()).await.is_err() {
                return;
            }
        }
    }

    /// Returns a part of a reply as an event without an id: a client that comes again gets the whole reply.
    fn passing(&self, it: &Passing) -> Option<String> {
        // Its text is not on record yet, so nobody knows which of it is hidden.
        let is_plain = self.covers.get(&it.run) == Some(&false);
        (is_plain && self.run.as_ref().is_none_or(|run| *run == it.run))
            .then(|| format!("data: {}\n\n", it.event.to_json(&it.run)))
    }

    /// Sends the next events on record. Returns their number; `None` at the end of the stream.
    async fn send_new(&mut self) -> Option<usize> {
        let (run, seen) = (self.run.clone(), self.seen);
        let mut covers = std::mem::take(&mut self.covers);
        let read = self.state.ask(move |snapshot| {
            let tree = run.as_ref().map(RunId::as_str);
            let placed = snapshot.events_behind(seen, tree, PAGE)?;
            let is_over = match &run {
                Some(run) if placed.is_empty() => is_over(snapshot, run, seen)?,
                _ => false,
            };
            let texts = shown(snapshot, &placed, &mut covers)?;
            Ok((covers, placed, texts, is_over))
        });
        let (placed, texts, is_over);
        (self.covers, placed, texts, is_over) = read.await.ok()?;
        if is_over {
            return None;
        }
        self.seen = placed.last().map_or(self.seen, |it| it.seq);
        let is_seen = |it: &Placed| access::allow(&self.caller, Action::View, &it.agent).is_ok();
        let seen = placed.iter().zip(texts).filter(|(it, _)| is_seen(it));
        let parts = seen.map(|(it, text)| format!("id: {}\ndata: {text}\n\n", it.seq));
        let text = parts.collect::<Vec<String>>().concat();
        if !text.is_empty() {
            self.sender.send(text.into()).await.ok()?;
        }
        Some(placed.len())
    }
}

/// Returns events as JSON without hidden values, each on one line.
fn shown(
    snapshot: &Snapshot<'_>,
    placed: &[Placed],
    covers: &mut HashMap<RunId, bool>,
) -> Result<Vec<String>, Error> {
    let mut texts = Vec::new();
    let mut known: HashMap<&RunId, Hidden> = HashMap::new();
    for Placed { run, logged, .. } in placed {
        let data = logged.event.to_json(run).with("at", serde_json::json!(logged.at));
        let is_first = matches!(logged.event, Event::RunStarted(_));
        // A stream that begins in the middle has not seen whether the run has hidden fields.
        let has = covers.entry(run.clone()).or_insert(!is_first);
        *has |= has_hidden(&data);
        if !*has {
            texts.push(data.to_string());
            continue;
        }
        let hidden = match known.remove(run) {
            Some(hidden) => hidden,
            None => Hidden::of(&snapshot.family(run.as_str())?)?,
        };
        texts.push(hidden.data(&data).to_string());
        known.insert(run, hidden);
    }
    Ok(texts)
}

/// Returns whether the name of a hidden field may be in the data.
fn has_hidden(data: &Data) -> bool {
    let text = data.to_string();
    text.contains("\"_") || text.contains(":_")
}
