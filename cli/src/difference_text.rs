//! Differences of two records as text.

use std::fmt::Write as _;

use ptc_lisp::Value;
use ptc_subagent::Data;
use ptc_subagent::replay::Difference;
use similar::TextDiff;

use crate::figures::plural;
use crate::report;

/// The largest number of lines shown of one difference.
const MAX_LINES: usize = 60;

/// The largest number of characters shown of one line.
const MAX_LINE: usize = 400;

/// Adds both sides of a difference to a page, under their names.
pub(crate) fn show(page: &mut String, difference: &Difference, names: (&str, &str)) {
    let turn = difference.turn.map(|turn| format!("turn {turn}, ")).unwrap_or_default();
    let call = difference.call.as_ref().map(|call| format!("call {call}, ")).unwrap_or_default();
    let place = format!("{turn}{call}{}", difference.what);
    // Writing to a string cannot fail.
    let _ = writeln!(page, "run {} differs: {}", difference.run, report::clean(&place));
    if difference.recorded == difference.replayed {
        let _ = writeln!(page, "  only in hidden fields; --hidden shows them");
        return;
    }
    let (old, new) = (text(&difference.recorded), text(&difference.replayed));
    let diff = TextDiff::from_lines(&old, &new);
    let diff = diff.unified_diff().context_radius(2).header(names.0, names.1).to_string();
    for line in diff.lines().take(MAX_LINES) {
        let _ = writeln!(page, "  {}", report::clean(&cut(line)));
    }
    let more = diff.lines().count().saturating_sub(MAX_LINES);
    if more > 0 {
        let _ = writeln!(page, "  … and {}", plural(more as u64, "more line"));
    }
}

fn text(data: &Data) -> String {
    let mut text = match data.value() {
        Value::Str(text) => text.to_string(),
        _ => format!("{data:#}"),
    };
    text.push('\n');
    text
}

/// Cuts a line to [`MAX_LINE`] characters.
pub(crate) fn cut(line: &str) -> String {
    match line.char_indices().nth(MAX_LINE) {
        None => line.to_owned(),
        Some((at, _)) => format!("{}…", &line[..at]),
    }
}
