//! What a run is doing, while it does it: one live line on a terminal, one line for each event
//! elsewhere.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use ptc_subagent::store::{RunRecord, RunSummary};
use ptc_subagent::{Event, RunError, RunId, RunReport, TurnOutcome};

use crate::figures::{duration, plural};
use crate::paint;
use crate::report;
use crate::screen::{Held, Live, Now, Screen};

/// Shows a run. It never waits for a reader: the [`Screen`] has a thread for that.
pub(crate) struct Progress {
    screen: Option<&'static Screen>,
    seen: Seen,
    max_turns: u32,
    /// The run that is shown; those of its sub-agents are told of in a line.
    root: Option<RunId>,
    /// The names of the sub-agents that are running.
    below: BTreeMap<RunId, String>,
    /// Tools that are being called, in the order they were started.
    in_flight: Vec<(String, String)>,
    run_started: Instant,
    turn_started: Instant,
    turn_calls: u32,
    /// What the command that shows the run needs besides its name.
    store: String,
    asked: Asked,
}

/// What is known of the last turn.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Its number.
    pub(crate) turn: u32,
    /// Its program.
    pub(crate) program: Option<String>,
}

/// The program that a question has shown last.
type Asked = Arc<Mutex<Option<String>>>;

/// The most lines of a program that are shown; `ptc show` shows all.
const MAX_LINES: usize = 24;
/// The most characters of one line.
const MAX_LINE: usize = 160;

impl Progress {
    /// Makes one for the stderr there is. `store` is the record, if the command line names it.
    pub(crate) fn new(quiet: bool, store: Option<&Path>) -> Progress {
        let screen = (!quiet).then(|| Screen::start(Live::Line, Now::nothing()));
        let (run_started, turn_started) = (Instant::now(), Instant::now());
        let store = store.map(|it| format!(" --store {}", word(&it.display().to_string())));
        Progress {
            screen,
            seen: Seen::default(),
            max_turns: 0,
            root: None,
            below: BTreeMap::new(),
            in_flight: Vec::new(),
            run_started,
            turn_started,
            turn_calls: 0,
            store: store.unwrap_or_default(),
            asked: Asked::default(),
        }
    }

    /// Begins with what is on record of a run, since the events of that do not come again.
    #[must_use]
    pub(crate) fn after(mut self, record: &RunRecord) -> Progress {
        self.root = Some(record.summary.run.clone());
        self.max_turns = record.max_turns;
        if let Some(last) = record.turn_records.last() {
            let ran = last.repair.as_ref().map(|it| it.source.as_str());
            self.seen.turn = last.turn;
            self.seen.program = ran.or(last.program.as_deref()).map(str::to_owned);
            self.turn_calls = u32::try_from(last.calls.len()).unwrap_or(u32::MAX);
            let open = last.calls.iter().filter(|it| it.ended.is_none());
            self.in_flight = open.map(|it| (it.call.clone(), it.tool.clone())).collect();
        }
        self
    }

    /// Says that a run goes on.
    pub(crate) fn going_on(&mut self, summary: &RunSummary) {
        self.keep(&report::clean(&format!(
            "run {} · {} · {} · goes on",
            summary.run, summary.agent, summary.model
        )));
        if self.is_live() {
            self.now("going on");
        }
    }

    /// Returns what shows a question, and takes the live line away until the guard is dropped.
    pub(crate) fn asker(&self) -> impl Fn(&str, &str) -> Held + Send + use<> {
        let asked = Arc::clone(&self.asked);
        // Nobody is asked quietly.
        let screen = self.screen.unwrap_or_else(|| Screen::start(Live::Nothing, Now::nothing()));
        move |program, question| {
            *asked.lock().unwrap_or_else(PoisonError::into_inner) = Some(program.to_owned());
            screen.hold(question)
        }
    }

    /// Takes the live line away and gives what was seen. Waits until all of it is on the screen, unless nobody reads.
    pub(crate) fn finish(&mut self) -> Seen {
        if let Some(screen) = self.screen {
            screen.finish();
        }
        std::mem::take(&mut self.seen)
    }

    /// Whether replies are worth showing as they come.
    pub(crate) fn is_live(&self) -> bool {
        self.screen.is_some_and(Screen::is_live)
    }

