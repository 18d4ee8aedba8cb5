//! Small things done to text before a model sees it.

use std::fmt::Write;

/// The text on one line, cut after so many characters. Text from outside stays inside the line that it is
/// shown on and cannot pass for a heading or a block of ours.
pub(crate) fn one_line(text: &str, max_chars: usize) -> String {
    let mut line = String::new();
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty())
    {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    match line.char_indices().nth(max_chars) {
        Some((end, _)) => {
            let rest = line.chars().count() - max_chars;
            line.truncate(end);
            let _ = write!(line, "... ({rest} more characters)");
            line
        }
        None => line,
    }
}

/// The text as a code span for a table cell: its delimiter is longer than any run of backticks in it.
pub(crate) fn code_cell(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if longest > 0 { " " } else { "" };
    cell(&format!("{fence}{pad}{text}{pad}{fence}"))
}

/// The text without what would end a table cell.
pub(crate) fn cell(text: &str) -> String {
    let mut cell = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' => {
                // An odd backslash before it would take the one that is put in here for itself.
                let backslashes = cell.len() - cell.trim_end_matches('\\').len();
                cell.push_str(if backslashes.is_multiple_of(2) { "\\|" } else { "\\\\|" });
            }
            '\n' | '\r' => cell.push(' '),
            c => cell.push(c),
        }
    }
    cell
}

/// A description as paragraphs that hold no heading and no fence.
pub(crate) fn paragraphs(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.trim().lines() {
        let line = line.trim_end();
        let marks = ["#", "```", "~~~"].iter().any(|mark| line.trim_start().starts_with(mark));
        lines.push(if marks { format!("\\{}", line.trim_start()) } else { line.to_owned() });
    }
    lines.join("\n")
}

/// Every line moved in by four spaces: a block that no text can close.
pub(crate) fn indented(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("    {line}")).collect();
    lines.join("\n")
}

/// The text with the tags of [`DATA_TAG`] made harmless, so that data cannot close the block it is in.
pub(crate) fn inside_data_tag(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let mut safe = String::with_capacity(text.len());
    let mut from = 0;
    for (at, _) in lower.match_indices('<') {
        let rest = lower.get(at + 1..).unwrap_or_default();
        let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
        if rest.starts_with(DATA_TAG) {
            safe.push_str(text.get(from..at).unwrap_or_default());
            safe.push_str("&lt;");
            from = at + 1;
        }
    }
    safe.push_str(text.get(from..).unwrap_or_default());
    safe
}

/// The tag around everything that comes from programs and tools.
pub(crate) const DATA_TAG: &str = "output";
