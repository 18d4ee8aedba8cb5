//! Bringing the tables of earlier versions to the present one, with everything that is in them.

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::schema::{SUB_AGENTS, VERSION, WARNINGS};

/// Brings a store of version `from..VERSION` to `VERSION`: wholly, or not at all.
///
/// Another process may do the same at the same time; the second one finds nothing left to do.
pub(super) fn upgrade(db: &mut Connection) -> rusqlite::Result<()> {
    let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version: i64 = tx.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    for (step, since) in STEPS.iter().zip(1..) {
        if version <= since {
            step(&tx)?;
        }
    }
    if version < VERSION {
        tx.pragma_update(None, "user_version", VERSION)?;
    }
    tx.commit()
}

type Step = fn(&Transaction<'_>) -> rusqlite::Result<()>;

/// Step `n`, counted from 1, makes a store of version `n + 1` from one of version `n`.
const STEPS: [Step; VERSION as usize - 1] = [mends_and_warnings, sub_agents];

/// Version 2 records what was mended in a program, and what was changed in data to match a signature.
///
/// The first stores of version 1 lack two columns that later ones had.
fn mends_and_warnings(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    for column in ["warnings", "notes", "repair"] {
        let there: bool = tx.query_row(
            "SELECT count(*) FROM pragma_table_info('turns') WHERE name = ?1",
            [column],
            |row| row.get(0),
        )?;
        if !there {
            tx.execute_batch(&format!("ALTER TABLE turns ADD COLUMN {column} TEXT"))?;
        }
    }
    tx.execute_batch(WARNINGS)
}

/// Version 3 links the runs of sub-agents to the calls of them, and records what replies cost.
fn sub_agents(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    tx.execute_batch(SUB_AGENTS)
}
