//! What a run is doing, while it does it: one live line on a terminal, one line for each event
//! elsewhere.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ptc_subagent::{Event, RunError, RunId, RunReport, TurnOutcome};

use crate::report;

/// Shows a run to whoever watches.
pub(crate) struct Progress {
    how: How,
    seen: Seen,
    max_turns: u32,
    /// The run that is shown; those of its sub-agents are told of in a line.
    root: Option<RunId>,
    /// The names of the sub-agents that are running.
    below: BTreeMap<RunId, String>,
    /// What came of the reply so far.
    reply: String,
    /// Tools that are being called, in the order they were started.
    in_flight: Vec<(String, String)>,
    run_started: Instant,
    turn_started: Instant,
    turn_calls: u32,
}

/// How often the live line moves.
const TICK: Duration = Duration::from_millis(100);

enum How {
    Live(ProgressBar),
    Lines,
    Silent,
}

/// What is known of the last turn.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Its number.
    pub(crate) turn: u32,
    /// Its program.
    pub(crate) program: Option<String>,
}

impl Progress {
    /// Makes one for the stderr there is.
    pub(crate) fn new(quiet: bool) -> Progress {
        let how = match quiet {
            true => How::Silent,
            false if io::stderr().is_terminal() => How::Live(live()),
            false => How::Lines,
        };
        let (run_started, turn_started) = (Instant::now(), Instant::now());
        Progress {
            how,
            seen: Seen::default(),
            max_turns: 0,
            root: None,
            below: BTreeMap::new(),
            reply: String::new(),
            in_flight: Vec::new(),
            run_started,
            turn_started,
            turn_calls: 0,
        }
    }

    /// Returns what takes the live line away until something happens again, so that somebody can be asked.
    pub(crate) fn pause(&self) -> impl Fn() + Send + use<> {
        let bar = match &self.how {
            How::Live(bar) => Some(bar.clone()),
            How::Lines | How::Silent => None,
        };
        move || {
            if let Some(bar) = &bar {
                bar.finish_and_clear();
            }
        }
    }

    /// Takes the line away and gives what was seen.
    pub(crate) fn finish(self) -> Seen {
        if let How::Live(bar) = &self.how {
            bar.finish_and_clear();
        }
        self.seen
    }

    /// Whether replies are worth showing as they come.
    pub(crate) fn is_live(&self) -> bool {
        matches!(self.how, How::Live(_))
    }

    /// Shows an event.
    pub(crate) fn see(&mut self, run: &RunId, event: &Event) {
        if *self.root.get_or_insert_with(|| run.clone()) != *run {
            return self.see_below(run, event);
        }
        match event {
            Event::RunStarted(started) => {
                self.max_turns = started.max_turns;
                let line = format!("run {} · {} · {}", started.run, started.agent, started.model);
                self.keep(&line);
            }
            Event::TurnStarted { turn, .. } => {
                self.seen.turn = *turn;
                self.turn_started = Instant::now();
                self.turn_calls = 0;
                self.reply.clear();
                self.now("asking the model");
            }
            Event::ReplyText { text, .. } => {
                self.reply.push_str(text);
                let newest = self.reply.lines().rfind(|line| !line.trim().is_empty());
                if let Some(line) = newest {
                    self.now(&one_line(line));
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
                if let (How::Lines, Err(error)) = (&self.how, result) {
                    let advice = error.advice.as_ref().map(|it| format!(" ({it})"));
                    let advice = advice.unwrap_or_default();
                    self.now(&format!("tool {tool} failed: {}{advice}", one_line(&error.message)));
                } else if let How::Live(_) = &self.how {
                    self.now_calling();
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
        if let Event::RunStarted(started) = event {
            self.below.insert(run.clone(), report::clean(&started.agent));
        }
        let Some(agent) = self.below.get(run) else { return };
        match event {
            Event::TurnStarted { .. } if self.is_live() => {
                self.now(&format!("{agent}: asking the model"));
            }
            Event::CallStarted { tool, .. } if self.is_live() => {
                self.now(&format!("{agent}: calling {tool}"));
            }
            Event::RunEnded(report) => {
                let why = match (&report.fail, &report.error) {
                    (Some(fail), _) => format!(": {}: {}", fail.reason, fail.message),
                    (None, Some(error)) => format!(": {}", error.message),
                    (None, None) => String::new(),
                };
                let (status, turns) =
                    (report.status.as_str(), plural(u64::from(report.turns), "turn"));
                self.keep(&format!("  {agent}: {status} after {turns}{}", one_line(&why)));
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

    fn turn_ended(&mut self, outcome: TurnOutcome, error: Option<&RunError>) {
        let mut parts = Vec::new();
        if self.turn_calls > 0 {
            parts.push(plural(u64::from(self.turn_calls), "tool call"));
        }
        if let How::Live(_) = self.how {
            parts.push(seconds(self.turn_started.elapsed()));
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
        if let How::Live(_) = self.how {
            line.push_str(", ");
            line.push_str(&seconds(self.run_started.elapsed()));
        }
        self.keep(&line);
    }

    fn place(&self) -> String {
        format!("turn {}/{}", self.seen.turn, self.max_turns)
    }

    /// Shows what is going on now.
    fn now(&self, what: &str) {
        match &self.how {
            How::Live(bar) => {
                if bar.is_finished() {
                    bar.reset();
                    bar.enable_steady_tick(TICK);
                }
                bar.reset_elapsed();
                bar.set_message(format!("{}: {what}", self.place()));
                bar.tick();
            }
            How::Lines => report::say(&format!("{}: {what}\n", self.place())),
            How::Silent => {}
        }
    }

    /// Shows what stays on the screen.
    fn keep(&self, line: &str) {
        match &self.how {
            How::Live(bar) => bar.println(line),
            How::Lines => report::say(&format!("{line}\n")),
            How::Silent => {}
        }
    }
}

fn live() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(15));
    // The time is that of what is going on now.
    let template = if report::is_coloured() {
        "{spinner:.cyan} {elapsed:>3} {wide_msg}"
    } else {
        "{spinner} {elapsed:>3} {wide_msg}"
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(TICK);
    bar
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
    const MAX: usize = 160;
    let line = report::clean(text.lines().next().unwrap_or_default());
    match line.char_indices().nth(MAX) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line,
    }
}

/// A time as people say it.
pub(crate) fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// A number of things.
pub(crate) fn plural(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
