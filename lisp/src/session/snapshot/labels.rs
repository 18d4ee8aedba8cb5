//! The labels of a session in a snapshot: where its state may come from, and what its author has read.

use std::sync::Arc;

use ptc_facts::flows::{Kept, OldProgram, Reading, read, write};
use ptc_values::Program;
use serde_json::Value as Json;

use super::Snapshot;
use super::apart::Programs;
use super::together::Restored;
use crate::library::{own_function, own_name_of};
use crate::session::Session;

impl Session {
    /// Returns the labels of the state as JSON; `None` if the session has none.
    pub(super) fn labels_as_json(&self, programs: &Programs) -> Option<Json> {
        let sources = self.sources.as_ref()?;
        let kept = self.flows(sources);
        let name = |program: &Arc<Program>| {
            let is_it = |it: &super::apart::Kept| {
                it.program.as_ref().is_some_and(|it| Arc::ptr_eq(it, program))
            };
            match (programs.kept.iter().position(is_it), own_name_of(program)) {
                (Some(number), _) => OldProgram::Number(number),
                (None, Some(name)) => OldProgram::Own(name.to_owned()),
                (None, None) => OldProgram::Gone(()),
            }
        };
        Some(write(sources, &kept, &self.reading, name))
    }

    /// Returns the labels of a snapshot for this session, whose programs were checked again; `None` if the session has
    /// no labels. A snapshot without them, or with others, may have every label everywhere.
    pub(super) fn labels_of(
        &self,
        snapshot: &Snapshot,
        programs: &[Restored],
    ) -> Option<(Kept, Reading)> {
        let sources = self.sources.as_ref()?;
        let find = |program: &OldProgram| match program {
            OldProgram::Number(number) => {
                let found = programs.get(*number)?.program.as_ref().ok()?;
                Some(found.0.clone())
            }
            OldProgram::Own(name) => own_function(name).cloned(),
            OldProgram::Gone(()) => None,
        };
        let found = snapshot.labels.as_ref().and_then(|labels| read(labels, sources, find));
        Some(found.unwrap_or_else(|| {
            let all = sources.everything();
            (Kept::unknown(all.clone()), Reading::new(all.clone(), all, ""))
        }))
    }
}
