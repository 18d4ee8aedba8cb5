//! Infers a program's abilities before it runs: the bounds of its tool calls, the shapes of arguments and results, and
//! whether it always ends in `return` or `fail`.
//!
//! Nodes are in the order in which the checker made them: parts before the whole, a value before its uses. So one pass
//! in order is enough, with the shapes of slots kept beside it; nothing recurs. The arguments of a function are known
//! only after its body, so the pass repeats while it finds more.
//!
//! All findings hold for every run: shapes cover all possible values, bounds all possible calls. An unknown value may
//! be anything.

mod calls;
mod certain;
mod dealt;
mod equal;
mod expected;
mod fields;
pub(crate) mod findings;
mod functions;
mod loops;
mod named;
mod nodes;
mod options;
mod order;
mod problems;
mod scan;
mod through;
mod world;

use crate::lowered::Lowered;
use crate::scope::Scope;
use findings::Findings;
use world::World;

/// Finds out what a program can do and what is certain to fail. Its names are all resolved.
pub(crate) fn examine(lowered: &Lowered, scope: &Scope<'_>) -> Findings {
    let world = World::of(lowered, scope.env);
    let program = &lowered.program;
    // Otherwise there is nothing to find out.
    let is_useful = lowered.ends
        || lowered.is_doubtful
        || !program.tools.is_empty()
        || program.lambdas.len() > 1
        || world.reads_data
        || !scope.env.kept_tools.is_empty();
    if scope.builtin || !is_useful {
        return Findings::default();
    }
    scan::examine(program, &lowered.outline.marks, &world)
}
