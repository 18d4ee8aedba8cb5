//! A run as text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ptc_subagent::payload::{Diff, PatchError};
use ptc_subagent::provider::Cost;
use ptc_subagent::store::{CallRecord, ConversationPlace, Hidden, RunRecord, Store, TurnRecord};
use ptc_subagent::{ErrorCode, LabelOrigin, RunError, Status, TurnOutcome};
use serde_json::Value;

use crate::figures::{between, cost, plural};
use crate::paint;
use crate::records;
use crate::report::{self, Fault, Result};

/// The largest number of characters shown of a text; `--json` has all of them.
const MAX_TEXT: usize = 4000;

/// The largest number of characters shown of a text on one line.
const MAX_LINE: usize = 400;

/// Returns a run as `ptc show` shows it, without hidden values.
pub(crate) fn page(store: &Store, run: &str) -> Result<String> {
    let run = run.to_owned();
    let (family, record) = store
        .read(move |snapshot| Ok::<_, Fault>((snapshot.family(&run)?, snapshot.show(&run)?)))?;
    let record = Hidden::of(&family)?.cover(&record);
    Ok(page_of(&record, false))
}

/// Returns a run as text. `sent` adds the messages of each request.
pub(crate) fn page_of(record: &RunRecord, sent: bool) -> String {
    let mut page = Page { sent, ..Page::of(record) };
    page.run(record);
    page.text
}

/// Returns a turn of a run as text. `sent` adds the messages of each request.
pub(crate) fn page_of_turn(record: &RunRecord, turn: &TurnRecord, sent: bool) -> String {
    let mut page = Page { sent, ..Page::of(record) };
    page.heading(record);
    page.turn(turn, None, record);
    page.text
}

