//! The differences between two payloads.

use std::fmt::{self, Display, Formatter, Write as _};

use ptc_lisp::Value;
use serde::Serialize;

use super::patch::{Op, Patch};
use super::path::Path;
use super::tree::{self, Segment};
use super::walk::{Found, compare};
use crate::Data;

/// The differences between a payload and a later one.
///
/// ```
/// use ptc_subagent::Data;
/// use ptc_subagent::payload::Diff;
/// use serde_json::json;
///
/// let before = Data::from(json!({"name": "Ada", "age": 30}));
/// let after = Data::from(json!({"name": "Ada", "age": 31, "address": {"city": "London"}}));
/// let diff = Diff::between(&before, &after);
/// assert_eq!(diff.patch().apply(&before)?, after);
/// assert_eq!(
///     diff.to_string(),
///     "\
/// === Deep Diff Summary ===
/// 2 changes: 1 added, 0 removed, 1 modified
///
/// === Changes ===
/// Added
///   address: Added Object{1 key}
/// Modified
///   age: Changed from 30 to 31
/// "
/// );
/// # Ok::<(), ptc_subagent::payload::PatchError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diff {
    changes: Vec<Change>,
    /// The lists whose length changed, with both lengths.
    lengths: Vec<(Path, usize, usize)>,
}

/// One difference: a value that was added, removed or replaced.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The path of the value. For an item of a list that was removed, the index in the earlier list.
    pub path: Path,
    /// The earlier value; none if it was added.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Data>,
    /// The later value; none if it was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<Data>,
}

/// The kinds of a [`Change`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// The value is new.
    Added,
    /// The value is gone.
    Removed,
    /// The value is another one.
    Modified,
}

/// The maximum number of lines of each kind in a text.
const MAX_LINES: usize = 100;

/// The maximum number of characters of a string in a text.
const MAX_SHOWN: usize = 100;

impl Diff {
    /// Compares a payload with a later one.
    ///
    /// Lists are compared by index. Of a list that became shorter, equal items at both ends are left out first, so that
    /// one removed item is one change.
    pub fn between(before: &Data, after: &Data) -> Diff {
        Diff::under(Path::root(), before.value(), after.value())
    }

    /// Compares two values at a path.
    pub(super) fn under(base: Path, before: &Value, after: &Value) -> Diff {
        let mut diff = Diff::default();
        compare(base, before, after, &mut |trail, place, found| {
            let change = |from: Option<&Value>, to: Option<&Value>| Change {
                path: trail.path(place),
                from: from.cloned().map(Data::made),
                to: to.cloned().map(Data::made),
            };
            match found {
                Found::Added(to) => diff.changes.push(change(None, Some(to))),
                Found::Removed(from) => diff.changes.push(change(Some(from), None)),
                Found::Modified(from, to) => diff.changes.push(change(Some(from), Some(to))),
                Found::Lists(from, to) if from.len() != to.len() => {
                    diff.lengths.push((trail.path(place), from.len(), to.len()));
                }
                Found::Lists(..) | Found::Maps(..) | Found::Unseen(..) => {}
            }
        });
        diff
    }

    /// Returns the changes in an order in which they can be made.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Returns whether the payloads are the same.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Returns the patch that makes the earlier payload into the later one.
    pub fn patch(&self) -> Patch {
        self.changes.iter().map(Change::op).collect()
    }

    pub(super) fn into_changes(self) -> Vec<Change> {
        self.changes
    }
}

impl Change {
    /// Returns the kind.
    pub fn kind(&self) -> ChangeKind {
        match (&self.from, &self.to) {
            (None, _) => ChangeKind::Added,
            (Some(_), None) => ChangeKind::Removed,
            (Some(_), Some(_)) => ChangeKind::Modified,
        }
    }

    /// Returns the operation that makes the change.
    pub fn op(&self) -> Op {
        let path = self.path.clone();
        match (&self.from, &self.to) {
            (_, None) => Op::delete(path),
            (None, Some(to)) => match (path.segments().last(), path.parent()) {
                // An added item is always a last one, also if the list has grown meanwhile.
                (Some(Segment::Index(_)), Some(list)) => Op::push(list, to.clone()),
                _ => Op::put(path, to.clone()),
            },
            (Some(_), Some(to)) => Op::put(path, to.clone()),
        }
    }

    /// Describes the change without its path.
    fn description(&self) -> String {
        match (&self.from, &self.to) {
            (Some(from), Some(to)) => format!("Changed from {} to {}", shown(from), shown(to)),
            (Some(from), None) => format!("Removed {}", shown(from)),
            (None, Some(to)) => format!("Added {}", shown(to)),
            (None, None) => "Unchanged".to_owned(),
        }
    }
}

/// Prints the changes sorted by path, in groups. Prints at most 100 changes of each kind, and at most 100 characters of
/// each string.
impl Display for Diff {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("=== Deep Diff Summary ===\n")?;
        if self.is_empty() {
            return f.write_str("No changes\n");
        }
        let of = |kind| self.changes.iter().filter(move |change| change.kind() == kind);
        let count = |kind| of(kind).count();
        let lines = |kind| of(kind).map(|change| (&change.path, change.description()));
        let lengths = self
            .lengths
            .iter()
            .map(|(path, from, to)| (path, format!("Array length changed from {from} to {to}")));
        let (added, removed) = (count(ChangeKind::Added), count(ChangeKind::Removed));
        let modified = count(ChangeKind::Modified) + self.lengths.len();
        let all = added + removed + modified;
        let plural = if all == 1 { "" } else { "s" };
        let totals = format!("{added} added, {removed} removed, {modified} modified");
        write!(f, "{all} change{plural}: {totals}\n\n=== Changes ===\n")?;
        group(f, "Added", lines(ChangeKind::Added).collect())?;
        group(f, "Removed", lines(ChangeKind::Removed).collect())?;
        group(f, "Modified", lines(ChangeKind::Modified).chain(lengths).collect())
    }
}

fn group(f: &mut Formatter<'_>, title: &str, mut lines: Vec<(&Path, String)>) -> fmt::Result {
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(f, "{title}")?;
    lines.sort_by_key(|(path, _)| *path);
    let more = lines.len().saturating_sub(MAX_LINES);
    for (path, description) in lines.into_iter().take(MAX_LINES) {
        if path.is_root() {
            writeln!(f, "  (payload): {description}")?;
        } else {
            writeln!(f, "  {path}: {description}")?;
        }
    }
    if more > 0 {
        writeln!(f, "  … and {more} more")?;
    }
    Ok(())
}

/// Shows a value in one line.
fn shown(data: &Data) -> String {
    let count = |count: usize, one: &str, many: &str| {
        format!("{count} {}", if count == 1 { one } else { many })
    };
    match data.value() {
        Value::Map(map) => format!("Object{{{}}}", count(map.len(), "key", "keys")),
        Value::Vector(items) => format!("Array[{}]", count(items.len(), "item", "items")),
        Value::Str(text) => match text.char_indices().nth(MAX_SHOWN) {
            None => super::path::quoted(text),
            Some((end, _)) => {
                let mut start = super::path::quoted(text.get(..end).unwrap_or_default());
                let length = text.chars().count();
                let _ = write!(start, "… ({length} characters)");
                start
            }
        },
        Value::Nil => tree::kind(data.value()).to_owned(),
        _ => data.to_string(),
    }
}
