//! The outcome of a trial, by model and by mission.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::Serialize;
use serde_json::{Value, json};

use super::results::{Results, Row};
use crate::report::clean;

/// All attempts of a trial, and what follows from them.
pub(super) struct Summary {
    pub(super) models: Vec<ModelSummary>,
    pub(super) rows: Vec<Row>,
    /// The attempts whose judgement differs from that of an earlier trial.
    pub(super) changes: Vec<Change>,
}

/// The attempts of one model together. A mission is right if all its attempts are.
#[derive(Debug, Serialize)]
pub(super) struct ModelSummary {
    pub(super) model: String,
    pub(super) missions: usize,
    pub(super) missions_right: usize,
    pub(super) attempts: usize,
    pub(super) right: usize,
    /// The right attempts of one turn.
    pub(super) right_in_first_turn: usize,
    /// Means of all attempts.
    pub(super) turns: f64,
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
    pub(super) model: String,
    pub(super) was_right: bool,
    pub(super) is_right: bool,
    pub(super) run: String,
}

impl Summary {
    /// Sums up the attempts, with the models in this order. An earlier trial is compared by model, mission, case and
    /// repetition; if both trials have one model, its name does not matter.
    pub(super) fn of(order: &[String], mut rows: Vec<Row>, before: Option<&Results>) -> Summary {
        let place = |row: &Row| order.iter().position(|model| *model == row.model);
        rows.sort_by(|a, b| {
            let key = |row: &Row| (place(row), row.mission.clone(), row.case, row.repeat);
            key(a).cmp(&key(b))
        });
        let models = order.iter().map(|model| {
            let own: Vec<&Row> = rows.iter().filter(|row| row.model == *model).collect();
            ModelSummary::of(model, &own)
        });
        let models = models.collect();
        let changes = before.map(|before| changes(&rows, before)).unwrap_or_default();
        Summary { models, rows, changes }
    }

    /// Returns whether a model has less than this share of right attempts, in percent.
    pub(super) fn is_below(&self, percent: f64) -> bool {
        self.models.iter().any(|it| (it.right as f64) * 100.0 < percent * it.attempts as f64)
    }

    pub(super) fn to_json(&self) -> Value {
        json!({"models": self.models, "changes": self.changes, "attempts": self.rows})
    }

    /// Returns the table for a terminal, the wrong attempts, and the changes.
    pub(super) fn to_text(&self) -> String {
        let head = ["model", "right", "first turn", "turns", "prompt", "in", "out", "cost", "time"];
        let mut cells = vec![head.map(str::to_owned)];
        for it in &self.models {
            cells.push([
                it.model.clone(),
                format!("{} of {}", it.right, it.attempts),
                it.right_in_first_turn.to_string(),
                format!("{:.1}", it.turns),
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
            "\nTokens and times are means of an attempt; `prompt` is the first request.\n",
        );
        for it in &self.models {
            if !it.problems.is_empty() {
                let all: Vec<String> =
                    it.problems.iter().map(|(code, count)| format!("{code} {count}")).collect();
                let _ = writeln!(text, "{}: {}", it.model, all.join(", "));
            }
        }
        let wrong: Vec<&Row> = self.rows.iter().filter(|row| !row.right).collect();
        if !wrong.is_empty() {
            text.push_str("\nnot right (`ptc show RUN` shows a run):\n");
            for row in wrong {
                let Row { model, mission, case, run, .. } = row;
                let _ = writeln!(text, "  {run}  {mission} {case} · {model} · {}", last(row));
            }
        }
        if !self.changes.is_empty() {
            text.push_str("\nchanged since the earlier trial:\n");
            for it in &self.changes {
                let word = if it.is_right { "now right" } else { "now WRONG" };
                let _ = writeln!(
                    text,
                    "  {}  {} {} · {} · {word}",
                    it.run, it.mission, it.case, it.model
                );
            }
        }
        clean(&text)
    }
}

impl ModelSummary {
    fn of(model: &str, rows: &[&Row]) -> ModelSummary {
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
            model: model.to_owned(),
            missions: missions.len(),
            missions_right: missions.len() - wrong.len(),
            attempts: rows.len(),
            right: right().count(),
            right_in_first_turn: right().filter(|row| row.turns == 1).count(),
            turns: mean(&|row| f64::from(row.turns)),
            prompt_tokens: mean(&|row| row.prompt_tokens as f64),
            input_tokens: mean(&|row| row.input_tokens as f64),
            output_tokens: mean(&|row| row.output_tokens as f64),
            seconds: mean(&|row| row.seconds),
            cost: rows.iter().map(|row| row.cost).sum(),
            problems,
        }
    }
}

/// Returns the last problem of an attempt.
pub(super) fn last(row: &Row) -> &str {
    row.problems.last().map_or(row.status.as_str(), String::as_str)
}

fn changes(rows: &[Row], before: &Results) -> Vec<Change> {
    let models = |rows: &mut dyn Iterator<Item = &Row>| {
        rows.map(|row| row.model.clone()).collect::<BTreeSet<String>>()
    };
    let (now, then) = (models(&mut rows.iter()), models(&mut before.rows()));
    let any_model = now.len() == 1 && then.len() == 1;
    let is_same = |a: &Row, b: &Row| {
        (any_model || a.model == b.model)
            && (&a.mission, a.case, a.repeat) == (&b.mission, b.case, b.repeat)
    };
    rows.iter()
        .filter_map(|row| {
            let old = before.rows().find(|old| is_same(old, row))?;
            (old.right != row.right).then(|| Change {
                mission: row.mission.clone(),
                case: row.case,
                repeat: row.repeat,
                model: row.model.clone(),
                was_right: old.right,
                is_right: row.right,
                run: row.run.clone(),
            })
        })
        .collect()
}
