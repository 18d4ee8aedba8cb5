//! The steps between runs of code: values that arrive, problems, branches, pauses and the end.

use super::action::Action;
use super::driver::{Host, Yielded};
use super::exits::last_form;
use super::machine_core::Core;
use super::problems::invariant_violated;
use super::task::{Dest, Later};
use super::tracer::Tracer;
use ptc_values::{Res, Value};

impl<W: Tracer> Core<W> {
    /// Runs until the program ends or the machine must stop.
    pub(super) fn walk(&mut self, host: &mut Host<'_>) -> Res<Yielded> {
        let mut action = std::mem::replace(&mut self.task.action, Action::Over);
        loop {
            let next = match action {
                Action::Go => self.go(host),
                Action::Value(value) if self.task.dest == Dest::End => {
                    W::value(self, &value);
                    if !self.task.is_branch() {
                        self.left_at = self.main().and_then(|program| {
                            last_form(program).map(|node| (program.clone(), node))
                        });
                        let outcome = self.outcome_of(value);
                        self.end(outcome);
                        return Ok(Yielded::Done);
                    }
                    self.join(Ok(value))
                }
                Action::Value(value) => self.take_value(value),
                Action::Raise(problem) => Err(problem),
                Action::Fork => self.step_fork(),
                Action::Retry => self.retry(),
                Action::Leave => self.leave_now(),
                Action::Waiting => {
                    let asked = if W::ON { self.tell_call() } else { Ok(()) };
                    match asked {
                        Err(problem) => Err(problem),
                        Ok(()) => match self.answered(host).or_else(|| self.next_task()) {
                            Some(action) => Ok(action),
                            None if self.any_answered(host) => Ok(Action::Waiting),
                            None => return Ok(Yielded::Calls(self.hand_out())),
                        },
                    }
                }
                Action::Over => return Ok(Yielded::Done),
            };
            action = match next {
                Ok(action) => action,
                Err(problem) => {
                    W::raised(self, &problem)?;
                    self.raise(problem)?
                }
            };
            if self.cx.pausing()
                && let Some(step) = self.pause(&action)?
            {
                self.task.action = action;
                return Ok(step);
            }
        }
    }

    /// Puts a value where the running task waits for it.
    fn take_value(&mut self, value: Value) -> Res<Action> {
        match std::mem::replace(&mut self.task.dest, Dest::Slot(0)) {
            Dest::Slot(to) => {
                // A task that waits gives back the slots that it does not use.
                let at = self.task.base as usize + usize::from(to);
                if self.task.stack.len() <= at {
                    self.task.stack.resize(at + 1, Value::Nil);
                }
                *self.task.slot(to).ok_or_else(invariant_violated)? = value;
            }
            Dest::Builtin { first, to } => self.task.later = Some((first, to, Later::Got(value))),
            Dest::End => return Err(invariant_violated()),
        }
        Ok(Action::Go)
    }

    /// Steps the innermost builtin again, which waited for a value that another task computes.
    fn retry(&mut self) -> Res<Action> {
        match std::mem::replace(&mut self.task.dest, Dest::Slot(0)) {
            Dest::Builtin { first, to } => {
                self.task.later = Some((first, to, Later::Step));
                Ok(Action::Go)
            }
            _ => Err(invariant_violated()),
        }
    }

    /// Tells the tracer of a new call.
    fn tell_call(&mut self) -> Res<()> {
        match self.call.clone() {
            Some(call) if self.asked => W::asks(self, &call),
            _ => Ok(()),
        }
    }

    /// Gives back the slots that the running task does not use while it waits. Thousands may wait.
    pub(super) fn give_back_slots(&mut self) {
        let slots = self.codes.list.get(self.task.entry as usize).map_or(0, |it| it.code.slots);
        if self.task.later.is_none() {
            self.task.shrink(usize::from(slots));
        }
    }

    /// Counts live bytes if a count is due; returns a step when the slice of fuel is used up.
    #[cold]
    fn pause(&mut self, action: &Action) -> Res<Option<Yielded>> {
        if self.cx.counting_due() {
            let held = match action {
                Action::Value(value) => Some(value),
                _ => None,
            };
            self.count_live(held).map_err(|problem| self.locate(problem))?;
        }
        let running = !matches!(action, Action::Waiting | Action::Over);
        Ok((running && self.cx.slice_over()).then_some(Yielded::SliceUsed))
    }
}
