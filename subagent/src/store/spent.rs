//! The use of a person.

use rusqlite::params;

use super::Snapshot;
use crate::error::Error;
use crate::provider::Cost;
use crate::record::RunId;

/// The use of the runs that a person started, with the runs below them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Spent {
    /// The number of runs, without those of sub-agents.
    pub runs: u64,
    /// The tokens of prompts and replies.
    pub tokens: u64,
    /// The known cost.
    pub cost: Cost,
    /// The tokens that open runs have [reserved](crate::Reserved) and not used. An open run may go on.
    pub reserved_tokens: u64,
    /// The cost that open runs have reserved and not used.
    pub reserved_cost: Cost,
}

impl Snapshot<'_> {
    /// Returns the use of the runs that a person started since a time, in milliseconds since 1970. `reopened` is a run that
    /// counts as open although it has ended.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`](crate::ErrorKind::Store) if the store cannot be read.
    pub fn spent(&self, by: &str, since: u64, reopened: Option<&RunId>) -> Result<Spent, Error> {
        // A run that has not ended has its use in the events of its replies.
        let sql = "WITH RECURSIVE tree (seq, id, root) AS (
                SELECT r.seq, r.id, r.seq FROM run_heads r JOIN event_rows s ON s.seq = r.seq
                WHERE r.parent IS NULL AND r.started_at >= ?2 AND s.data ->> '$.by' = ?1
                UNION ALL SELECT r.seq, r.id, tree.root FROM run_heads r JOIN tree ON r.parent = tree.id),
            used (root, tokens, cost) AS (
                SELECT tree.root, coalesce(sum(coalesce(e.data ->> '$.usage.input_tokens', 0)
                    + coalesce(e.data ->> '$.usage.output_tokens', 0)), 0),
                coalesce(sum(CAST(round(coalesce(e.data ->> '$.usage.cost', 0) * 1e9) AS INTEGER)), 0)
                FROM tree LEFT JOIN event_rows e ON e.run = tree.seq AND e.kind = 'model-replied'
                GROUP BY tree.root),
            open (root, tokens, cost) AS (
                SELECT used.root, coalesce(q.data ->> '$.reserves.tokens', 0) - used.tokens,
                CAST(round(coalesce(q.data ->> '$.reserves.cost', 0) * 1e9) AS INTEGER) - used.cost
                FROM used JOIN run_heads r ON r.seq = used.root JOIN event_rows q ON q.seq = (
                    SELECT min(e.seq) FROM event_rows e WHERE e.run = r.seq AND e.turn IS NULL
                    AND e.call IS NULL AND e.kind = 'run-queued')
                WHERE r.ended IS NULL OR r.status = 'waiting' OR r.id = ?3)
            SELECT (SELECT count(*) FROM used), (SELECT coalesce(sum(tokens), 0) FROM used),
                (SELECT coalesce(sum(cost), 0) FROM used),
                (SELECT coalesce(sum(max(tokens, 0)), 0) FROM open),
                (SELECT coalesce(sum(max(cost, 0)), 0) FROM open)";
        let reopened = reopened.map(RunId::as_str);
        let values = params![by, since.cast_signed(), reopened];
        let read = self.db.prepare_cached(sql).and_then(|mut it| {
            it.query_row(values, |row| {
                let number =
                    |at| Ok::<_, rusqlite::Error>(row.get::<_, i64>(at)?.max(0).cast_unsigned());
                Ok(Spent {
                    runs: number(0)?,
                    tokens: number(1)?,
                    cost: Cost::from_billionths(number(2)?),
                    reserved_tokens: number(3)?,
                    reserved_cost: Cost::from_billionths(number(4)?),
                })
            })
        });
        read.map_err(|error| self.sqlite_error(&error))
    }
}
