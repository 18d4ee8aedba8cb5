//! Change requests: the partial payloads by which models of the decisions style ask for changes.

use ptc_lisp::Value;
use serde::Serialize;

use super::diff::Diff;
use super::grants::{Blocked, Filtered, Grants};
use super::patch::{Op, Patch};
use super::path::{Path, quoted};
use super::suspicious::{Suspicion, suspicions};
use super::tree::{self, Segment};
use crate::Data;

/// The string that asks for a deletion, as the value of a key or as the item of a list.
pub const DELETE: &str = "__DELETE__";

/// A change request: up to four partial payloads.
///
/// ```
/// use ptc_subagent::Data;
/// use ptc_subagent::payload::{ChangeRequest, Grants};
/// use serde_json::json;
///
/// let request = Data::from(json!({
///     "newElements": {"tags": ["new"]},
///     "updateElements": {"items": [{}, {"price": 9}]},
///     "removeElements": {"draft": "__DELETE__"},
///     "reasoning": "The price was wrong.",
/// }));
/// let payload = Data::from(json!({
///     "tags": ["old"], "items": [{"id": 1, "price": 1}, {"id": 2, "price": 2}], "draft": true,
/// }));
/// let result = ChangeRequest::from_data(&request)?.apply(&payload, &Grants::all());
/// assert_eq!(result.payload, json!({
///     "tags": ["old", "new"], "items": [{"id": 1, "price": 1}, {"id": 2, "price": 9}],
/// }));
/// assert_eq!((result.applied.additions, result.applied.updates, result.applied.deletions), (1, 1, 1));
/// # Ok::<(), ptc_subagent::payload::RequestError>(())
/// ```
///
/// For each key of a map, the first of these that holds applies. A key that was removed counts as absent for the rules
/// after the removal.
///
/// | request | key exists | key is absent |
/// |---|---|---|
/// | `replaceElements` has a value | sets it whole | adds it |
/// | `removeElements` has `__DELETE__` | removes it, and continues | nothing |
/// | `updateElements` has `__DELETE__` | removes it | nothing |
/// | `newElements` has a value | two maps or two lists: goes into them; otherwise sets it, with a warning | adds it |
/// | `updateElements` has a value | two maps or two lists: goes into them; otherwise sets it | adds it, with a warning |
/// | `removeElements` has a map or a list | goes into it | nothing |
///
/// In a list, `updateElements` and `removeElements` name items by their position, `{}` keeps an item, and the items of
/// `newElements` are appended.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeRequest {
    buckets: [Option<Value>; 4],
    /// The keys at the top that are in no bucket, in order.
    stray: Vec<(Segment, Value)>,
    reasoning: Option<String>,
    warnings: Vec<String>,
}

/// A text of a model that is not a change request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a change request as a map, found {found}")]
pub struct RequestError {
    /// The kind of value.
    pub found: &'static str,
}

/// A change request as operations on a payload.
#[derive(Clone, Debug, PartialEq)]
pub struct Requested {
    /// The operations.
    pub patch: Patch,
    /// The changes of each operation.
    counts: Vec<Counts>,
    /// Corrections of the request, in words.
    pub warnings: Vec<String>,
}

/// The numbers of changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// New values.
    pub additions: usize,
    /// Values that became others.
    pub updates: usize,
    /// Values that were removed.
    pub deletions: usize,
}

/// The outcome of a change request.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeResult {
    /// The payload with the allowed changes.
    pub payload: Data,
    /// The allowed changes.
    pub patch: Patch,
    /// The numbers of allowed changes.
    pub applied: Counts,
    /// Corrections of the request, in words.
    pub warnings: Vec<String>,
    /// The changes that were not allowed.
    pub blocked: Vec<Blocked>,
    /// The allowed changes that look like mistakes.
    pub suspicions: Vec<Suspicion>,
}

impl ChangeResult {
    /// Returns whether the model should be asked if it means the suspicious changes.
    pub fn requires_feedback(&self) -> bool {
        !self.suspicions.is_empty()
    }

    /// Returns the differences from the payload before the request.
    pub fn diff(&self, before: &Data) -> Diff {
        Diff::between(before, &self.payload)
    }

