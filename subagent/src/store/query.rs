//! Queries of a store.

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::cells::{cost, damaged, get, json, number, optional_number, optional_word, word};
use super::fold::Fold;
use super::heads::DAMAGED;
use super::log::{self, Part, ReadError, turns_of};
use super::owner::Living;
use crate::provider::Usage;
use crate::record::{After, Origin, Parent, RunId, RunRecord, RunSummary, Status};

/// Returns the runs of sub-agents that programs of a run started after `turn`, in the order of their starts.
pub(super) fn children(db: &Connection, run: &str, turn: u32) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT id FROM run_heads WHERE parent = ?1 AND parent_turn > ?2 ORDER BY id";
    db.prepare_cached(sql)?.query_map(params![run, turn], |row| row.get(0))?.collect()
}

/// Returns the run whose payload a run continues from, if there is one. An absent run continues from none.
pub(super) fn payload_from(db: &Connection, run: &str) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT s.data ->> 'payload_from' FROM run_heads r JOIN event_rows s ON s.seq = r.seq
        WHERE r.id = ?1";
    let from = db.prepare_cached(sql)?.query_row([run], |row| row.get(0)).optional()?;
    Ok(from.flatten())
}

/// Returns the run before a run in its conversation. An absent run has none.
pub(super) fn run_before(db: &Connection, run: &str) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT s.data ->> '$.after.run' FROM run_heads r JOIN event_rows s ON s.seq = r.seq
        WHERE r.id = ?1";
    let before = db.prepare_cached(sql)?.query_row([run], |row| row.get(0)).optional()?;
    Ok(before.flatten())
}

/// Returns the number of the event that ended a run, if it has ended.
pub(super) fn end_of(db: &Connection, run: &str) -> rusqlite::Result<Option<i64>> {
    let sql = "SELECT ended FROM run_heads WHERE id = ?1";
    db.prepare_cached(sql)?.query_row([run], |row| row.get(0))
}

/// Returns the first run of the conversation of a run.
pub(super) fn first_run(db: &Connection, run: &str) -> rusqlite::Result<String> {
    let sql = "SELECT coalesce(s.data ->> '$.after.first', r.id)
        FROM run_heads r JOIN event_rows s ON s.seq = r.seq WHERE r.id = ?1";
    db.prepare_cached(sql)?.query_row([run], |row| row.get(0))
}

/// Returns the first run of the newest conversation of a name.
pub(super) fn named(db: &Connection, name: &str) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT r.id FROM run_heads r JOIN event_rows s ON s.seq = r.seq
        WHERE r.parent IS NULL AND s.data ->> '$.named' = ?1 ORDER BY r.id DESC LIMIT 1";
    db.prepare_cached(sql)?.query_row([name], |row| row.get(0)).optional()
}

/// Returns the newest run in the conversations of a name: of an agent, or of any.
pub(super) fn newest_of(
    db: &Connection,
    name: &str,
    agent: Option<&str>,
) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT r.id FROM run_heads r JOIN event_rows s ON s.seq = r.seq
        WHERE r.parent IS NULL AND (?2 IS NULL OR r.agent = ?2)
        AND (s.data ->> '$.named' = ?1 OR s.data ->> '$.after.name' = ?1)
        ORDER BY r.id DESC LIMIT 1";
    db.prepare_cached(sql)?.query_row((name, agent), |row| row.get(0)).optional()
}

/// Returns up to four ids that start with `prefix`.
pub(super) fn matching(db: &Connection, prefix: &str) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT id FROM run_heads WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT 4";
    db.prepare_cached(sql)?.query_map([prefix], |row| row.get(0))?.collect()
}

/// Returns the summary of a run.
pub(super) fn summary_of(
    db: &Connection,
    id: &str,
    living: &Living<'_>,
) -> rusqlite::Result<RunSummary> {
    let sql = format!("SELECT {SUMMARY} FROM run_heads WHERE id = ?1");
    db.prepare_cached(&sql)?.query_row([id], |row| summary(db, row, living))
}

/// Returns one run, from a part of its log.
pub(super) fn show(
    db: &Connection,
    id: &str,
    part: Part,
    living: &Living<'_>,
) -> rusqlite::Result<RunRecord> {
    let sql = format!("SELECT {SUMMARY}, seq FROM run_heads WHERE id = ?1");
    let (seq, summary, process) = db.prepare_cached(&sql)?.query_row([id], |row| {
        Ok((row.get("seq")?, summary(db, row, living)?, get(row, "process")?))
    })?;
    let record = record(db, seq, &summary.run, part).map_err(|error| match error {
        ReadError::Sqlite(error) => error,
        ReadError::Damage(what) => damaged(what),
    })?;
    Ok(RunRecord { summary, process, ..record })
}

