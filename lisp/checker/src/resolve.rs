//! Checks the calls of functions that earlier programs defined. The functions of the program itself are known only after
//! all of it is lowered, so this is a pass of its own.

use ptc_facts::globals::Globals;
use ptc_values::Value;

use crate::lowered::{FailingCall, Lowered};

/// Returns the calls with a number of arguments that their function does not take.
pub(crate) fn resolve_calls(lowered: &Lowered, globals: &Globals) -> Vec<FailingCall> {
    let mut failing = Vec::new();
    for call in &lowered.global_calls {
        if !lowered.defined.contains_key(&call.global)
            && let Some(Value::Function(closure)) = globals.value(call.global)
            && let Some(lambda) = closure.lambda()
            && lambda.arity(call.count).is_none()
        {
            let problem = ptc_values::wrong_arity_of(lambda, call.count as usize).at(call.span);
            failing.push(FailingCall { lambda: call.lambda, problem });
        }
    }
    failing
}
