//! Grants: who may read and write which parts of a payload.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use ptc_lisp::Value;
use serde::Serialize;

use super::diff::{Change, ChangeKind, Diff};
use super::patch::{Op, Patch, PatchError};
use super::path::{Path, PathError};
use super::pattern::{Cover, Pattern, States};
use super::tree::{self, Segment};
use crate::Data;
use crate::words::words;

/// Patterns of paths, each with the access that it gives.
///
/// | pattern | covers |
/// |---|---|
/// | `a.b` | `a.b`, and everything in it |
/// | `a.*` | the same as `a` |
/// | `a.*.c` | `c` in any direct part of `a` |
/// | `items[0].p`, `items[*].p` | `p` of one item, of any item |
/// | `**.id` | `id` at any depth |
/// | `*` | everything |
///
/// A colon and a list of `add`, `update` and `delete` limit a pattern to that access. A key with a dot, a bracket, a
/// quote or a colon is written as `["a.b"]`.
///
/// ```
/// use ptc_subagent::Data;
/// use ptc_subagent::payload::{Grants, Op, Patch};
/// use serde_json::json;
///
/// let grants = Grants::parse(["order.*:update", "errors:add"])?;
/// let payload = Data::from(json!({"order": {"total": 1}, "errors": ["old"]}));
///
/// let patch = Patch::new([Op::push("errors".parse()?, json!("new"))]);
/// assert!(grants.check(&payload, &patch).is_ok());
///
/// let patch = Patch::new([Op::delete("order.total".parse()?)]);
/// assert_eq!(
///     grants.check(&payload, &patch).unwrap_err().to_string(),
///     "payload/delete order.total: expected a grant to delete order.total, found order.*:update, errors:add",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Grants {
    grants: Vec<Grant>,
}

/// One pattern with the access that it gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Grant {
    pattern: Pattern,
    /// The access, in the order of [`Access::ALL`].
    access: [bool; 3],
    text: String,
}

words! {
    /// A way to change a part of a payload.
    pub enum Access {
        /// The part did not exist.
        Add = "add",
        /// The part is replaced.
        Update = "update",
        /// The part is removed.
        Delete = "delete",
    }
}

/// The reason that a text is not a grant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GrantError {
    /// The pattern is malformed.
    #[error("the grant `{grant}`: {error}")]
    Pattern {
        /// The text of the grant.
        grant: String,
        /// The problem of the pattern.
        error: PathError,
    },
    /// A word behind the colon is not a kind of access.
    #[error(
        "the grant `{grant}`: expected `add`, `update` or `delete` behind `:`, found `{found}`"
    )]
    Access {
        /// The text of the grant.
        grant: String,
        /// The word.
        found: String,
    },
}

/// A change that the grants do not allow, or that does not fit the payload.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Blocked {
    /// The path of the change.
    pub path: Path,
    /// The access that the change needs.
    pub access: Access,
    /// The present value, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Data>,
    /// The value that it would get, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<Data>,
    /// The reason in words.
    pub reason: String,
}

/// The reason that a patch is refused: its first operation that the grants do not allow.
#[derive(Clone, Debug, PartialEq)]
pub struct Denied {
    /// The number of the operation, from 0.
    pub at: usize,
    /// The operation, as in [`Op::name`].
    pub op: &'static str,
    /// The path of the operation.
    pub path: Path,
    /// The first part of the change that is not allowed.
    pub blocked: Blocked,
    /// The grants, in words.
    pub grants: String,
}