/// Returns the start of a hash, which is enough to name it.
pub(crate) fn start_of(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

/// A page of text under construction.
struct Page {
    text: String,
    coloured: bool,
    /// Whether it shows the messages of each request.
    sent: bool,
    /// The change of the payload in each turn that changed it.
    payload: std::result::Result<BTreeMap<u32, Diff>, PatchError>,
}

/// The escape sequence for headings.
const BOLD: &str = "\u{1b}[1m";
/// The escape sequence for errors.
const RED: &str = "\u{1b}[31m";
/// The escape sequence for labels.
const DIM: &str = "\u{1b}[2m";

impl Page {
    fn of(record: &RunRecord) -> Page {
        let coloured = report::is_stdout_coloured();
        let payload = record.payload_diffs();
        Page { text: String::new(), coloured, sent: false, payload }
    }

    fn heading(&mut self, record: &RunRecord) {
        let summary = &record.summary;
        self.painted(BOLD, &format!("run {} · {}", summary.run, records::describe_status(summary)));
    }

    fn run(&mut self, record: &RunRecord) {
        let summary = &record.summary;
        self.heading(record);
        self.field("agent", &summary.agent);
        if let Some(parent) = &summary.parent {
            let place = format!("run {}, turn {}, call {}", parent.run, parent.turn, parent.call);
            self.field("called by", &place);
        }
        if let Some(origin) = &summary.origin {
            let turns = plural(u64::from(origin.turns), "turn");
            self.field("continues", &format!("run {}, keeps {turns}", origin.run));
        }
        if let Some(place) = &summary.conversation {
            let ConversationPlace { first, after, message, .. } = place;
            let after = after.as_ref().unwrap_or(first);
            let what = format!("run {after}, as message {message} of the conversation {first}");
            self.field("follows", &what);
        }
        if let Some(name) =
            summary.conversation.as_ref().map_or(record.named.as_ref(), |it| it.name.as_ref())
        {
            self.field("conversation", name);
        }
        self.field("model", &summary.model);
        if let Some(signature) = &record.setup.signature {
            self.field("signature", signature);
        }
        let took = match summary.ended_at {
            Some(end) => format!(", took {}", between(summary.started_at, end)),
            None => ", has not ended".to_owned(),
        };
        self.field("when", &format!("{}{took}", records::local_time(summary.started_at)));
        self.field(
            "used",
            &format!(
                "{}, {}, {} fuel, {} tokens in{}, {} tokens out{}",
                match record.setup.max_turns {
                    u32::MAX => plural(u64::from(summary.turns), "turn"),
                    most => format!("{} of {}", summary.turns, plural(u64::from(most), "turn")),
                },
                plural(summary.tool_calls, "tool call"),
                summary.fuel,
                summary.usage.input_tokens,
                match summary.usage.cached_input_tokens {
                    0 => String::new(),
                    cached => format!(" ({cached} of them cached)"),
                },
                summary.usage.output_tokens,
                cost(&summary.usage).map(|cost| format!(", {cost}")).unwrap_or_default()
            ),
        );
        if let Some(seed) = record.setup.seed {
            self.field("seed", &seed.to_string());
        }
        let settings = record.setup.settings.as_ref().and_then(Value::as_array);
        for change in settings.into_iter().flatten() {
            self.field("settings", &change_text(change));
        }
        self.field("input", &record.setup.input.to_string());
        for it in &record.artifacts {
            let by = it.by.as_ref().map(|by| format!(", by {by}")).unwrap_or_default();
            self.field("artifact", &format!("{}, version {}{by}", it.name, it.version));
        }
        for source in &record.sources {
            self.field("source", &format!("{}: {}", source.name, source.summary()));
        }
        self.warnings(record, 0);
        // A workflow asks no model.
        if !record.setup.system.is_empty() {
            self.text("mission", mission(&record.setup.system));
        }
        let mut before = None;
        for turn in &record.turn_records {
            self.turn(turn, before, record);
            before = Some(turn);
        }
        self.outcome(record);
    }

    /// Shows a turn. `before` is the turn before it.
    fn turn(&mut self, turn: &TurnRecord, before: Option<&TurnRecord>, record: &RunRecord) {
        let outcome = turn.outcome.as_ref().map_or("never ended", TurnOutcome::as_str);
        let took = turn.ended_at.map(|end| format!(" · {}", between(turn.started_at, end)));
        let took = took.unwrap_or_default();
        self.line("");
        self.painted(BOLD, &format!("turn {} · {outcome}{took} · {} fuel", turn.turn, turn.fuel));
        let told = turn.told();
        if !told.is_empty() {
            self.text("told to the model", &told);
        }
        let models = turn.models(&record.summary.model);
        if !models.is_empty() {
            self.field("asked", &models.join(", then "));
        }
        self.requests(turn, record);
        // Errors have positions in the program that ran, which is the repaired one if there was a repair.
        let marks = marks(turn);
        let (written, ran) =
            if turn.repair.is_some() { (&[][..], &marks[..]) } else { (&marks[..], &[][..]) };
        let said = turn.said();
        match (&turn.program, &said) {
            (Some(program), said) => {
                if let Some(said) = said.as_ref().filter(|_| turn.is_read_as_program()) {
                    self.text("reply", said);
                }
                // Each turn of a workflow has the same program.
                match before.filter(|it| it.program.as_ref() == Some(program)) {
                    Some(before) if written.is_empty() => {
                        self.field("program", &format!("as in turn {}", before.turn));
                    }
                    _ => self.program("program", program, written),
                }
            }
            (None, Some(said)) => self.text("reply", said),
            (None, None) => self.line("  no reply"),
        }
        if let Some(repair) = &turn.repair {
            self.field("repaired", repair.message());
            self.program("program that ran", &repair.source, ran);
        }
        for note in turn.notes.iter().flatten() {
            self.field("note", note);
        }
        if let Some(report) = &turn.report {
            self.field("admitted", &admission(report));
        }
        if let Some(left) = turn.budget.as_ref().and_then(remaining_budget) {
            self.field("left", &left);
        }
        self.problems("warning", turn.warnings.as_deref());
        self.problems("refused", turn.rejection.as_deref());
        for denied in turn.rejection.iter().flatten().filter_map(|it| it.denied.as_ref()) {
            self.line(&format!("    {}", denied.tool));
            for line in denied.labels.iter().flat_map(origin_lines) {
                self.line(&format!("      {line}"));
            }
        }
        if !turn.calls.is_empty() {
            self.line("  calls");
        }
        for call in &turn.calls {
            self.call(call);
        }
        self.warnings(record, turn.turn);
        if !turn.prints.is_empty() {
            self.text("printed", &turn.prints.join("\n"));
        }
        if let Some(value) = &turn.value {
            self.field("value", value);
        }
        if let Some(error) = &turn.error
            && turn.rejection.is_none()
        {
            self.error_field("error", &problem(error));
        }
        self.payload(turn);
        if record.snapshot.as_ref().is_some_and(|it| it.turn == turn.turn) {
            self.field("snapshot", "the state after the programs so far");
        }
    }

    /// Shows what the rules of the transcript did before the requests of a turn, and the messages of the requests.
    fn requests(&mut self, turn: &TurnRecord, record: &RunRecord) {
        for change in turn.requests.iter().flat_map(|it| &it.changes) {
            self.field("transcript", &change.to_string());
        }
        if !self.sent || record.setup.system.is_empty() {
            return;
        }
        let numbers: Vec<u32> = match turn.requests.as_slice() {
            [] => vec![1],
            requests => requests.iter().map(|it| it.number).collect(),
        };
        for number in numbers {
            let Some(messages) = record.sent(turn.turn, number) else {
                let request = turn.requests.iter().find(|it| it.number == number);
                let summary = request.and_then(|it| it.summary.as_deref());
                self.text(&format!("request {number}, for a summary"), summary.unwrap_or("none"));
                continue;
            };
            self.line(&format!("  request {number}, {}", plural(messages.len() as u64, "message")));
            for message in messages {
                let results = message.results.iter().map(|it| &it.text);
                let calls = message.calls.iter().map(|it| format!("{} {}", it.name, it.arguments));
                let texts = results.chain([&message.text]).cloned().chain(calls);
                let texts: Vec<String> = texts.filter(|it| !it.is_empty()).collect();
                self.text(message.role.as_str(), &texts.join("\n"));
            }
        }
    }

    /// Shows the change of the payload in a turn, and its check.
    fn payload(&mut self, turn: &TurnRecord) {
        if !turn.payload_changes.is_empty() {
            match &self.payload {
                Ok(diffs) => {
                    let diff = diffs.get(&turn.turn).map(ToString::to_string);
                    self.text("payload", &diff.unwrap_or_default());
                }
                Err(error) => self.error_field("payload", &error.to_string()),
            }
        }
        for it in turn.payload_changes.iter().flat_map(|it| &it.suspicious) {
            self.field("suspicious", &format!("{}: {}", it.path, it.message));
        }
        if let Some(check) = &turn.payload_check {
            self.text("payload check", &check.to_string());
        }
    }

    /// Shows the warnings of a turn: values that were changed to match a signature, or accepted without a match.
    fn warnings(&mut self, record: &RunRecord, turn: u32) {
        for warning in record.warnings.iter().filter(|it| it.turn == turn) {
            self.field("warning", &warning.message);
        }
    }

    fn call(&mut self, call: &CallRecord) {
        let took = call.ended_at.map(|end| format!(" · {}", between(call.started_at, end)));
        let took = match took {
            _ if call.cached => " · an earlier call had the result".to_owned(),
            Some(took) => took,
            None => String::new(),
        };
        let args = cut(&call.args.to_string(), MAX_LINE);
        let step = call.step.as_ref().map(|step| format!("{step} › ")).unwrap_or_default();
        self.line(&format!("    {step}{} {args}{took}", call.tool));
        for line in call.labels.iter().flat_map(origin_lines) {
            self.line(&format!("      {line}"));
        }
        let outcome_text = match (&call.result, &call.error) {
            (Some(result), _) => result.to_string(),
            (None, Some(error)) => format!("failed: {}", problem(error)),
            (None, None) => format!("{}: outcome unknown", call.status),
        };
        self.line(&format!("      → {}", cut(&outcome_text, MAX_LINE)));
        for blob in &call.blobs {
            let (kind, size) = (&blob.media_type, plural(blob.size() as u64, "byte"));
            self.line(&format!("      {kind} · {size} · --blob {}", start_of(&blob.hash)));
        }
        if let Some(run) = &call.run {
            self.line(&format!("      run {run}"));
        }
    }

    fn outcome(&mut self, record: &RunRecord) {
        self.line("");
        self.painted(BOLD, &records::describe_status(&record.summary));
        match (&record.fail, &record.error) {
            (Some(fail), _) => {
                self.field("reason", &fail.reason);
                self.field("message", &fail.message);
            }
            (None, Some(error)) => self.error_field("error", &problem(error)),
            (None, None) if record.summary.status == Status::Returned => {
                let pretty = format!("{:#}", record.value);
                self.text("value", &pretty);
            }
            (None, None) => {}
        }
        for (name, remark) in record.remarks.iter().filter_map(Value::as_object).flatten() {
            let text = remark.as_str().map_or_else(|| remark.to_string(), str::to_owned);
            self.field(name, &steps(remark).unwrap_or(text));
        }
    }

    /// Adds a label and a text on one line.
    fn field(&mut self, name: &str, text: &str) {
        let text = cut(&text.replace('\n', " "), MAX_LINE);
        let name = self.colour(DIM, &format!("{name:<10}"));
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "  {name} {text}");
    }

    /// Adds a label and an error on one line.
    fn error_field(&mut self, name: &str, text: &str) {
        let text = cut(&text.replace('\n', " "), MAX_LINE);
        let line = self.colour(RED, &format!("{name:<10} {text}"));
        let _ = writeln!(self.text, "  {line}");
    }

    /// Adds a label, and below it a text of several lines.
    fn text(&mut self, name: &str, text: &str) {
        let _ = writeln!(self.text, "  {}", self.colour(DIM, name));
        for line in cut(text.trim(), MAX_TEXT).lines() {
            let _ = writeln!(self.text, "    {line}");
        }
    }

    /// Adds a label, and below it a program with a mark below each error.
    fn program(&mut self, name: &str, source: &str, marks: &[Mark]) {
        let _ = writeln!(self.text, "  {}", self.colour(DIM, name));
        // Line numbers count the blank lines at the start, which are not shown.
        let source = source.trim_end();
        let blank = source.lines().take_while(|it| it.trim().is_empty()).count();
        let shown = cut(source, MAX_TEXT);
        let coloured = if self.coloured { paint::lines(&shown) } else { Vec::new() };
        for (at, plain) in shown.lines().enumerate().skip(blank) {
            let line = coloured.get(at).map_or(plain, String::as_str);
            let _ = writeln!(self.text, "    {line}");
            for mark in marks.iter().filter(|it| it.line == at + 1) {
                let Some(before) =
                    source.lines().nth(at).and_then(|it| blanks_before(it, mark.column))
                else {
                    continue;
                };
                let mark = self.colour(RED, &format!("^ {}", mark.code));
                let _ = writeln!(self.text, "    {before}{mark}");
            }
        }
    }

    fn colour(&self, colour: &str, text: &str) -> String {
        if self.coloured { format!("{colour}{text}\u{1b}[0m") } else { text.to_owned() }
    }

    fn painted(&mut self, colour: &str, text: &str) {
        let line = self.colour(colour, &report::clean(text));
        let _ = writeln!(self.text, "{line}");
    }

    fn problems(&mut self, name: &str, list: Option<&[RunError]>) {
        for one in list.into_iter().flatten() {
            self.field(name, &problem(one));
        }
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(&report::clean(text));
        self.text.push('\n');
    }
}

