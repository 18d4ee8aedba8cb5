//! What can be asked of a store.

use rusqlite::{Connection, Row, params};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::reopen::alive;
use crate::provider::{Cost, Usage};
use crate::run::{Bound, Origin, Parent, RunId};

/// One run in a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RunSummary {
    /// The name of the run.
    pub run: RunId,
    /// The call that it is the answer to, if it is a sub-agent's.
    pub parent: Option<Parent>,
    /// The run that it goes on from, if it is a branch of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// The agent's name.
    pub agent: String,
    /// The provider's name.
    pub model: String,
    /// `running` (or its process died), `returned`, `failed`, `stopped`.
    pub status: String,
    /// Whether its process is gone although it has not ended.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub died: bool,
    /// The stop code of a stopped run.
    pub stop: Option<String>,
    /// How many turns there were.
    pub turns: u32,
    /// How many tool calls there were.
    pub tool_calls: u64,
    /// How much work the programs did.
    pub fuel: u64,
    /// The tokens of all replies, and what they cost.
    pub usage: Usage,
    /// Milliseconds since 1970.
    pub started_at: u64,
    /// Milliseconds since 1970; `None` while it runs.
    pub ended_at: Option<u64>,
}

/// Everything a store knows of one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RunRecord {
    /// What a list shows of it.
    #[serde(flatten)]
    pub summary: RunSummary,
    /// The signature in its canonical form.
    pub signature: Option<String>,
    /// The input.
    pub input: Value,
    /// The system prompt.
    pub system: String,
    /// The limits.
    pub limits: Value,
    /// The most turns.
    pub max_turns: u32,
    /// What its programs draw random numbers from; records of earlier versions have none.
    pub seed: Option<u64>,
    /// What of the agent decides how its runs go. Runs of sub-agents have none of their own, nor have those of
    /// earlier versions.
    pub definition: Option<Value>,
    /// The agent file.
    pub file: Option<String>,
    /// The process that runs it, if it has not ended: its number, and a name that no other one has.
    pub process: Option<String>,
    /// The value; null if there is none.
    pub value: Value,
    /// What the program said with `(fail …)`.
    pub fail: Option<Value>,
    /// What stopped the run.
    pub error: Option<Value>,
    /// What was changed to match a signature, or let through although it does not match.
    pub warnings: Vec<WarningRecord>,
    /// The turns in order.
    pub turn_records: Vec<TurnRecord>,
}

/// One thing that was changed to match a signature, or let through although it does not match.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct WarningRecord {
    /// The turn; 0 for the input.
    pub turn: u32,
    /// The call it is about, if it is about one.
    pub call: Option<String>,
    /// `coerced` or `mismatch`.
    pub code: String,
    /// What it is about, where in it, and what happened.
    pub message: String,
}

/// Everything a store knows of one turn.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TurnRecord {
    /// Counted from 1.
    pub turn: u32,
    /// What the model was told in this turn.
    pub prompt: String,
    /// What it answered.
    pub reply: Option<String>,
    /// Why the reply ended.
    pub finish: Option<String>,
    /// The tokens of the reply.
    pub usage: Option<Usage>,
    /// The program as the model wrote it.
    pub program: Option<String>,
    /// What was changed in it before it ran: `{"message", "source", "changes"}`.
    pub repair: Option<Value>,
    /// What the program can touch.
    pub report: Option<Value>,
    /// What was left of the run when the program started.
    pub budget: Option<Value>,
    /// What looked wrong in it and was not certain to be: a list of errors.
    pub warnings: Option<Value>,
    /// Why nothing ran: a list of errors.
    pub rejection: Option<Value>,
    /// What was overlooked or mended in the reply: a list of texts.
    pub notes: Option<Value>,
    /// What the turn came to, in one word; `None` if it never ended.
    pub outcome: Option<String>,
    /// The program's value as readable text.
    pub value: Option<String>,
    /// What went wrong.
    pub error: Option<Value>,
    /// The fuel used.
    pub fuel: u64,
    /// Where the budget of the run left the program less than it had.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<Bound>,
    /// The tool calls, in the order they were made.
    pub calls: Vec<CallRecord>,
    /// What was printed, in lines.
    pub prints: Vec<String>,
    /// Milliseconds since 1970.
    pub started_at: u64,
    /// Milliseconds since 1970; `None` if it never ended.
    pub ended_at: Option<u64>,
}