    /// Returns the lines that a model and a log read: corrections, blocked and suspicious changes.
    pub fn notes(&self) -> Vec<String> {
        let blocked = self.blocked.iter().map(|blocked| {
            let Blocked { path, access, reason, .. } = blocked;
            format!("Blocked: {access} {path}: {reason}")
        });
        let suspicions = self.suspicions.iter().map(|it| {
            let Suspicion { path, severity, message, .. } = it;
            format!("[{severity}] {path}: {message}")
        });
        self.warnings.iter().cloned().chain(blocked).chain(suspicions).collect()
    }
}

const NEW: usize = 0;
const UPDATE: usize = 1;
const REPLACE: usize = 2;

/// The names of the buckets, in the order of the constants.
const NAMES: [&str; 4] = ["newElements", "updateElements", "replaceElements", "removeElements"];

type Buckets<'v> = [Option<&'v Value>; 4];

impl ChangeRequest {
    /// Reads a request. A part that is neither a map nor a list is left out with a warning.
    ///
    /// # Errors
    ///
    /// [`RequestError`] if the data is not a map.
    pub fn from_data(data: &Data) -> Result<ChangeRequest, RequestError> {
        let Value::Map(map) = data.value() else {
            return Err(RequestError { found: tree::kind(data.value()) });
        };
        let mut request = ChangeRequest {
            buckets: [None, None, None, None],
            stray: Vec::new(),
            reasoning: None,
            warnings: Vec::new(),
        };
        for (key, value) in map.iter() {
            let name = key.name().unwrap_or_default();
            let bucket = NAMES.iter().position(|it| *it == name);
            match (bucket.and_then(|at| request.buckets.get_mut(at)), value) {
                (Some(bucket), Value::Map(_) | Value::Vector(_)) => *bucket = Some(value.clone()),
                (Some(_), Value::Nil) => {}
                (Some(_), other) => {
                    let found = tree::kind(other);
                    request
                        .warnings
                        .push(format!("Left out {name}: expected a map, found {found}"));
                }
                (None, Value::Str(text)) if name == "reasoning" => {
                    request.reasoning = Some(text.to_string());
                }
                (None, _) if name != "reasoning" && name.starts_with(char::is_alphabetic) => {
                    request.stray.push((tree::key_of(key), value.clone()));
                }
                (None, _) => {}
            }
        }
        Ok(request)
    }

    /// Returns the reason that the model gave.
    pub fn reasoning(&self) -> Option<&str> {
        self.reasoning.as_deref()
    }

    /// Returns the request as operations on a payload.
    pub fn read(&self, payload: &Data) -> Requested {
        let (buckets, warnings) = self.with_stray(payload.value());
        let mut reading = Reading {
            requested: Requested { patch: Patch::default(), counts: Vec::new(), warnings },
            work: Vec::new(),
        };
        let existing = payload.value();
        let of_list = matches!(existing, Value::Vector(_));
        let mut parts: Buckets<'_> = buckets.each_ref().map(Option::as_ref);
        for (part, name) in parts.iter_mut().zip(NAMES) {
            if part.is_some_and(|part| matches!(part, Value::Vector(_)) != of_list) {
                let expected = if of_list { "list" } else { "map" };
                let warning = format!("Left out {name}: expected a {expected}, as the payload is");
                reading.requested.warnings.push(warning);
                *part = None;
            }
        }
        match parts[REPLACE] {
            Some(value) if of_list => reading.put(Path::root(), value, REPLACED),
            _ => reading.work.push(Work::Inside(Path::root(), existing, parts)),
        }
        reading.run();
        reading.requested
    }

    /// Applies what the grants allow of the request.
    pub fn apply(&self, payload: &Data, writes: &Grants) -> ChangeResult {
        let requested = self.read(payload);
        let mut filtered =
            Filtered { payload: payload.clone(), patch: Patch::default(), blocked: Vec::new() };
        let mut applied = Counts::default();
        for (op, counts) in requested.patch.ops().iter().zip(&requested.counts) {
            if writes.filter_op(&mut filtered, op) {
                applied.additions += counts.additions;
                applied.updates += counts.updates;
                applied.deletions += counts.deletions;
            }
        }
        let Filtered { payload: after, patch, blocked } = filtered;
        let suspicions = suspicions(payload, &after);
        let warnings = requested.warnings;
        ChangeResult { payload: after, patch, applied, warnings, blocked, suspicions }
    }

