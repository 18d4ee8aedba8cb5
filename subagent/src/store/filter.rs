//! Lists of runs: which ones, and what they come to together.

use std::collections::BTreeMap;

use rusqlite::{Connection, Row, named_params};
use serde::Serialize;

use super::cells::{damage, sum};
use super::owner::Living;
use super::query::{SUMMARY, summary};
use super::record::RunSummary;
use crate::provider::{Cost, Usage};

/// Which runs are asked for. Without anything said, all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Filter {
    /// How they ended: `returned`, `failed`, `stopped`, `running`, `died`, or the code of a stop such as `fuel`.
    pub status: Option<String>,
    /// The agent's name.
    pub agent: Option<String>,
    /// A tool that they called.
    pub tool: Option<String>,
    /// The code of an error that came up in them, whether they went on or not, or the reason of a `(fail …)`.
    pub error: Option<String>,
    /// Those that began at this time or later, in milliseconds since 1970.
    pub since: Option<u64>,
    /// Without runs of sub-agents.
    pub roots: bool,
    /// At most so many of the newest; the totals are over all.
    pub limit: Option<u32>,
}

/// The runs that a filter lets through.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Found {
    /// The newest, newest first.
    pub runs: Vec<RunSummary>,
    /// What all come to together, listed or not.
    pub totals: Totals,
    /// The runs among them that cannot be read. One that is older than the last of `runs` is not looked at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub damaged: Vec<Damaged>,
}

/// A run with a row that no version wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Damaged {
    /// The id of the run.
    pub run: String,
    /// Which field it is, and what it holds.
    pub message: String,
}

/// What runs come to together.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Totals {
    /// How many there are.
    pub runs: u64,
    /// How many of them have each status; those whose process is gone count as `died`.
    pub statuses: BTreeMap<String, u64>,
    /// Their turns.
    pub turns: u64,
    /// Their tool calls.
    pub tool_calls: u64,
    /// The work of their programs.
    pub fuel: u64,
    /// Their tokens, and what those cost whose cost is known.
    pub usage: Usage,
    /// How many of them nobody knows the cost of.
    pub cost_unknown: u64,
}

/// `:dead` has the processes that are gone.
const STATUS: &str = "CASE WHEN status = 'running' AND process IN (SELECT value FROM json_each(:dead)) \
    THEN 'died' ELSE status END";

/// What a run has to be like.
const MATCHES: &str = "(:status IS NULL OR stop = :status OR how = :status)
    AND (:agent IS NULL OR agent = :agent)
    AND (:tool IS NULL OR EXISTS (SELECT 1 FROM event_rows e WHERE e.run = found.seq AND e.kind = 'call-started'
        AND e.data ->> '$.tool' = :tool))
    AND (:error IS NULL
        OR EXISTS (SELECT 1 FROM runs WHERE runs.id = found.id
            AND (error ->> '$.code' = :error OR fail ->> '$.reason' = :error))
        OR EXISTS (SELECT 1 FROM turns WHERE turns.run = found.id AND (turns.error ->> '$.code' = :error
            OR EXISTS (SELECT 1 FROM json_each(rejection) WHERE value ->> '$.code' = :error)))
        OR EXISTS (SELECT 1 FROM calls WHERE calls.run = found.id AND calls.error ->> '$.code' = :error))
    AND (:since IS NULL OR started_at >= :since)
    AND (NOT :roots OR parent IS NULL)";

/// Returns the runs that a filter lets through, and what all of them come to. To be called in a transaction: both
/// questions are about the same state.
pub(super) fn find(
    db: &Connection,
    filter: &Filter,
    living: &Living<'_>,
) -> rusqlite::Result<Found> {
    let (runs, damaged) = list(db, filter, living)?;
    Ok(Found { runs, totals: totals(db, filter, living)?, damaged })
}

