//! Changes of the payload by programs and by answered calls.

use super::cx::Cx;
use super::machine::Machine;
use super::machine_core::Core;
use super::own_payload::{OfBranches, PayloadEnd};
use super::tool_call::CallId;
use super::tracer::Tracer;
use ptc_facts::payload::{PayloadError, PayloadOp, PayloadOpKind};
use ptc_values::code::Code;
use ptc_values::{Diagnostic, Res, Value, json};

impl Cx {
    /// Returns the value at a path of the payload.
    pub fn payload_at(&self, path: &[Value]) -> Res<Option<Value>> {
        let payload = self.own.payload.as_ref().ok_or_else(no_payload)?;
        let found = path.iter().try_fold(&payload.value, ptc_facts::payload::part);
        Ok(found.cloned())
    }

    /// Returns the payload; nil if there is none.
    pub fn payload_or_nil(&self) -> Value {
        self.own.payload.as_ref().map(|payload| payload.value.clone()).unwrap_or_default()
    }

    /// Makes an operation. Pays for its value, and for the value that it replaces.
    pub fn change_payload(
        &mut self,
        kind: PayloadOpKind,
        path: Vec<Value>,
        value: &Value,
    ) -> Res<()> {
        if kind == PayloadOpKind::Put || kind == PayloadOpKind::Merge {
            // Grants compare the values, so the replaced value costs as much as the new one.
            let old = self.payload_at(&path)?.unwrap_or_default();
            self.pay_for_json(kind, &old)?;
        }
        self.pay_for_json(kind, value)?;
        let value = json::plain(value).map_err(|error| not_json(kind, &error))?;
        self.alloc(128 + path.len() as u64 * 16)?;
        let payload = self.own.payload.as_mut().ok_or_else(no_payload)?;
        let op = PayloadOp { kind, path: Value::vector(path), value };
        payload.rules.apply(&mut payload.value, &op).map_err(|error| match error {
            PayloadError::Denied(message) => Diagnostic::new(Code::PayloadDenied, message)
                .with_help("change only what the grants allow"),
            PayloadError::Misfit(message) => Diagnostic::new(Code::PayloadMisfit, message),
        })?;
        payload.ops.push(op);
        Ok(())
    }

    fn pay_for_json(&mut self, kind: PayloadOpKind, value: &Value) -> Res<()> {
        let most = self.limits.memory.min(self.fuel_left().saturating_mul(4));
        let size = json::size(value, most as usize).map_err(|error| not_json(kind, &error))?;
        self.spend(size as u64 / 4)?;
        self.alloc(size as u64)
    }

    /// Merges the payloads of the ended branches of a fork.
    pub(super) fn join_payloads(&mut self, branches: OfBranches) -> Res<()> {
        if branches.is_empty() {
            return Ok(());
        }
        let work: usize = branches.values().map(|own| own.ops.len()).sum();
        self.spend(work as u64 * 4)?;
        let Some(own) = self.own.payload.as_mut() else { return Ok(()) };
        own.join(branches).map_err(|conflict| {
            Diagnostic::new(Code::PayloadConflict, conflict)
                .with_help("change one path in one branch only, or push to a list")
        })
    }

    /// Takes over the operations that an answered call brought, and pays for their values.
    pub(super) fn adopt_payload(&mut self, call: CallId, ops: Vec<PayloadOp>) -> Res<()> {
        for op in &ops {
            self.pay_for_json(op.kind, &op.value)?;
        }
        let Some(own) = self.own.payload.as_mut() else { return Ok(()) };
        own.rules.adopt(&mut own.value, &ops).map_err(|why| {
            let message = format!("the changes of the sub-agent do not fit the payload: {why}");
            Diagnostic::new(Code::PayloadConflict, message)
        })?;
        own.ops.extend(ops);
        own.adopted.push(call);
        Ok(())
    }
}

impl Machine {
    /// Takes the operations of the main task since the start, or since the last call of this function. The operations
    /// of branches are not among them until the branches have joined. Returns none without operations.
    pub fn take_payload(&mut self) -> Option<PayloadEnd> {
        self.0.main_own().take_payload().filter(|end| !end.ops.is_empty())
    }
}

impl<W: Tracer> Core<W> {
    /// Raises the problem of a join, after the problem that ended a branch.
    pub(super) fn join_fork_payloads(
        &mut self,
        branches: OfBranches,
        has_problem: bool,
    ) -> Res<()> {
        match self.cx.join_payloads(branches) {
            // A branch that failed is the first problem, and its fork keeps nothing that conflicts.
            Err(conflict) if has_problem && conflict.code_value() == Code::PayloadConflict => {
                Ok(())
            }
            joined => joined,
        }
    }
}

#[cold]
fn no_payload() -> Diagnostic {
    Diagnostic::new(Code::NotAvailable, "this mission has no payload")
}

#[cold]
fn not_json(kind: PayloadOpKind, error: &json::NotJson) -> Diagnostic {
    Diagnostic::new(Code::NotJson, format!("`{}` cannot keep the value: {error}", kind.name()))
        .with_help("put data; call functions first")
}
