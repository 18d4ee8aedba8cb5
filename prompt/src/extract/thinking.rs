//! Removes a model's thinking, which may contain drafts of the program.

use std::borrow::Cow;

/// A reply without its thinking.
pub(super) struct Thought<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) removed: bool,
    /// Whether the thinking has no end, because the reply was cut off.
    pub(super) unclosed: bool,
}

/// Removes `<think>…</think>` and similar tags at the beginning of a line outside code blocks. Also
/// removes text up to a closing tag without an opening one, since some servers drop the opening
/// tag.
pub(super) fn remove(reply: &str) -> Thought<'_> {
    // ASCII lower case moves no byte, so offsets are valid in the reply itself.
    let lower = reply.to_ascii_lowercase();
    let [unambiguous @ .., _] = &TAGS;
    if !TAGS.iter().any(|tag| lower.contains(tag.open))
        && !unambiguous.iter().any(|tag| lower.contains(tag.close))
    {
        return Thought { text: Cow::Borrowed(reply), removed: false, unclosed: false };
    }
    let mut start = orphan_end(&lower);
    let mut removed = start > 0;
    let mut kept = String::new();
    while let Some((from, tag)) = next_open(&lower, start) {
        kept.push_str(reply.get(start..from).unwrap_or_default());
        removed = true;
        let Some(to) = find(&lower, from, tag.close) else {
            return Thought { text: Cow::Owned(kept), removed, unclosed: true };
        };
        start = to + tag.close.len();
    }
    kept.push_str(reply.get(start..).unwrap_or_default());
    Thought { text: Cow::Owned(kept), removed, unclosed: false }
}

struct Tag {
    open: &'static str,
    close: &'static str,
}

/// The tags of thinking; some models have their own. The last one ends with a mark that also ends
/// replies, so text before that mark is thinking only if the tag was opened.
const TAGS: [Tag; 10] = [
    Tag { open: "<think>", close: "</think>" },
    Tag { open: "<thinking>", close: "</thinking>" },
    Tag { open: "<thought>", close: "</thought>" },
    Tag { open: "<reasoning>", close: "</reasoning>" },
    Tag { open: "<reflection>", close: "</reflection>" },
    Tag { open: "<scratchpad>", close: "</scratchpad>" },
    Tag { open: "[think]", close: "[/think]" },
    Tag { open: "◁think▷", close: "◁/think▷" },
    Tag { open: "<|begin_of_thought|>", close: "<|end_of_thought|>" },
    Tag { open: "<|channel|>analysis<|message|>", close: "<|end|>" },
];

/// Returns the first opening tag at or after `start` that begins a line outside a code block.
fn next_open(lower: &str, start: usize) -> Option<(usize, &'static Tag)> {
    let mut fence: Option<&str> = None;
    let mut at = start;
    for line in lower.get(start..)?.split_inclusive('\n') {
        let text = line.trim();
        let indent = line.len() - line.trim_start().len();
        match fence {
            Some(open) if text.starts_with(open) && text.trim_matches(['`', '~']).is_empty() => {
                fence = None;
            }
            Some(_) => {}
            None => {
                if let Some(tag) = TAGS.iter().find(|tag| text.starts_with(tag.open)) {
                    return Some((at + indent, tag));
                }
                fence = FENCES.into_iter().find(|fence| text.starts_with(fence));
                // "```clojure (f)```" closes on its own line.
                if fence.is_some_and(|f| text.get(3..).is_some_and(|t| t.contains(f))) {
                    fence = None;
                }
            }
        }
        at += line.len();
    }
    None
}

const FENCES: [&str; 2] = ["```", "~~~"];

/// Returns the offset of the reply after a closing tag without an opening one, or 0 if there is
/// none.
fn orphan_end(lower: &str) -> usize {
    let [unambiguous @ .., _] = &TAGS;
    let Some((end, at, tag)) = unambiguous
        .iter()
        .filter_map(|tag| lower.find(tag.close).map(|at| (at + tag.close.len(), at, tag)))
        .min_by_key(|(_, at, _)| *at)
    else {
        return 0;
    };
    let before = lower.get(..at).unwrap_or_default();
    let rest = lower.get(end..).unwrap_or_default();
    let begins = before.rsplit('\n').next().is_some_and(|line| line.trim().is_empty());
    let ends = rest.lines().next().is_none_or(|line| line.trim().is_empty());
    // A program may have the tag in a string. Then the text after it is not a reply.
    let answer = |line: &str| {
        let line = line.trim_start();
        let labelled = FENCES.iter().find_map(|fence| line.strip_prefix(fence));
        line.starts_with('(') || labelled.is_some_and(|label| !label.trim().is_empty())
    };
    let follows = rest.trim().is_empty() || rest.lines().any(answer);
    if !before.contains(tag.open) && (begins || ends) && follows { end } else { 0 }
}

fn find(text: &str, from: usize, what: &str) -> Option<usize> {
    text.get(from..)?.find(what).map(|i| from + i)
}