    /// Shows an event.
    pub(crate) fn see(&mut self, run: &RunId, event: &Event) {
        if *self.root.get_or_insert_with(|| run.clone()) != *run {
            return self.see_below(run, event);
        }
        if let Some(turn) = turn_of(event).filter(|turn| *turn > self.seen.turn) {
            self.seen.turn = turn;
            self.turn_started = Instant::now();
            self.turn_calls = 0;
        }
        match event {
            Event::RunStarted(started) => {
                self.max_turns = started.max_turns;
                let line = format!("run {} · {} · {}", started.run, started.agent, started.model);
                self.keep(&report::clean(&line));
            }
            Event::TurnStarted { .. } => self.now("asking the model"),
            Event::ReplyText { text, .. } => {
                if let Some(screen) = self.screen {
                    screen.now(|now| now.hears(text));
                }
            }
            Event::ModelReplied { .. } => self.now("checking the program"),
            Event::Admitted { program, repair, .. } => {
                // Places of errors are those of the program that runs.
                let source = repair.as_ref().map_or(program, |it| &it.source);
                self.seen.program = Some(source.clone());
                if let Some(repair) = repair {
                    self.now(&format!("repaired: {}", one_line(repair.message())));
                }
                self.program(program);
                self.now("running the program");
            }
            Event::Rejected { program, .. } => self.seen.program.clone_from(program),
            Event::CallStarted { call, tool, .. } => {
                self.turn_calls += 1;
                self.in_flight.push((call.clone(), tool.clone()));
                self.now_calling();
            }
            Event::CallFinished { call, tool, result, .. } => {
                self.in_flight.retain(|(it, _)| it != call);
                if self.is_live() {
                    self.now_calling();
                } else if let Err(error) = result {
                    let advice = error.advice.as_ref().map(|it| format!(" ({})", one_line(it)));
                    let advice = advice.unwrap_or_default();
                    self.now(&format!("tool {tool} failed: {}{advice}", one_line(&error.message)));
                }
            }
            Event::Warned { warning, .. } => {
                self.keep(&format!("warning: {}", one_line(&warning.message)));
            }
            Event::TurnEnded { outcome, error, .. } => self.turn_ended(*outcome, error.as_ref()),
            Event::RunEnded(report) => self.run_ended(report),
            _ => {}
        }
    }

    /// Shows what a sub-agent does: on a terminal whom it waits for, and everywhere how it ended.
    fn see_below(&mut self, run: &RunId, event: &Event) {
        let name = match event {
            Event::RunStarted(started) => report::clean(&started.agent),
            // It began before the run was resumed.
            _ => "sub-agent".to_owned(),
        };
        let agent = self.below.entry(run.clone()).or_insert(name);
        match event {
            Event::TurnStarted { .. } if self.screen.is_some_and(Screen::is_live) => {
                let what = format!("{agent}: asking the model");
                self.now(&what);
            }
            Event::CallStarted { tool, .. } if self.screen.is_some_and(Screen::is_live) => {
                let what = format!("{agent}: calling {tool}");
                self.now(&what);
            }
            Event::RunEnded(report) => {
                let why = match (&report.fail, &report.error) {
                    (Some(fail), _) => format!(": {}: {}", fail.reason, fail.message),
                    (None, Some(error)) => format!(": {}", error.message),
                    (None, None) => String::new(),
                };
                let (status, turns) =
                    (report.status.as_str(), plural(u64::from(report.turns), "turn"));
                let line = format!("  {agent}: {status} after {turns}{}", one_line(&why));
                self.keep(&line);
                self.below.remove(run);
            }
            _ => {}
        }
    }

    /// What is being waited for: the newest calls, by the name of their tools.
    fn now_calling(&self) {
        let Some((_, tool)) = self.in_flight.last() else {
            return self.now("running the program");
        };
        let others = match self.in_flight.len() - 1 {
            0 => String::new(),
            others => format!(" and {others} more"),
        };
        self.now(&format!("calling {tool}{others} (call {})", self.turn_calls));
    }

