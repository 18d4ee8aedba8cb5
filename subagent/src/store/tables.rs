//! The tables of a store, and the views that people and queries read.
//!
//! The log, `event_rows`, holds the events of runs in the order of their commits. No row of it ever changes, and
//! everything else is derived from it. `run_heads` has one row for each run, with the columns of a list of runs. The
//! views `runs`, `turns`, `calls`, `prints` and `warnings` are queries of the log.
//!
//! A long field is stored once for all events that have it. The object `data` of such an event then holds the number of
//! a row of `long_texts`. Its key is the name of the field, followed by [`LONG_MARK`]. A long text of item N in the list
//! of a field is stored in the same way, under the name `FIELD/N`.

/// The version of the tables. It increases when they change, and `upgrade` has a step for each increase.
pub(super) const VERSION: i64 = 7;

/// The version of exports: the store version that last changed their lines.
pub(super) const LINES_VERSION: i64 = 6;

/// The suffix of the name of a field whose JSON is in `long_texts`.
pub(super) const LONG_MARK: char = '#';

/// The tables. Times are milliseconds since 1970, and costs are billionths of a dollar. `run` of an event is the number
/// of its run, which is the number of the run's first event.
pub(super) const TABLES: &str = "
CREATE TABLE long_texts (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    json TEXT NOT NULL
) STRICT;
CREATE TABLE event_rows (
    seq INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    turn INTEGER,
    call TEXT,
    data TEXT NOT NULL
) STRICT;
CREATE INDEX events_of_runs ON event_rows (run, turn, call, kind);
CREATE TABLE run_heads (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL,
    model TEXT NOT NULL,
    process TEXT,
    parent TEXT,
    parent_turn INTEGER,
    parent_call TEXT,
    origin TEXT,
    origin_turns INTEGER,
    status TEXT NOT NULL,
    stop TEXT,
    turns INTEGER NOT NULL DEFAULT 0,
    tool_calls INTEGER NOT NULL DEFAULT 0,
    fuel INTEGER NOT NULL DEFAULT 0,
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    cached_input_tokens INTEGER NOT NULL DEFAULT 0,
    cost INTEGER,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    ended INTEGER
) STRICT;
CREATE INDEX heads_by_parent ON run_heads (parent) WHERE parent IS NOT NULL;
CREATE INDEX open_runs ON run_heads (process) WHERE ended IS NULL;
";

/// Returns SQL for the JSON of a field of the event `of`.
pub(super) fn json(of: &str, field: &str) -> String {
    format!(
        "CASE WHEN {of}.data ->> '{field}{LONG_MARK}' IS NULL THEN {of}.data -> '{field}' \
         ELSE (SELECT json FROM long_texts WHERE id = {of}.data ->> '{field}{LONG_MARK}') END"
    )
}

/// Returns SQL for the text or the number in a field of the event `of`.
fn text(of: &str, field: &str) -> String {
    format!(
        "CASE WHEN {of}.data ->> '{field}{LONG_MARK}' IS NULL THEN {of}.data ->> '{field}' \
         ELSE (SELECT json ->> '$' FROM long_texts WHERE id = {of}.data ->> '{field}{LONG_MARK}') END"
    )
}

/// Returns SQL for the number of the last event of a kind in the turn of the event `s`.
fn last(kind: &str) -> String {
    format!(
        "(SELECT max(seq) FROM event_rows WHERE run = s.run AND turn = s.turn AND call IS NULL AND kind {kind})"
    )
}

/// Returns SQL that converts dollars to billionths of a dollar.
fn billionths(dollars: &str) -> String {
    format!("CAST(round(({dollars}) * 1e9) AS INTEGER)")
}

