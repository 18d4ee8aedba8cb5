//! The flows of the state that programs leave to later ones.

use std::collections::BTreeMap;
use std::sync::Arc;

use arcstr::ArcStr;
use ptc_values::Program;

use super::flow::{Flow, Site};
use super::label::Label;

/// The flows of a session's state.
#[derive(Clone, Default)]
pub struct Kept {
    /// The programs whose functions may be called, by their numbers.
    pub programs: Vec<Arc<Program>>,
    /// The captured values of functions.
    pub captures: BTreeMap<Site, Vec<Flow>>,
    pub cells: BTreeMap<Site, Flow>,
    /// The arguments of builtins that made functions.
    pub made: BTreeMap<Site, Flow>,
    pub globals: BTreeMap<u32, Flow>,
    pub memory: Flow,
    pub payload: Flow,
    /// The keys of `ctx` that the host set to values of programs.
    pub inputs: BTreeMap<ArcStr, Flow>,
    /// The label of the messages of a conversation.
    pub conversation: Label,
    /// The values of earlier programs, the latest first.
    pub history: [Flow; 3],
    /// The label of values whose flows are unknown, such as those of a restored session.
    pub unknown: Label,
}

impl std::fmt::Debug for Kept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Kept").field("globals", &self.globals).finish_non_exhaustive()
    }
}

impl Kept {
    /// Makes the flows of a state that nothing is known about besides its label.
    pub fn unknown(label: Label) -> Kept {
        let flow = Flow::of(label.clone());
        let history = [flow.clone(), flow.clone(), flow.clone()];
        Kept {
            memory: flow.clone(),
            payload: flow,
            history,
            conversation: label.clone(),
            unknown: label,
            ..Kept::default()
        }
    }

    /// Returns the number of a program.
    pub fn number(&mut self, program: &Arc<Program>) -> u32 {
        let found = self.programs.iter().position(|it| Arc::ptr_eq(it, program));
        let number = found.unwrap_or_else(|| {
            self.programs.push(program.clone());
            self.programs.len() - 1
        });
        number as u32
    }
}
