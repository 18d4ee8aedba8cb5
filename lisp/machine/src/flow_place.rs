//! The place of a task among steps and loops of agents, and the actions that builtins of `flow/` start.

use arcstr::ArcStr;

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