/// Returns a change of the settings of a run on one line. Of the tools that it adds it has the names.
fn change_text(change: &Value) -> String {
    let mut change = change.clone();
    if let Some(Value::Array(tools)) = change.pointer_mut("/tools/add") {
        for tool in tools {
            *tool = tool.get("name").cloned().unwrap_or_default();
        }
    }
    change.to_string()
}

/// The place of an error in a program; line and column count from 1.
struct Mark {
    line: usize,
    column: usize,
    code: ErrorCode,
}

/// Returns the errors of a turn that have a place.
fn marks(turn: &TurnRecord) -> Vec<Mark> {
    let rejected = turn.rejection.iter().flatten();
    let found = turn.error.iter().filter(|_| turn.rejection.is_none());
    let mark = |it: &'_ RunError| {
        let denied = it.denied.as_ref();
        let line = it.line.or_else(|| denied?.line)? as usize;
        let column = it.column.or_else(|| denied?.column)? as usize;
        Some(Mark { line, column, code: it.code })
    };
    rejected.chain(found).filter(|it| !it.is_earlier).filter_map(mark).collect()
}

/// Returns blanks as wide as the text before a column of a line. Returns `None` if the line is shorter, or if the
/// column is after [`MAX_LINE`].
fn blanks_before(line: &str, column: usize) -> Option<String> {
    let count = column.checked_sub(1).filter(|it| *it < MAX_LINE)?;
    (count <= line.chars().count()).then(|| {
        let start: String = line.chars().take(count).collect();
        report::clean(&start).chars().map(|c| if c == '\t' { c } else { ' ' }).collect()
    })
}

