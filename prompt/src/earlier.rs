//! The conversation before a mission, for a model that answers its next message.

use std::fmt::Write;

use minijinja::context;
use ptc_lisp::{Value, json};

use crate::PromptLimits;
use crate::style::{plain, without_hidden};
use crate::templates;
use crate::text::{DATA_TAG, code, indented, inside_data_tag};

/// The conversation before a mission.
#[derive(Clone, Copy, Debug)]
pub struct EarlierMessages<'a> {
    /// A line for each exchange that is not among the messages.
    pub summary: &'a [&'a str],
    /// The newest messages in order: maps with `role`, `content` and, of an answer without a value, `status`.
    pub messages: &'a [Value],
    /// The names that earlier programs left, as programs read them.
    pub names: &'a [String],
    /// The note of the answer style about messages.
    pub note: &'a str,
}

/// Returns the section of the first message to the model about the conversation before the mission. A message longer
/// than four times `string_truncate` is cut.
pub fn earlier_messages(earlier: &EarlierMessages<'_>, limits: &PromptLimits) -> String {
    let most = limits.string_truncate.saturating_mul(4);
    let mut text = String::new();
    for message in earlier.messages {
        let field = |name: &str| message.get(name).and_then(Value::as_str).unwrap_or_default();
        let who = if field("role") == "user" { "user" } else { "you" };
        let content = cut(&message_text(message), most);
        let status = field("status");
        let status = if status.is_empty() { String::new() } else { format!(" ({status})") };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{who}{status}:\n{}", indented(&content));
    }
    let names = earlier.names.iter().take(MAX_NAMES).map(|name| code(name));
    let names: Vec<String> = names.collect();
    let data = context! {
        tag => DATA_TAG,
        summary => inside_data_tag(&earlier.summary.join("\n")),
        messages => inside_data_tag(text.trim_end()),
        note => earlier.note,
        names => names.join(", "),
        more => earlier.names.len().saturating_sub(MAX_NAMES),
    };
    templates::message("earlier", data)
}

/// Returns the content of a message as a model sees it: a text as it is, anything else as JSON without hidden fields.
pub fn message_text(message: &Value) -> String {
    let content = message.get("content").cloned().unwrap_or_default();
    plain(&without_hidden(&json::plain(&content).unwrap_or_default()))
}

/// Returns the beginning of a text, with the number of the characters after it.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => {
            let shown = text.get(..end).unwrap_or_default();
            format!("{shown}... ({} more characters)", text.chars().count() - most)
        }
        None => text.to_owned(),
    }
}

/// The largest number of names that are listed.
const MAX_NAMES: usize = 40;
