//! Counts and times since the start of the server, in the text format of Prometheus.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ptc_subagent::{Event, RunId};

/// The upper bounds of the buckets of times, in seconds.
const BUCKETS: [f64; 11] = [0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0];

/// The counts and times of a server.
#[derive(Default)]
pub(crate) struct Metrics(Mutex<Counts>);

#[derive(Default)]
struct Counts {
    /// The runs that have ended or wait, by their status.
    runs: BTreeMap<String, u64>,
    /// The answered requests, by the name of the route and the status.
    requests: BTreeMap<(&'static str, u16), u64>,
    models: Times,
    tools: BTreeMap<String, Times>,
    refused: u64,
    input_tokens: u64,
    output_tokens: u64,
    cost: f64,
    /// When the last request to a model of a run was made.
    asked: HashMap<RunId, Instant>,
}

/// A histogram of times.
#[derive(Clone, Copy, Default)]
struct Times {
    buckets: [u64; BUCKETS.len()],
    count: u64,
    sum: f64,
}

impl Times {
    fn add(&mut self, time: Duration) {
        let seconds = time.as_secs_f64();
        for (count, bound) in self.buckets.iter_mut().zip(BUCKETS) {
            *count += u64::from(seconds <= bound);
        }
        self.count += 1;
        self.sum += seconds;
    }

    fn write(&self, text: &mut String, name: &str, labels: &str) {
        let comma = if labels.is_empty() { "" } else { "," };
        // Writing to a string cannot fail.
        for (count, bound) in self.buckets.iter().zip(BUCKETS) {
            let _ = writeln!(text, "{name}_bucket{{{labels}{comma}le=\"{bound}\"}} {count}");
        }
        let _ = writeln!(text, "{name}_bucket{{{labels}{comma}le=\"+Inf\"}} {}", self.count);
        let _ = writeln!(text, "{name}_sum{{{labels}}} {}", self.sum);
        let _ = writeln!(text, "{name}_count{{{labels}}} {}", self.count);
    }
}

impl Metrics {
    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts an event of a run as it happens.
    pub(crate) fn count(&self, run: &RunId, event: &Event) {
        let mut counts = self.lock();
        match event {
            Event::ModelAsked { .. } => {
                counts.asked.insert(run.clone(), Instant::now());
            }
            Event::ModelReplied { reply, .. } => {
                if let Some(asked) = counts.asked.remove(run) {
                    counts.models.add(asked.elapsed());
                }
                let usage = reply.usage.unwrap_or_default();
                counts.input_tokens += usage.input_tokens;
                counts.output_tokens += usage.output_tokens;
                counts.cost += usage.cost.map_or(0.0, |it| it.billionths() as f64 / 1e9);
            }
            Event::Rejected { .. } => counts.refused += 1,
            Event::CallFinished { tool, elapsed, cached: false, .. } => {
                counts.tools.entry(tool.clone()).or_default().add(*elapsed);
            }
            Event::RunEnded(report) => {
                counts.asked.remove(run);
                *counts.runs.entry(report.status.as_str().to_string()).or_default() += 1;
            }
            _ => {}
        }
    }

    /// Counts an answered request.
    pub(crate) fn count_request(&self, route: &'static str, status: u16) {
        *self.lock().requests.entry((route, status)).or_default() += 1;
    }

    /// Returns the text, with the numbers of runs that wait for a place and that run.
    pub(crate) fn text(&self, (queued, running): (usize, usize)) -> String {
        let counts = self.lock();
        let mut text = String::new();
        let head = |text: &mut String, name: &str, kind: &str, about: &str| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "# HELP {name} {about}\n# TYPE {name} {kind}");
        };
        head(&mut text, "ptc_runs_queued", "gauge", "Runs that wait for a place.");
        let _ = writeln!(text, "ptc_runs_queued {queued}");
        head(&mut text, "ptc_runs_running", "gauge", "Runs that run.");
        let _ = writeln!(text, "ptc_runs_running {running}");
        head(
            &mut text,
            "ptc_runs_total",
            "counter",
            "Runs that ended or began to wait, by status.",
        );
        for (status, count) in &counts.runs {
            let _ = writeln!(text, "ptc_runs_total{{status=\"{}\"}} {count}", escaped(status));
        }
        head(&mut text, "ptc_requests_total", "counter", "Answered requests.");
        for ((route, status), count) in &counts.requests {
            let labels = format!("route=\"{route}\",status=\"{status}\"");
            let _ = writeln!(text, "ptc_requests_total{{{labels}}} {count}");
        }
        head(&mut text, "ptc_model_seconds", "histogram", "Times of replies of models.");
        counts.models.write(&mut text, "ptc_model_seconds", "");
        head(&mut text, "ptc_tool_seconds", "histogram", "Times of calls of tools.");
        for (tool, times) in &counts.tools {
            times.write(&mut text, "ptc_tool_seconds", &format!("tool=\"{}\"", escaped(tool)));
        }
        head(&mut text, "ptc_tokens_total", "counter", "Tokens of models.");
        let tokens = [("input", counts.input_tokens), ("output", counts.output_tokens)];
        for (kind, count) in tokens {
            let _ = writeln!(text, "ptc_tokens_total{{kind=\"{kind}\"}} {count}");
        }
        head(&mut text, "ptc_cost_dollars_total", "counter", "The known cost of models.");
        let _ = writeln!(text, "ptc_cost_dollars_total {}", counts.cost);
        head(
            &mut text,
            "ptc_programs_refused_total",
            "counter",
            "Programs that admission refused.",
        );
        let _ = writeln!(text, "ptc_programs_refused_total {}", counts.refused);
        text
    }
}

/// Returns a text as the value of a label.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
