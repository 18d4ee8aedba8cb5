//! The outcome of a trial, by model and by mission.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use ptc_subagent::trial::statistics;
use serde::Serialize;
use serde_json::{Value, json};

use super::results::{Results, Row, Subject};
use crate::report::clean;

/// All attempts of a trial, and what follows from them.
pub(super) struct Summary {
    pub(super) models: Vec<ModelSummary>,
    pub(super) rows: Vec<Row>,
    /// The comparison with an earlier trial.
    pub(super) compared: Option<Compared>,
}

/// The attempts of one model together, with one style and settings. A mission is right if all its attempts are.
#[derive(Debug, Serialize)]
pub(super) struct ModelSummary {
    #[serde(flatten)]
    pub(super) subject: Subject,
    pub(super) missions: usize,
    pub(super) missions_right: usize,
    pub(super) attempts: usize,
    pub(super) right: usize,
    /// The interval of the true share of right attempts in 95 of 100 trials.
    pub(super) right_between: (f64, f64),
    /// The right attempts of one turn.
    pub(super) right_in_first_turn: usize,
    /// Means of all attempts.
    pub(super) turns: f64,
    pub(super) requests: f64,
    pub(super) tool_calls: f64,
    pub(super) prompt_tokens: f64,
    pub(super) input_tokens: f64,
    pub(super) output_tokens: f64,
    pub(super) seconds: f64,
    /// The cost of all attempts in dollars, if it is known.
    pub(super) cost: Option<f64>,
    /// The number of turns that ended with each code, without those that ended well.
    pub(super) problems: BTreeMap<String, usize>,
}

/// An attempt whose judgement differs from that of an earlier trial.
#[derive(Debug, Serialize)]
pub(super) struct Change {
    pub(super) mission: String,
    pub(super) case: usize,
    pub(super) repeat: u32,
    #[serde(flatten)]
    pub(super) subject: Subject,
    pub(super) was_right: bool,
    pub(super) is_right: bool,
    pub(super) run: String,
}

/// The comparison with an earlier trial.
#[derive(Debug, Default)]
pub(super) struct Compared {
    /// The attempts that are judged differently.
    pub(super) changes: Vec<Change>,
    pub(super) verdicts: Vec<Verdict>,
}

/// The comparison of one model with an earlier trial, with one style and settings.
#[derive(Debug, Serialize)]
pub(super) struct Verdict {
    #[serde(flatten)]
    subject: Subject,
    /// The attempts that both trials made.
    attempts: usize,
    /// Those that became right.
    better: usize,
    /// Those that became wrong.
    worse: usize,
    /// The probability that such a difference comes by chance.
    chance: f64,
    #[serde(rename = "verdict")]
    outcome: &'static str,
}

/// The largest chance of a difference that counts.
const CHANCE: f64 = 0.05;

impl Summary {
    /// Sums up the attempts, with the subjects in this order. An earlier trial is compared by subject, mission, case and
    /// repetition; if both trials have one subject, its name does not matter.
    pub(super) fn of(order: &[Subject], mut rows: Vec<Row>, before: Option<&Results>) -> Summary {
        let place = |row: &Row| order.iter().position(|subject| *subject == row.subject);
        rows.sort_by(|a, b| {
            let key = |row: &Row| (place(row), row.mission.clone(), row.case, row.repeat);
            key(a).cmp(&key(b))
        });
        let models = order.iter().map(|subject| {
            let own: Vec<&Row> = rows.iter().filter(|row| row.subject == *subject).collect();
            ModelSummary::of(subject, &own)
        });
        let models = models.collect();
        let compared = before.map(|before| Compared::of(order, &rows, before));
        Summary { models, rows, compared }
    }

    /// Returns whether a model has less than this share of right attempts, in percent.
    pub(super) fn is_below(&self, percent: f64) -> bool {
        self.models.iter().any(|it| (it.right as f64) * 100.0 < percent * it.attempts as f64)
    }

    pub(super) fn to_json(&self) -> Value {
        let none = Compared::default();
        let Compared { changes, verdicts } = self.compared.as_ref().unwrap_or(&none);
        json!({
            "models": self.models, "changes": changes, "verdicts": verdicts, "attempts": self.rows,
        })
    }

