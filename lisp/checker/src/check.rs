//! Checks a program: the passes, in their order.
//!
//! | pass | takes | gives |
//! |---|---|---|
//! | read | text | forms |
//! | lower | forms | nodes, and the facts that forms tell |
//! | resolve calls | calls of names | those that are certain to fail |
//! | examine | nodes and facts | bounds of tool calls, shapes, further failures |
//! | prepare | all of these | the problems, or a program that can run |

use ptc_values::Diagnostic;
use ptc_values::limits::Limits;

use crate::admission::examine;
use crate::admission::findings::Findings;
use crate::analyze::lower;
use crate::prepare::{Checked, prepare};
use crate::resolve::resolve_calls;
use crate::scope::Scope;

/// Checks the text of a program.
///
/// # Errors
/// Returns the certain failures, most useful first, at most five.
pub fn check(text: &str, limits: &Limits, scope: &Scope<'_>) -> Result<Checked, Vec<Diagnostic>> {
    let source = ptc_reader::read(text, limits)?;
    let mut lowered = lower(source, scope);
    let found = if let Some(reads) = scope.known_reads {
        // It was accepted, so its calls that fail are expected.
        lowered.failing.clear();
        Findings { reads: reads.to_vec(), ..Findings::default() }
    } else {
        let failing = resolve_calls(&lowered, scope.env.globals);
        lowered.failing.extend(failing);
        examine(&lowered, scope)
    };
    prepare(lowered, found, scope)
}