    /// Shows a program on a terminal, unless a question has.
    fn program(&self, source: &str) {
        let source = source.trim_end().trim_start_matches('\n');
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner).take();
        if !self.is_live() || asked.is_some_and(|it| it.trim() == source.trim()) {
            return;
        }
        let all = source.lines().count();
        let shown = source.lines().take(MAX_LINES).map(|line| report::clean(&cut(line)));
        let shown = shown.collect::<Vec<_>>().join("\n");
        let lines = if report::is_coloured() {
            paint::lines(&shown)
        } else {
            shown.lines().map(str::to_owned).collect()
        };
        for line in &lines {
            self.keep(format!("  {line}").trim_end());
        }
        if all > MAX_LINES {
            self.keep(&format!("  … {} more", plural((all - MAX_LINES) as u64, "line")));
        }
    }

    fn turn_ended(&mut self, outcome: TurnOutcome, error: Option<&RunError>) {
        let mut parts = Vec::new();
        if self.turn_calls > 0 {
            parts.push(plural(u64::from(self.turn_calls), "tool call"));
        }
        if self.is_live() {
            parts.push(duration(self.turn_started.elapsed()));
        }
        let mut line = format!("{}: {}", self.place(), in_words(outcome));
        if !parts.is_empty() {
            // A string takes everything that is written to it.
            let _ = write!(line, " ({})", parts.join(", "));
        }
        if let Some(error) = error {
            line.push_str(": ");
            line.push_str(&one_line(&error.message));
        }
        self.keep(&line);
    }

    fn run_ended(&mut self, report: &RunReport) {
        let mut line = format!(
            "{} after {} and {}",
            report.status.as_str(),
            plural(u64::from(report.turns), "turn"),
            plural(report.tool_calls, "tool call")
        );
        if self.is_live() {
            line.push_str(", ");
            line.push_str(&duration(self.run_started.elapsed()));
        }
        self.keep(&line);
        if self.is_live() {
            let store = report::clean(&self.store);
            self.keep(&format!("`ptc show {}{store}` shows all of it", report.run));
        }
    }

    fn place(&self) -> String {
        format!("turn {}/{}", self.seen.turn, self.max_turns)
    }

    /// Shows what is going on now.
    fn now(&self, what: &str) {
        let Some(screen) = self.screen else { return };
        let (place, what) = (self.place(), report::clean(what));
        if !screen.is_live() {
            return screen.text(&format!("{place}: {what}\n"));
        }
        screen.now(|now| *now = Now::new(place, what));
    }

    /// Shows a line that stays on the screen.
    fn keep(&self, line: &str) {
        if let Some(screen) = self.screen {
            screen.text(&format!("{line}\n"));
        }
    }
}

/// The turn that an event is about.
fn turn_of(event: &Event) -> Option<u32> {
    match event {
        Event::TurnStarted { turn, .. }
        | Event::ReplyText { turn, .. }
        | Event::ModelReplied { turn, .. }
        | Event::Admitted { turn, .. }
        | Event::Rejected { turn, .. }
        | Event::CallStarted { turn, .. }
        | Event::CallFinished { turn, .. }
        | Event::Printed { turn, .. }
        | Event::TurnEnded { turn, .. } => Some(*turn),
        _ => None,
    }
}

/// A word as a shell reads it.
fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%,=".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// What a turn came to, as people say it.
pub(crate) fn in_words(outcome: TurnOutcome) -> &'static str {
    match outcome {
        TurnOutcome::Value => "a value, no return yet",
        TurnOutcome::Returned => "returned",
        TurnOutcome::WrongReturn => "returned what does not match",
        TurnOutcome::Failed => "the program gave up",
        TurnOutcome::NoProgram => "no program in the reply",
        TurnOutcome::NoAnswer => "no answer in the reply",
        TurnOutcome::Rejected => "program refused",
        TurnOutcome::Error => "error",
        TurnOutcome::Limit => "limit",
        TurnOutcome::Provider => "the model did not answer",
        TurnOutcome::Time => "out of time",
        TurnOutcome::Cancelled => "cancelled",
        _ => "ended",
    }
}

/// Text of a program or a tool, short enough for a line of its own.
fn one_line(text: &str) -> String {
    cut(&report::clean(text.lines().next().unwrap_or_default()))
}

/// The start of a line.
fn cut(line: &str) -> String {
    match line.char_indices().nth(MAX_LINE) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_a_shell() {
        assert_eq!(word("/tmp/runs-1.sqlite"), "/tmp/runs-1.sqlite");
        assert_eq!(word("my runs"), "'my runs'");
        assert_eq!(word("it's"), r"'it'\''s'");
        assert_eq!(word(""), "''");
    }
}
