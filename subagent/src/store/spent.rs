//! The use of a person.

use rusqlite::params;

use super::Snapshot;
use crate::error::Error;
use crate::provider::Cost;

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
}

impl Snapshot<'_> {
    /// Returns the use of the runs that a person started since a time, in milliseconds since 1970.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`](crate::ErrorKind::Store) if the store cannot be read.
    pub fn spent(&self, by: &str, since: u64) -> Result<Spent, Error> {
        // A run that has not ended has its use in the events of its replies.
        let sql = "WITH RECURSIVE tree (seq, id, is_root) AS (
                SELECT r.seq, r.id, 1 FROM run_heads r JOIN event_rows s ON s.seq = r.seq
                WHERE r.parent IS NULL AND r.started_at >= ?2 AND s.data ->> '$.by' = ?1
                UNION ALL SELECT r.seq, r.id, 0 FROM run_heads r JOIN tree ON r.parent = tree.id)
            SELECT (SELECT count(*) FROM tree WHERE is_root = 1),
                coalesce(sum(coalesce(e.data ->> '$.usage.input_tokens', 0)
                    + coalesce(e.data ->> '$.usage.output_tokens', 0)), 0),
                coalesce(sum(CAST(round(coalesce(e.data ->> '$.usage.cost', 0) * 1e9) AS INTEGER)), 0)
            FROM tree CROSS JOIN event_rows e ON e.run = tree.seq AND e.kind = 'model-replied'";
        let read = self.db.query_row(sql, params![by, since.cast_signed()], |row| {
            let number =
                |at| Ok::<_, rusqlite::Error>(row.get::<_, i64>(at)?.max(0).cast_unsigned());
            let cost = Cost::from_billionths(number(2)?);
            Ok(Spent { runs: number(0)?, tokens: number(1)?, cost })
        });
        read.map_err(|error| self.sqlite_error(&error))
    }
}
