//! What can be asked of a store.

use rusqlite::types::{FromSql, Type, ValueRef};
use rusqlite::{Connection, Row, params};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::owner::Living;
use crate::data::Data;
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
    pub input: Data,
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
    /// The owner of a run that has not ended, `NUMBER@HOST:NAME`: the process, its machine, and a name that no other
    /// owner has. Versions up to 5 wrote `NUMBER:NAME`.
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
    pub args: Data,
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
pub(super) fn show(db: &Connection, id: &str, living: &Living<'_>) -> rusqlite::Result<RunRecord> {
    let sql = format!(
        "SELECT {SUMMARY}, signature, input, system, limits, max_turns, seed, definition, file, value, \
         fail, error FROM runs WHERE id = ?1"
    );
    let mut record = db.query_row(&sql, [id], |row| {
        Ok(RunRecord {
            summary: summary(row, living)?,
            signature: get(row, "signature")?,
            input: data(row, "input")?,
            system: get(row, "system")?,
            limits: json(row, "limits")?.unwrap_or_default(),
            max_turns: get(row, "max_turns")?,
            seed: maybe(row, "seed")?,
            definition: json(row, "definition")?,
            file: get(row, "file")?,
            process: get(row, "process")?,
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
            turn: get(row, "turn")?,
            call: get(row, "call")?,
            code: get(row, "code")?,
            message: get(row, "message")?,
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

pub(super) fn summary(row: &Row<'_>, living: &Living<'_>) -> rusqlite::Result<RunSummary> {
    let status: String = get(row, "status")?;
    let process: Option<String> = get(row, "process")?;
    let died = status == "running" && process.is_some_and(|it| !living.has(&it));
    Ok(RunSummary {
        run: RunId::stored(get(row, "id")?),
        parent: parent(row)?,
        origin: origin(row)?,
        agent: get(row, "agent")?,
        model: get(row, "model")?,
        status,
        died,
        stop: get(row, "stop")?,
        turns: get(row, "turns")?,
        tool_calls: number(row, "tool_calls")?,
        fuel: number(row, "fuel")?,
        usage: Usage {
            input_tokens: number(row, "input_tokens")?,
            output_tokens: number(row, "output_tokens")?,
            cached_input_tokens: number(row, "cached_input_tokens")?,
            cost: cost(row)?,
        },
        started_at: number(row, "started_at")?,
        ended_at: maybe(row, "ended_at")?,
    })
}

fn turn(db: &Connection, run: &str, row: &Row<'_>) -> rusqlite::Result<TurnRecord> {
    let turn: u32 = get(row, "turn")?;
    let mut calls = db.prepare_cached(
        "SELECT call, tool, args, status, result, error, sub_run, cached, ended_seq, started_at, ended_at FROM calls \
         WHERE run = ?1 AND turn = ?2 ORDER BY seq",
    )?;
    let calls = calls.query_map(params![run, turn], call)?.collect::<rusqlite::Result<_>>()?;
    let mut prints =
        db.prepare_cached("SELECT line FROM prints WHERE run = ?1 AND turn = ?2 ORDER BY seq")?;
    let prints =
        prints.query_map(params![run, turn], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let input = maybe(row, "input_tokens")?;
    let output = maybe(row, "output_tokens")?;
    let cached = maybe(row, "cached_input_tokens")?;
    let cost = cost(row)?;
    Ok(TurnRecord {
        turn,
        prompt: get(row, "prompt")?,
        reply: get(row, "reply")?,
        finish: get(row, "finish")?,
        usage: input.zip(output).map(|(input, output)| Usage {
            input_tokens: input,
            output_tokens: output,
            cached_input_tokens: cached.unwrap_or_default(),
            cost,
        }),
        program: get(row, "program")?,
        repair: json(row, "repair")?,
        report: json(row, "report")?,
        budget: json(row, "budget")?,
        warnings: json(row, "warnings")?,
        rejection: json(row, "rejection")?,
        notes: json(row, "notes")?,
        outcome: get(row, "outcome")?,
        value: get(row, "value")?,
        error: json(row, "error")?,
        fuel: number(row, "fuel")?,
        bounds: bounds(row)?,
        calls,
        prints,
        started_at: number(row, "started_at")?,
        ended_at: maybe(row, "ended_at")?,
    })
}

fn call(row: &Row<'_>) -> rusqlite::Result<CallRecord> {
    Ok(CallRecord {
        call: get(row, "call")?,
        tool: get(row, "tool")?,
        args: data(row, "args")?,
        status: get(row, "status")?,
        result: json(row, "result")?,
        error: json(row, "error")?,
        run: get::<Option<String>>(row, "sub_run")?.map(RunId::stored),
        cached: get(row, "cached")?,
        ended: get(row, "ended_seq")?,
        started_at: number(row, "started_at")?,
        ended_at: maybe(row, "ended_at")?,
    })
}

fn parent(row: &Row<'_>) -> rusqlite::Result<Option<Parent>> {
    let Some(run) = get::<Option<String>>(row, "parent")? else { return Ok(None) };
    let run = RunId::stored(run);
    Ok(Some(Parent { run, turn: get(row, "parent_turn")?, call: get(row, "parent_call")? }))
}

fn origin(row: &Row<'_>) -> rusqlite::Result<Option<Origin>> {
    let Some(run) = get::<Option<String>>(row, "origin")? else { return Ok(None) };
    Ok(Some(Origin { run: RunId::stored(run), turns: get(row, "origin_turns")? }))
}

fn bounds(row: &Row<'_>) -> rusqlite::Result<Vec<Bound>> {
    let Some(text) = get::<Option<String>>(row, "bounds")? else { return Ok(Vec::new()) };
    parsed(row, "bounds", &text)
}

fn cost(row: &Row<'_>) -> rusqlite::Result<Option<Cost>> {
    Ok(maybe(row, "cost")?.map(Cost::from_billionths))
}

/// A number that no version has written below zero.
fn number(row: &Row<'_>, column: &str) -> rusqlite::Result<u64> {
    maybe(row, column)?.ok_or_else(|| found(row, column))
}

/// The same, where there may be none.
fn maybe(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<u64>> {
    let number: Option<i64> = get(row, column)?;
    number.map(|it| u64::try_from(it).map_err(|_| found(row, column))).transpose()
}

/// A sum over rows that may be damaged: at least 0.
pub(super) fn sum(row: &Row<'_>, column: &str) -> rusqlite::Result<u64> {
    Ok(row.get::<_, i64>(column)?.max(0).cast_unsigned())
}

fn json(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<Value>> {
    let Some(text) = get::<Option<String>>(row, column)? else { return Ok(None) };
    parsed(row, column, &text).map(Some)
}

fn data(row: &Row<'_>, column: &str) -> rusqlite::Result<Data> {
    let Some(text) = get::<Option<String>>(row, column)? else { return Ok(Data::default()) };
    Data::recorded(&text).map_err(|_| found(row, column))
}

fn parsed<T: DeserializeOwned>(row: &Row<'_>, column: &str, text: &str) -> rusqlite::Result<T> {
    serde_json::from_str(text).map_err(|_| found(row, column))
}

/// Reads a field; one of another type, or out of range, is a [`damage`].
fn get<T: FromSql>(row: &Row<'_>, column: &str) -> rusqlite::Result<T> {
    row.get(column).map_err(|error| match error {
        rusqlite::Error::InvalidColumnName(_) => error,
        _ => found(row, column),
    })
}

/// The error of a field that holds what no version has written there.
fn found(row: &Row<'_>, column: &str) -> rusqlite::Error {
    const MAX_SHOWN: usize = 40;
    let what = match row.get_ref(column) {
        Ok(ValueRef::Null) => "nothing".to_string(),
        Ok(ValueRef::Integer(it)) => it.to_string(),
        Ok(ValueRef::Real(it)) => it.to_string(),
        Ok(ValueRef::Text(text)) => {
            let text = String::from_utf8_lossy(text);
            format!("{:?}", text.chars().take(MAX_SHOWN).collect::<String>())
        }
        Ok(ValueRef::Blob(_)) => "bytes".to_string(),
        Err(error) => return error,
    };
    let damage = Damage(format!("`{column}` holds {what}"));
    rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(damage))
}

/// Which field of a run is damaged and what it holds, if that is what is wrong.
pub(super) fn damage(error: &rusqlite::Error) -> Option<String> {
    match error {
        rusqlite::Error::FromSqlConversionFailure(_, _, error) => {
            error.downcast_ref::<Damage>().map(ToString::to_string)
        }
        _ => None,
    }
}

/// A field that holds what no version has written there.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Damage(String);