    /// Returns the table for a terminal, the wrong attempts, and the changes.
    pub(super) fn to_text(&self) -> String {
        let head = [
            "model",
            "right",
            "share",
            "first turn",
            "turns",
            "requests",
            "calls",
            "prompt",
            "in",
            "out",
            "cost",
            "time",
        ];
        let mut cells = vec![head.map(str::to_owned)];
        for it in &self.models {
            cells.push([
                it.subject.to_string(),
                format!("{} of {}", it.right, it.attempts),
                it.interval(),
                it.right_in_first_turn.to_string(),
                format!("{:.1}", it.turns),
                format!("{:.1}", it.requests),
                format!("{:.1}", it.tool_calls),
                format!("{:.0}", it.prompt_tokens),
                format!("{:.0}", it.input_tokens),
                format!("{:.0}", it.output_tokens),
                it.cost.map_or_else(|| "unknown".to_owned(), |cost| format!("${cost:.4}")),
                format!("{:.1} s", it.seconds),
            ]);
        }
        let widths: Vec<usize> = (0..head.len())
            .map(|at| cells.iter().map(|row| row[at].chars().count()).max().unwrap_or(0))
            .collect();
        let mut text = String::new();
        for row in &cells {
            for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
                // Writing to a string cannot fail.
                let _ = match at {
                    0 => write!(text, "{cell:<width$}"),
                    _ => write!(text, "  {cell:>width$}"),
                };
            }
            text.push('\n');
        }
        text.push_str(
            "\n`share` is the interval of the true share in 95 of 100 trials. Turns, requests, calls, tokens and times \
             are means of an attempt; `prompt` is the first request.\n",
        );
        for it in &self.models {
            if !it.problems.is_empty() {
                let all: Vec<String> =
                    it.problems.iter().map(|(code, count)| format!("{code} {count}")).collect();
                let _ = writeln!(text, "{}: {}", it.subject, all.join(", "));
            }
        }
        let wrong: Vec<&Row> = self.rows.iter().filter(|row| !row.right).collect();
        if !wrong.is_empty() {
            text.push_str("\nnot right (`ptc show RUN` shows a run):\n");
            for row in wrong {
                let Row { subject, mission, case, run, .. } = row;
                let _ = writeln!(text, "  {run}  {mission} {case} · {subject} · {}", last(row));
            }
        }
        let Some(Compared { changes, verdicts }) = &self.compared else { return clean(&text) };
        if !changes.is_empty() {
            text.push_str("\nchanged since the earlier trial:\n");
            for it in changes {
                let word = if it.is_right { "now right" } else { "now WRONG" };
                let _ = writeln!(
                    text,
                    "  {}  {} {} · {} · {word}",
                    it.run, it.mission, it.case, it.subject
                );
            }
        }
        text.push_str("\ncompared with the earlier trial:\n");
        for Verdict { subject, attempts, better, worse, chance, outcome } in verdicts {
            let _ = writeln!(
                text,
                "  {subject}: {better} better and {worse} worse of {attempts}; such a difference comes by chance in \
                 {:.0} of 100 trials: {outcome}",
                100.0 * chance
            );
        }
        clean(&text)
    }
}

impl Compared {
    fn of(order: &[Subject], rows: &[Row], before: &Results) -> Compared {
        let subjects = |rows: &mut dyn Iterator<Item = &Row>| {
            rows.map(|row| row.subject.clone()).collect::<BTreeSet<Subject>>()
        };
        let (now, then) = (subjects(&mut rows.iter()), subjects(&mut before.rows()));
        let any_subject = now.len() == 1 && then.len() == 1;
        let old = |row: &Row| {
            let is_same = |old: &&Row| {
                (any_subject || old.subject == row.subject)
                    && (&old.mission, old.case, old.repeat) == (&row.mission, row.case, row.repeat)
            };
            before.rows().find(is_same)
        };
        let both: Vec<(&Row, bool)> =
            rows.iter().filter_map(|row| Some((row, old(row)?.right))).collect();
        let changed = both.iter().filter(|(row, was_right)| row.right != *was_right);
        let changes = changed.map(|(row, was_right)| Change {
            mission: row.mission.clone(),
            case: row.case,
            repeat: row.repeat,
            subject: row.subject.clone(),
            was_right: *was_right,
            is_right: row.right,
            run: row.run.clone(),
        });
        let verdicts = order.iter().map(|subject| Verdict::of(subject, &both));
        Compared { changes: changes.collect(), verdicts: verdicts.collect() }
    }
}

impl Verdict {
    fn of(subject: &Subject, both: &[(&Row, bool)]) -> Verdict {
        let own = || both.iter().filter(|(row, _)| row.subject == *subject);
        let better = own().filter(|(row, was_right)| row.right && !was_right).count();
        let worse = own().filter(|(row, was_right)| !row.right && *was_right).count();
        let chance = statistics::chance(better, worse);
        let outcome = match better.cmp(&worse) {
            _ if chance > CHANCE => "no more than noise",
            Ordering::Less => "worse",
            _ => "better",
        };
        Verdict {
            subject: subject.clone(),
            attempts: own().count(),
            better,
            worse,
            chance,
            outcome,
        }
    }
}

impl ModelSummary {
    fn of(subject: &Subject, rows: &[&Row]) -> ModelSummary {
        let missions: BTreeSet<&str> = rows.iter().map(|row| row.mission.as_str()).collect();
        let wrong: BTreeSet<&str> =
            rows.iter().filter(|row| !row.right).map(|row| row.mission.as_str()).collect();
        let mean = |value: &dyn Fn(&Row) -> f64| {
            rows.iter().map(|row| value(row)).sum::<f64>() / rows.len().max(1) as f64
        };
        let mut problems = BTreeMap::new();
        for code in rows.iter().flat_map(|row| &row.problems) {
            *problems.entry(code.clone()).or_default() += 1;
        }
        let right = || rows.iter().filter(|row| row.right);
        ModelSummary {
            subject: subject.clone(),
            missions: missions.len(),
            missions_right: missions.len() - wrong.len(),
            attempts: rows.len(),
            right: right().count(),
            right_between: statistics::interval(right().count(), rows.len()),
            right_in_first_turn: right().filter(|row| row.turns == 1).count(),
            turns: mean(&|row| f64::from(row.turns)),
            requests: mean(&|row| row.requests as f64),
            tool_calls: mean(&|row| row.tool_calls as f64),
            prompt_tokens: mean(&|row| row.prompt_tokens as f64),
            input_tokens: mean(&|row| row.input_tokens as f64),
            output_tokens: mean(&|row| row.output_tokens as f64),
            seconds: mean(&|row| row.seconds),
            cost: rows.iter().map(|row| row.cost).sum(),
            problems,
        }
    }

    /// Returns the bounds of the share of right attempts, in percent.
    pub(super) fn interval(&self) -> String {
        let (low, high) = self.right_between;
        format!("{:.0} to {:.0} %", 100.0 * low, 100.0 * high)
    }
}

/// Returns the last problem of an attempt.
pub(super) fn last(row: &Row) -> &str {
    row.problems.last().map_or(row.status.as_str(), String::as_str)
}
