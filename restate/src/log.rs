//! The log of a run and of those below it: the lines of their events, and what follows from them.
//!
//! Everything here is a function of the lines. So an invocation that is repeated takes the same way through its journal.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use ptc_subagent::{APPROVE, ASK, CONFIRM, Parent, RunId, WAIT};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// A line of the log.
pub(crate) type Line = Box<RawValue>;

/// The log of a run and of those below it.
#[derive(Default)]
pub(crate) struct Log {
    lines: Vec<Line>,
    /// The first run.
    root: Option<String>,
    /// The call of each run, by its id.
    callers: HashMap<String, (String, Option<u32>, String)>,
    /// The steps that have started and not ended.
    open: BTreeMap<Place, Step>,
    end: Option<End>,
    /// The line with the start of the first run, and the newest one with decisions about it.
    started: Option<usize>,
    queued: Option<usize>,
}

/// The place of a step: its run, its turn, and its call unless a model is asked.
pub(crate) type Place = (String, Option<u32>, Option<String>);

/// A step that has started.
struct Step {
    tool: String,
    /// When it ends by itself, in milliseconds since 1970.
    due: Option<u64>,
}

/// The reason that nothing goes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum End {
    /// The run has ended for good. The fields of the event say how.
    Over(Value),
    /// The run waits: for a time, in milliseconds from its last event, or for a person alone.
    Waits(Option<u64>),
    /// The run goes on in an invocation of its own, so that no journal gets long.
    Again,
}

/// The fields of a line that decide something.
#[derive(Deserialize)]
struct Fields<'l> {
    #[serde(borrow)]
    run: Cow<'l, str>,
    at: u64,
    #[serde(borrow)]
    event: Cow<'l, str>,
    turn: Option<u32>,
    call: Option<Cow<'l, str>>,
    tool: Option<Cow<'l, str>>,
    parent: Option<Caller<'l>>,
    status: Option<Cow<'l, str>>,
    stop: Option<Cow<'l, str>>,
    due: Option<u64>,
    #[serde(borrow)]
    args: Option<&'l RawValue>,
}

/// The arguments of a wait.
#[derive(Deserialize)]
struct Rest {
    ms: u64,
}

/// The run of a line.
#[derive(Deserialize)]
struct OfRun<'l> {
    #[serde(borrow)]
    run: Cow<'l, str>,
}

/// The call that a run answers.
#[derive(Deserialize)]
struct Caller<'l> {
    #[serde(borrow)]
    run: Cow<'l, str>,
    turn: Option<u32>,
    #[serde(borrow)]
    call: Cow<'l, str>,
}

/// The number of steps that a name lists.
const NAMED: usize = 3;

impl Log {
    /// Adds lines.
    ///
    /// # Errors
    ///
    /// The reason that a line is none of a log.
    pub(crate) fn extend(&mut self, lines: impl IntoIterator<Item = Line>) -> Result<(), String> {
        for line in lines {
            self.add(&line)?;
            self.lines.push(line);
        }
        Ok(())
    }

    /// Returns the lines.
    pub(crate) fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Returns the first run.
    pub(crate) fn root(&self) -> Option<&str> {
        self.root.as_deref()
    }

    /// Returns the reason that nothing goes on.
    pub(crate) fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// Returns the lines with which the first run began, and with the newest decisions about it.
    pub(crate) fn beginning(&self) -> impl Iterator<Item = &Line> {
        [self.started, self.queued].into_iter().flatten().filter_map(|at| self.lines.get(at))
    }

    /// Returns the lines of the run that answers a call, and of those below it.
    pub(crate) fn lines_of(&self, call: &Parent) -> Vec<Line> {
        let answers = |(run, turn, id): &(String, Option<u32>, String)| {
            *run == call.run.as_str() && *turn == Some(call.turn) && *id == call.call
        };
        if !self.callers.values().any(answers) {
            return Vec::new();
        }
        let is_below = |line: &&Line| {
            let Ok(OfRun { run }) = serde_json::from_str(line.get()) else { return false };
            let callers =
                std::iter::successors(self.callers.get(&*run), |it| self.callers.get(&it.0));
            // The callers of a log from outside could be a circle.
            callers.take(self.callers.len()).any(answers)
        };
        self.lines.iter().filter(is_below).cloned().collect()
    }

