//! The progress of a run: one live line on a terminal, one line for each event elsewhere.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use ptc_subagent::store::{RunRecord, RunSummary};
use ptc_subagent::{
    APPROVE, ASK, CONFIRM, EXPAND, Event, RunError, RunId, RunReport, TurnOutcome, WAIT,
};

use crate::figures::{duration, plural};
use crate::paint;
use crate::report;
use crate::screen::{Activity, Live, LiveLineGuard, Screen};

/// The progress display of a run. It never waits for a reader, because the [`Screen`] writes from its own thread.
pub(crate) struct Progress {
    screen: Option<&'static Screen>,
    /// The number of the last turn, from 1; 0 before the first turn.
    turn: u32,
    max_turns: u32,
    /// The run that is shown. The runs of its sub-agents appear only as single lines.
    root: Option<RunId>,
    /// The names of the running sub-agents, by run.
    subagents: BTreeMap<RunId, String>,
    /// The calls in flight, in the order of their starts.
    in_flight: Vec<CallInFlight>,
    run_started: Instant,
    turn_started: Instant,
    turn_calls: u32,
    /// The `--store` option for the `ptc show` command that is suggested at the end; empty for the default store.
    store: String,
    /// Whether only the live line, warnings and questions are shown.
    is_brief: bool,
    asked_program: AskedProgram,
}

/// A call in flight.
struct CallInFlight {
    call: String,
    tool: String,
    /// The last progress that the tool has reported.
    progress: Option<String>,
}

/// The program that the last question showed, if `Progress` has not shown a program since.
type AskedProgram = Arc<Mutex<Option<String>>>;

/// The largest number of lines shown of a program; `ptc show` shows all.
const MAX_LINES: usize = 24;
/// The largest number of characters shown of one line.
const MAX_LINE: usize = 160;

impl Progress {
    /// Starts the display on stderr, unless `quiet`. `store` is the store that the command line names, if it names one.
    pub(crate) fn new(quiet: bool, store: Option<&Path>) -> Progress {
        let screen = (!quiet).then(|| Screen::start(Live::Line, Activity::idle()));
        let (run_started, turn_started) = (Instant::now(), Instant::now());
        let store = store.map(|it| format!(" --store {}", shell_word(&it.display().to_string())));
        Progress {
            screen,
            turn: 0,
            max_turns: 0,
            root: None,
            subagents: BTreeMap::new(),
            in_flight: Vec::new(),
            run_started,
            turn_started,
            turn_calls: 0,
            store: store.unwrap_or_default(),
            is_brief: false,
            asked_program: AskedProgram::default(),
        }
    }

    /// Shows only the live line, warnings and questions.
    #[must_use]
    pub(crate) fn brief(mut self) -> Progress {
        self.is_brief = true;
        self
    }

    /// Shows another run from now on.
    pub(crate) fn begin_next(&mut self) {
        self.turn = 0;
        self.root = None;
        self.subagents.clear();
        self.in_flight.clear();
        (self.run_started, self.turn_started) = (Instant::now(), Instant::now());
        self.turn_calls = 0;
    }

    /// Starts from the record of a resumed run, because its earlier events are not repeated.
    #[must_use]
    pub(crate) fn after_record(mut self, record: &RunRecord) -> Progress {
        self.root = Some(record.summary.run.clone());
        self.max_turns = record.setup.max_turns;
        if let Some(last) = record.turn_records.last() {
            self.turn = last.turn;
            let calls = last.calls.iter().filter(|it| is_of_tool(&it.tool)).count();
            self.turn_calls = u32::try_from(calls).unwrap_or(u32::MAX);
            let open = last.calls.iter().filter(|it| it.ended.is_none());
            self.in_flight = open.map(|it| CallInFlight::new(&it.call, &it.tool)).collect();
        }
        self
    }

    /// Shows that a run resumes.
    pub(crate) fn show_resumed(&mut self, summary: &RunSummary) {
        self.print_line(&report::clean(&format!(
            "run {} · {} · {} · resumes",
            summary.run, summary.agent, summary.model
        )));
        if self.is_live() {
            self.set_activity("resuming");
        }
    }

    /// Returns a function that shows a question. It hides the live line until the returned guard is dropped.
    pub(crate) fn question_presenter(
        &self,
    ) -> impl Fn(Option<&str>, &str) -> LiveLineGuard + Send + use<> {
        let asked_program = Arc::clone(&self.asked_program);
        // A question is shown even with `--quiet`.
        let screen = self.screen.unwrap_or_else(|| Screen::start(Live::Nothing, Activity::idle()));
        move |program, question| {
            if let Some(program) = program {
                *asked_program.lock().unwrap_or_else(PoisonError::into_inner) =
                    Some(program.to_owned());
            }
            screen.hold(question)
        }
    }

