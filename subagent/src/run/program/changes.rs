//! The change of the payload that a plan asks for.

use ptc_prompt::Plan;

use super::Programs;
use crate::data::Data;
use crate::payload::{ChangeRequest, Op};

impl Programs<'_> {
    /// Reads the change that a plan asks for as expressions. Notes tell the model what was corrected or refused.
    pub(super) fn change_payload(&self, plan: &mut Plan) -> Vec<String> {
        let (Some(change), Some(payload)) = (&plan.change, &self.payload) else {
            return Vec::new();
        };
        match ChangeRequest::from_data(&Data::made(change.clone())) {
            Ok(request) => {
                let result = request.apply(payload.committed(), payload.writes());
                plan.notes.extend(result.notes());
                result.patch.ops().iter().map(op_source).collect()
            }
            Err(error) => {
                plan.notes.push(error.to_string());
                Vec::new()
            }
        }
    }
}

/// Returns an operation on the payload as an expression.
fn op_source(op: &Op) -> String {
    let path = ptc_lisp::print::readable(op.path().to_data().value());
    let name = op.name();
    match op.value() {
        Some(value) => format!("({name} {path} {})", ptc_lisp::print::readable(value.value())),
        None => format!("({name} {path})"),
    }
}