/// Returns the runs that a filter lets through, and those before the last of them that cannot be read.
fn list(
    db: &Connection,
    filter: &Filter,
    living: &Living<'_>,
) -> rusqlite::Result<(Vec<RunSummary>, Vec<Damaged>)> {
    let limit = filter.limit.map_or(usize::MAX, |it| it as usize);
    let (mut runs, mut damaged) = (Vec::new(), Vec::new());
    let mut list = db.prepare(&matching("*", "ORDER BY id DESC"))?;
    let params = named_params! {
        ":dead": dead(db, living)?,
        ":status": filter.status,
        ":agent": filter.agent,
        ":tool": filter.tool,
        ":error": filter.error,
        ":since": filter.since.map(u64::cast_signed),
        ":roots": filter.roots,
    };
    let mut rows = list.query(params)?;
    // One that cannot be read takes no place of another.
    while runs.len() < limit
        && let Some(row) = rows.next()?
    {
        match summary(db, row, living) {
            Ok(run) => runs.push(run),
            Err(error) => match damage(&error) {
                Some(message) => damaged.push(Damaged { run: row.get("id")?, message }),
                None => return Err(error),
            },
        }
    }
    Ok((runs, damaged))
}

fn totals(db: &Connection, filter: &Filter, living: &Living<'_>) -> rusqlite::Result<Totals> {
    // Numbers of a file that was taken in may be anything: a sum that is too large is the largest one.
    let sum = |name: &str| format!("CAST(total({name}) AS INTEGER) AS {name}");
    let sums =
        ["turns", "tool_calls", "fuel", "input_tokens", "output_tokens", "cached_input_tokens"];
    let what = format!(
        "how, count(*) AS runs, {}, CASE WHEN count(cost) > 0 THEN CAST(total(cost) AS INTEGER) END AS cost, \
         count(*) - count(cost) AS cost_unknown",
        sums.map(sum).join(", ")
    );
    let mut groups = db.prepare(&matching(&what, "GROUP BY how"))?;
    let params = named_params! {
        ":dead": dead(db, living)?,
        ":status": filter.status,
        ":agent": filter.agent,
        ":tool": filter.tool,
        ":error": filter.error,
        ":since": filter.since.map(u64::cast_signed),
        ":roots": filter.roots,
    };
    let mut rows = groups.query(params)?;
    let mut totals = Totals::default();
    while let Some(row) = rows.next()? {
        totals.add(row)?;
    }
    Ok(totals)
}

/// A question about the runs that match.
fn matching(what: &str, rest: &str) -> String {
    let runs = format!("SELECT {SUMMARY}, {STATUS} AS how FROM run_heads");
    format!("SELECT {what} FROM ({runs}) AS found WHERE {MATCHES} {rest}")
}

impl Totals {
    /// Adds the runs of one status.
    fn add(&mut self, row: &Row<'_>) -> rusqlite::Result<()> {
        let runs = sum(row, "runs")?;
        self.statuses.insert(row.get("how")?, runs);
        self.runs = self.runs.saturating_add(runs);
        self.turns = self.turns.saturating_add(sum(row, "turns")?);
        self.tool_calls = self.tool_calls.saturating_add(sum(row, "tool_calls")?);
        self.fuel = self.fuel.saturating_add(sum(row, "fuel")?);
        self.cost_unknown = self.cost_unknown.saturating_add(sum(row, "cost_unknown")?);
        let cost = row.get::<_, Option<i64>>("cost")?;
        let cost = cost.map(|it| Cost::from_billionths(it.max(0).cast_unsigned()));
        let known = match (self.usage.cost, cost) {
            (Some(one), Some(other)) => Some(one.plus(other)),
            (one, other) => one.or(other),
        };
        self.usage.add(Usage {
            input_tokens: sum(row, "input_tokens")?,
            output_tokens: sum(row, "output_tokens")?,
            cached_input_tokens: sum(row, "cached_input_tokens")?,
            cost: None,
        });
        self.usage.cost = known;
        Ok(())
    }
}

/// The processes that have runs and are gone, as a list of JSON.
fn dead(db: &Connection, living: &Living<'_>) -> rusqlite::Result<String> {
    let sql = "SELECT DISTINCT process FROM run_heads WHERE ended IS NULL AND process IS NOT NULL";
    let mut found = db.prepare(sql)?;
    let all = found.query_map([], |row| row.get::<_, String>(0))?;
    let all = all.collect::<rusqlite::Result<Vec<_>>>()?;
    let dead: Vec<String> = all.into_iter().filter(|it| !living.has(it)).collect();
    Ok(serde_json::Value::from(dead).to_string())
}
