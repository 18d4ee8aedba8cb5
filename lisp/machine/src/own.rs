//! The private state of a task: random numbers, prints and memory.
//!
//! A branch starts with the memory of its parent task and without prints. Its prints go to the parent when all earlier
//! branches have ended, and its memory when all have. So both follow the order of the program, however fast each
//! branch is.

use std::sync::Arc;

use super::flow_place::FlowPlace;
use super::own_payload::{OwnPayload, PayloadEnd};
use super::prints::Prints;
use super::world::World;
use ptc_facts::payload::Payload;
use ptc_facts::seen::SeenFields;
use ptc_values::limits::Limits;
use ptc_values::random::Random;
use ptc_values::{HiddenTexts, Map, Value};

/// The private state of a task.
#[derive(Clone)]
pub struct Own {
    /// The generator of random numbers.
    pub random: Random,
    /// The memory between turns, as the task sees it.
    pub memory: Arc<Map>,
    /// The payload, as the task sees it.
    pub(super) payload: Option<Box<OwnPayload>>,
    pub(super) prints: Prints,
    /// Undeclared fields that results of tools had.
    pub(super) seen: SeenFields,
    /// The values a branch has put into memory.
    puts: Option<Arc<Map>>,
    /// The place among steps and loops of agents.
    pub flow: FlowPlace,
    is_branch: bool,
}

/// The initial state of branches.
pub(super) struct Beginning {
    random: Random,
    memory: Arc<Map>,
    payload: Option<Box<OwnPayload>>,
    prints: Prints,
    flow: FlowPlace,
}

impl Beginning {
    /// Returns the initial state of a branch, by the number of its fork and its place there.
    pub(super) fn branch(&self, fork: u32, place: u32) -> Own {
        Own {
            random: self.random.of_branch(fork, place),
            memory: self.memory.clone(),
            payload: self.payload.clone(),
            prints: self.prints.clone(),
            seen: SeenFields::new(),
            puts: None,
            flow: self.flow.clone(),
            is_branch: true,
        }
    }
}

impl Own {
    /// Returns the initial state of the main task.
    pub(super) fn of_main(world: &World) -> Own {
        let payload = world.payload.as_ref().map(|payload| Box::new(OwnPayload::of(payload)));
        let (memory, random) = (world.memory.clone(), world.random);
        let (prints, seen, flow) = (Prints::default(), SeenFields::new(), FlowPlace::default());
        Own { random, memory, payload, prints, seen, puts: None, flow, is_branch: false }
    }

    /// Returns the initial state of branches of this task; `captured` makes them print to a text.
    pub(super) fn at_fork(&mut self, captured: bool) -> Beginning {
        let (random, memory) = (self.random, self.memory.clone());
        let payload = self.payload.as_ref().map(|payload| Box::new(payload.at_fork()));
        let (prints, flow) = (self.prints.for_branch(captured), self.flow.at_fork());
        Beginning { random, memory, payload, prints, flow }
    }

    /// Keeps a value for later turns.
    pub fn put(&mut self, key: Value, value: Value) {
        if self.is_branch {
            let puts = self.puts.get_or_insert_default();
            Map::make_mut(puts).insert((key.clone(), value.clone()));
        }
        Map::make_mut(&mut self.memory).insert((key, value));
    }

    /// Returns the values that a branch has put into memory, in its order.
    pub(super) fn puts(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.puts.iter().flat_map(|puts| puts.iter())
    }

    /// Adds the prints and the report of a branch.
    pub(super) fn take_in(&mut self, branch: Own, limits: &Limits) {
        self.prints.take_in(branch.prints, limits);
        self.flow.take_in(branch.flow);
        for (tool, names) in branch.seen {
            ptc_facts::seen::note_names(&mut self.seen, &tool, names);
        }
    }

    /// Removes the payload of an ended branch, if the branch changed it.
    pub(super) fn changed_payload(&mut self) -> Option<Box<OwnPayload>> {
        self.payload.take().filter(|payload| !payload.ops.is_empty())
    }

    /// Returns the values of hidden fields that a task may quote.
    pub(super) fn hidden(&self, world: &World) -> HiddenTexts {
        let mut hidden = HiddenTexts::default();
        hidden.find(&Value::Map(world.ctx.clone()));
        hidden.find(&Value::Map(self.memory.clone()));
        self.payload.iter().for_each(|it| hidden.find(&it.value));
        world.values().for_each(|it| hidden.find(it));
        hidden
    }

    pub(super) fn take_payload(&mut self) -> Option<PayloadEnd> {
        self.payload.as_mut().map(|payload| payload.take())
    }

    /// Returns the payload, for a debugger.
    pub(super) fn payload_value(&self) -> Option<Payload> {
        let payload = self.payload.as_ref()?;
        Some(Payload::new(payload.value.clone(), payload.rules.clone()))
    }

    /// Returns whether there is nothing to add to the parent.
    pub(super) fn is_untouched(&self) -> bool {
        let is_silent = self.seen.is_empty() && self.prints.is_untouched();
        is_silent && self.puts.is_none() && self.flow.is_untouched()
    }

    /// Returns the fuel that adding it costs.
    pub(super) fn weight(&self) -> u64 {
        self.puts.as_ref().map_or(0, |puts| puts.len()) as u64 + self.prints.weight()
    }

    /// Visits every value it holds; returns the bytes that it takes besides.
    pub(super) fn each_value(&self, visit: &mut impl FnMut(&Value)) -> u64 {
        visit(&Value::Map(self.memory.clone()));
        self.puts.iter().for_each(|puts| visit(&Value::Map(puts.clone())));
        self.payload.iter().for_each(|payload| payload.each_value(visit));
        self.prints.bytes() + self.flow.each_value(visit)
    }
}