    /// Returns the parts with the stray keys in them. A value that is in a part wins; a stray map fills its gaps.
    fn with_stray(&self, payload: &Value) -> ([Option<Value>; 4], Vec<String>) {
        let mut buckets = self.buckets.clone();
        let mut warnings = self.warnings.clone();
        for (segment, value) in &self.stray {
            let Segment::Key(key) = segment else { continue };
            let (at, name) = match tree::child(payload, segment) {
                Some(_) => (UPDATE, "updateElements"),
                None => (NEW, "newElements"),
            };
            warnings.push(format!("Moved {} into {name}", quoted(key)));
            let Some(bucket) = buckets.get_mut(at) else { continue };
            let bucket = bucket.get_or_insert_with(|| Value::map([]));
            match (tree::child(bucket, segment), value) {
                (None, _) => {
                    bucket.set_field(key.clone(), value.clone());
                }
                (Some(Value::Map(own)), Value::Map(stray)) => {
                    let rows = stray.iter().chain(own.iter());
                    let filled = Value::map(rows.map(|(key, value)| (key.clone(), value.clone())));
                    bucket.set_field(key.clone(), filled);
                }
                (Some(_), _) => {}
            }
        }
        (buckets, warnings)
    }
}

/// The request while it is read.
struct Reading<'v> {
    requested: Requested,
    work: Vec<Work<'v>>,
}

enum Work<'v> {
    /// Go into an existing value.
    Inside(Path, &'v Value, Buckets<'v>),
    /// Add operations after those of the parts of a list.
    After(Vec<(Op, Counts)>),
}

const ADDED: Counts = Counts { additions: 1, updates: 0, deletions: 0 };
const UPDATED: Counts = Counts { additions: 0, updates: 1, deletions: 0 };
const DELETED: Counts = Counts { additions: 0, updates: 0, deletions: 1 };
const REPLACED: Counts = Counts { additions: 1, updates: 0, deletions: 1 };

impl<'v> Reading<'v> {
    fn run(&mut self) {
        while let Some(work) = self.work.pop() {
            let from = self.work.len();
            match work {
                Work::After(ops) => ops.into_iter().for_each(|(op, counts)| self.add(op, counts)),
                Work::Inside(path, existing @ Value::Vector(_), buckets) => {
                    self.list(&path, existing, buckets);
                }
                Work::Inside(path, existing, buckets) => self.map(&path, existing, buckets),
            }
            // The last work is the next; parts are read in their order.
            if let Some(added) = self.work.get_mut(from..) {
                added.reverse();
            }
        }
    }

    fn add(&mut self, op: Op, counts: Counts) {
        self.requested.patch.push(op);
        self.requested.counts.push(counts);
    }

    fn put(&mut self, path: Path, value: &Value, counts: Counts) {
        self.add(Op::put(path, Data::made(without_markers(value))), counts);
    }

    fn warn(&mut self, bucket: usize, path: &Path, treated: &str) {
        let name = NAMES.get(bucket).copied().unwrap_or_default();
        let warning = format!("Auto-corrected: {name} of {path} treated as {treated}");
        self.requested.warnings.push(warning);
    }

    fn map(&mut self, path: &Path, existing: &'v Value, buckets: Buckets<'v>) {
        let mut keys: Vec<Segment> = Vec::new();
        let mut known = std::collections::BTreeSet::new();
        for bucket in buckets.into_iter().flatten() {
            for (key, _) in tree::children(bucket) {
                if known.insert(key.clone()) {
                    keys.push(key);
                }
            }
        }
        for key in keys {
            let parts = buckets.map(|bucket| bucket.and_then(|bucket| tree::child(bucket, &key)));
            self.key(path.child(key.clone()), tree::child(existing, &key), parts);
        }
    }

    fn key(&mut self, path: Path, mut existing: Option<&'v Value>, buckets: Buckets<'v>) {
        let [new, update, replace, remove] = buckets;
        if let Some(value) = replace {
            let counts = if existing.is_some() { REPLACED } else { ADDED };
            return self.put(path, value, counts);
        }
        if is_marker(remove) && existing.is_some() {
            self.add(Op::delete(path.clone()), DELETED);
            existing = None;
        }
        let new = new.filter(|it| !is_marker(Some(it)));
        let removes = is_marker(update);
        let update = update.filter(|it| !is_marker(Some(it)));
        let Some(old) = existing else {
            return match (new, update) {
                (Some(value), _) => self.put(path, value, ADDED),
                (None, Some(value)) => {
                    self.warn(UPDATE, &path, "an addition");
                    self.put(path, value, ADDED);
                }
                (None, None) => {}
            };
        };
        if removes {
            return self.add(Op::delete(path), DELETED);
        }
        // A value of another kind takes the place of the old one.
        let other_kind = |value: &&Value| !is_alike(old, value);
        if let Some(value) = update.filter(other_kind) {
            return self.put(path, value, UPDATED);
        }
        if update.is_none()
            && let Some(value) = new.filter(other_kind)
        {
            self.warn(NEW, &path, "an update");
            return self.put(path, value, UPDATED);
        }
        let alike = |value: Option<&'v Value>| value.filter(|value| is_alike(old, value));
        let inside = [alike(new), alike(update), None, alike(remove)];
        if inside.iter().any(Option::is_some) {
            self.work.push(Work::Inside(path, old, inside));
        }
    }