/// The reason that a patch cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CheckError {
    /// The grants do not allow it.
    #[error(transparent)]
    Denied(#[from] Box<Denied>),
    /// It does not fit the payload.
    #[error(transparent)]
    Patch(#[from] PatchError),
}

/// The allowed part of a patch.
#[derive(Clone, Debug, PartialEq)]
pub struct Filtered {
    /// The payload with the allowed changes.
    pub payload: Data,
    /// The allowed changes.
    pub patch: Patch,
    /// The other changes.
    pub blocked: Vec<Blocked>,
}

impl Grants {
    /// Parses grants.
    ///
    /// # Errors
    ///
    /// [`GrantError`] for the first text that is not a grant.
    pub fn parse<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Result<Grants, GrantError> {
        let grants = texts.into_iter().map(|text| text.as_ref().parse());
        Ok(Grants { grants: grants.collect::<Result<_, _>>()? })
    }

    /// Returns the grant of everything.
    pub fn all() -> Grants {
        Grants { grants: Pattern::parse("*").map(Grant::of_all).into_iter().collect() }
    }

    /// Returns no grants.
    pub fn none() -> Grants {
        Grants { grants: Vec::new() }
    }

    /// Returns the texts of the grants.
    pub fn texts(&self) -> Vec<String> {
        self.grants.iter().map(ToString::to_string).collect()
    }

    /// Returns the grants on the part of a larger payload that `base` leads to.
    ///
    /// # Errors
    ///
    /// [`GrantError`] if a pattern gets too many steps.
    pub fn under(&self, base: &Path) -> Result<Grants, GrantError> {
        if base.is_root() {
            return Ok(self.clone());
        }
        Grants::parse(self.grants.iter().map(|grant| {
            let between = if grant.text.starts_with('[') { "" } else { "." };
            format!("{base}{between}{}", grant.text)
        }))
    }

    /// Returns whether a grant gives an access to a path, with everything in it.
    pub fn allows(&self, access: Access, path: &Path) -> bool {
        self.cover(access, path) == Cover::Covered
    }

    /// Returns whether an operation on a path may be allowed for some payload and some value. Admission refuses
    /// operations with literal paths for which this is false.
    pub fn may_allow(&self, op: &str, path: &Path) -> bool {
        let any = |access: &[Access], path: &Path| {
            access.iter().any(|access| self.cover(*access, path) != Cover::Outside)
        };
        match op {
            "payload/delete" => self.allows(Access::Delete, path),
            "payload/push" => any(&[Access::Add], path),
            _ => any(Access::ALL, path),
        }
    }

    /// Checks that every operation of a patch is allowed. Each is checked against the payload that the operations
    /// before it made.
    ///
    /// A replaced or added value with parts needs the access to its path, or to each part that changes.
    ///
    /// # Errors
    ///
    /// [`CheckError`] for the first operation that is not allowed or does not fit.
    pub fn check(&self, payload: &Data, patch: &Patch) -> Result<(), CheckError> {
        let mut now = payload.clone();
        for (at, op) in patch.ops().iter().enumerate() {
            self.check_op(&now, op).map_err(|mut error| {
                if let CheckError::Denied(denied) = &mut error {
                    denied.at = at;
                }
                error
            })?;
            op.apply_to(&mut now)?;
        }
        Ok(())
    }

    /// Checks that one operation is allowed on a payload.
    ///
    /// # Errors
    ///
    /// [`CheckError`] if it is not allowed or does not fit.
    pub fn check_op(&self, payload: &Data, op: &Op) -> Result<(), CheckError> {
        let mut parts = Parts::default();
        self.split(payload.value(), op, &mut parts);
        match parts.blocked.into_iter().next() {
            None => Ok(()),
            Some(blocked) => {
                let (op, path) = (op.name(), op.path().clone());
                Err(Box::new(Denied { at: 0, op, path, blocked, grants: self.to_string() }).into())
            }
        }
    }

    /// Applies the allowed part of a patch, and returns the blocked changes.
    pub fn filter(&self, payload: &Data, patch: &Patch) -> Filtered {
        let mut filtered =
            Filtered { payload: payload.clone(), patch: Patch::default(), blocked: Vec::new() };
        for op in patch.ops() {
            self.filter_op(&mut filtered, op);
        }
        filtered
    }

    /// Applies the allowed part of an operation. Returns whether any part of it was applied.
    pub(super) fn filter_op(&self, filtered: &mut Filtered, op: &Op) -> bool {
        let mut parts = Parts::default();
        self.split(filtered.payload.value(), op, &mut parts);
        filtered.blocked.append(&mut parts.blocked);
        let mut applied = false;
        for op in parts.allowed {
            match op.apply_to(&mut filtered.payload) {
                Ok(()) => {
                    applied = true;
                    filtered.patch.push(op);
                }
                Err(error) => {
                    let reason = format!("expected {}, found {}", error.expected, error.found);
                    let access = access_of(filtered.payload.value(), &op);
                    let from = op.path().get(&filtered.payload);
                    let (path, to) = (op.path().clone(), op.value().cloned());
                    filtered.blocked.push(Blocked { path, access, from, to, reason });
                }
            }
        }
        applied
    }

    /// Returns the part of a payload that the patterns cover, at the same places.
    ///
    /// The access of a grant does not matter. An item of a list that is not covered is nil if a later item is covered,
    /// and otherwise absent. If nothing is covered, the result is an empty map.
    pub fn read(&self, payload: &Data) -> Data {
        Data::made(read(&self.grants, payload.value()))
    }

    /// Splits an operation into the parts that are allowed and the others.
    fn split(&self, now: &Value, op: &Op, parts: &mut Parts) {
        let path = op.path();
        match op {
            Op::Put { value, .. } => {
                let mut put = Parts::default();
                self.put(now, path, value, &mut put);
                parts.take(put, op);
            }
            Op::Push { value, .. } => {
                let len = tree::at(now, path.segments()).map_or(0, tree::len);
                let mut push = Parts::default();
                self.add(&path.child(len), value.value(), &mut push);
                parts.take(push, op);
            }
            Op::Delete { .. } => {
                let from = path.get(&Data::made(now.clone()));
                self.leaf(Access::Delete, path, from, None, op.clone(), parts);
            }
            Op::Merge { value, .. } => {
                let mut merge = Parts::default();
                let rows = tree::children(value.value());
                for (key, value) in rows {
                    self.put(now, &path.child(key), &Data::made(value.clone()), &mut merge);
                }
                if !tree::has_parts(value.value()) {
                    self.put(now, path, value, &mut merge);
                }
                parts.take(merge, op);
            }
        }
    }

    fn put(&self, now: &Value, path: &Path, value: &Data, parts: &mut Parts) {
        let Some(old) = tree::at(now, path.segments()) else {
            return self.add(path, value.value(), parts);
        };
        let op = || Op::put(path.clone(), value.clone());
        let from = || Some(Data::made(old.clone()));
        match self.cover(Access::Update, path) {
            Cover::Covered => parts.allowed.push(op()),
            // A pattern around the path with another access may allow each change.
            _ if Access::ALL.iter().all(|it| self.cover(*it, path) == Cover::Outside) => {
                self.leaf(Access::Update, path, from(), Some(value.clone()), op(), parts);
            }
            _ => {
                for change in Diff::under(path.clone(), old, value.value()).into_changes() {
                    self.change(change, parts);
                }
            }
        }
    }

    /// Allows or blocks one change of a diff.
    fn change(&self, change: Change, parts: &mut Parts) {
        let (op, kind) = (change.op(), change.kind());
        let Change { path, from, to } = change;
        match (kind, to) {
            (ChangeKind::Added, Some(to)) => {
                let mut added = Parts::default();
                self.add(&path, to.value(), &mut added);
                parts.take(added, &op);
            }
            (ChangeKind::Removed, to) => self.leaf(Access::Delete, &path, from, to, op, parts),
            (_, to) => self.leaf(Access::Update, &path, from, to, op, parts),
        }
    }

    /// Allows or blocks a new value: whole, or each of its parts.
    fn add(&self, path: &Path, value: &Value, parts: &mut Parts) {
        let mut work = vec![(path.clone(), value)];
        while let Some((path, value)) = work.pop() {
            match self.cover(Access::Add, &path) {
                Cover::Around if tree::has_parts(value) => {
                    let rows = tree::children(value).rev();
                    work.extend(rows.map(|(step, part)| (path.child(step), part)));
                }
                _ => {
                    let to = Data::made(value.clone());
                    let op = Op::put(path.clone(), to.clone());
                    self.leaf(Access::Add, &path, None, Some(to), op, parts);
                }
            }
        }
    }

    fn leaf(
        &self,
        access: Access,
        path: &Path,
        from: Option<Data>,
        to: Option<Data>,
        op: Op,
        parts: &mut Parts,
    ) {
        if self.allows(access, path) {
            parts.allowed.push(op);
        } else {
            let reason = format!("no grant allows to {access} it");
            parts.blocked.push(Blocked { path: path.clone(), access, from, to, reason });
        }
    }

    /// Returns the closest relation of a path to the patterns that give an access.
    fn cover(&self, access: Access, path: &Path) -> Cover {
        let mut closest = Cover::Outside;
        for grant in self.grants.iter().filter(|grant| grant.gives(access)) {
            match grant.pattern.covers(path) {
                Cover::Covered => return Cover::Covered,
                Cover::Around => closest = Cover::Around,
                Cover::Outside => {}
            }
        }
        closest
    }
}

impl Grant {
    fn of_all(pattern: Pattern) -> Grant {
        Grant { text: pattern.to_string(), pattern, access: [true; 3] }
    }

    /// Returns whether the grant gives an access to the paths that its pattern covers.
    pub fn gives(&self, access: Access) -> bool {
        let at = Access::ALL.iter().position(|it| *it == access);
        at.and_then(|at| self.access.get(at)).is_some_and(|gives| *gives)
    }
}

impl FromStr for Grant {
    type Err = GrantError;

    fn from_str(text: &str) -> Result<Grant, GrantError> {
        let text = text.trim();
        let (pattern, words) = match text.rsplit_once(':') {
            // A colon in quotes is part of a key.
            Some((pattern, words)) if !words.contains(['"', ']']) => (pattern.trim(), Some(words)),
            _ => (text, None),
        };
        let mut access = [words.is_none(); 3];
        for word in words.into_iter().flat_map(|words| words.split(',')) {
            let word = word.trim();
            let at = Access::ALL.iter().position(|it| it.as_str().eq_ignore_ascii_case(word));
            match at.and_then(|at| access.get_mut(at)) {
                Some(gives) => *gives = true,
                None => {
                    let (grant, found) = (text.to_owned(), word.to_owned());
                    return Err(GrantError::Access { grant, found });
                }
            }
        }
        let pattern = Pattern::parse(pattern)
            .map_err(|error| GrantError::Pattern { grant: text.to_owned(), error })?;
        Ok(Grant { pattern, access, text: text.to_owned() })
    }
}

impl Display for Grant {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Display for Grants {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.grants.is_empty() {
            return f.write_str("no grants");
        }
        for (at, grant) in self.grants.iter().enumerate() {
            write!(f, "{}{grant}", if at > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

impl Display for Denied {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Denied { op, path, blocked, grants, .. } = self;
        write!(
            f,
            "{op} {}: expected a grant to {} {}, found {grants}",
            path.shown(),
            blocked.access,
            blocked.path.shown()
        )
    }
}

impl std::error::Error for Denied {}

/// The parts of an operation.
#[derive(Default)]
struct Parts {
    allowed: Vec<Op>,
    blocked: Vec<Blocked>,
}

impl Parts {
    /// Adds the parts of an operation. If none is blocked, the operation is allowed as it is.
    fn take(&mut self, mut parts: Parts, op: &Op) {
        if parts.blocked.is_empty() {
            self.allowed.push(op.clone());
        } else {
            self.allowed.append(&mut parts.allowed);
            self.blocked.append(&mut parts.blocked);
        }
    }
}

fn access_of(now: &Value, op: &Op) -> Access {
    match op {
        Op::Delete { .. } => Access::Delete,
        Op::Put { path, .. } if tree::at(now, path.segments()).is_some() => Access::Update,
        _ => Access::Add,
    }
}

/// A container that is being read.
struct Open<'v> {
    /// The step from the container around it.
    segment: Option<Segment>,
    whole: &'v Value,
    rest: std::vec::IntoIter<(Segment, &'v Value)>,
    states: Vec<States>,
    /// The covered part so far; none if there is none.
    part: Option<Value>,
    /// Whether every part so far is covered.
    complete: bool,
}

fn read(grants: &[Grant], root: &Value) -> Value {
    let patterns = || grants.iter().map(|grant| &grant.pattern);
    let cover = |states: &[States]| {
        let covers = patterns().zip(states).map(|(pattern, states)| pattern.cover(*states));
        let mut closest = Cover::Outside;
        for cover in covers {
            match cover {
                Cover::Covered => return Cover::Covered,
                Cover::Around => closest = Cover::Around,
                Cover::Outside => {}
            }
        }
        closest
    };
    let open = |segment, whole, states| Open {
        segment,
        whole,
        rest: tree::children(whole).collect::<Vec<_>>().into_iter(),
        states,
        part: None,
        complete: true,
    };
    let start: Vec<States> = patterns().map(Pattern::start).collect();
    if cover(&start) == Cover::Covered {
        return root.clone();
    }
    if !tree::has_parts(root) {
        return Value::map([]);
    }
    let mut stack = vec![open(None, root, start)];
    while let Some(top) = stack.last_mut() {
        if let Some((segment, value)) = top.rest.next() {
            let states: Vec<States> = patterns()
                .zip(&top.states)
                .map(|(pattern, states)| pattern.step(*states, &segment))
                .collect();
            match cover(&states) {
                Cover::Covered => top.include(&segment, value.clone()),
                Cover::Around if tree::has_parts(value) => {
                    stack.push(open(Some(segment), value, states));
                }
                _ => top.complete = false,
            }
            continue;
        }
        let Some(done) = stack.pop() else { break };
        // A container with all its parts is itself covered, as far as anyone can tell.
        let part = if done.complete { Some(done.whole.clone()) } else { done.part };
        let (Some(around), Some(segment)) = (stack.last_mut(), done.segment) else {
            return part.unwrap_or_else(|| Value::map([]));
        };
        around.complete &= done.complete;
        if let Some(part) = part {
            around.include(&segment, part);
        }
    }
    Value::map([])
}

impl Open<'_> {
    fn include(&mut self, segment: &Segment, value: Value) {
        match segment {
            Segment::Key(key) => {
                self.part.get_or_insert_with(|| Value::map([])).set_field(key.clone(), value);
            }
            Segment::Index(index) => {
                let list = self.part.get_or_insert_with(|| Value::vector(Vec::new()));
                while tree::len(list) < *index {
                    list.push_item(Value::Nil);
                }
                list.push_item(value);
            }
        }
    }
}
