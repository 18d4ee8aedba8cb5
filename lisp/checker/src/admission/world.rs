//! The facts that admission has before it looks at the nodes of a program.

use std::collections::BTreeMap;

use crate::lowered::{Defined, Lowered};
use crate::scope::Environment;

/// A program's environment, with what its forms told about it.
#[expect(clippy::struct_excessive_bools, reason = "one for each fact")]
pub(super) struct World<'a> {
    pub(super) env: Environment<'a>,
    /// The definition of each name that this program defines.
    pub(super) defined: &'a BTreeMap<u32, Defined>,
    /// Whether nil may be a placeholder for a refused form.
    pub(super) has_gaps: bool,
    /// Whether the program reads data that has fields.
    pub(super) reads_data: bool,
    /// Whether the program writes memory.
    pub(super) writes_memory: bool,
    /// Whether the payload can change while the program runs.
    pub(super) changes_payload: bool,
}

impl<'a> World<'a> {
    /// Collects what the forms of a program told.
    pub(super) fn of(lowered: &'a Lowered, env: Environment<'a>) -> World<'a> {
        let Lowered { report, problems, failing, defined, .. } = lowered;
        World {
            env,
            defined,
            has_gaps: !problems.is_empty() || !failing.is_empty(),
            reads_data: !report.ctx.is_empty()
                || !report.memory_reads.is_empty()
                || !report.payload_reads.is_empty()
                || env.globals.count() > 0
                || env.history.iter().any(|value| !value.is_nil()),
            writes_memory: !report.memory_writes.is_empty(),
            changes_payload: !report.payload_writes.is_empty()
                || env.payload.is_some_and(|payload| payload.is_shared),
        }
    }
}
