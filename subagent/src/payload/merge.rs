//! Merging: of branches at a join, and of a sub-agent's changes into the payload of its caller.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::ops::Bound;

use ptc_lisp::Value;

use super::diff::Change;
use super::grants::{Access, Blocked, Filtered, Grants};
use super::patch::{Op, Patch, PatchError};
use super::path::Path;
use super::scope::View;
use super::tree::{self, Segment};
use super::walk::{Found, compare_seen};
use crate::Data;

/// The payload after a join, with the patch that makes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Joined {
    /// The merged payload.
    pub payload: Data,
    /// The patch from the payload at the fork.
    pub patch: Patch,
}

/// The reason that branches cannot be merged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JoinError {
    /// Two branches set one path differently.
    #[error(transparent)]
    Conflict(#[from] Conflict),
    /// The patch of a branch does not fit the payload at the fork.
    #[error("branch {branch}: {error}")]
    Patch {
        /// The number of the branch, from 0.
        branch: usize,
        /// The problem.
        error: PatchError,
    },
}

/// Two branches that do not fit: both set one path, differently, or one sets a value and the other a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The path that the earlier branch changes.
    pub path: Path,
    /// The path that the later branch changes: the same path, one around it, or one in it.
    pub other: Path,
    /// The number of the earlier branch, from 0.
    pub branch: usize,
    /// The number of the later branch.
    pub other_branch: usize,
}

/// Merges the patches of branches that forked from one payload, in the order of the program.
///
/// Items that branches push to one list are appended in that order. A branch that deletes an item of a list sets the
/// list. Two branches may set a path to the same value.
///
/// ```
/// use ptc_subagent::Data;
/// use ptc_subagent::payload::{Op, Patch, join};
/// use serde_json::json;
///
/// let fork = Data::from(json!({"found": []}));
/// let push = |text: &str| Op::push("found".parse().unwrap(), json!(text));
/// let put = |value: i64| Op::put("count".parse().unwrap(), json!(value));
///
/// let joined = join(&fork, &[Patch::new([push("a")]), Patch::new([push("b"), put(1)])])?;
/// assert_eq!(joined.payload, json!({"found": ["a", "b"], "count": 1}));
/// assert_eq!(joined.patch.apply(&fork)?, joined.payload);
///
/// let error = join(&fork, &[Patch::new([put(1)]), Patch::new([put(2)])]).unwrap_err();
/// assert_eq!(error.to_string(), "branches 0 and 1 set count differently");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`JoinError`] for the first conflict, or the first branch that does not fit.
pub fn join(fork: &Data, branches: &[Patch]) -> Result<Joined, JoinError> {
    let mut marks: BTreeMap<Path, Mark> = BTreeMap::new();
    let mut patch = Patch::default();
    for (branch, own) in branches.iter().enumerate() {
        for (path, mark) in marks_of(fork, own, branch)? {
            patch.append(mark.joined(&path, &mut marks)?);
        }
    }
    let payload = patch
        .apply(fork)
        .map_err(|error| JoinError::Patch { branch: branches.len().saturating_sub(1), error })?;
    Ok(Joined { payload, patch })
}

/// Merges the payload of a sub-agent at its end into the payload of its caller.
///
/// The changes are those between the view and its end. So nothing that the sub-agent did not see is deleted: a value
/// that holds unseen parts is neither removed nor replaced, and its list is not shortened. The paths of `writes` and of
/// the result are those of the caller.
///
/// ```
/// use ptc_subagent::Data;
/// use ptc_subagent::payload::{Grants, Scope, View, merge};
/// use serde_json::json;
///
/// let payload = Data::from(json!({"order": {"id": 7}, "analysis": {"kept": true}}));
/// let reads = Grants::parse(["order.id"])?;
/// let view = View::new(&payload, &reads, &Scope::root())?;
/// assert_eq!(*view.payload(), json!({"order": {"id": 7}}));
///
/// let end = Data::from(json!({"order": {"id": 8}, "analysis": {"score": 5}}));
/// let merged = merge(&view, &end, &Grants::parse(["analysis.score"])?);
/// assert_eq!(merged.payload, json!({"order": {"id": 7}, "analysis": {"kept": true, "score": 5}}));
/// assert_eq!(merged.blocked[0].path.to_string(), "order.id");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn merge(view: &View, end: &Data, writes: &Grants) -> Filtered {
    let whole = view.whole();
    let Some(full) = tree::at(whole.value(), view.base().segments()) else {
        return Filtered { payload: whole.clone(), patch: Patch::default(), blocked: Vec::new() };
    };
    let (mut ops, mut unseen) = (Vec::new(), Vec::new());
    let seen = view.payload().value();
    compare_seen(view.base().clone(), full, seen, end.value(), &mut |trail, place, found| {
        let data = |value: &Value| Some(Data::made(value.clone()));
        let change = match found {
            Found::Added(to) => (None, data(to)),
            Found::Removed(from) => (data(from), None),
            Found::Modified(from, to) => (data(from), data(to)),
            Found::Unseen(from, to) => {
                let access = if to.is_some() { Access::Update } else { Access::Delete };
                let to = to.and_then(data);
                let reason = "it has parts that the sub-agent cannot see".to_owned();
                let path = trail.path(place);
                unseen.push(Blocked { path, access, from: data(from), to, reason });
                return;
            }
            Found::Maps(..) | Found::Lists(..) => return,
        };
        let (from, to) = change;
        ops.push(Change { path: trail.path(place), from, to }.op());
    });
    let mut merged = writes.filter(whole, &Patch::new(ops));
    merged.blocked.append(&mut unseen);
    merged
}

