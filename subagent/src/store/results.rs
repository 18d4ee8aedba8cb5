//! Earlier results of the tools of servers.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension as _};
use serde_json::Value;

use super::Store;
use crate::error::Error;

/// The number of the newest runs whose results are read.
const RUNS: i64 = 20;

/// The maximum number of calls that are read in one run.
const CALLS: i64 = 500;

/// The maximum number of results of one tool.
const RESULTS: usize = 20;

/// The maximum size of a result, in bytes of JSON. Longer ones are not read.
const LONGEST: i64 = 64 * 1024;

impl Store {
    /// Returns results of the tools of a server, in the newest runs whose agents have the server, by the names of the
    /// tools in programs.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`](crate::ErrorKind::Store) if the store cannot be read.
    pub(crate) fn results_of(&self, server: &str) -> Result<BTreeMap<String, Vec<Value>>, Error> {
        let server = server.to_string();
        self.read(move |snapshot| {
            results(snapshot.db, &server).map_err(|it| snapshot.sqlite_error(&it))
        })
    }
}

fn results(db: &Connection, server: &str) -> rusqlite::Result<BTreeMap<String, Vec<Value>>> {
    let mut runs = db.prepare_cached("SELECT id FROM run_heads ORDER BY seq DESC LIMIT ?1")?;
    let runs = runs.query_map([RUNS], |row| row.get::<_, String>(0))?;
    let mut all: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for run in runs {
        let run = run?;
        let definition: Option<Option<String>> = db
            .prepare_cached("SELECT definition FROM runs WHERE id = ?1")?
            .query_row([&run], |row| row.get(0))
            .optional()?;
        let definition = definition.flatten().and_then(|it| serde_json::from_str(&it).ok());
        let names = tools_of(&definition.unwrap_or_default(), server);
        if names.is_empty() {
            continue;
        }
        let sql = "SELECT tool, result FROM calls \
                   WHERE run = ?1 AND status = 'finished' AND length(result) <= ?2 ORDER BY seq LIMIT ?3";
        let mut calls = db.prepare_cached(sql)?;
        let calls = calls.query_map((&run, LONGEST, CALLS), |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
        })?;
        for call in calls {
            let (tool, result) = call?;
            if !names.contains(&tool) {
                continue;
            }
            let known = all.entry(tool).or_default();
            if known.len() < RESULTS
                && let Ok(result) = serde_json::from_str(&result)
            {
                known.push(result);
            }
        }
    }
    Ok(all)
}

/// Returns the names of the tools that a recorded agent has from a server.
fn tools_of(definition: &Value, server: &str) -> Vec<String> {
    let tools = definition.get("tools").and_then(Value::as_array);
    let of_server = tools
        .into_iter()
        .flatten()
        .filter(|it| it.get("server").and_then(Value::as_str).is_some_and(|name| name == server));
    of_server.filter_map(|it| Some(it.get("name")?.as_str()?.to_string())).collect()
}
