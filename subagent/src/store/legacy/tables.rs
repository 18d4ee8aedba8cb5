//! The tables and views of a store of version 5.
//!
//! Each long text is stored once. A column for long texts holds either the text, or the number of a row of `texts`. The
//! views return the text in both cases.

/// The tables. JSON is text, times are milliseconds since 1970, and costs are billionths of a dollar. Statuses are
/// words without a constraint, because later versions have more of them. `ANY` is a text, or the number of one.
pub(super) const TABLES: &str = "
CREATE TABLE texts (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    text TEXT NOT NULL
) STRICT;
CREATE TABLE run_rows (
    id TEXT PRIMARY KEY,
    agent TEXT NOT NULL,
    model TEXT NOT NULL,
    signature TEXT,
    input ANY NOT NULL,
    system ANY NOT NULL,
    limits TEXT NOT NULL,
    max_turns INTEGER NOT NULL,
    seed INTEGER,
    definition ANY,
    file TEXT,
    process TEXT,
    parent TEXT REFERENCES run_rows (id),
    parent_turn INTEGER,
    parent_call TEXT,
    origin TEXT,
    origin_turns INTEGER,
    status TEXT NOT NULL,
    stop TEXT,
    value ANY,
    fail TEXT,
    error TEXT,
    turns INTEGER NOT NULL DEFAULT 0,
    tool_calls INTEGER NOT NULL DEFAULT 0,
    fuel INTEGER NOT NULL DEFAULT 0,
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    cached_input_tokens INTEGER NOT NULL DEFAULT 0,
    cost INTEGER,
    started_at INTEGER NOT NULL,
    ended_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX runs_by_parent ON run_rows (parent) WHERE parent IS NOT NULL;
CREATE TABLE turn_rows (
    run TEXT NOT NULL REFERENCES run_rows (id),
    turn INTEGER NOT NULL,
    prompt ANY NOT NULL,
    reply ANY,
    finish TEXT,
    input_tokens INTEGER,
    output_tokens INTEGER,
    cached_input_tokens INTEGER,
    cost INTEGER,
    program ANY,
    repair ANY,
    report ANY,
    budget TEXT,
    warnings TEXT,
    rejection ANY,
    notes TEXT,
    outcome TEXT,
    value ANY,
    error TEXT,
    fuel INTEGER NOT NULL DEFAULT 0,
    tool_calls INTEGER NOT NULL DEFAULT 0,
    bounds TEXT,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    PRIMARY KEY (run, turn)
) STRICT, WITHOUT ROWID;
CREATE TABLE call_rows (
    seq INTEGER PRIMARY KEY,
    run TEXT NOT NULL REFERENCES run_rows (id),
    turn INTEGER NOT NULL,
    call TEXT NOT NULL,
    tool TEXT NOT NULL,
    args ANY NOT NULL,
    status TEXT NOT NULL,
    result ANY,
    error TEXT,
    sub_run TEXT,
    cached INTEGER NOT NULL DEFAULT 0,
    ended_seq INTEGER,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    UNIQUE (run, turn, call)
) STRICT;
CREATE TABLE print_rows (
    seq INTEGER PRIMARY KEY,
    run TEXT NOT NULL REFERENCES run_rows (id),
    turn INTEGER NOT NULL,
    line ANY NOT NULL
) STRICT;
CREATE INDEX prints_by_turn ON print_rows (run, turn);
CREATE TABLE warning_rows (
    seq INTEGER PRIMARY KEY,
    run TEXT NOT NULL REFERENCES run_rows (id),
    turn INTEGER NOT NULL,
    call TEXT,
    code TEXT NOT NULL,
    message TEXT NOT NULL
) STRICT;
CREATE INDEX warnings_by_run ON warning_rows (run);
";

/// A table with its view and its columns. Columns in `long` may hold the number of a text.
pub(super) struct Table {
    pub(super) rows: &'static str,
    pub(super) view: &'static str,
    pub(super) columns: &'static [&'static str],
    pub(super) long: &'static [&'static str],
}

/// The tables, each after those that it refers to.
pub(super) const ALL: [Table; 5] = [
    Table {
        rows: "run_rows",
        view: "runs",
        columns: &[
            "id",
            "agent",
            "model",
            "signature",
            "input",
            "system",
            "limits",
            "max_turns",
            "seed",
            "definition",
            "file",
            "process",
            "parent",
            "parent_turn",
            "parent_call",
            "origin",
            "origin_turns",
            "status",
            "stop",
            "value",
            "fail",
            "error",
            "turns",
            "tool_calls",
            "fuel",
            "input_tokens",
            "output_tokens",
            "cached_input_tokens",
            "cost",
            "started_at",
            "ended_at",
        ],
        long: &["input", "system", "definition", "value"],
    },
    Table {
        rows: "turn_rows",
        view: "turns",
        columns: &[
            "run",
            "turn",
            "prompt",
            "reply",
            "finish",
            "input_tokens",
            "output_tokens",
            "cached_input_tokens",
            "cost",
            "program",
            "repair",
            "report",
            "budget",
            "warnings",
            "rejection",
            "notes",
            "outcome",
            "value",
            "error",
            "fuel",
            "tool_calls",
            "bounds",
            "started_at",
            "ended_at",
        ],
        long: &["prompt", "reply", "program", "repair", "report", "rejection", "value"],
    },
    Table {
        rows: "call_rows",
        view: "calls",
        columns: &[
            "seq",
            "run",
            "turn",
            "call",
            "tool",
            "args",
            "status",
            "result",
            "error",
            "sub_run",
            "cached",
            "ended_seq",
            "started_at",
            "ended_at",
        ],
        long: &["args", "result"],
    },
    Table {
        rows: "print_rows",
        view: "prints",
        columns: &["seq", "run", "turn", "line"],
        long: &["line"],
    },
    Table {
        rows: "warning_rows",
        view: "warnings",
        columns: &["seq", "run", "turn", "call", "code", "message"],
        long: &[],
    },
];

/// Returns the statements that create the views, which contain the texts themselves.
pub(super) fn views() -> String {
    let column = |table: &Table, name: &str| {
        if !table.long.contains(&name) {
            return name.to_string();
        }
        format!(
            "CASE typeof({name}) WHEN 'integer' THEN (SELECT text FROM texts WHERE texts.id = {name}) \
             ELSE {name} END AS {name}"
        )
    };
    let view = |table: &Table| {
        let columns: Vec<String> = table.columns.iter().map(|it| column(table, it)).collect();
        let Table { rows, view, .. } = table;
        format!("CREATE VIEW {view} AS SELECT {} FROM {rows};\n", columns.join(", "))
    };
    ALL.iter().map(view).collect()
}
