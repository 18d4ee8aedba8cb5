//! The view that a debugger has of a machine.

use std::sync::Arc;

use super::codes::Entry;
use super::machine_core::Core;
use super::task::Task;
use super::tracer::Tracer;
use super::world::World;
use crate::ops::Local;
use ptc_facts::globals::Globals;
use ptc_values::ir::Lambda;
use ptc_values::limits::Limits;
use ptc_values::{Program, Value};

/// A function that was called and has not returned.
pub struct Level<'c> {
    task: &'c Task,
    entry: &'c Entry,
    pub program: &'c Arc<Program>,
    base: usize,
    pub waits: Waits,
}

/// The event that a function waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waits {
    /// None: it is the innermost function.
    Runs,
    /// The return of a function that was called at this number of frames.
    Under(usize),
    /// The end of a branch.
    ForBranch,
}

impl<W: Tracer> Core<W> {
    /// Visits the running functions, innermost first.
    pub fn levels<'c>(&'c self, visit: &mut impl FnMut(Level<'c>)) {
        let mut waits = Waits::Runs;
        for task in self.lineage() {
            let mut place = (task.entry, task.base);
            let mut frames = task.frames.iter().enumerate().rev();
            loop {
                let caller = frames.next();
                // A branch begins in a stub of the function that it branched off from.
                if let Some(entry) = self.codes.list.get(place.0 as usize)
                    && !(task.is_branch() && caller.is_none())
                {
                    let (program, base) = (&entry.program, place.1 as usize);
                    visit(Level { task, entry, program, base, waits });
                }
                let Some((height, frame)) = caller else { break };
                place = (frame.entry, frame.base);
                waits = Waits::Under(height);
            }
            waits = Waits::ForBranch;
        }
    }

    /// Returns the number of frames of the running task.
    pub fn height(&self) -> usize {
        self.task.frames.len()
    }

    /// Returns the number of frames at the call of the running function; none without a caller.
    pub fn called_at(&self) -> Option<usize> {
        self.task.frames.len().checked_sub(1)
    }

    /// Returns the node that the running function evaluates.
    pub fn node(&self) -> Option<u32> {
        Some(self.codes.list.get(self.task.entry as usize)?.node(self.task.pc))
    }

    /// Returns the number of the running task.
    pub fn task(&self) -> u64 {
        self.task.id
    }

    pub fn parent(&self) -> Option<u64> {
        self.task.origin.map(|origin| origin.task)
    }

    /// Returns the fuel used so far.
    pub fn fuel(&self) -> u64 {
        self.fuel_used + self.cx.fuel_taken()
    }

    /// Returns the number of tool calls made so far.
    pub fn calls(&self) -> u32 {
        self.calls_made
    }

    /// Returns the lines printed so far.
    pub fn prints(&self) -> Vec<String> {
        self.joined().prints.into_lines()
    }

    /// Returns a problem with its position, as if nothing caught it.
    pub fn placed(&self, problem: &ptc_values::Diagnostic) -> ptc_values::Diagnostic {
        self.locate(problem.clone())
    }

    /// Returns the values of the names that programs defined; none if the definition has not run yet.
    pub fn globals(&self) -> &Globals {
        &self.cx.world.globals
    }

    /// Returns the world of an expression that is evaluated here, and its limits.
    pub fn seen(&self) -> (World, Limits) {
        let (lent, own) = (&self.cx.world, &self.cx.own);
        let (memory, payload) = (own.memory.clone(), own.payload_value());
        let world = World { memory, payload, random: own.random, ..lent.clone() };
        (world, self.cx.limits.clone())
    }
}

impl<'c> Level<'c> {
    /// Returns the function and its number in its program.
    pub fn function(&self) -> Option<(u32, &'c Lambda)> {
        let number = self.entry.code.lambda;
        Some((number, self.program.lambdas.get(number as usize)?))
    }

    pub fn task(&self) -> u64 {
        self.task.id
    }

    pub fn slot(&self, slot: u32) -> Option<&'c Value> {
        match Local::of(slot) {
            Local::Slot(slot) => self.task.stack.get(self.base + usize::from(slot)),
            Local::Spilled(index) => {
                let spilled = self.base + usize::from(self.entry.code.spilled);
                match self.task.stack.get(spilled)? {
                    Value::Vector(vector) => vector.get(index as usize),
                    _ => None,
                }
            }
        }
    }

    pub fn capture(&self, index: u32) -> Option<&'c Value> {
        match self.task.stack.get(self.base)? {
            Value::Function(closure) => closure.captures.get(index as usize),
            _ => None,
        }
    }
}
