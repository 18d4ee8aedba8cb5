//! Catalogues: many tools in little room. A model looks up what they leave out.

use std::collections::{BTreeMap, BTreeSet};

use ptc_lisp::ToolDecl;

use crate::PromptSpec;
use crate::text::one_line;

/// The maximum length of a catalogue, in bytes. With the text around it, it stays below 1,000
/// tokens.
pub(crate) const ROOM: usize = 2_100;
/// The maximum length of a catalogue in a tight prompt, in bytes.
pub(crate) const TIGHT: usize = 400;
/// The lengths to which a catalogue cuts descriptions, in characters. The first one that leaves
/// room for all tools is used.
const SUMMARIES: [usize; 2] = [100, 40];
/// The maximum number of words that the names of a group share.
const MAX_WORDS: usize = 3;
/// Groups of names that share more words are made until there are this many.
const FEW_GROUPS: usize = 4;
/// The maximum number of groups. The tools of the others are counted.
const MAX_GROUPS: usize = 40;

/// The length of what a group's line has besides its names: the item's mark, `, …` and the end.
const MARKS: usize = 8;

/// The tools of a prompt that has no room for their descriptions.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Catalogue {
    /// Each tool with its summary, or else groups of names.
    pub(crate) lines: Vec<String>,
    /// The number of tools in no line.
    pub(crate) more: usize,
    /// An example of a group: the beginning of its line, and its first name.
    pub(crate) example: Option<[String; 2]>,
}

/// Returns whether there are too many tools to describe all that the model may call.
pub(crate) fn too_many(spec: &PromptSpec<'_>) -> bool {
    spec.tools.iter().filter(|tool| tool.callable).count() > spec.limits.max_tools
}

impl Catalogue {
    /// Makes the catalogue of these tools, with a maximum length in bytes.
    pub(crate) fn new(tools: &[&ToolDecl], room: usize) -> Catalogue {
        for most in SUMMARIES {
            let line = |tool: &&ToolDecl| match one_line(tool.summary(), most) {
                about if about.is_empty() => format!("- {}", name(tool)),
                about => format!("- {}: {about}", name(tool)),
            };
            let lines: Vec<String> = tools.iter().map(line).collect();
            if lines.iter().map(|line| line.len() + 1).sum::<usize>() <= room {
                return Catalogue { lines, ..Catalogue::default() };
            }
        }
        let names: Vec<String> = tools.iter().map(|tool| name(tool)).collect();
        grouped(&names, room)
    }
}

fn name(tool: &ToolDecl) -> String {
    one_line(&tool.name, 200)
}

/// A group of names, and the part of it that is shown.
struct Group<'a> {
    /// The common beginning.
    start: &'a str,
    rests: Vec<&'a str>,
    shown: usize,
}

impl Group<'_> {
    /// Returns the beginning of the group's line.
    fn head(&self) -> String {
        match self.start {
            "" => format!("other names ({}): ", self.rests.len()),
            start => format!("{start} ({}): ", self.rests.len()),
        }
    }

    fn line(&self) -> String {
        let shown = self.rests.get(..self.shown).unwrap_or_default().join(", ");
        let rest = if self.shown < self.rests.len() { ", …" } else { "" };
        format!("- {}{shown}{rest}", self.head())
    }
}

/// Returns groups of names. Each has as many names as the others, as far as it has them.
fn grouped(names: &[String], room: usize) -> Catalogue {
    let mut groups = groups(names);
    let mut left = room;
    let mut kept = 0;
    for group in groups.iter_mut().take(MAX_GROUPS) {
        // A group has its first name, and a mark for the names that are left out.
        let first = group.rests.first().map_or(0, |rest| rest.len());
        let Some(next) = left.checked_sub(group.head().len() + first + MARKS) else { break };
        (left, group.shown, kept) = (next, 1, kept + 1);
    }
    let more = groups.drain(kept..).map(|group| group.rests.len()).sum();
    let mut is_open = true;
    while is_open {
        is_open = false;
        for group in &mut groups {
            let cost = group.rests.get(group.shown).map(|rest| rest.len() + 2);
            if let Some(next) = cost.and_then(|cost| left.checked_sub(cost)) {
                (left, group.shown, is_open) = (next, group.shown + 1, true);
            }
        }
    }
    let example = groups.iter().find(|group| !group.start.is_empty()).and_then(|group| {
        let first = group.rests.first()?;
        Some([format!("{}{first}", group.head()), format!("{}{first}", group.start)])
    });
    Catalogue { lines: groups.iter().map(Group::line).collect(), more, example }
}

/// Returns the groups of names with the same beginning, in the order of their first names. Names
/// that begin as no other does are the last group.
fn groups(names: &[String]) -> Vec<Group<'_>> {
    let mut best = with_words(names, 1);
    for words in 2..=MAX_WORDS {
        if best.len() >= FEW_GROUPS {
            break;
        }
        let longer = with_words(names, words);
        if longer.len() > MAX_GROUPS {
            break;
        }
        best = longer;
    }
    best
}

/// Returns the groups of names whose first words are the same.
fn with_words(names: &[String], words: usize) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut places = BTreeMap::new();
    for name in names {
        let (start, rest) = name.split_at(start_of(name, words));
        let at = *places.entry(start).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.rests.push(rest),
            None => groups.push(Group { start, rests: vec![rest], shown: 0 }),
        }
    }
    let (mut groups, alone): (Vec<_>, Vec<_>) =
        groups.into_iter().partition(|it| it.rests.len() > 1 && !it.start.is_empty());
    let alone: BTreeSet<&str> = alone.into_iter().map(|it| it.start).collect();
    let is_alone =
        |name: &&str| name.get(..start_of(name, words)).is_some_and(|it| alone.contains(it));
    let others: Vec<&str> = names.iter().map(String::as_str).filter(is_alone).collect();
    if !others.is_empty() {
        groups.push(Group { start: "", rests: others, shown: 0 });
    }
    groups
}

/// Returns the length of the first words of a name in bytes, with what separates them from the rest.
/// A name with fewer words has a shorter beginning, which leaves its last word out.
fn start_of(name: &str, words: usize) -> usize {
    let (mut end, mut found) = (0, 0);
    let mut before: Option<char> = None;
    for (at, c) in name.char_indices() {
        let is_word = c.is_alphanumeric();
        let begins = match before {
            // `list_orders`, `crm/list`, and `listOrders`.
            Some(last) => {
                is_word && (!last.is_alphanumeric() || last.is_lowercase() && c.is_uppercase())
            }
            None => false,
        };
        if begins {
            (end, found) = (at, found + 1);
            if found == words {
                break;
            }
        }
        before = Some(c);
    }
    end
}