    /// Hides the live line. Waits until all text is written, unless the reader is stuck.
    pub(crate) fn finish(&mut self) {
        if let Some(screen) = self.screen {
            screen.finish();
        }
    }

    /// Returns whether there is a live line, which shows replies as they stream in.
    pub(crate) fn is_live(&self) -> bool {
        self.screen.is_some_and(Screen::is_live)
    }

    /// Shows an event.
    pub(crate) fn handle(&mut self, run: &RunId, event: &Event) {
        if *self.root.get_or_insert_with(|| run.clone()) != *run {
            return self.handle_subagent(run, event);
        }
        if let Some(turn) = turn_of(event).filter(|turn| *turn > self.turn) {
            self.turn = turn;
            self.turn_started = Instant::now();
            self.turn_calls = 0;
        }
        match event {
            Event::RunStarted(started) => {
                self.max_turns = started.setup.max_turns;
                let line = format!("run {} · {} · {}", started.run, started.agent, started.model);
                self.print_detail(&report::clean(&line));
            }
            Event::TurnStarted { prompt, .. } if prompt.is_empty() => {}
            Event::TurnStarted { .. } => self.set_activity("asking the model"),
            Event::ReplyText { text, .. } => {
                if let Some(screen) = self.screen {
                    screen.update(|activity| activity.push_reply(text));
                }
            }
            Event::ModelReplied { .. } => self.set_activity("checking the program"),
            Event::Admitted { program, repair, .. } => {
                if let Some(repair) = repair {
                    self.set_activity(&format!("repaired: {}", one_line(repair.message())));
                }
                self.show_program(program);
                self.set_activity("running the program");
            }
            Event::CallStarted { call, tool, .. } => {
                self.turn_calls += u32::from(is_of_tool(tool));
                self.in_flight.push(CallInFlight::new(call, tool));
                self.show_calls();
            }
            Event::CallProgress { call, progress, .. } => {
                let found = self.in_flight.iter_mut().find(|it| it.call == *call);
                if let Some(found) = found.filter(|_| self.screen.is_some_and(Screen::is_live)) {
                    found.progress = Some(progress.to_string());
                    self.show_calls();
                }
            }
            Event::CallFinished { call, tool, result, .. } => {
                self.in_flight.retain(|it| it.call != *call);
                if self.is_live() {
                    self.show_calls();
                } else if let Err(error) = result {
                    let advice = error.advice.as_ref().map(|it| format!(" ({})", one_line(it)));
                    let advice = advice.unwrap_or_default();
                    self.set_activity(&format!(
                        "tool {tool} failed: {}{advice}",
                        one_line(&error.message)
                    ));
                }
            }
            Event::Warned { warning, .. } => {
                self.print_line(&format!("warning: {}", one_line(&warning.message)));
            }
            Event::TurnEnded { outcome, error, .. } => self.turn_ended(*outcome, error.as_ref()),
            Event::RunEnded(report) => self.run_ended(report),
            _ => {}
        }
    }

    /// Shows an event of a sub-agent: on a terminal the call that it waits for, and everywhere its end.
    fn handle_subagent(&mut self, run: &RunId, event: &Event) {
        let name = match event {
            Event::RunStarted(started) => report::clean(&started.agent),
            // The sub-agent started before the run was resumed, so its name is unknown.
            _ => "sub-agent".to_owned(),
        };
        let agent = self.subagents.entry(run.clone()).or_insert(name);
        match event {
            Event::TurnStarted { prompt, .. }
                if !prompt.is_empty() && self.screen.is_some_and(Screen::is_live) =>
            {
                let what = format!("{agent}: asking the model");
                self.set_activity(&what);
            }
            Event::CallStarted { tool, .. } if self.screen.is_some_and(Screen::is_live) => {
                let what = format!("{agent}: calling {tool}");
                self.set_activity(&what);
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
                self.print_detail(&line);
                self.subagents.remove(run);
            }
            _ => {}
        }
    }

    /// Shows the newest call in flight, by its tool, and the number of the others.
    fn show_calls(&self) {
        let Some(CallInFlight { tool, progress, .. }) = self.in_flight.last() else {
            return self.set_activity("running the program");
        };
        let others = match self.in_flight.len() - 1 {
            0 => String::new(),
            others => format!(" and {others} more"),
        };
        self.set_activity(&match tool.as_str() {
            ASK | CONFIRM | APPROVE => format!("asking a person{others}"),
            WAIT => format!("waiting{others}"),
            tool => {
                let progress = progress.as_ref().map(|it| format!(": {it}")).unwrap_or_default();
                format!("calling {tool}{others} (call {}){progress}", self.turn_calls)
            }
        });
    }