/// The columns of a view: their names, and the SQL of their values.
type Columns = Vec<(&'static str, String)>;

/// Returns the columns of `runs`, of a head `r`, its first event `s` and its last event `e`.
fn columns_of_runs() -> Columns {
    let named = |name: &str| format!("r.{name}");
    let mut columns: Columns = vec![
        ("id", named("id")),
        ("agent", named("agent")),
        ("model", named("model")),
        ("signature", text("s", "signature")),
        ("input", json("s", "input")),
        ("system", text("s", "system")),
        ("limits", json("s", "limits")),
        ("max_turns", text("s", "max_turns")),
        ("seed", text("s", "seed")),
        ("definition", json("s", "definition")),
        ("file", text("s", "file")),
        ("semantics", format!("coalesce({}, 0)", text("s", "semantics"))),
    ];
    let head_columns = [
        "process",
        "parent",
        "parent_turn",
        "parent_call",
        "origin",
        "origin_turns",
        "status",
        "stop",
    ];
    columns.extend(head_columns.map(|name| (name, named(name))));
    for name in ["value", "fail", "error"] {
        columns.push((name, json("e", name)));
    }
    let head_columns = [
        "turns",
        "tool_calls",
        "fuel",
        "input_tokens",
        "output_tokens",
        "cached_input_tokens",
        "cost",
        "started_at",
        "ended_at",
    ];
    columns.extend(head_columns.map(|name| (name, named(name))));
    columns
}

/// Returns the columns of `turns`, of the events of a turn: its start `s`, its reply `m`, its program `p`, its end `e`.
fn columns_of_turns() -> Columns {
    let usage = |key: &str| format!("m.data ->> '$.usage.{key}'");
    vec![
        ("run", "r.id".to_string()),
        ("turn", "s.turn".to_string()),
        ("prompt", text("s", "prompt")),
        ("reply", text("m", "text")),
        ("finish", text("m", "finish")),
        ("input_tokens", usage("input_tokens")),
        ("output_tokens", usage("output_tokens")),
        ("cached_input_tokens", usage("cached_input_tokens")),
        ("cost", billionths(&usage("cost"))),
        ("program", text("p", "program")),
        ("repair", json("p", "repair")),
        ("report", json("p", "report")),
        ("budget", json("p", "budget")),
        ("warnings", json("p", "warnings")),
        ("rejection", json("p", "errors")),
        ("notes", json("p", "notes")),
        ("outcome", text("e", "outcome")),
        ("value", text("e", "value")),
        ("error", json("e", "error")),
        ("fuel", format!("coalesce({}, 0)", text("e", "fuel"))),
        ("tool_calls", format!("coalesce({}, 0)", text("e", "tool_calls"))),
        ("bounds", json("e", "bounds")),
        ("started_at", "s.at".to_string()),
        ("ended_at", "e.at".to_string()),
    ]
}

/// Returns the columns of `calls`, of the start `s` and the end `f` of a call.
fn columns_of_calls() -> Columns {
    vec![
        ("seq", "s.seq".to_string()),
        ("run", "r.id".to_string()),
        ("turn", "s.turn".to_string()),
        ("call", "s.call".to_string()),
        ("tool", text("s", "tool")),
        ("args", json("s", "args")),
        (
            "status",
            format!(
                "CASE WHEN f.seq IS NULL THEN 'started' WHEN ({}) IS NULL THEN 'finished' ELSE 'failed' END",
                json("f", "error")
            ),
        ),
        ("result", json("f", "result")),
        ("error", json("f", "error")),
        ("sub_run", text("f", "sub_run")),
        ("cached", format!("coalesce({}, 0)", text("f", "cached"))),
        ("ended_seq", text("f", "ended")),
        ("started_at", "s.at".to_string()),
        ("ended_at", "f.at".to_string()),
    ]
}

/// Returns the statements that create the views.
pub(super) fn views() -> String {
    let columns = |all: Columns| {
        let all: Vec<String> = all.iter().map(|(name, what)| format!("{what} AS {name}")).collect();
        all.join(",\n    ")
    };
    let (reply, program, end) = (
        last("= 'model-replied'"),
        last("IN ('program-admitted', 'program-rejected')"),
        // A resumed run discards the outcome of a turn at which the run had broken off.
        "(SELECT max(seq) FROM event_rows t WHERE run = s.run AND turn = s.turn AND call IS NULL \
         AND kind = 'turn-ended' AND NOT (data ->> 'outcome' IN ('cancelled', 'in-doubt', 'provider', 'time') \
         AND EXISTS (SELECT 1 FROM event_rows WHERE run = s.run AND turn IS NULL AND call IS NULL \
         AND kind = 'run-resumed' AND seq > t.seq)))",
    );
    format!(
        "CREATE VIEW events AS SELECT r.id AS run, s.seq, at, kind, turn, call, data
    FROM event_rows s JOIN run_heads r ON r.seq = s.run;
CREATE VIEW runs AS SELECT {runs}
    FROM run_heads r JOIN event_rows s ON s.seq = r.seq LEFT JOIN event_rows e ON e.seq = r.ended;
CREATE VIEW turns AS SELECT {turns}
    FROM event_rows s JOIN run_heads r ON r.seq = s.run
    LEFT JOIN event_rows m ON m.seq = {reply}
    LEFT JOIN event_rows p ON p.seq = {program}
    LEFT JOIN event_rows e ON e.seq = {end}
    WHERE s.kind = 'turn-started';
CREATE VIEW calls AS SELECT {calls}
    FROM event_rows s JOIN run_heads r ON r.seq = s.run
    LEFT JOIN event_rows f ON f.seq = (SELECT max(seq) FROM event_rows WHERE run = s.run AND turn = s.turn
        AND call = s.call AND kind = 'call-finished')
    WHERE s.kind = 'call-started';
CREATE VIEW prints AS SELECT s.seq, r.id AS run, s.turn, {line} AS line
    FROM event_rows s JOIN run_heads r ON r.seq = s.run WHERE s.kind = 'printed';
CREATE VIEW warnings AS SELECT s.seq, r.id AS run, s.turn, s.call,
    ({warning}) ->> 'code' AS code, ({warning}) ->> 'message' AS message
    FROM event_rows s JOIN run_heads r ON r.seq = s.run WHERE s.kind = 'warned';
",
        runs = columns(columns_of_runs()),
        turns = columns(columns_of_turns()),
        calls = columns(columns_of_calls()),
        line = text("s", "line"),
        warning = json("s", "warning"),
    )
}
