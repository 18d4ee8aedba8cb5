//! Removes tags and quote marks around a whole reply.

use std::borrow::Cow;

/// Returns the reply without the marks around all of it.
pub(super) fn unwrap(reply: &str) -> Cow<'_, str> {
    let mut text = unquoted(reply);
    if let Some(inner) = inside_tags(&text) {
        text = Cow::Owned(inner.to_owned());
    }
    text
}

/// Removes the quote marks of a reply whose lines are all quoted, as in Markdown: `> (f)`.
fn unquoted(reply: &str) -> Cow<'_, str> {
    let mut lines = reply.lines().filter(|line| !line.trim().is_empty()).peekable();
    if lines.peek().is_none() || !lines.all(|line| line.starts_with('>')) {
        return Cow::Borrowed(reply);
    }
    let unquote = |line: &str| {
        let line = line.strip_prefix('>').unwrap_or(line);
        line.strip_prefix(' ').unwrap_or(line).to_owned()
    };
    let lines: Vec<String> = reply.lines().map(unquote).collect();
    Cow::Owned(lines.join("\n"))
}

/// Returns the text inside `<answer>…</answer>` and similar tags, if nothing is outside them.
fn inside_tags(text: &str) -> Option<&str> {
    let text = text.trim();
    let (tag, rest) = text.strip_prefix('<')?.split_once('>')?;
    let name = tag.split_whitespace().next()?;
    if !TAGS.iter().any(|known| known.eq_ignore_ascii_case(name)) {
        return None;
    }
    let close = format!("</{name}>");
    let at = rest.len().checked_sub(close.len())?;
    let end = rest.get(at..)?;
    if !end.eq_ignore_ascii_case(&close) {
        return None;
    }
    rest.get(..at).map(str::trim)
}

const TAGS: [&str; 10] = [
    "answer",
    "clojure",
    "code",
    "final",
    "final_answer",
    "lisp",
    "output",
    "program",
    "response",
    "solution",
];
