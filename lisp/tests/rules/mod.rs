//! Rules of a payload that the tests share.

use ptc_lisp::{PayloadError, PayloadOp, PayloadOpKind, PayloadRules, Value};

/// Rules that allow every operation and change nothing.
#[derive(Debug)]
pub(crate) struct AllowAll;

impl PayloadRules for AllowAll {
    fn may_allow(&self, _: PayloadOpKind, _: &Value) -> Result<(), String> {
        Ok(())
    }

    fn apply(&self, _: &mut Value, _: &PayloadOp) -> Result<(), PayloadError> {
        Ok(())
    }

    fn adopt(&self, _: &mut Value, _: &[PayloadOp]) -> Result<(), String> {
        Ok(())
    }

    fn join(
        &self,
        fork: &Value,
        branches: &[Vec<PayloadOp>],
    ) -> Result<(Value, Vec<PayloadOp>), String> {
        Ok((fork.clone(), branches.concat()))
    }
}
