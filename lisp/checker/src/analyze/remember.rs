//! Records the names of a source with their slots, for a debugger.

use super::analyzer::{Analyzer, Function, is_open};
use super::bindings::{Binding, Bound};
use ptc_reader::Name;
use ptc_values::code::Span;
use ptc_values::ir::{Local, Named};

impl Analyzer<'_> {
    /// Records that a name got a slot of the current function, except for names that the checker made.
    pub(super) fn remember(&mut self, name: Name, slot: u32) {
        let name = self.forms.shared(name);
        if name == "(made)" {
            return;
        }
        let (lambda, from) = (self.function.lambda, self.lowered.program.nodes.len() as u32);
        let what = Named::Slot(slot);
        let nodes = from..u32::MAX;
        self.lowered.program.locals.push(Local { name, lambda, what, nodes, bound: None });
    }

    /// Records the value of the latest slot.
    pub(super) fn remember_value(&mut self, slot: u32, span: Span) {
        if let Some(local) = self.lowered.program.locals.last_mut()
            && local.what == Named::Slot(slot)
            && local.lambda == self.function.lambda
            && is_open(local)
        {
            local.bound = Some(span);
        }
    }

    /// Records the names of a finished function's captures, taken from the enclosing functions.
    pub(super) fn remember_captures(&mut self, function: &Function) {
        for (index, binding) in function.captures.iter().enumerate() {
            let Binding { depth, what: Bound::Slot(slot) } = *binding else { continue };
            let owner = self.outer.get(depth as usize).unwrap_or(&self.function).lambda;
            let named = self.lowered.program.locals.iter().rev().find(|local| {
                local.lambda == owner && local.what == Named::Slot(slot) && is_open(local)
            });
            if let Some(name) = named.map(|local| local.name.clone()) {
                let what = Named::Capture(index as u32);
                let (lambda, nodes) = (function.lambda, 0..u32::MAX - 1);
                let local = Local { name, lambda, what, nodes, bound: None };
                self.lowered.program.locals.push(local);
            }
        }
    }
}