/// Everything a store knows of one tool call.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CallRecord {
    /// The place of the call in the program and branch.
    pub call: String,
    /// The tool's name.
    pub tool: String,
    /// The arguments.
    pub args: Value,
    /// `started` (nobody knows what came of it), `finished`, `failed`.
    pub status: String,
    /// The result of a finished call.
    pub result: Option<Value>,
    /// What went wrong with a failed one.
    pub error: Option<Value>,
    /// The run of the sub-agent that was called.
    pub run: Option<RunId>,
    /// Whether an earlier call with the same arguments had the result.
    pub cached: bool,
    /// Its place among the calls of the turn that are over, in the order in which they were over.
    pub ended: Option<u32>,
    /// Milliseconds since 1970.
    pub started_at: u64,
    /// Milliseconds since 1970.
    pub ended_at: Option<u64>,
}

/// Returns the runs of sub-agents that programs of a run called, in the order in which they began.
pub(super) fn children(db: &Connection, run: &str) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT id FROM run_rows WHERE parent = ?1 ORDER BY id";
    db.prepare_cached(sql)?.query_map([run], |row| row.get(0))?.collect()
}

/// Returns the ids that start with `prefix`, the first few of them.
pub(super) fn matching(db: &Connection, prefix: &str) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT id FROM runs WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT 4";
    db.prepare(sql)?.query_map([prefix], |row| row.get(0))?.collect()
}

/// Returns everything of one run.
pub(super) fn show(db: &Connection, id: &str) -> rusqlite::Result<RunRecord> {
    let sql = format!(
        "SELECT {SUMMARY}, signature, input, system, limits, max_turns, seed, definition, file, value, \
         fail, error FROM runs WHERE id = ?1"
    );
    let mut record = db.query_row(&sql, [id], |row| {
        Ok(RunRecord {
            summary: summary(row)?,
            signature: row.get("signature")?,
            input: json(row, "input")?.unwrap_or_default(),
            system: row.get("system")?,
            limits: json(row, "limits")?.unwrap_or_default(),
            max_turns: row.get("max_turns")?,
            seed: row.get::<_, Option<i64>>("seed")?.map(i64::cast_unsigned),
            definition: json(row, "definition")?,
            file: row.get("file")?,
            process: row.get("process")?,
            value: json(row, "value")?.unwrap_or_default(),
            fail: json(row, "fail")?,
            error: json(row, "error")?,
            warnings: Vec::new(),
            turn_records: Vec::new(),
        })
    })?;
    let mut warnings =
        db.prepare("SELECT turn, call, code, message FROM warnings WHERE run = ?1 ORDER BY seq")?;
    let warning = |row: &Row<'_>| {
        Ok(WarningRecord {
            turn: row.get("turn")?,
            call: row.get("call")?,
            code: row.get("code")?,
            message: row.get("message")?,
        })
    };
    record.warnings = warnings.query_map([id], warning)?.collect::<rusqlite::Result<_>>()?;
    let mut turns = db.prepare("SELECT * FROM turns WHERE run = ?1 ORDER BY turn")?;
    record.turn_records =
        turns.query_map([id], |row| turn(db, id, row))?.collect::<rusqlite::Result<_>>()?;
    Ok(record)
}

/// The turns, calls and tokens of a run that never ended are counted from its rows.
pub(super) const SUMMARY: &str = "id, agent, model, status, stop, process, fuel, started_at, ended_at, \
    CASE WHEN ended_at IS NULL THEN (SELECT count(*) FROM turns WHERE run = id) ELSE turns END AS turns, \
    CASE WHEN ended_at IS NULL THEN (SELECT count(*) FROM calls WHERE run = id) ELSE tool_calls END AS tool_calls, \
    CASE WHEN ended_at IS NULL THEN (SELECT coalesce(sum(input_tokens), 0) FROM turns WHERE run = id) ELSE input_tokens END AS input_tokens, \
    CASE WHEN ended_at IS NULL THEN (SELECT coalesce(sum(output_tokens), 0) FROM turns WHERE run = id) ELSE output_tokens END AS output_tokens, \
    CASE WHEN ended_at IS NULL THEN (SELECT CASE WHEN count(cost) = count(*) THEN coalesce(sum(cost), 0) END FROM turns WHERE run = id AND reply IS NOT NULL) ELSE cost END AS cost, \
    CASE WHEN ended_at IS NULL THEN (SELECT coalesce(sum(cached_input_tokens), 0) FROM turns WHERE run = id) ELSE cached_input_tokens END AS cached_input_tokens, \
    parent, parent_turn, parent_call, origin, origin_turns";

pub(super) fn summary(row: &Row<'_>) -> rusqlite::Result<RunSummary> {
    let status: String = row.get("status")?;
    let process: Option<String> = row.get("process")?;
    let died = status == "running" && process.is_some_and(|it| alive(&it).is_none());
    Ok(RunSummary {
        run: RunId::stored(row.get("id")?),
        parent: parent(row)?,
        origin: origin(row)?,
        agent: row.get("agent")?,
        model: row.get("model")?,
        status,
        died,
        stop: row.get("stop")?,
        turns: row.get("turns")?,
        tool_calls: number(row, "tool_calls")?,
        fuel: number(row, "fuel")?,
        usage: Usage {
            input_tokens: number(row, "input_tokens")?,
            output_tokens: number(row, "output_tokens")?,
            cached_input_tokens: number(row, "cached_input_tokens")?,
            cost: cost(row)?,
        },
        started_at: number(row, "started_at")?,
        ended_at: row.get::<_, Option<i64>>("ended_at")?.map(i64::cast_unsigned),
    })
}

