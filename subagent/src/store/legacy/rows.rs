//! Runs of versions 1 to 5, in the tables of version 5.

use ptc_lisp::Repair;
use rusqlite::{Connection, Row, params};
use serde_json::Value;

use super::super::cells::{
    bad_field, cost, data, get, json, number, optional_number, optional_word, word,
};
use super::super::query::head;
use crate::provider::Usage;
use crate::record::{Bound, CallRecord, RunRecord, RunSetup, TurnRecord, WarningRecord};

/// Returns the complete record of one run.
pub(super) fn show(db: &Connection, id: &str) -> rusqlite::Result<RunRecord> {
    let sql = format!(
        "SELECT {SUMMARY}, signature, input, system, limits, max_turns, seed, definition, file, value, \
         fail, error FROM runs WHERE id = ?1"
    );
    let mut record = db.query_row(&sql, [id], |row| {
        Ok(RunRecord {
            due: None,
            questions: Vec::new(),
            summary: head(row)?,
            setup: RunSetup {
                signature: get(row, "signature")?,
                input: data(row, "input")?,
                system: get(row, "system")?,
                limits: json(row, "limits")?.unwrap_or_default(),
                max_turns: get(row, "max_turns")?,
                seed: optional_number(row, "seed")?,
                definition: json(row, "definition")?,
                file: get(row, "file")?,
                ..RunSetup::default()
            },
            process: get(row, "process")?,
            value: json(row, "value")?.unwrap_or_default(),
            fail: json(row, "fail")?,
            error: json(row, "error")?,
            partial: false,
            chat: false,
            remarks: None,
            warnings: Vec::new(),
            payload: None,
            after: None,
            snapshot: None,
            programs: Vec::new(),
            turn_records: Vec::new(),
        })
    })?;
    let mut warnings =
        db.prepare("SELECT turn, call, code, message FROM warnings WHERE run = ?1 ORDER BY seq")?;
    let warning = |row: &Row<'_>| {
        Ok(WarningRecord {
            turn: get(row, "turn")?,
            call: get(row, "call")?,
            code: word(row, "code")?,
            message: get(row, "message")?,
        })
    };
    record.warnings = warnings.query_map([id], warning)?.collect::<rusqlite::Result<_>>()?;
    let mut turns = db.prepare("SELECT * FROM turns WHERE run = ?1 ORDER BY turn")?;
    record.turn_records =
        turns.query_map([id], |row| turn(db, id, row))?.collect::<rusqlite::Result<_>>()?;
    Ok(record)
}

/// The columns of a list. The turns, calls and tokens of a run that has not ended are counted from
/// its rows.
const SUMMARY: &str = "id, agent, model, status, stop, process, fuel, started_at, ended_at, \
    CASE WHEN ended_at IS NULL THEN (SELECT count(*) FROM turns WHERE run = id) ELSE turns END AS turns, \
    CASE WHEN ended_at IS NULL THEN (SELECT count(*) FROM calls WHERE run = id) ELSE tool_calls END AS tool_calls, \
    CASE WHEN ended_at IS NULL THEN (SELECT coalesce(sum(input_tokens), 0) FROM turns WHERE run = id) ELSE input_tokens END AS input_tokens, \
    CASE WHEN ended_at IS NULL THEN (SELECT coalesce(sum(output_tokens), 0) FROM turns WHERE run = id) ELSE output_tokens END AS output_tokens, \
    CASE WHEN ended_at IS NULL THEN (SELECT CASE WHEN count(cost) = count(*) THEN coalesce(sum(cost), 0) END FROM turns WHERE run = id AND reply IS NOT NULL) ELSE cost END AS cost, \
    CASE WHEN ended_at IS NULL THEN (SELECT coalesce(sum(cached_input_tokens), 0) FROM turns WHERE run = id) ELSE cached_input_tokens END AS cached_input_tokens, \
    parent, parent_turn, parent_call, origin, origin_turns";

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
    let input = optional_number(row, "input_tokens")?;
    let output = optional_number(row, "output_tokens")?;
    let cached = optional_number(row, "cached_input_tokens")?;
    let cost = cost(row)?;
    Ok(TurnRecord {
        turn,
        prompt: get(row, "prompt")?,
        results: Vec::new(),
        images: Vec::new(),
        requests: Vec::new(),
        model_calls: Vec::new(),
        opaque: Vec::new(),
        reply: get(row, "reply")?,
        finish: optional_word(row, "finish")?,
        usage: input.zip(output).map(|(input, output)| Usage {
            input_tokens: input,
            output_tokens: output,
            cached_input_tokens: cached.unwrap_or_default(),
            cost,
        }),
        program: get(row, "program")?,
        repair: repair(row)?,
        report: json(row, "report")?,
        budget: json(row, "budget")?,
        warnings: json(row, "warnings")?,
        rejection: json(row, "rejection")?,
        notes: json(row, "notes")?,
        refused: Vec::new(),
        outcome: optional_word(row, "outcome")?,
        value: get(row, "value")?,
        error: json(row, "error")?,
        fuel: number(row, "fuel")?,
        bounds: bounds(row)?,
        payload_changes: Vec::new(),
        payload_check: None,
        calls,
        prints,
        started_at: number(row, "started_at")?,
        ended_at: optional_number(row, "ended_at")?,
    })
}

fn call(row: &Row<'_>) -> rusqlite::Result<CallRecord> {
    Ok(CallRecord {
        step: None,
        call: get(row, "call")?,
        tool: get(row, "tool")?,
        args: data(row, "args")?,
        status: word(row, "status")?,
        result: json(row, "result")?,
        error: json(row, "error")?,
        blobs: Vec::new(),
        run: optional_word(row, "sub_run")?,
        cached: get(row, "cached")?,
        ended: get(row, "ended_seq")?,
        started_at: number(row, "started_at")?,
        ended_at: optional_number(row, "ended_at")?,
    })
}

fn bounds(row: &Row<'_>) -> rusqlite::Result<Vec<Bound>> {
    Ok(json(row, "bounds")?.unwrap_or_default())
}

fn repair(row: &Row<'_>) -> rusqlite::Result<Option<Repair>> {
    let Some(repair) = json::<Value>(row, "repair")? else { return Ok(None) };
    Repair::from_json(&repair).map(Some).ok_or_else(|| bad_field(row, "repair"))
}