/// The effect of a branch on one path.
#[derive(Clone, Debug)]
struct Mark {
    branch: usize,
    /// The number of the operation that made it, for the order.
    at: usize,
    effect: Effect,
    /// Creates the empty container that the branch leaves behind. Needed only if no other branch creates it.
    creates: Option<Op>,
}

#[derive(Clone, Debug)]
enum Effect {
    /// The value becomes this one, or is absent.
    Set(Option<Value>),
    /// These items are appended.
    Pushed(Vec<Value>),
}

/// Returns the effects of a branch in the order of its operations.
fn marks_of(fork: &Data, patch: &Patch, branch: usize) -> Result<Vec<(Path, Mark)>, JoinError> {
    let mut end = fork.clone();
    // The paths that the branch sets, and the lists that it only pushes to.
    let mut paths: BTreeMap<Path, (usize, bool)> = BTreeMap::new();
    for (at, op) in patch.ops().iter().enumerate() {
        for (path, is_push) in touched(fork.value(), op) {
            mark(&mut paths, path, at, is_push);
        }
        op.apply_to(&mut end).map_err(|error| JoinError::Patch { branch, error })?;
    }
    let mut marks: Vec<(Path, Mark)> = paths
        .into_iter()
        .map(|(path, (at, is_push))| {
            let value = tree::at(end.value(), path.segments());
            let effect = if is_push {
                let old = tree::at(fork.value(), path.segments()).map_or(0, tree::len);
                let items = value.and_then(Value::items).into_iter().flatten();
                Effect::Pushed(items.skip(old).cloned().collect())
            } else {
                Effect::Set(value.cloned())
            };
            let creates = created(fork, &end, &path, &effect);
            (path, Mark { branch, at, effect, creates })
        })
        .collect();
    marks.sort_by_key(|(_, mark)| mark.at);
    Ok(marks)
}

/// Returns the operation for an empty container that a branch made, when what it put there is gone again.
fn created(fork: &Data, end: &Data, path: &Path, effect: &Effect) -> Option<Op> {
    let was = |path: &Path| tree::at(fork.value(), path.segments()).filter(|it| !it.is_nil());
    let is = |path: &Path| tree::at(end.value(), path.segments());
    match effect {
        Effect::Set(None) => {
            let map = path.parent()?;
            let is_new = was(&map).is_none() && matches!(is(&map), Some(Value::Map(_)));
            is_new.then(|| Op::merge(map, Data::made(Value::map([]))))
        }
        Effect::Pushed(items) if items.is_empty() => {
            let is_new = was(path).is_none() && matches!(is(path), Some(Value::Vector(_)));
            is_new.then(|| Op::put(path.clone(), Data::made(Value::vector(Vec::new()))))
        }
        Effect::Set(_) | Effect::Pushed(_) => None,
    }
}

/// Returns the paths of the payload at the fork that an operation changes, and whether it only appends there.
fn touched(fork: &Value, op: &Op) -> Vec<(Path, bool)> {
    let segments = op.path().segments();
    let mut value = Some(fork);
    for (depth, segment) in segments.iter().enumerate() {
        let here = || Path::of(segments.get(..depth).unwrap_or_default());
        if let Segment::Index(index) = segment {
            if value.map_or(0, tree::len) <= *index {
                // The item is one that the branch appends, or a part of one.
                return vec![(here(), true)];
            }
            if depth + 1 == segments.len() && matches!(op, Op::Delete { .. }) {
                return vec![(here(), false)];
            }
        }
        value = value.and_then(|value| tree::child(value, segment));
    }
    let path = op.path().clone();
    match op {
        Op::Push { .. } => vec![(path, true)],
        Op::Merge { value: map, .. } if tree::has_parts(map.value()) => {
            tree::children(map.value()).map(|(key, _)| (path.child(key), false)).collect()
        }
        Op::Merge { .. } if matches!(value, Some(Value::Map(_))) => Vec::new(),
        Op::Put { .. } | Op::Delete { .. } | Op::Merge { .. } => vec![(path, false)],
    }
}

