//! The payload of a session: its programs change it under the grants of their agent.

use std::sync::Arc;

use ptc_lisp::{Payload, PayloadError, PayloadOp, PayloadOpKind, PayloadRules, Value};

use super::grants::{CheckError, Grants};
use super::merge::join;
use super::patch::{Op, Patch, PatchError};
use super::path::{Path, PathError};
use crate::Data;

/// Makes the payload of a session, which programs change under grants.
///
/// ```
/// use ptc_lisp::{Budget, Limits, Session, Yielded, Value};
/// use ptc_subagent::Data;
/// use ptc_subagent::payload::{Grants, payload_of_session};
/// use serde_json::json;
///
/// let start = Data::from(json!({"order": {"paid": false}}));
/// let mut session = Session::new(Value::Nil, Vec::new(), Limits::default());
/// session.set_payload(payload_of_session(start, Grants::parse(["order:update"])?));
///
/// let program = session.admit("(payload/put [:order :paid] true)")?;
/// let mut machine = session.start(&program);
/// let mut budget = Budget::new(session.limits());
/// while !matches!(machine.run(&mut budget), Yielded::Done) {}
/// let end = machine.finish();
/// assert_eq!(end.payload().unwrap().value.to_string(), r#"{"order" {"paid" true}}"#);
///
/// let refused = session.admit("(payload/put [:total] 1)").unwrap_err();
/// assert_eq!(
///     refused.to_string(),
///     "payload/put total: expected a grant to change total, found order:update",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn payload_of_session(start: Data, writes: Grants) -> Payload {
    Payload::new(start.into_value(), Arc::new(Rules { writes }))
}

impl Patch {
    /// Returns the patch of these operations of a program.
    ///
    /// # Errors
    ///
    /// [`PathError`] if a path is not one, which no program makes.
    pub(crate) fn of_program(ops: &[PayloadOp]) -> Result<Patch, PathError> {
        ops.iter().map(op_of).collect()
    }

    /// Returns the operations as a session takes them.
    pub(crate) fn for_program(&self) -> Vec<PayloadOp> {
        self.ops().iter().map(for_program).collect()
    }
}

/// The rules of an agent for its programs.
#[derive(Debug)]
struct Rules {
    writes: Grants,
}

impl PayloadRules for Rules {
    fn may_allow(&self, kind: PayloadOpKind, path: &Value) -> Result<(), String> {
        let path = path_of(path).map_err(|error| error.to_string())?;
        let op = kind.name();
        if self.writes.may_allow(op, &path) {
            return Ok(());
        }
        let to = if kind == PayloadOpKind::Delete { "delete" } else { "change" };
        let path = path.shown();
        Err(format!("{op} {path}: expected a grant to {to} {path}, found {}", self.writes))
    }

    fn apply(&self, payload: &mut Value, op: &PayloadOp) -> Result<(), PayloadError> {
        let misfit = |error: &dyn std::fmt::Display| PayloadError::Misfit(error.to_string());
        let op = op_of(op).map_err(|error| misfit(&error))?;
        let mut data = Data::made(std::mem::take(payload));
        let made = match self.writes.check_op(&data, &op) {
            Ok(()) => op.apply_to(&mut data).map_err(|error| misfit(&error)),
            Err(CheckError::Denied(denied)) => Err(PayloadError::Denied(denied.to_string())),
            Err(CheckError::Patch(error)) => Err(misfit(&error)),
        };
        *payload = data.into_value();
        made
    }

    fn adopt(&self, payload: &mut Value, ops: &[PayloadOp]) -> Result<(), String> {
        let patch = Patch::of_program(ops).map_err(|error| error.to_string())?;
        let adopted = patch.apply(&Data::made(payload.clone()));
        *payload = adopted.map_err(|error: PatchError| error.to_string())?.into_value();
        Ok(())
    }

    fn join(
        &self,
        fork: &Value,
        branches: &[Vec<PayloadOp>],
    ) -> Result<(Value, Vec<PayloadOp>), String> {
        let patches: Result<Vec<Patch>, PathError> =
            branches.iter().map(|ops| Patch::of_program(ops)).collect();
        let patches = patches.map_err(|error| error.to_string())?;
        let joined =
            join(&Data::made(fork.clone()), &patches).map_err(|error| error.to_string())?;
        Ok((joined.payload.into_value(), joined.patch.for_program()))
    }
}

fn path_of(path: &Value) -> Result<Path, PathError> {
    Path::from_data(&Data::made(path.clone()))
}

fn op_of(op: &PayloadOp) -> Result<Op, PathError> {
    let path = path_of(&op.path)?;
    let value = Data::made(op.value.clone());
    Ok(match op.kind {
        PayloadOpKind::Put => Op::Put { path, value },
        PayloadOpKind::Push => Op::Push { path, value },
        PayloadOpKind::Delete => Op::Delete { path },
        PayloadOpKind::Merge => Op::Merge { path, value },
    })
}

fn for_program(op: &Op) -> PayloadOp {
    let kind = match op {
        Op::Put { .. } => PayloadOpKind::Put,
        Op::Push { .. } => PayloadOpKind::Push,
        Op::Delete { .. } => PayloadOpKind::Delete,
        Op::Merge { .. } => PayloadOpKind::Merge,
    };
    let value = op.value().map(|value| value.value().clone()).unwrap_or_default();
    PayloadOp { kind, path: op.path().to_value(), value }
}
