//! Unwinding: the path of problems through `try`, `catch` and `finally`.

use super::action::Action;
use super::codes::Kind;
use super::fork::Exit;
use super::machine_core::Core;
use super::problems::invariant_violated;
use super::slots::{empty, store_spilled};
use super::task::Dest;
use super::tracer::Tracer;
use crate::ops::{Code, Local, Takes, Trap, WINDOW};
use ptc_values::{Class, Diagnostic, Res, Value};

impl<W: Tracer> Core<W> {
    /// Continues a task after a problem. If it catches nothing, its parent task continues.
    #[cold]
    pub(super) fn raise(&mut self, problem: Diagnostic) -> Res<Action> {
        self.cx.rest_given = false;
        let mut problem = problem;
        loop {
            problem = match self.unwind(problem) {
                Err(problem) if self.task.is_branch() => problem,
                result => return result,
            };
            problem = match self.join(Err(Exit::of(problem)?)) {
                Err(problem) => problem,
                result => return result,
            };
        }
    }

    /// Unwinds to the innermost `try` that catches a problem or has work to do before the problem
    /// continues. Limits and the end of the program pass through.
    fn unwind(&mut self, problem: Diagnostic) -> Res<Action> {
        let problem = self.locate(problem);
        let problem = self.without_hidden(problem)?;
        if problem.class().is_none() {
            return Err(problem);
        }
        self.abandon_fork();
        if let Dest::Builtin { .. } = std::mem::replace(&mut self.task.dest, Dest::Slot(0)) {
            self.drop_callbacks();
        }
        self.task.later = None;
        let end = self.task.base as usize + WINDOW;
        let codes = self.codes.clone();
        loop {
            let entry = codes.list.get(self.task.entry as usize).ok_or_else(invariant_violated)?;
            let at = self.task.pc.wrapping_sub(1);
            for trap in entry.code.traps.iter().filter(|it| (it.from..it.to).contains(&at)) {
                let class = problem.class().and_then(Class::find);
                match &trap.takes {
                    Takes::Catch(catches) => {
                        let Some((_, local, handler)) = catches
                            .iter()
                            .find(|(of, ..)| class.as_ref().is_some_and(|class| class.is_a(of)))
                        else {
                            continue;
                        };
                        self.enter_handler(trap, *handler, end);
                        W::unwound(self, &entry.program, trap.node);
                        self.bind_caught(&entry.code, *local, super::exception::caught(problem))?;
                        return Ok(Action::Go);
                    }
                    Takes::Finally(handler) => {
                        self.enter_handler(trap, *handler, end);
                        W::unwound(self, &entry.program, trap.node);
                        self.task.raised.push(Some(problem));
                        return Ok(Action::Go);
                    }
                    // The `finally` itself failed: its pending problem is forgotten, as on the JVM.
                    Takes::Pending => drop(self.task.raised.pop()),
                }
            }
            let Some(frame) = self.task.frames.pop() else { return Err(problem) };
            match frame.kind {
                Kind::Item | Kind::Once => self.drop_callbacks(),
                Kind::Lent => {
                    let lent = self.task.slot(0).map(std::mem::take).unwrap_or_default();
                    let place = frame.base as usize + usize::from(frame.from);
                    if let Some(slot) = self.task.stack.get_mut(place) {
                        *slot = lent;
                    }
                }
                Kind::Call | Kind::Field | Kind::Path | Kind::Swap | Kind::Applied => {}
            }
            (self.task.entry, self.task.pc, self.task.base) = (frame.entry, frame.pc, frame.base);
        }
    }

    /// Empties the temporaries of the `try` and the slots of the functions that it left, which end before `end`.
    fn enter_handler(&mut self, trap: &Trap, handler: u32, end: usize) {
        let first = self.task.base as usize + usize::from(trap.top);
        let end = end.min(self.task.stack.len());
        if let Some(slots) = self.task.stack.get_mut(first..end) {
            empty(slots);
        }
        self.task.pc = handler;
    }

    /// Binds an exception to the name of a `catch`.
    fn bind_caught(&mut self, code: &Code, local: Local, caught: Value) -> Res<()> {
        match local {
            Local::Slot(slot) => {
                *self.task.slot(slot).ok_or_else(invariant_violated)? = caught;
                Ok(())
            }
            Local::Spilled(index) => {
                let slot = self.task.slot(code.spilled).ok_or_else(invariant_violated)?;
                store_spilled(slot, index, caught)
            }
        }
    }

    /// Returns a problem without the values of hidden fields, which its texts may quote.
    fn without_hidden(&mut self, problem: Diagnostic) -> Res<Diagnostic> {
        // Most programs raise no problem, and need no search.
        let own = self.own_hidden.take().unwrap_or_else(|| self.cx.own.hidden(&self.cx.world));
        // Each text is searched for each value.
        let paid = self.cx.spend((own.len() + self.cx.world.hidden.len()) as u64);
        let problem = self.cx.world.hidden.cover_problem(own.cover_problem(problem));
        self.own_hidden = Some(own);
        paid.map(|()| problem)
    }
}