    fn list(&mut self, path: &Path, existing: &'v Value, buckets: Buckets<'v>) {
        let [new, update, _, remove] = buckets;
        let part = |bucket: Option<&'v Value>, at: usize| {
            bucket.and_then(|bucket| tree::child(bucket, &Segment::Index(at)))
        };
        let len = tree::len(existing);
        let mut removed = Vec::new();
        for (segment, item) in tree::children(existing) {
            let Segment::Index(at) = segment else { continue };
            let (update, remove) = (part(update, at), part(remove, at));
            let here = path.child(at);
            if is_marker(update) || is_marker(remove) {
                removed.push((Op::delete(here), DELETED));
                continue;
            }
            match update.filter(|it| is_significant(it)) {
                Some(value) if matches!((item, value), (Value::Map(_), Value::Map(_))) => {
                    let remove = remove.filter(|it| is_alike(item, it));
                    self.work.push(Work::Inside(here, item, [None, Some(value), None, remove]));
                }
                Some(value) => self.put(here, value, UPDATED),
                None => {
                    if let Some(remove) = remove.filter(|it| is_alike(item, it)) {
                        self.work.push(Work::Inside(here, item, [None, None, None, Some(remove)]));
                    }
                }
            }
        }
        let items = |bucket: Option<&'v Value>, from: usize| {
            let items = bucket.and_then(Value::items).into_iter().flatten().skip(from);
            items.filter(|it| is_significant(it)).filter(|it| !is_marker(Some(it)))
        };
        let pushes = items(update, len).chain(items(new, 0));
        let pushes =
            pushes.map(|item| (Op::push(path.clone(), Data::made(without_markers(item))), ADDED));
        // From the last item, so that no index changes before its item is removed.
        self.work.push(Work::After(removed.into_iter().rev().chain(pushes).collect()));
    }
}

fn is_marker(value: Option<&Value>) -> bool {
    value.and_then(Value::as_str) == Some(DELETE)
}

/// Returns whether both are maps or both are lists.
fn is_alike(one: &Value, other: &Value) -> bool {
    matches!((one, other), (Value::Map(_), Value::Map(_)) | (Value::Vector(_), Value::Vector(_)))
}

/// Returns whether the item of a list asks for a change; `{}` only keeps the place.
fn is_significant(value: &Value) -> bool {
    !matches!(value, Value::Map(map) if map.is_empty())
}

type Rest<'v> = Box<dyn Iterator<Item = (Segment, &'v Value)> + 'v>;

/// Returns a value without the keys and items that are the marker. There is nothing to delete in a new value.
fn without_markers(value: &Value) -> Value {
    if !tree::has_string(value, |text| text == DELETE) || is_marker(Some(value)) {
        return value.clone();
    }
    let open = |value: &'_ Value| match value {
        Value::Map(_) => Value::map([]),
        _ => Value::vector(Vec::new()),
    };
    let put = |into: &mut Value, segment: &Segment, value: Value| match segment {
        Segment::Key(key) => into.set_field(key.clone(), value),
        Segment::Index(_) => into.push_item(value),
    };
    let mut stack: Vec<(Segment, Value, Rest<'_>)> =
        vec![(Segment::Index(0), open(value), Box::new(tree::children(value)))];
    while let Some((_, made, rest)) = stack.last_mut() {
        match rest.next() {
            Some((_, part)) if is_marker(Some(part)) => {}
            Some((segment, part)) if tree::has_parts(part) => {
                stack.push((segment, open(part), Box::new(tree::children(part))));
            }
            Some((segment, part)) => {
                put(made, &segment, part.clone());
            }
            None => {
                let Some((segment, made, _)) = stack.pop() else { break };
                match stack.last_mut() {
                    Some((_, around, _)) => put(around, &segment, made),
                    None => return made,
                };
            }
        }
    }
    value.clone()
}
