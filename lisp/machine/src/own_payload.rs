//! The payload as a running task sees it.
//!
//! A branch begins with the payload at the fork and without operations. The fork keeps the operations of its ended
//! branches, and merges them when all have ended.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::tool_call::CallId;
use ptc_facts::payload::{Payload, PayloadOp, PayloadRules};
use ptc_values::Value;

/// The payload of a task.
#[derive(Clone)]
pub(super) struct OwnPayload {
    pub(super) rules: Arc<dyn PayloadRules>,
    pub(super) value: Value,
    /// The operations that made it, since the program, the branch or the last [`super::machine::Machine::take_payload`] began.
    pub(super) ops: Vec<PayloadOp>,
    /// The answered calls whose operations are among them.
    pub(super) adopted: Vec<CallId>,
}

/// The payload that a program leaves, with the operations that made it.
#[derive(Debug, Clone)]
pub struct PayloadEnd {
    /// The payload.
    pub value: Value,
    /// The operations since the start of the program, or since the last [`super::machine::Machine::take_payload`].
    pub ops: Vec<PayloadOp>,
    /// The calls whose operations are among `ops`: see [`super::machine::Machine::resume_with`].
    pub adopted: Vec<CallId>,
}

/// The operations of ended branches, by place.
pub(super) type OfBranches = BTreeMap<u32, Box<OwnPayload>>;

impl OwnPayload {
    pub(super) fn of(payload: &Payload) -> OwnPayload {
        let (rules, value) = (payload.rules.clone(), payload.value.clone());
        OwnPayload { rules, value, ops: Vec::new(), adopted: Vec::new() }
    }

    /// Returns the payload of a branch at its start.
    pub(super) fn at_fork(&self) -> OwnPayload {
        let (rules, value) = (self.rules.clone(), self.value.clone());
        OwnPayload { rules, value, ops: Vec::new(), adopted: Vec::new() }
    }

    pub(super) fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        visit(&self.value);
        self.ops.iter().for_each(|op| visit(&op.value));
    }

    /// Hands over the operations and begins anew.
    pub(super) fn take(&mut self) -> PayloadEnd {
        let (ops, adopted) = (std::mem::take(&mut self.ops), std::mem::take(&mut self.adopted));
        PayloadEnd { value: self.value.clone(), ops, adopted }
    }

    /// Merges the operations of ended branches into those of their parent task.
    pub(super) fn join(&mut self, branches: OfBranches) -> Result<(), String> {
        let mut ended: Vec<OwnPayload> = branches.into_values().map(|own| *own).collect();
        if let [only] = ended.as_mut_slice() {
            self.value = std::mem::take(&mut only.value);
            self.ops.append(&mut only.ops);
        } else {
            let ops: Vec<Vec<PayloadOp>> =
                ended.iter_mut().map(|own| std::mem::take(&mut own.ops)).collect();
            let (value, mut joined) = self.rules.join(&self.value, &ops)?;
            self.value = value;
            self.ops.append(&mut joined);
        }
        self.adopted.extend(ended.into_iter().flat_map(|own| own.adopted));
        Ok(())
    }
}