/// Folds a part of a run's log into a record.
pub(super) fn record(
    db: &Connection,
    number: i64,
    run: &RunId,
    part: Part,
) -> Result<RunRecord, ReadError> {
    let mut fold: Option<Fold> = None;
    log::rows(db, number, part, |row| {
        let it = row.into_event(run)?;
        match &mut fold {
            Some(fold) => fold.add(it.at, it.event).map_err(ReadError::Damage),
            None => {
                fold = Some(Fold::start(run, it.at, it.event).map_err(ReadError::Damage)?);
                Ok(())
            }
        }
    })?;
    fold.map(Fold::record).ok_or_else(|| ReadError::Damage("it has no events".to_string()))
}

/// A sum over the events of a kind, one or more of each turn, if the run has not ended, else the column of the head.
macro_rules! sum_of_turns {
    ($sum:literal, $kind:literal, $else:literal) => {
        concat!(
            "CASE WHEN ended IS NULL THEN (SELECT ",
            $sum,
            " FROM",
            turns_of!("run_heads.seq"),
            "CROSS JOIN event_rows e ON e.run = run_heads.seq AND e.turn = number AND e.call IS NULL AND e.kind = '",
            $kind,
            "') ELSE ",
            $else,
            " END AS ",
            $else
        )
    };
}

/// The columns of a list. The turns, calls and tokens of a run that has not ended are counted from its events.
pub(super) const SUMMARY: &str = concat!(
    "seq, id, agent, model, status, stop, process, started_at, ended_at, parent, parent_turn, parent_call, origin, \
     origin_turns, \
     (SELECT data -> '$.after' FROM event_rows WHERE event_rows.seq = run_heads.seq) AS after, \
     (SELECT data ->> '$.by' FROM event_rows WHERE event_rows.seq = run_heads.seq) AS by, ",
    sum_of_turns!("count(*)", "turn-started", "turns"),
    ", ",
    "CASE WHEN ended IS NULL THEN (SELECT count(*) FROM event_rows e WHERE e.run = run_heads.seq \
     AND e.kind = 'call-started') ELSE tool_calls END AS tool_calls",
    ", ",
    sum_of_turns!("coalesce(sum(data ->> '$.fuel'), 0)", "turn-ended", "fuel"),
    ", ",
    sum_of_turns!(
        "coalesce(sum(data ->> '$.usage.input_tokens'), 0)",
        "model-replied",
        "input_tokens"
    ),
    ", ",
    sum_of_turns!(
        "coalesce(sum(data ->> '$.usage.output_tokens'), 0)",
        "model-replied",
        "output_tokens"
    ),
    ", ",
    sum_of_turns!(
        "coalesce(sum(data ->> '$.usage.cached_input_tokens'), 0)",
        "model-replied",
        "cached_input_tokens"
    ),
    ", ",
    sum_of_turns!(
        "CASE WHEN count(data ->> '$.usage.cost') = count(*) THEN \
         coalesce(sum(CAST(round((data ->> '$.usage.cost') * 1e9) AS INTEGER)), 0) END",
        "model-replied",
        "cost"
    ),
);

/// Reads a row of a list.
pub(super) fn summary(
    db: &Connection,
    row: &Row<'_>,
    living: &Living<'_>,
) -> rusqlite::Result<RunSummary> {
    let mut summary = head(row)?;
    summary.conversation = json(row, "after")?.map(|after: After| after.next_place());
    summary.by = get(row, "by")?;
    if summary.status.as_str() == DAMAGED {
        return Err(damaged(damage_reason(db, row.get("seq")?)?));
    }
    let process: Option<String> = get(row, "process")?;
    summary.died = summary.status == Status::Running && process.is_some_and(|it| !living.has(&it));
    Ok(summary)
}

/// Returns the reason that a run of an earlier version cannot be read.
fn damage_reason(db: &Connection, number: i64) -> rusqlite::Result<String> {
    let sql = "SELECT data ->> '$.why' FROM event_rows WHERE seq = ?1";
    let why: Option<String> = db.query_row(sql, [number], |row| row.get(0))?;
    Ok(why.unwrap_or_default())
}

/// Reads a row of a list without checking which processes are alive.
pub(super) fn head(row: &Row<'_>) -> rusqlite::Result<RunSummary> {
    let status: Status = word(row, "status")?;
    Ok(RunSummary {
        run: word(row, "id")?,
        parent: parent(row)?,
        origin: origin(row)?,
        conversation: None,
        by: None,
        agent: get(row, "agent")?,
        model: get(row, "model")?,
        status,
        died: false,
        stop: optional_word(row, "stop")?,
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
        ended_at: optional_number(row, "ended_at")?,
    })
}

fn parent(row: &Row<'_>) -> rusqlite::Result<Option<Parent>> {
    let Some(run) = optional_word(row, "parent")? else { return Ok(None) };
    Ok(Some(Parent { run, turn: get(row, "parent_turn")?, call: get(row, "parent_call")? }))
}

fn origin(row: &Row<'_>) -> rusqlite::Result<Option<Origin>> {
    let Some(run) = optional_word(row, "origin")? else { return Ok(None) };
    Ok(Some(Origin { run, turns: get(row, "origin_turns")? }))
}