    /// Shows a program on a terminal, unless a question has just shown it.
    fn show_program(&self, source: &str) {
        let source = source.trim_end().trim_start_matches('\n');
        let asked_program =
            self.asked_program.lock().unwrap_or_else(PoisonError::into_inner).take();
        if !self.is_live()
            || self.is_brief
            || asked_program.is_some_and(|it| it.trim() == source.trim())
        {
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
            self.print_line(format!("  {line}").trim_end());
        }
        if all > MAX_LINES {
            self.print_line(&format!("  … {} more", plural((all - MAX_LINES) as u64, "line")));
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
        let mut line = format!("{}: {}", self.turn_label(), describe_outcome(outcome));
        if !parts.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(line, " ({})", parts.join(", "));
        }
        if let Some(error) = error {
            line.push_str(": ");
            line.push_str(&one_line(&error.message));
        }
        self.print_detail(&line);
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
        self.print_detail(&line);
        if self.is_live() {
            let store = report::clean(&self.store);
            self.print_detail(&format!("`ptc show {}{store}` shows the whole run", report.run));
        }
    }

    fn turn_label(&self) -> String {
        match self.max_turns {
            // A workflow has as many turns as it likes.
            u32::MAX => format!("turn {}", self.turn),
            most => format!("turn {}/{most}", self.turn),
        }
    }

    /// Shows the current activity.
    fn set_activity(&self, what: &str) {
        let Some(screen) = self.screen else { return };
        let (place, what) = (self.turn_label(), report::clean(what));
        if !screen.is_live() {
            return self.print_detail(&format!("{place}: {what}"));
        }
        screen.update(|activity| *activity = Activity::new(place, what));
    }

    /// Shows a line that stays on the screen, unless the display is brief.
    fn print_detail(&self, line: &str) {
        if !self.is_brief {
            self.print_line(line);
        }
    }

    /// Shows a line that stays on the screen.
    fn print_line(&self, line: &str) {
        if let Some(screen) = self.screen {
            screen.print(&format!("{line}\n"));
        }
    }
}

impl CallInFlight {
    fn new(call: &str, tool: &str) -> CallInFlight {
        CallInFlight { call: call.to_owned(), tool: tool.to_owned(), progress: None }
    }
}

/// Returns the turn that an event belongs to.
fn turn_of(event: &Event) -> Option<u32> {
    match event {
        Event::TurnStarted { turn, .. }
        | Event::ReplyText { turn, .. }
        | Event::ModelReplied { turn, .. }
        | Event::Admitted { turn, .. }
        | Event::Rejected { turn, .. }
        | Event::CallStarted { turn, .. }
        | Event::CallProgress { turn, .. }
        | Event::CallFinished { turn, .. }
        | Event::Printed { turn, .. }
        | Event::PayloadChanged { turn, .. }
        | Event::TurnEnded { turn, .. } => Some(*turn),
        _ => None,
    }
}

/// Quotes a word for a shell if it needs quotes.
fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%,=".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Returns whether a name of a call on record is that of a tool, not of a wait or a question.
fn is_of_tool(name: &str) -> bool {
    ![WAIT, ASK, CONFIRM, APPROVE, EXPAND].contains(&name)
}

/// Describes the outcome of a turn.
pub(crate) fn describe_outcome(outcome: TurnOutcome) -> &'static str {
    match outcome {
        TurnOutcome::Value => "a value, no return yet",
        TurnOutcome::Returned => "returned",
        TurnOutcome::Held => {
            "returned, and the value is held back: a field that it reads is nowhere"
        }
        TurnOutcome::WrongPayload => "returned, but the payload does not match its signature",
        TurnOutcome::WrongReturn => "returned a value that does not match",
        TurnOutcome::Failed => "the program gave up",
        TurnOutcome::NoProgram => "no program in the reply",
        TurnOutcome::NoAnswer => "no answer in the reply",
        TurnOutcome::Rejected => "program refused",
        TurnOutcome::Error => "error",
        TurnOutcome::Limit => "limit",
        TurnOutcome::Provider => "the model did not answer",
        TurnOutcome::Time => "out of time",
        TurnOutcome::Cancelled => "cancelled",
        TurnOutcome::Waiting => "waiting",
        TurnOutcome::Abandoned => "abandoned, since the program changed",
        _ => "ended",
    }
}

/// Returns the first line of a text of a program or a tool, cleaned and cut.
fn one_line(text: &str) -> String {
    cut(&report::clean(text.lines().next().unwrap_or_default()))
}

/// Cuts a line to [`MAX_LINE`] characters.
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
        assert_eq!(shell_word("/tmp/runs-1.sqlite"), "/tmp/runs-1.sqlite");
        assert_eq!(shell_word("my runs"), "'my runs'");
        assert_eq!(shell_word("it's"), r"'it'\''s'");
        assert_eq!(shell_word(""), "''");
    }
}