    /// Returns whether the run does nothing outside but what `elsewhere` has: it waits, or asks a person.
    pub(crate) fn rests(&self, elsewhere: impl Fn(&Place) -> bool) -> bool {
        let rests = |(place, step): (&Place, &Step)| {
            matches!(step.tool.as_str(), WAIT | ASK | APPROVE | CONFIRM) || elsewhere(place)
        };
        self.open.iter().all(rests)
    }

    /// Returns the end of the first wait, in milliseconds since 1970.
    pub(crate) fn due(&self) -> Option<u64> {
        self.open.values().filter_map(|it| it.due).min()
    }

    /// Returns whether no step has started without an end. Then the run can go on elsewhere without a call in doubt.
    pub(crate) fn is_quiet(&self) -> bool {
        self.open.is_empty()
    }

    /// Returns the name of the next step of the journal: the places and tools that the run waits for.
    pub(crate) fn step(&self) -> String {
        if self.open.is_empty() {
            return "go on".to_owned();
        }
        let mut name = String::new();
        for (place, Step { tool, .. }) in self.open.iter().take(NAMED) {
            let comma = if name.is_empty() { "" } else { ", " };
            // Writing to a string never fails.
            let _ = write!(name, "{comma}{} {tool}", self.path(place));
        }
        if self.open.len() > NAMED {
            let _ = write!(name, " and {} more", self.open.len() - NAMED);
        }
        name
    }

    fn add(&mut self, line: &RawValue) -> Result<(), String> {
        let wrong = |error: serde_json::Error| format!("a line is not an event: {error}");
        let it: Fields<'_> = serde_json::from_str(line.get()).map_err(wrong)?;
        let (run, call) = (it.run.into_owned(), it.call.map(Cow::into_owned));
        let is_root = *self.root.get_or_insert_with(|| run.clone()) == run;
        match &*it.event {
            "run-started" => {
                if is_root {
                    self.started = Some(self.lines.len());
                }
                if let Some(Caller { run: above, turn, call }) = it.parent {
                    let caller = (above.into_owned(), turn, call.into_owned());
                    self.callers.insert(run, caller);
                }
            }
            "model-asked" => {
                let step = Step { tool: "model".to_owned(), due: None };
                self.open.insert((run, it.turn, None), step);
            }
            "model-replied" => {
                self.open.remove(&(run, it.turn, None));
            }
            "call-started" => {
                let tool = it.tool.map(Cow::into_owned).unwrap_or_default();
                let rest: Option<Rest> = it
                    .args
                    .filter(|_| tool == WAIT)
                    .and_then(|args| serde_json::from_str(args.get()).ok());
                let due = rest.map(|rest| it.at.saturating_add(rest.ms));
                self.open.insert((run, it.turn, call), Step { tool, due });
            }
            "call-finished" => {
                self.open.remove(&(run, it.turn, call));
            }
            "turn-ended" => self.open.retain(|(of, _, _), _| *of != run),
            "run-ended" => {
                self.open.retain(|(of, _, _), _| *of != run);
                if is_root {
                    self.end = Some(if it.status.as_deref() == Some("waiting") {
                        End::Waits(it.due.map(|due| due.saturating_sub(it.at)))
                    } else if it.stop.as_deref() == Some("in-doubt") {
                        End::Waits(None)
                    } else {
                        End::Over(serde_json::from_str(line.get()).map_err(wrong)?)
                    });
                }
            }
            "run-queued" if is_root => {
                self.queued = Some(self.lines.len());
                self.end = None;
            }
            "run-resumed" if is_root => self.end = None,
            _ => {}
        }
        Ok(())
    }

    /// Returns the place of a step, behind those of the calls above it.
    fn path(&self, (run, turn, call): &Place) -> String {
        let mut parts = vec![part(*turn, call.as_deref())];
        let mut run = run;
        // The callers of a log from outside could be a circle.
        while let Some((above, turn, call)) = self.callers.get(run)
            && parts.len() <= self.callers.len()
        {
            parts.push(part(*turn, Some(call)));
            run = above;
        }
        parts.reverse();
        parts.join("/")
    }
}

/// Returns the run of a line.
pub(crate) fn run_of(line: &Line) -> Option<RunId> {
    let OfRun { run } = serde_json::from_str(line.get()).ok()?;
    run.parse().ok()
}

fn part(turn: Option<u32>, call: Option<&str>) -> String {
    let turn = turn.unwrap_or_default();
    call.map_or_else(|| turn.to_string(), |call| format!("{turn}.{call}"))
}
