//! Lists of runs: filters and totals.

use std::collections::BTreeMap;

use rusqlite::{Connection, Row, named_params};
use serde::Serialize;

use super::cells::{damage, sum};
use super::owner::Living;
use super::query::{SUMMARY, summary};
use crate::provider::{Cost, Usage};
use crate::record::{RunId, RunSummary};

/// A filter for runs. The default matches every run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Filter {
    /// The status: `returned`, `failed`, `stopped`, `running`, `died`, or the code of a stop such as `fuel`.
    pub status: Option<String>,
    /// The name of the agent.
    pub agent: Option<String>,
    /// The names of the agents whose runs may be seen; `None` for all.
    pub agents: Option<Vec<String>>,
    /// The name of a tool that the run called.
    pub tool: Option<String>,
    /// The code of an error that occurred in the run, even if the run continued, or the reason of a `(fail …)`.
    pub error: Option<String>,
    /// The earliest start, in milliseconds since 1970.
    pub since: Option<u64>,
    /// A run of a conversation, whose runs match. A unique prefix of its id is enough.
    pub conversation: Option<String>,
    /// Whether to leave out the runs of sub-agents.
    pub roots: bool,
    /// A run that all runs of the list are older than. The totals do not heed it.
    pub before: Option<RunId>,
    /// The maximum number of runs in the list, newest first. The totals cover all matching runs.
    pub limit: Option<u32>,
}

/// The runs that match a filter.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Found {
    /// The listed runs, newest first.
    pub runs: Vec<RunSummary>,
    /// The totals of all matching runs, listed or not.
    pub totals: Totals,
    /// The matching runs that cannot be read. Runs older than the last one of `runs` are not checked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub damaged: Vec<Damaged>,
}

/// A run with a row that no version writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Damaged {
    /// The id of the run.
    pub run: String,
    /// The damaged field and its content.
    pub message: String,
}

/// The totals of several runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Totals {
    /// The number of runs.
    pub runs: u64,
    /// The number of runs with each status. A run whose process is dead counts as `died`.
    pub statuses: BTreeMap<String, u64>,
    /// The number of turns.
    pub turns: u64,
    /// The number of tool calls.
    pub tool_calls: u64,
    /// The fuel that their programs used.
    pub fuel: u64,
    /// The tokens, and the sum of the known costs.
    pub usage: Usage,
    /// The number of runs with an unknown cost.
    pub cost_unknown: u64,
}

/// The status of a run. `:dead` lists the dead processes.
const STATUS: &str = "CASE WHEN status = 'running' AND process IN (SELECT value FROM json_each(:dead)) \
    THEN 'died' ELSE status END";

/// The conditions of a filter.
const MATCHES: &str = "(:status IS NULL OR stop = :status OR how = :status)
    AND (:agent IS NULL OR agent = :agent)
    AND (:agents IS NULL OR agent IN (SELECT value FROM json_each(:agents)))
    AND (:tool IS NULL OR EXISTS (SELECT 1 FROM event_rows e WHERE e.run = found.seq AND e.kind = 'call-started'
        AND e.data ->> '$.tool' = :tool))
    AND (:error IS NULL
        OR EXISTS (SELECT 1 FROM runs WHERE runs.id = found.id
            AND (error ->> '$.code' = :error OR fail ->> '$.reason' = :error))
        OR EXISTS (SELECT 1 FROM turns WHERE turns.run = found.id AND (turns.error ->> '$.code' = :error
            OR EXISTS (SELECT 1 FROM json_each(rejection) WHERE value ->> '$.code' = :error)))
        OR EXISTS (SELECT 1 FROM calls WHERE calls.run = found.id AND calls.error ->> '$.code' = :error))
    AND (:since IS NULL OR started_at >= :since)
    AND (:conversation IS NULL OR id = :conversation OR after ->> '$.first' = :conversation)
    AND (NOT :roots OR parent IS NULL)
    AND (:before IS NULL OR id < :before)";

/// Returns the runs that match a filter, and the totals. Call this in a transaction, so that both queries see the same
/// state.
pub(super) fn find(
    db: &Connection,
    filter: &Filter,
    living: &Living<'_>,
) -> rusqlite::Result<Found> {
    let (runs, damaged) = list(db, filter, living)?;
    Ok(Found { runs, totals: totals(db, filter, living)?, damaged })
}

/// Returns the runs that match a filter, and the unreadable runs that precede the last of them.
fn list(
    db: &Connection,
    filter: &Filter,
    living: &Living<'_>,
) -> rusqlite::Result<(Vec<RunSummary>, Vec<Damaged>)> {
    let limit = filter.limit.map_or(usize::MAX, |it| it as usize);
    let (mut runs, mut damaged) = (Vec::new(), Vec::new());
    let mut list = db.prepare(&select_matching("*", "ORDER BY id DESC"))?;
    let params = named_params! {
        ":dead": dead_processes(db, living)?,
        ":status": filter.status,
        ":agent": filter.agent,
        ":agents": names(filter),
        ":tool": filter.tool,
        ":error": filter.error,
        ":since": filter.since.map(u64::cast_signed),
        ":conversation": filter.conversation,
        ":roots": filter.roots,
        ":before": filter.before.as_ref().map(RunId::as_str),
    };
    let mut rows = list.query(params)?;
    // An unreadable run does not count towards the limit.
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
    // An imported file may hold any number. `total` and the cast saturate where `sum` would overflow.
    let sum = |name: &str| format!("CAST(total({name}) AS INTEGER) AS {name}");
    let sums =
        ["turns", "tool_calls", "fuel", "input_tokens", "output_tokens", "cached_input_tokens"];
    let what = format!(
        "how, count(*) AS runs, {}, CASE WHEN count(cost) > 0 THEN CAST(total(cost) AS INTEGER) END AS cost, \
         count(*) - count(cost) AS cost_unknown",
        sums.map(sum).join(", ")
    );
    let mut groups = db.prepare(&select_matching(&what, "GROUP BY how"))?;
    let params = named_params! {
        ":dead": dead_processes(db, living)?,
        ":status": filter.status,
        ":agent": filter.agent,
        ":agents": names(filter),
        ":tool": filter.tool,
        ":error": filter.error,
        ":since": filter.since.map(u64::cast_signed),
        ":conversation": filter.conversation,
        ":roots": filter.roots,
        ":before": None::<&str>,
    };
    let mut rows = groups.query(params)?;
    let mut totals = Totals::default();
    while let Some(row) = rows.next()? {
        totals.add(row)?;
    }
    Ok(totals)
}

/// Returns a JSON list of the agents whose runs may be seen.
fn names(filter: &Filter) -> Option<String> {
    filter.agents.as_ref().map(|it| serde_json::Value::from(it.as_slice()).to_string())
}

/// Returns a query of the runs that match.
fn select_matching(what: &str, rest: &str) -> String {
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

/// Returns a JSON list of the dead processes that own runs.
fn dead_processes(db: &Connection, living: &Living<'_>) -> rusqlite::Result<String> {
    let sql = "SELECT DISTINCT process FROM run_heads WHERE ended IS NULL AND process IS NOT NULL";
    let mut found = db.prepare(sql)?;
    let all = found.query_map([], |row| row.get::<_, String>(0))?;
    let all = all.collect::<rusqlite::Result<Vec<_>>>()?;
    let dead: Vec<String> = all.into_iter().filter(|it| !living.has(it)).collect();
    Ok(serde_json::Value::from(dead).to_string())
}
