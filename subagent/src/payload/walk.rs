//! The one comparison of payloads. Diffs, the patches of sub-agents and the search for suspicious changes read it.

use ptc_lisp::values::Vector;
use ptc_lisp::{Map, Value};

use super::path::{Path, Place, Trail};
use super::tree::{self, Segment};

/// A place where two payloads differ, or a pair of containers on the way there.
#[derive(Clone, Copy)]
pub(super) enum Found<'v> {
    /// A new value. At an index it is a new last item.
    Added(&'v Value),
    /// A value is gone.
    Removed(&'v Value),
    /// A value is replaced.
    Modified(&'v Value, &'v Value),
    /// A value cannot become this one, or be removed, without the loss of unseen parts.
    Unseen(&'v Value, Option<&'v Value>),
    /// Two maps are compared key by key.
    Maps(&'v Map, &'v Map),
    /// Two lists are compared item by item.
    Lists(&'v Vector, &'v Vector),
}

/// Compares a payload with a later one.
pub(super) fn compare<'v>(
    base: Path,
    before: &'v Value,
    after: &'v Value,
    found: &mut dyn FnMut(&Trail, Place, Found<'v>),
) {
    compare_seen(base, before, before, after, found);
}

/// Compares the part `seen` of a payload with a later form of that part. `full` is the whole payload.
///
/// Reported in order, the changes make the payload into the later one: of a list that becomes shorter, the last items
/// are removed first.
pub(super) fn compare_seen<'v>(
    base: Path,
    full: &'v Value,
    seen: &'v Value,
    later: &'v Value,
    found: &mut dyn FnMut(&Trail, Place, Found<'v>),
) {
    let mut walk = Walk { trail: Trail::new(base), work: Vec::new(), found };
    walk.later(Trail::START, Some(full), Some(seen), Some(later));
    while let Some(task) = walk.work.pop() {
        walk.visit(task);
    }
}

#[derive(Clone, Copy)]
struct Task<'v> {
    place: Place,
    full: Option<&'v Value>,
    seen: Option<&'v Value>,
    later: Option<&'v Value>,
}

struct Walk<'v, 'f> {
    trail: Trail,
    work: Vec<Task<'v>>,
    found: &'f mut dyn FnMut(&Trail, Place, Found<'v>),
}