/// Notes a path of a branch. A path that is set has the effects of all paths in it.
fn mark(paths: &mut BTreeMap<Path, (usize, bool)>, path: Path, at: usize, is_push: bool) {
    for end in 0..=path.segments().len() {
        let around = Path::of(&path.segments()[..end]);
        let next = path.segments().get(end);
        match paths.get(&around) {
            Some((_, false)) => return,
            // A branch may delete what does not exist, and so treat one path as a list and as a map.
            Some((_, true)) if matches!(next, Some(Segment::Key(_))) => {
                return set(paths, around, at);
            }
            _ => {}
        }
    }
    if is_push {
        paths.entry(path).or_insert((at, true));
    } else {
        set(paths, path, at);
    }
}

fn set(paths: &mut BTreeMap<Path, (usize, bool)>, path: Path, at: usize) {
    let inside: Vec<Path> = below(paths, &path).map(|(path, _)| path.clone()).collect();
    for path in inside {
        paths.remove(&path);
    }
    paths.insert(path, (at, false));
}

/// Returns the entries at a path and in it.
pub(super) fn below<'m, T>(
    paths: &'m BTreeMap<Path, T>,
    path: &'m Path,
) -> impl Iterator<Item = (&'m Path, &'m T)> {
    paths
        .range((Bound::Included(path), Bound::Unbounded))
        .take_while(move |(found, _)| found.starts_with(path))
}

impl Mark {
    /// Adds the effect to those of earlier branches, and returns the operations that it still needs.
    fn joined(self, path: &Path, marks: &mut BTreeMap<Path, Mark>) -> Result<Patch, Conflict> {
        let conflict = |other: &Path, mark: &Mark| Conflict {
            path: other.clone(),
            other: path.clone(),
            branch: mark.branch,
            other_branch: self.branch,
        };
        let own = |mark: &Mark| mark.branch == self.branch;
        for end in 0..path.segments().len() {
            let around = Path::of(&path.segments()[..end]);
            let Some(mark) = marks.get(&around).filter(|mark| !own(mark)) else { continue };
            let is_item = matches!(path.segments().get(end), Some(Segment::Index(_)));
            match mark.effect {
                Effect::Pushed(_) if is_item => {}
                _ => return Err(conflict(&around, mark)),
            }
        }
        for (found, mark) in below(marks, path).filter(|(_, mark)| !own(mark)) {
            let is_here = found == path;
            let is_item =
                matches!(found.segments().get(path.segments().len()), Some(Segment::Index(_)));
            match (&self.effect, &mark.effect) {
                (Effect::Set(one), Effect::Set(other))
                    if is_here && is_same(one.as_ref(), other.as_ref()) =>
                {
                    return Ok(self.creates.into_iter().collect());
                }
                (Effect::Pushed(_), Effect::Pushed(_)) if is_here => {}
                (Effect::Pushed(_), _) if !is_here && is_item => {}
                _ => return Err(conflict(found, mark)),
            }
        }
        let mut patch: Patch = match (&self.effect, &self.creates) {
            (Effect::Pushed(_), Some(_)) if marks.contains_key(path) => Patch::default(),
            (_, creates) => creates.iter().cloned().collect(),
        };
        match &self.effect {
            Effect::Set(Some(value)) => {
                patch.push(Op::put(path.clone(), Data::made(value.clone())));
            }
            Effect::Set(None) => patch.push(Op::delete(path.clone())),
            Effect::Pushed(items) => {
                for item in items {
                    patch.push(Op::push(path.clone(), Data::made(item.clone())));
                }
            }
        }
        marks.insert(path.clone(), self);
        Ok(patch)
    }
}

fn is_same(one: Option<&Value>, other: Option<&Value>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => tree::is_same(one, other),
        (None, None) => true,
        _ => false,
    }
}

impl Display for Conflict {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Conflict { path, other, branch, other_branch } = self;
        if path == other {
            write!(f, "branches {branch} and {other_branch} set {} differently", path.shown())
        } else {
            let (path, other) = (path.shown(), other.shown());
            write!(f, "branch {branch} changes {path}, branch {other_branch} changes {other}")
        }
    }
}

impl std::error::Error for Conflict {}