/// Returns the budget that remained when a program started, if there is a budget.
fn remaining_budget(budget: &Value) -> Option<String> {
    let number = |key: &str| budget.get(key).and_then(Value::as_u64);
    let counts = [("run-tool-calls", "call"), ("tokens", "token")];
    let mut parts: Vec<String> =
        counts.into_iter().filter_map(|(key, what)| Some(plural(number(key)?, what))).collect();
    parts.extend(number("run-fuel").map(|it| format!("{it} fuel")));
    let cost = budget.get("cost").and_then(Value::as_f64).and_then(Cost::from_dollars);
    parts.extend(cost.map(|it| it.to_string()));
    if parts.is_empty() {
        return None;
    }
    if let Some(turns) = number("turns") {
        parts.insert(0, plural(turns, "turn"));
    }
    Some(parts.join(", "))
}

/// Returns the author's text, which is the last section of the system prompt.
fn mission(system: &str) -> &str {
    system.rsplit_once("# Mission\n").map_or(system, |(_, mission)| mission)
}

/// Returns the admission report of a program, on one line.
fn admission(report: &Value) -> String {
    let names = |path: &str| {
        let items = report.pointer(path).and_then(Value::as_array).into_iter().flatten();
        items
            .map(|it| it.as_str().or_else(|| it.get("name")?.as_str()).unwrap_or_default())
            .collect()
    };
    let parts = [
        ("calls", "/tools"),
        ("reads ctx", "/ctx"),
        ("reads memory", "/memory/reads"),
        ("writes memory", "/memory/writes"),
        ("reads payload", "/payload/reads"),
        ("changes payload", "/payload/writes"),
        ("defines", "/defines"),
    ];
    let parts = parts.into_iter().filter_map(|(what, path)| {
        let names: Vec<&str> = names(path);
        (!names.is_empty()).then(|| format!("{what} {}", names.join(" ")))
    });
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() { "touches nothing".to_owned() } else { parts.join(" · ") }
}