fn turn(db: &Connection, run: &str, row: &Row<'_>) -> rusqlite::Result<TurnRecord> {
    let turn: u32 = row.get("turn")?;
    let mut calls = db.prepare_cached(
        "SELECT call, tool, args, status, result, error, sub_run, cached, ended_seq, started_at, ended_at FROM calls \
         WHERE run = ?1 AND turn = ?2 ORDER BY seq",
    )?;
    let calls = calls.query_map(params![run, turn], call)?.collect::<rusqlite::Result<_>>()?;
    let mut prints =
        db.prepare_cached("SELECT line FROM prints WHERE run = ?1 AND turn = ?2 ORDER BY seq")?;
    let prints =
        prints.query_map(params![run, turn], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let input: Option<i64> = row.get("input_tokens")?;
    let output: Option<i64> = row.get("output_tokens")?;
    let cached: Option<i64> = row.get("cached_input_tokens")?;
    let cost = cost(row)?;
    Ok(TurnRecord {
        turn,
        prompt: row.get("prompt")?,
        reply: row.get("reply")?,
        finish: row.get("finish")?,
        usage: input.zip(output).map(|(input, output)| Usage {
            input_tokens: input.cast_unsigned(),
            output_tokens: output.cast_unsigned(),
            cached_input_tokens: cached.unwrap_or_default().cast_unsigned(),
            cost,
        }),
        program: row.get("program")?,
        repair: json(row, "repair")?,
        report: json(row, "report")?,
        budget: json(row, "budget")?,
        warnings: json(row, "warnings")?,
        rejection: json(row, "rejection")?,
        notes: json(row, "notes")?,
        outcome: row.get("outcome")?,
        value: row.get("value")?,
        error: json(row, "error")?,
        fuel: number(row, "fuel")?,
        bounds: bounds(row)?,
        calls,
        prints,
        started_at: number(row, "started_at")?,
        ended_at: row.get::<_, Option<i64>>("ended_at")?.map(i64::cast_unsigned),
    })
}

fn call(row: &Row<'_>) -> rusqlite::Result<CallRecord> {
    Ok(CallRecord {
        call: row.get("call")?,
        tool: row.get("tool")?,
        args: json(row, "args")?.unwrap_or_default(),
        status: row.get("status")?,
        result: json(row, "result")?,
        error: json(row, "error")?,
        run: row.get::<_, Option<String>>("sub_run")?.map(RunId::stored),
        cached: row.get("cached")?,
        ended: row.get("ended_seq")?,
        started_at: number(row, "started_at")?,
        ended_at: row.get::<_, Option<i64>>("ended_at")?.map(i64::cast_unsigned),
    })
}

fn parent(row: &Row<'_>) -> rusqlite::Result<Option<Parent>> {
    let Some(run) = row.get::<_, Option<String>>("parent")? else { return Ok(None) };
    let run = RunId::stored(run);
    Ok(Some(Parent { run, turn: row.get("parent_turn")?, call: row.get("parent_call")? }))
}

fn origin(row: &Row<'_>) -> rusqlite::Result<Option<Origin>> {
    let Some(run) = row.get::<_, Option<String>>("origin")? else { return Ok(None) };
    Ok(Some(Origin { run: RunId::stored(run), turns: row.get("origin_turns")? }))
}

fn bounds(row: &Row<'_>) -> rusqlite::Result<Vec<Bound>> {
    let Some(text) = row.get::<_, Option<String>>("bounds")? else { return Ok(Vec::new()) };
    parsed(&text)
}

pub(super) fn cost(row: &Row<'_>) -> rusqlite::Result<Option<Cost>> {
    let cost: Option<i64> = row.get("cost")?;
    Ok(cost.map(|it| Cost::from_billionths(it.cast_unsigned())))
}

pub(super) fn number(row: &Row<'_>, column: &str) -> rusqlite::Result<u64> {
    Ok(row.get::<_, i64>(column)?.cast_unsigned())
}

fn json(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<Value>> {
    let Some(text) = row.get::<_, Option<String>>(column)? else { return Ok(None) };
    parsed(&text).map(Some)
}

fn parsed<T: DeserializeOwned>(text: &str) -> rusqlite::Result<T> {
    serde_json::from_str(text).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(error))
    })
}
