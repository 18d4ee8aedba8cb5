//! Makes text safe to embed in a message.

use std::fmt::Write;

/// Returns the text on one line, cut after `max_chars` characters. Text from outside stays inside
/// its line, so it cannot pass for a heading or a block of the prompt.
pub(crate) fn one_line(text: &str, max_chars: usize) -> String {
    let mut line = String::new();
    // A backspace or an escape would stay invisible, so it is left to be escaped.
    for word in text.split(char::is_whitespace).filter(|w| !w.is_empty()) {
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

/// Returns the text as a code span. The delimiter is longer than any run of backticks in the text.
pub(crate) fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if longest > 0 { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Returns a description with its headings and fences escaped.
pub(crate) fn paragraphs(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.trim().lines() {
        let line = line.trim_end();
        let marks = ["#", "```", "~~~"].iter().any(|mark| line.trim_start().starts_with(mark));
        lines.push(if marks { format!("\\{}", line.trim_start()) } else { line.to_owned() });
    }
    lines.join("\n")
}

/// Indents every line by four spaces: a block that no text can close.
pub(crate) fn indented(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("    {line}")).collect();
    lines.join("\n")
}

/// Escapes the tags of [`DATA_TAG`], so that data cannot close the block around it.
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

/// The tag around all text from programs and tools.
pub(crate) const DATA_TAG: &str = "output";