/// Describes the path of a run; `None` for another remark.
fn steps(remark: &Value) -> Option<String> {
    let step = |it: &Value| {
        let name = it.get("step")?.as_str()?;
        let is_skipped = it.get("skipped") == Some(&Value::Bool(true));
        Some(if is_skipped { format!("{name} (skipped)") } else { name.to_owned() })
    };
    let steps: Vec<String> = remark.as_array()?.iter().map(step).collect::<Option<_>>()?;
    Some(steps.join(", then "))
}

/// Returns a label of a call; one that a rule is about with its way and the rule.
fn origin_lines(origin: &LabelOrigin) -> Vec<String> {
    if origin.rule.is_some() { origin.lines() } else { vec![origin.to_string()] }
}

/// Returns an error of the record, on one line.
fn problem(error: &RunError) -> String {
    let mut shown = error.code.to_string();
    if let (Some(line), Some(column)) = (error.line, error.column) {
        let _ = write!(shown, " at {line}:{column}");
    }
    let _ = write!(shown, ": {}", error.message);
    if let Some(help) = error.help_and_advice() {
        let _ = write!(shown, " ({help})");
    }
    shown
}

/// Returns a text cleaned for a terminal. A text that is too long is cut, and a note gives its length in characters.
fn cut(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => report::clean(text),
        Some((at, _)) => {
            let start = report::clean(text.get(..at).unwrap_or_default());
            format!("{start} … ({} characters in all)", text.chars().count())
        }
    }
}
