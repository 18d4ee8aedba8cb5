//! The place of a task among steps and loops of agents, and the actions that builtins of `flow/` start.

use std::sync::Arc;

use arcstr::ArcStr;
use ptc_values::{Map, Value};

/// The action of the machine that a builtin starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MachineAction {
    /// Waits for a number of milliseconds.
    Wait,
    /// Ends the turn with a state for the next one.
    Continue,
    /// Asks a person.
    Ask,
    /// Asks the host to send a message of the transcript whole again.
    Expand,
}

/// The place of a task among steps and loops of agents. A branch begins with that of its parent.
#[derive(Debug, Clone, Default)]
pub struct FlowPlace {
    /// The names of the open steps, outermost first, joined by `/`.
    pub step: Option<ArcStr>,
    pub looped: Looped,
    /// Whether the step has been reached that the run starts at.
    pub has_started: bool,
    pub path: FlowPath,
    /// The message, the reasoning and the confidence of the program's report.
    pub told: Option<Arc<Map>>,
}

/// The steps that a task has entered, in their order.
#[derive(Debug, Clone, Default)]
pub struct FlowPath {
    /// The steps before the newest fork, which the task shares with its branches.
    before: Option<Arc<[StepTaken]>>,
    own: Vec<StepTaken>,
    /// The number of steps that a branch began with.
    inherited: usize,
}

/// A step that a task has entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepTaken {
    /// The names of the open steps, outermost first, joined by `/`.
    pub name: ArcStr,
    /// Whether its function was not called.
    pub is_skipped: bool,
}

/// The steps that a run starts at and skips.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StepChoice {
    /// The step to start at: the steps before it are skipped.
    pub start_at: Option<ArcStr>,
    /// The steps to skip.
    pub skip: Vec<ArcStr>,
}

/// The most steps of a path. Later ones are left out, so that a long loop needs no more memory.
const MAX_PATH: usize = 1_000;

impl FlowPath {
    /// Returns all steps of the path.
    pub fn steps(&self) -> impl Iterator<Item = &StepTaken> {
        self.before.iter().flat_map(|it| it.iter()).chain(&self.own)
    }

    /// Returns the number of its steps.
    pub fn len(&self) -> usize {
        self.before.as_ref().map_or(0, |it| it.len()) + self.own.len()
    }

    /// Returns whether no step was entered.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a step, unless the path is full. Returns whether it did.
    pub fn enter(&mut self, step: StepTaken) -> bool {
        let has_room = self.len() < MAX_PATH;
        if has_room {
            self.own.push(step);
        }
        has_room
    }

    /// Returns the path with which branches begin. The task shares its steps from then on, so another fork is cheap.
    fn at_fork(&mut self) -> FlowPath {
        if !self.own.is_empty() {
            self.before = Some(self.steps().cloned().collect());
            self.own.clear();
        }
        FlowPath { before: self.before.clone(), own: Vec::new(), inherited: self.len() }
    }
}

impl StepChoice {
    /// Returns whether a run skips a step that it enters, by the joined names. `has_started` becomes true at the step that
    /// the run starts at, and in the steps around it.
    pub fn skips(&self, name: &str, has_started: &mut bool) -> bool {
        if let Some(start) = self.start_at.as_ref().filter(|_| !*has_started) {
            let is_around = || start.strip_prefix(name).is_some_and(|it| it.starts_with('/'));
            *has_started = start == name;
            if !*has_started {
                return !is_around();
            }
        }
        self.skip.iter().any(|it| it == name)
    }
}

/// The relation of a task to the innermost loop of agents around it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Looped {
    /// There is none.
    #[default]
    No,
    /// It goes on.
    Inside,
    /// An agent has ended it.
    Exited,
}

impl FlowPlace {
    /// Returns the place with which branches begin.
    pub(super) fn at_fork(&mut self) -> FlowPlace {
        let (looped, has_started) = (self.looped, self.has_started);
        let (step, path) = (self.step.clone(), self.path.at_fork());
        FlowPlace { step, looped, has_started, path, told: None }
    }

    /// Adds what a branch says in its report and the steps that it entered. The branches before it have been added.
    pub(super) fn take_in(&mut self, branch: FlowPlace) {
        for step in branch.path.steps().skip(branch.path.inherited) {
            self.path.enter(step.clone());
        }
        self.has_started |= branch.has_started;
        if let Some(told) = branch.told {
            self.tell(&told);
        }
    }

    /// Adds to the program's report; later values win.
    pub fn tell(&mut self, told: &Map) {
        let own = Map::make_mut(self.told.get_or_insert_default());
        for (key, value) in told.iter() {
            own.insert((key.clone(), value.clone()));
        }
    }

    /// Returns whether the task has entered no step and told nothing.
    pub(super) fn is_untouched(&self) -> bool {
        self.path.len() == self.path.inherited && self.told.is_none()
    }

    /// Visits the values of the report; returns the bytes that the path takes.
    pub(super) fn each_value(&self, visit: &mut impl FnMut(&Value)) -> u64 {
        self.told.iter().for_each(|told| visit(&Value::Map(told.clone())));
        ((self.path.len() - self.path.inherited) * size_of::<StepTaken>()) as u64
    }

    /// Takes over the end of a loop from a branch.
    pub(super) fn join(&mut self, branch: &FlowPlace) {
        if branch.looped == Looped::Exited {
            self.exit();
        }
    }

    /// Ends the innermost loop behind the running agent. Does nothing outside a loop.
    pub(super) fn exit(&mut self) {
        if self.looped == Looped::Inside {
            self.looped = Looped::Exited;
        }
    }
}