impl<'v> Walk<'v, '_> {
    fn report(&mut self, place: Place, found: Found<'v>) {
        (self.found)(&self.trail, place, found);
    }

    fn later(
        &mut self,
        place: Place,
        full: Option<&'v Value>,
        seen: Option<&'v Value>,
        later: Option<&'v Value>,
    ) {
        self.work.push(Task { place, full, seen, later });
    }

    /// Defers the comparison of a part, unless the part is unchanged.
    fn part(
        &mut self,
        from: Place,
        segment: Segment,
        full: Option<&'v Value>,
        seen: Option<&'v Value>,
        later: Option<&'v Value>,
    ) {
        if let (Some(seen), Some(later)) = (seen, later)
            && tree::is_shared(seen, later)
        {
            return;
        }
        let place = self.trail.step(from, segment);
        self.later(place, full, seen, later);
    }

    fn visit(&mut self, task: Task<'v>) {
        let Task { place, full, later, .. } = task;
        let from = self.work.len();
        match (known(full, task.seen), later) {
            (None, None) => {}
            (None, Some(later)) => self.unseen(place, full, later),
            (Some(seen), None) => match (full, seen) {
                _ if is_seen(full, seen) => self.report(place, Found::Removed(seen)),
                (Some(Value::Map(_)), Value::Map(parts)) => {
                    for (key, part) in parts.iter() {
                        let segment = tree::key_of(key);
                        let full = full.and_then(|full| tree::child(full, &segment));
                        self.part(place, segment, full, Some(part), None);
                    }
                }
                _ => self.report(place, Found::Unseen(seen, None)),
            },
            (Some(seen), Some(later)) => match (seen, later) {
                _ if tree::is_shared(seen, later) => {}
                (Value::Map(old), Value::Map(new)) => {
                    self.report(place, Found::Maps(old, new));
                    for (key, value) in old.iter() {
                        let segment = tree::key_of(key);
                        let full = full.and_then(|full| tree::child(full, &segment));
                        self.part(place, segment, full, Some(value), new.get(key));
                    }
                    for (key, value) in new.iter().filter(|(key, _)| !old.contains(key)) {
                        let segment = tree::key_of(key);
                        let full = full.and_then(|full| tree::child(full, &segment));
                        self.part(place, segment, full, None, Some(value));
                    }
                }
                (Value::Vector(old), Value::Vector(new)) => self.lists(place, full, seen, old, new),
                _ if is_seen(full, seen) => self.report(place, Found::Modified(seen, later)),
                _ => self.report(place, Found::Unseen(seen, Some(later))),
            },
        }
        // The last task is the next one; parts are compared in their order.
        if let Some(added) = self.work.get_mut(from..) {
            added.reverse();
        }
    }

    /// Compares a value with one that was written without being seen.
    fn unseen(&mut self, place: Place, full: Option<&'v Value>, later: &'v Value) {
        match (full, later) {
            (None, later) => self.report(place, Found::Added(later)),
            (Some(Value::Map(_)), Value::Map(new)) => {
                for (key, value) in new.iter() {
                    let segment = tree::key_of(key);
                    let full = full.and_then(|full| tree::child(full, &segment));
                    self.part(place, segment, full, None, Some(value));
                }
            }
            (Some(Value::Vector(old)), Value::Vector(new)) => {
                self.appended(place, old.len(), new, 0);
            }
            (Some(full), later) if tree::has_parts(full) => {
                self.report(place, Found::Unseen(full, Some(later)));
            }
            (Some(full), later) if tree::is_same(full, later) => {}
            (Some(full), later) => self.report(place, Found::Modified(full, later)),
        }
    }

    fn lists(
        &mut self,
        place: Place,
        full: Option<&'v Value>,
        seen: &'v Value,
        old: &'v Vector,
        new: &'v Vector,
    ) {
        self.report(place, Found::Lists(old, new));
        let shorter = new.len() < old.len();
        if shorter && !is_seen(full, seen) {
            // The indexes of the items that are left are not known.
            return self.report(place, Found::Unseen(seen, None));
        }
        // Of a list that became shorter, items in the middle may be gone.
        let (start, end) = if shorter { changed_range(old, new) } else { (0, new.len()) };
        for at in start..end.min(old.len()) {
            let full = full.and_then(|full| tree::child(full, &Segment::Index(at)));
            self.part(place, Segment::Index(at), full, old.get(at), new.get(at));
        }
        if shorter {
            for at in (end..end + old.len() - new.len()).rev() {
                if let Some(gone) = old.get(at) {
                    let place = self.trail.step(place, Segment::Index(at));
                    self.report(place, Found::Removed(gone));
                }
            }
        } else {
            let len = full.map_or(old.len(), tree::len).max(old.len());
            self.appended(place, len, new, old.len());
        }
    }

    /// Reports the items of a list from an index on as new last items of a list with `len` items.
    fn appended(&mut self, place: Place, len: usize, items: &'v Vector, from: usize) {
        for (at, item) in items.iter().skip(from).enumerate() {
            let place = self.trail.step(place, Segment::Index(len + at));
            self.report(place, Found::Added(item));
        }
    }
}

/// Returns the value that was seen. A part that is not visible is absent, or nil in a list.
fn known<'v>(full: Option<&'v Value>, seen: Option<&'v Value>) -> Option<&'v Value> {
    seen.filter(|seen| !seen.is_nil() || full.is_none_or(Value::is_nil))
}

/// Returns whether every part of a value was seen. A view shares the values that it shows whole.
fn is_seen(full: Option<&Value>, seen: &Value) -> bool {
    full.is_none_or(|full| std::ptr::eq(full, seen) || tree::is_shared(full, seen))
}

/// Returns the range of items of the shorter list that are not in equal items at both ends.
fn changed_range(old: &Vector, new: &Vector) -> (usize, usize) {
    let same = |(one, other): &(&Value, &Value)| tree::is_same(one, other);
    let start = old.iter().zip(new.iter()).take_while(same).count();
    let rest = new.len() - start;
    let back = |items: &'_ Vector, at: usize| items.len() - 1 - at;
    let is_same_back = |at: &usize| match (old.get(back(old, *at)), new.get(back(new, *at))) {
        (Some(one), Some(other)) => tree::is_same(one, other),
        _ => false,
    };
    let end = (0..rest).take_while(is_same_back).count();
    (start, new.len() - end)
}
